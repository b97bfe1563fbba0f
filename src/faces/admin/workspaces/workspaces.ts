import { slackScopes } from '#domain/slack';
import { DEFAULT_TENANT } from '#domain/tenant';
import { AppError } from '#errors';
import type { AdminDeps } from '../deps.ts';
import { type AdminRoute, makePage, makeRedirect, type Reply, type SignedInContext } from '../route.ts';
import { tenantListRoutes } from '../tenants/tenant-lists.ts';
import { describeSlack, writeSlackInstallAddress } from './describe-slack.ts';
import { slackAppRoutes } from './slack-app.ts';

const WORKSPACES = '/tenants/:tenantId/workspaces';

/** Connecting a workspace to a tenant: by a link for it, or at the open address. */
export const newWorkspaceRoutes: AdminRoute[] = [
  { method: 'get', path: `${WORKSPACES}/new`, access: 'manager', handle: showInstallWays },
  // Reloading the answer by its address, or changing its language, shows the page that makes links.
  { method: 'get', path: `${WORKSPACES}/link`, access: 'manager', handle: showInstallWays },
  { method: 'post', path: `${WORKSPACES}/link`, access: 'manager', handle: makeInstallLink },
];

async function showInstallWays({ param }: SignedInContext, deps: AdminDeps): Promise<Reply> {
  const { publicUrl, tenants } = deps;
  const tenant = await tenants.getTenant(param('tenantId'));
  return makePage('workspace-new', {
    tenant,
    slack: await describeSlack(deps),
    isDefault: tenant.id === DEFAULT_TENANT,
    openAddress: writeSlackInstallAddress(publicUrl),
  });
}

async function makeInstallLink(
  { param, actor }: SignedInContext,
  { publicUrl, slackInstallLinks, tenants }: AdminDeps,
): Promise<Reply> {
  const tenant = await tenants.getTenant(param('tenantId'));
  const { token, expiresAt } = await slackInstallLinks.create(actor, tenant.id);
  return makePage('workspace-link', {
    tenant,
    address: writeSlackInstallAddress(publicUrl, token),
    expiresAt,
  });
}

const WORKSPACE = `${WORKSPACES}/:workspaceId`;

/** The page of a workspace or organisation, and its disconnection. */
export const workspaceRoutes: AdminRoute[] = [
  { method: 'get', path: WORKSPACE, access: 'viewer', handle: showWorkspace },
  {
    method: 'get',
    path: `${WORKSPACE}/disconnect`,
    access: 'manager',
    handle: async (context, deps) => makePage('workspace-disconnect', await loadWorkspace(context, deps)),
  },
  { method: 'post', path: `${WORKSPACE}/disconnect`, access: 'manager', handle: disconnectWorkspace },
];

/** Errors: TENANT_UNKNOWN; SLACK_WORKSPACE_UNKNOWN for a workspace of another tenant, too. */
async function loadWorkspace({ param }: SignedInContext, { slackInstallations, tenants }: AdminDeps) {
  const tenant = await tenants.getTenant(param('tenantId'));
  return { tenant, workspace: await slackInstallations.getInstallation([tenant.id], param('workspaceId')) };
}

async function showWorkspace(context: SignedInContext, deps: AdminDeps): Promise<Reply> {
  const { tenant, workspace } = await loadWorkspace(context, deps);
  const missingScopes = slackScopes.filter((scope) => !workspace.scopes.includes(scope));
  return makePage('workspace', { tenant, workspace, missingScopes });
}

/** @returns whether Slack has removed the app from the workspace */
async function uninstallApp(
  { slackWorkspaces }: AdminDeps,
  token: string | null,
  { request }: SignedInContext,
): Promise<boolean> {
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

async function disconnectWorkspace(context: SignedInContext, deps: AdminDeps): Promise<Reply> {
  const { slackInstallations } = deps;
  const { tenant, workspace } = await loadWorkspace(context, deps);
  // Removed here first, as people's data must not remain if Slack fails.
  const token = await slackInstallations.disconnect(context.actor, [tenant.id], workspace.id);
  const isRemoved = await uninstallApp(deps, token, context);
  const list = `/workspaces?tenant=${tenant.id}`;
  return makeRedirect(list, isRemoved ? 'workspace-disconnected' : 'workspace-disconnected-here');
}

/** The Slack workspaces of all visible tenants, new ones, the page of each, and the Slack app of
 *  the host. */
export const workspacesRoutes: AdminRoute[] = [
  ...tenantListRoutes({
    part: 'workspaces',
    sorts: ['name'],
    find: ({ scope, search, page, pageSize }, { slackInstallations }) =>
      slackInstallations.listInstallations({ scope, search, page, pageSize }),
    show: async (workspaces, list, _words, deps) =>
      makePage('workspaces', { ...list, workspaces, slack: await describeSlack(deps) }),
  }),
  ...newWorkspaceRoutes,
  ...workspaceRoutes,
  ...slackAppRoutes,
];
