import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLoopback } from '../../../domain/loopback.ts';
import { projectRoot } from '../../../project-root.ts';
import type { SlackSettings } from '../../../services/slack-credentials/slack-credentials.ts';
import type { AdminFaceDeps } from '../deps.ts';

/** Why Slack has no way to a host: its address is not https, nor is it one that Slack could call; null where all is well.
 *  Socket Mode spares Slack the way to the host, but not people the way back from Slack's page, which is https only. */
type AddressProblem = 'http' | 'local' | 'localSocket' | null;

const file = join(projectRoot, 'manifest.yml');

/** What stands in the file for the address of a host. */
const EXAMPLE = 'https://skilldock.example';

interface ManifestOptions {
  /** Where people reach the host, without a slash at the end. */
  readonly publicUrl: string;
  /** Whether the host asks Slack for requests, instead of being called by it. */
  readonly usesSocketMode: boolean;
}

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

/** The manifest of the Slack app, as YAML, for this host. */
export function slackManifest({ publicUrl, usesSocketMode }: ManifestOptions): string {
  const manifest = readFileSync(file, 'utf8')
    // What is said of the file above it is not of this one.
    .replace(/^(?:#.*\n)+/, '')
    .replaceAll(EXAMPLE, publicUrl);
  return usesSocketMode
    ? manifest.replace('socket_mode_enabled: false', 'socket_mode_enabled: true')
    : manifest;
}

/** Where Slack makes an app from this manifest. Source: Slack, “Configuring apps with app manifests”. */
const createAppAddress = (manifest: string): string =>
  `https://api.slack.com/apps?${new URLSearchParams({ new_app: '1', manifest_yaml: manifest })}`;

/** @param token of a link; without one a workspace comes to the default tenant, or stays with the one that it has */
export function installAddress(publicUrl: string, token?: string): string {
  const query = token === undefined ? '' : `?${new URLSearchParams({ token })}`;
  return `${publicUrl}/slack/install${query}`;
}

function findAddressProblem(publicUrl: string, usesSocketMode: boolean): AddressProblem {
  const isHttps = publicUrl.startsWith('https:');
  if (!isLoopback(publicUrl)) return isHttps ? null : 'http';
  if (!usesSocketMode) return 'local';
  return isHttps ? null : 'localSocket';
}
