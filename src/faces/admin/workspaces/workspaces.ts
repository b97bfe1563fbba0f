import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { listSlackScopes, slackLinkScopes } from '#domain/slack';
import { DEFAULT_TENANT } from '#domain/tenant';
import { isLoopbackAddress } from '#domain/web-address';
import { AppError } from '#errors';
import { projectRoot } from '#project-root';
import type { SlackSettings } from '#services/people/slack/slack-credentials';
import type { AdminDeps, AdminFaceDeps } from '../deps.ts';
import { type FormState, fillForm, submitForm } from '../forms/forms.ts';
import { get, makePage, makeRedirect, type PageReply, post, type Reply, type SignedInContext } from '../route.ts';
import { makeTenantListRoutes } from '../tenants/tenant-lists.ts';

const WORKSPACES = '/tenants/:tenantId/workspaces';
const WORKSPACE = `${WORKSPACES}/:workspaceId`;

async function showWorkspaceChoices(context: SignedInContext): Promise<Reply> {
  const { param, publicUrl, tenants } = context;
  const tenant = await tenants.getTenant(param('tenantId'));
  return makePage('workspace-new', {
    tenant,
    slack: await describeSlackApp(context),
    isDefault: tenant.id === DEFAULT_TENANT,
    openAddress: writeSlackInstallAddress(publicUrl),
  });
}

async function makeWorkspaceInstallLink(context: SignedInContext): Promise<Reply> {
  const { param, actor, publicUrl, slackInstallLinks, tenants } = context;
  const tenant = await tenants.getTenant(param('tenantId'));
  const { token, expiresAt } = await slackInstallLinks.create(actor, tenant.id);
  return makePage('workspace-link', { tenant, address: writeSlackInstallAddress(publicUrl, token), expiresAt });
}

/** Errors: TENANT_UNKNOWN; SLACK_WORKSPACE_UNKNOWN, also for a workspace of another tenant. */
async function loadWorkspace({ param, slackInstallations, tenants }: SignedInContext) {
  const tenant = await tenants.getTenant(param('tenantId'));
  return { tenant, workspace: await slackInstallations.getInstallation([tenant.id], param('workspaceId')) };
}

async function showWorkspace(context: SignedInContext): Promise<Reply> {
  const { tenant, workspace } = await loadWorkspace(context);
  const missingScopes = listSlackScopes(context.slackUnfurlsLinks).filter((scope) => !workspace.scopes.includes(scope));
  return makePage('workspace', { tenant, workspace, missingScopes });
}

/** @returns whether Slack has removed the app from the workspace */
async function uninstallApp({ request, slackWorkspaces }: SignedInContext, token: string | null): Promise<boolean> {
  if (token === null) return false;
  try {
    await slackWorkspaces.uninstall(token);
    return true;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    request.log.info({ err: error }, 'Slack: the app is still installed in a workspace that was disconnected');
    return false;
  }
}

async function disconnectWorkspace(context: SignedInContext): Promise<Reply> {
  const { slackInstallations } = context;
  const { tenant, workspace } = await loadWorkspace(context);
  // This comes first, as people's data must not remain if Slack fails.
  const token = await slackInstallations.disconnect(context.actor, [tenant.id], workspace.id);
  const isRemoved = await uninstallApp(context, token);
  const list = `/workspaces?tenant=${tenant.id}`;
  return makeRedirect(list, isRemoved ? 'workspace-disconnected' : 'workspace-disconnected-here');
}

const PATH = '/workspaces/app';
const textField = z.string().default('');
const slackAppForm = z.object({ clientId: textField, clientSecret: textField, signingSecret: textField });
const secretNames = ['clientSecret', 'signingSecret'] as const;

/** The characters of a client ID: anything else may be a secret in the wrong field. */
const CLIENT_ID = /^[\d. ]*$/;

/** The Slack app of this host: its manifest for everybody, its secrets for owners. */
const slackAppRoutes = [
  get(PATH, 'viewer', (context) => showSlackApp(context)),
  post(PATH, 'owner', saveSlackApp),
  get(`${PATH}/remove`, 'owner', showRemoveSlackApp),
  post(`${PATH}/remove`, 'owner', async ({ actor, slackCredentials }) => {
    await slackCredentials.remove(actor);
    return makeRedirect(PATH, 'slack-app-removed');
  }),
  get('/workspaces/manifest.yml', 'viewer', (context) => {
    const lines = Readable.from([writeSlackManifest(context)]);
    return { kind: 'download', name: 'manifest.yml', type: 'text/yaml; charset=utf-8', lines };
  }),
];

async function showSlackApp(context: SignedInContext, form?: FormState): Promise<PageReply> {
  const slack = await describeSlackApp(context);
  const emptied = omitSecrets(form ?? fillForm({ clientId: slack.settings.clientId ?? '' }));
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
    describeSlackApp(deps),
    slackInstallations.listInstallations({ scope: null, search: '', page: 0, pageSize: 1 }),
  ]);
  if (state !== 'saved' && state !== 'unreadable') return makeRedirect(PATH);
  return makePage('slack-app-remove', { workspaces: total });
}

/** Omits secrets, in whatever field they were typed: they are never sent back. */
function omitSecrets(form: FormState): FormState & { readonly isTyped: Record<string, boolean> } {
  const { clientId = '' } = form.values;
  const values = { clientId: CLIENT_ID.test(clientId) ? clientId : '' };
  const isTyped = Object.fromEntries(secretNames.map((name) => [name, Boolean(form.values[name])]));
  return { values, problems: form.problems, all: (field) => (field === 'clientId' ? [values.clientId] : []), isTyped };
}

/** `unreadable` is saved, but sealed under a key that this host does not have. */
type SlackAppState = 'none' | 'environment' | 'saved' | 'unreadable';

/** Describes the Slack app of this host for the pages. */
async function describeSlackApp(deps: ManifestOptions & Pick<AdminFaceDeps, 'slackCredentials'>) {
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
    // The page makes an app from a manifest. Source: Slack, "Configuring apps with app manifests".
    createAddress: `https://api.slack.com/apps?${new URLSearchParams({ new_app: '1', manifest_yaml: manifest })}`,
  };
}

export function describeSlackAppState({ source, clientId }: SlackSettings): SlackAppState {
  if (source === 'saved' && clientId === null) return 'unreadable';
  return source ?? 'none';
}

export const isUsableSlackApp = (state: SlackAppState): boolean => state === 'environment' || state === 'saved';

/** Finds why Slack cannot use the address, or null. With Socket Mode, Slack need not reach the
 *  host, but people come back from Slack's page, which needs https. */
function findAddressProblem(publicUrl: string, usesSocketMode: boolean): 'http' | 'local' | 'localSocket' | null {
  const isHttps = publicUrl.startsWith('https:');
  if (!isLoopbackAddress(publicUrl)) return isHttps ? null : 'http';
  if (!usesSocketMode) return 'local';
  return isHttps ? null : 'localSocket';
}

type ManifestOptions = Pick<AdminFaceDeps, 'publicUrl' | 'slackSocketMode' | 'slackUnfurlsLinks'>;
const manifestFile = join(projectRoot, 'manifest.yml');
const EXAMPLE = 'https://skilldock.example';

function writeSlackManifest({ publicUrl, slackSocketMode, slackUnfurlsLinks }: ManifestOptions): string {
  let manifest = readFileSync(manifestFile, 'utf8')
    // The comment at its beginning is about the file.
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

/** @param token of a link; without one, a workspace keeps its tenant or gets the default one */
function writeSlackInstallAddress(publicUrl: string, token?: string): string {
  const query = token === undefined ? '' : `?${new URLSearchParams({ token })}`;
  return `${publicUrl}/slack/install${query}`;
}

/** Workspaces of all visible tenants, new ones, the page of each, and the host's Slack app. */
export const workspacesRoutes = [
  ...makeTenantListRoutes({
    part: 'workspaces',
    sorts: ['name'],
    find: ({ scope, search, page, pageSize }, { slackInstallations }) =>
      slackInstallations.listInstallations({ scope, search, page, pageSize }),
    show: async (workspaces, list, context) =>
      makePage('workspaces', { ...list, workspaces, slack: await describeSlackApp(context) }),
  }),
  // Connecting a workspace to a tenant: by a link for it, or at the open address.
  get(`${WORKSPACES}/new`, 'manager', showWorkspaceChoices),
  // Reloading the answer by its address, or changing its language, shows the page that makes links.
  get(`${WORKSPACES}/link`, 'manager', showWorkspaceChoices),
  post(`${WORKSPACES}/link`, 'manager', makeWorkspaceInstallLink),
  get(WORKSPACE, 'viewer', showWorkspace),
  get(`${WORKSPACE}/disconnect`, 'manager', async (context) =>
    makePage('workspace-disconnect', await loadWorkspace(context)),
  ),
  post(`${WORKSPACE}/disconnect`, 'manager', disconnectWorkspace),
  ...slackAppRoutes,
];
