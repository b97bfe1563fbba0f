import type { SlackContext } from '../listener.ts';

/** Where results of a modal can be shared to; kept by the host, never in a button. */
export interface ShareTarget {
  readonly channelId: string;
  readonly threadTs: string | null;
  readonly responseUrl: string;
}

/** The conversation that something is asked for in; null where it is asked for in none. */
export function shareTargetOf({ channelId, responseUrl }: SlackContext): ShareTarget | null {
  return channelId === null || responseUrl === null ? null : { channelId, threadTs: null, responseUrl };
}
