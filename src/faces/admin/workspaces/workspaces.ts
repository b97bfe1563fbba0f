import { listSlackScopes } from '#domain/slack';
import { DEFAULT_TENANT } from '#domain/tenant';
import { AppError } from '#errors';
import { get, makePage, makeRedirect, post, type Reply, type SignedInContext } from '../route.ts';
import { tenantListRoutes } from '../tenants/tenant-lists.ts';
import { describeSlack, slackAppRoutes, writeSlackInstallAddress } from './slack-app.ts';

const WORKSPACES = '/tenants/:tenantId/workspaces';
const WORKSPACE = `${WORKSPACES}/:workspaceId`;

async function showInstallWays(context: SignedInContext): Promise<Reply> {
  const { param, publicUrl, tenants } = context;
  const tenant = await tenants.getTenant(param('tenantId'));
  return makePage('workspace-new', {
    tenant,
    slack: await describeSlack(context),
    isDefault: tenant.id === DEFAULT_TENANT,
    openAddress: writeSlackInstallAddress(publicUrl),
  });
}

async function makeInstallLink(context: SignedInContext): Promise<Reply> {
  const { param, actor, publicUrl, slackInstallLinks, tenants } = context;
  const tenant = await tenants.getTenant(param('tenantId'));
  const { token, expiresAt } = await slackInstallLinks.create(actor, tenant.id);
  return makePage('workspace-link', { tenant, address: writeSlackInstallAddress(publicUrl, token), expiresAt });
}

/** Errors: TENANT_UNKNOWN; SLACK_WORKSPACE_UNKNOWN for a workspace of another tenant, too. */
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
  // Removed here first, as people's data must not remain if Slack fails.
  const token = await slackInstallations.disconnect(context.actor, [tenant.id], workspace.id);
  const isRemoved = await uninstallApp(context, token);
  const list = `/workspaces?tenant=${tenant.id}`;
  return makeRedirect(list, isRemoved ? 'workspace-disconnected' : 'workspace-disconnected-here');
}

/** Workspaces of all visible tenants, new ones, the page of each, and the host's Slack app. */
export const workspacesRoutes = [
  ...tenantListRoutes({
    part: 'workspaces',
    sorts: ['name'],
    find: ({ scope, search, page, pageSize }, { slackInstallations }) =>
      slackInstallations.listInstallations({ scope, search, page, pageSize }),
    show: async (workspaces, list, context) =>
      makePage('workspaces', { ...list, workspaces, slack: await describeSlack(context) }),
  }),
  // Connecting a workspace to a tenant: by a link for it, or at the open address.
  get(`${WORKSPACES}/new`, 'manager', showInstallWays),
  // Reloading the answer by its address, or changing its language, shows the page that makes links.
  get(`${WORKSPACES}/link`, 'manager', showInstallWays),
  post(`${WORKSPACES}/link`, 'manager', makeInstallLink),
  get(WORKSPACE, 'viewer', showWorkspace),
  get(`${WORKSPACE}/disconnect`, 'manager', async (context) =>
    makePage('workspace-disconnect', await loadWorkspace(context)),
  ),
  post(`${WORKSPACE}/disconnect`, 'manager', disconnectWorkspace),
  ...slackAppRoutes,
];
