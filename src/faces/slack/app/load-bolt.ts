import type { webApi } from '@slack/bolt';

export type WebClient = webApi.WebClient;

/** Loaded only where Slack is used: it takes half a second. */
export const loadBolt = () => import('@slack/bolt');

export type Bolt = Awaited<ReturnType<typeof loadBolt>>;
