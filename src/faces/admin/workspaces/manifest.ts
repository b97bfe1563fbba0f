import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const file = fileURLToPath(new URL('../../../../manifest.yml', import.meta.url));

/** What stands in the file for the address of a host. */
const EXAMPLE = 'https://skilldock.example';

export interface ManifestOptions {
  /** Where people reach the host, without a slash at the end. */
  readonly publicUrl: string;
  /** Whether the host asks Slack for requests, instead of being called by it. */
  readonly usesSocketMode: boolean;
}

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
export const createAppAddress = (manifest: string): string =>
  `https://api.slack.com/apps?${new URLSearchParams({ new_app: '1', manifest_yaml: manifest })}`;
