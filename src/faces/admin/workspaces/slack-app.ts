import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { slackLinkScopes } from '#domain/slack';
import { isLoopback } from '#domain/web-address';
import { projectRoot } from '#project-root';
import type { SlackSettings } from '#services/people/slack/slack-credentials';
import type { AdminDeps, AdminFaceDeps } from '../deps.ts';
import { type FormState, fillForm, submitForm } from '../forms/forms.ts';
import { get, makePage, makeRedirect, type PageReply, post, type Reply, type SignedInContext } from '../route.ts';

const PATH = '/workspaces/app';
const textField = z.string().default('');
const slackAppForm = z.object({ clientId: textField, clientSecret: textField, signingSecret: textField });
const secretNames = ['clientSecret', 'signingSecret'] as const;

/** The characters of a client ID: anything else may be a secret in the wrong field. */
const CLIENT_ID = /^[\d. ]*$/;

/** The Slack app of this host: its manifest for everybody, its secrets for owners. */
export const slackAppRoutes = [
  get(PATH, 'viewer', (context) => showSlackApp(context)),
  post(PATH, 'owner', saveSlackApp),
  get(`${PATH}/remove`, 'owner', showRemoveSlackApp),
  post(`${PATH}/remove`, 'owner', removeSlackApp),
  get('/workspaces/manifest.yml', 'viewer', downloadManifest),
];

async function showSlackApp(context: SignedInContext, form?: FormState): Promise<PageReply> {
  const slack = await describeSlack(context);
  const emptied = withoutSecrets(form ?? fillForm({ clientId: slack.settings.clientId ?? '' }));
  return makePage('slack-app', { slack, form: emptied });
}

function saveSlackApp(context: SignedInContext): Promise<Reply> {
  return submitForm(context, {
    schema: slackAppForm,
    show: (form) => showSlackApp(context, form),
    async save(app) {
      await context.slackCredentials.save(context.actor, app);
      return makeRedirect(PATH, 'slack-app-saved');
    },
  });
}

async function showRemoveSlackApp(deps: AdminDeps): Promise<Reply> {
  const { slackInstallations } = deps;
  const [{ state }, { total }] = await Promise.all([
    describeSlack(deps),
    slackInstallations.listInstallations({ scope: null, search: '', page: 0, pageSize: 1 }),
  ]);
  if (!isOwn(state)) return makeRedirect(PATH);
  return makePage('slack-app-remove', { workspaces: total });
}

async function removeSlackApp({ actor, slackCredentials }: SignedInContext): Promise<Reply> {
  await slackCredentials.remove(actor);
  return makeRedirect(PATH, 'slack-app-removed');
}

function downloadManifest(context: SignedInContext): Reply {
  const lines = Readable.from([writeSlackManifest(context)]);
  return { kind: 'download', name: 'manifest.yml', type: 'text/yaml; charset=utf-8', lines };
}

const isOwn = (state: SlackDescription['state']): boolean => state === 'saved' || state === 'unreadable';

/** Secrets are never sent back, in whatever field they were typed; the page asks for them again. */
function withoutSecrets(form: FormState): FormState & { readonly isTyped: Record<string, boolean> } {
  const { clientId = '' } = form.values;
  const values = { clientId: CLIENT_ID.test(clientId) ? clientId : '' };
  const isTyped = Object.fromEntries(secretNames.map((name) => [name, Boolean(form.values[name])]));
  return {
    values,
    problems: form.problems,
    all: (field) => (field === 'clientId' ? [values.clientId] : []),
    isTyped,
  };
}

/** `unreadable`: saved, but sealed under a key that this host does not have. */
export type SlackAppState = 'none' | 'environment' | 'saved' | 'unreadable';

type SlackDescription = Awaited<ReturnType<typeof describeSlack>>;

/** What the pages show of the Slack app of this host. */
export async function describeSlack(deps: ManifestOptions & Pick<AdminFaceDeps, 'slackCredentials'>) {
  const { slackCredentials, slackSocketMode: usesSocketMode, publicUrl } = deps;
  const settings = await slackCredentials.describe();
  const state = describeSlackAppState(settings);
  const manifest = writeSlackManifest(deps);
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

export const isUsableSlackApp = (state: SlackAppState): boolean => state === 'environment' || state === 'saved';

/** The address is not https, or Slack could not call it; null where all is well. With Socket Mode,
 *  Slack need not reach the host, but people come back from Slack's page, which needs https. */
function findAddressProblem(publicUrl: string, usesSocketMode: boolean): 'http' | 'local' | 'localSocket' | null {
  const isHttps = publicUrl.startsWith('https:');
  if (!isLoopback(publicUrl)) return isHttps ? null : 'http';
  if (!usesSocketMode) return 'local';
  return isHttps ? null : 'localSocket';
}

type ManifestOptions = Pick<AdminFaceDeps, 'publicUrl' | 'slackSocketMode' | 'slackUnfurlsLinks'>;

const manifestFile = join(projectRoot, 'manifest.yml');
const EXAMPLE = 'https://skilldock.example';

function writeSlackManifest({ publicUrl, slackSocketMode, slackUnfurlsLinks }: ManifestOptions): string {
  let manifest = readFileSync(manifestFile, 'utf8')
    // The comment above it is about the file.
    .replace(/^(?:#.*\n)+/, '')
    .replaceAll(EXAMPLE, publicUrl);
  if (slackSocketMode) manifest = manifest.replace('socket_mode_enabled: false', 'socket_mode_enabled: true');
  if (!slackUnfurlsLinks) return manifest;
  const scopes = slackLinkScopes.map((scope) => `      - ${scope}\n`).join('');
  return manifest
    .replace('  slash_commands:\n', `  unfurl_domains:\n    - ${new URL(publicUrl).hostname}\n$&`)
    .replace('      - users:read\n', `$&${scopes}`)
    .replace('      - app_home_opened\n', '$&      - link_shared\n');
}

/** Makes an app from a manifest. Source: Slack, "Configuring apps with app manifests". */
function writeCreateAddress(manifest: string): string {
  return `https://api.slack.com/apps?${new URLSearchParams({ new_app: '1', manifest_yaml: manifest })}`;
}

/** @param token of a link; without, a workspace keeps its tenant or gets the default one */
export function writeSlackInstallAddress(publicUrl: string, token?: string): string {
  const query = token === undefined ? '' : `?${new URLSearchParams({ token })}`;
  return `${publicUrl}/slack/install${query}`;
}
