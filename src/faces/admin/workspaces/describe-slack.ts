import type { SlackSettings } from '../../../services/slack-credentials/slack-credentials.ts';
import type { AdminFaceDeps } from '../deps.ts';
import { createAppAddress, slackManifest } from './manifest.ts';
import { findAddressProblem } from './slack-addresses.ts';

/** `unreadable` is saved, but sealed under a key that this host does not have. */
export type SlackAppState = 'none' | 'environment' | 'saved' | 'unreadable';

export function stateOf({ source, clientId }: SlackSettings): SlackAppState {
  if (source === 'saved' && clientId === null) return 'unreadable';
  return source ?? 'none';
}

/** Whether workspaces can be connected. */
export const isUsable = (state: SlackAppState): boolean => state === 'environment' || state === 'saved';

/** What the pages show of the Slack app of this host. */
export async function describeSlack({
  slackCredentials,
  slackSocketMode: usesSocketMode,
  publicUrl,
}: Pick<AdminFaceDeps, 'slackCredentials' | 'slackSocketMode' | 'publicUrl'>) {
  const settings = await slackCredentials.describe();
  const state = stateOf(settings);
  const manifest = slackManifest({ publicUrl, usesSocketMode });
  return {
    settings,
    state,
    isUsable: isUsable(state),
    usesSocketMode,
    addressProblem: findAddressProblem(publicUrl, usesSocketMode),
    manifest,
    createAddress: createAppAddress(manifest),
  };
}

export type SlackDescription = Awaited<ReturnType<typeof describeSlack>>;
