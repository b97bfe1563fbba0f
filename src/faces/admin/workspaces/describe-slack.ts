import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLoopback } from '#domain/loopback';
import { projectRoot } from '#project-root';
import type { SlackSettings } from '#services/people/slack/slack-credentials';
import type { AdminFaceDeps } from '../deps.ts';

/** `unreadable`: saved, but sealed under a key that this host does not have. */
export type SlackAppState = 'none' | 'environment' | 'saved' | 'unreadable';

export type SlackDescription = Awaited<ReturnType<typeof describeSlack>>;

/** What the pages show of the Slack app of this host. */
export async function describeSlack({
  slackCredentials,
  slackSocketMode: usesSocketMode,
  publicUrl,
}: Pick<AdminFaceDeps, 'slackCredentials' | 'slackSocketMode' | 'publicUrl'>) {
  const settings = await slackCredentials.describe();
  const state = describeSlackAppState(settings);
  const manifest = writeSlackManifest({ publicUrl, usesSocketMode });
  return {
    settings,
    state,
    isUsable: isUsableSlackApp(state),
    usesSocketMode,
    addressProblem: findAddressProblem(publicUrl, usesSocketMode),
    manifest,
    createAddress: writeCreateAddress(manifest),
  };
}

export function describeSlackAppState({ source, clientId }: SlackSettings): SlackAppState {
  if (source === 'saved' && clientId === null) return 'unreadable';
  return source ?? 'none';
}

/** Whether workspaces can be connected. */
export function isUsableSlackApp(state: SlackAppState): boolean {
  return state === 'environment' || state === 'saved';
}

/** Why Slack and this host cannot reach each other: the address is not https, or Slack could not
 *  call it; null where all is well. With Socket Mode, Slack need not reach the host, but people
 *  still come back from Slack's page, which needs https. */
function findAddressProblem(publicUrl: string, usesSocketMode: boolean): 'http' | 'local' | 'localSocket' | null {
  const isHttps = publicUrl.startsWith('https:');
  if (!isLoopback(publicUrl)) return isHttps ? null : 'http';
  if (!usesSocketMode) return 'local';
  return isHttps ? null : 'localSocket';
}

interface ManifestOptions {
  /** Where people reach the host, without a slash at the end. */
  readonly publicUrl: string;
  /** Whether the host asks Slack for requests, instead of being called by it. */
  readonly usesSocketMode: boolean;
}

const manifestFile = join(projectRoot, 'manifest.yml');

/** The address of a host in that file. */
const EXAMPLE = 'https://skilldock.example';

/** The manifest of the Slack app, as YAML, for this host. */
export function writeSlackManifest({ publicUrl, usesSocketMode }: ManifestOptions): string {
  const manifest = readFileSync(manifestFile, 'utf8')
    // The comment above it is about the file.
    .replace(/^(?:#.*\n)+/, '')
    .replaceAll(EXAMPLE, publicUrl);
  return usesSocketMode ? manifest.replace('socket_mode_enabled: false', 'socket_mode_enabled: true') : manifest;
}

/** Where Slack makes an app from this manifest. Source: Slack, “Configuring apps with app
 *  manifests”. */
function writeCreateAddress(manifest: string): string {
  return `https://api.slack.com/apps?${new URLSearchParams({ new_app: '1', manifest_yaml: manifest })}`;
}

/** @param token of a link; without one a workspace goes to the default tenant, or stays with its
 *  own */
export function writeSlackInstallAddress(publicUrl: string, token?: string): string {
  const query = token === undefined ? '' : `?${new URLSearchParams({ token })}`;
  return `${publicUrl}/slack/install${query}`;
}
