import { slackScopes } from '#domain/slack';
import { DEFAULT_TENANT } from '#domain/tenant';
import { AppError } from '#errors';
import type { Languages } from '#faces/words/i18n';
import type { AdminFaceDeps } from '../deps.ts';
import { type AdminRoute, makePage, makeRedirect, type Reply, type SignedInContext } from '../route.ts';
import { tenantListRoutes } from '../tenants/tenant-lists.ts';
import { describeSlack, writeSlackInstallAddress } from './describe-slack.ts';
import { slackAppRoutes } from './slack-app.ts';

/** The Slack workspaces of all tenants that one sees, new ones, the page of each, and the Slack app
 *  of the host. */
export function workspacesRoutes(deps: AdminFaceDeps, languages: Languages): AdminRoute[] {
  const { slackInstallations, tenants } = deps;
  return [
    ...tenantListRoutes(tenants, {
      part: 'workspaces',
      sorts: ['name'],
      find: ({ scope, search, page, pageSize }) =>
        slackInstallations.listInstallations({ scope, search, page, pageSize }),
      show: async (workspaces, list) =>
        makePage('workspaces', { ...list, workspaces, slack: await describeSlack(deps) }),
    }),
    ...newWorkspaceRoutes(deps),
    ...workspaceRoutes(deps),
    ...slackAppRoutes(deps, languages),
  ];
}

/** Connecting a workspace to a tenant: by a link for it, or at the open address. */
function newWorkspaceRoutes(deps: AdminFaceDeps): AdminRoute[] {
  const { slackInstallLinks, tenants, publicUrl } = deps;

  async function showWays({ param }: SignedInContext): Promise<Reply> {
    const tenant = await tenants.getTenant(param('tenantId'));
    return makePage('workspace-new', {
      tenant,
      slack: await describeSlack(deps),
      isDefault: tenant.id === DEFAULT_TENANT,
      openAddress: writeSlackInstallAddress(publicUrl),
    });
  }

  async function makeLink({ param, actor }: SignedInContext): Promise<Reply> {
    const tenant = await tenants.getTenant(param('tenantId'));
    const { token, expiresAt } = await slackInstallLinks.create(actor, tenant.id);
    return makePage('workspace-link', {
      tenant,
      address: writeSlackInstallAddress(publicUrl, token),
      expiresAt,
    });
  }

  const path = '/tenants/:tenantId/workspaces';
  return [
    { method: 'get', path: `${path}/new`, access: 'manager', handle: showWays },
    // Opening the address of an answer again, or changing the language there, leads to where links
    // are made.
    { method: 'get', path: `${path}/link`, access: 'manager', handle: showWays },
    { method: 'post', path: `${path}/link`, access: 'manager', handle: makeLink },
  ];
}

/** One workspace or organisation: what is known of it, and its end here. */
function workspaceRoutes({ slackInstallations, slackWorkspaces, tenants }: AdminFaceDeps): AdminRoute[] {
  /** Errors: TENANT_UNKNOWN; SLACK_WORKSPACE_UNKNOWN for a workspace of another tenant, too. */
  async function load({ param }: SignedInContext) {
    const tenant = await tenants.getTenant(param('tenantId'));
    return { tenant, workspace: await slackInstallations.getInstallation([tenant.id], param('workspaceId')) };
  }

  async function show(context: SignedInContext): Promise<Reply> {
    const { tenant, workspace } = await load(context);
    const missingScopes = slackScopes.filter((scope) => !workspace.scopes.includes(scope));
    return makePage('workspace', { tenant, workspace, missingScopes });
  }

  /** @returns whether Slack has removed the app from the workspace */
  async function uninstall(token: string | null, { request }: SignedInContext): Promise<boolean> {
    if (token === null) return false;
    try {
      await slackWorkspaces.uninstall(token);
      return true;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      request.log.info(
        { err: error },
        'Slack: the app is still installed in a workspace that was disconnected',
      );
      return false;
    }
  }

  async function disconnect(context: SignedInContext): Promise<Reply> {
    const { tenant, workspace } = await load(context);
    // Removed here first: a failure of Slack must not keep people's data here.
    const token = await slackInstallations.disconnect(context.actor, [tenant.id], workspace.id);
    const isRemoved = await uninstall(token, context);
    const list = `/workspaces?tenant=${tenant.id}`;
    return makeRedirect(list, isRemoved ? 'workspace-disconnected' : 'workspace-disconnected-here');
  }

  const path = '/tenants/:tenantId/workspaces/:workspaceId';
  return [
    { method: 'get', path, access: 'viewer', handle: show },
    {
      method: 'get',
      path: `${path}/disconnect`,
      access: 'manager',
      handle: async (context) => makePage('workspace-disconnect', await load(context)),
    },
    { method: 'post', path: `${path}/disconnect`, access: 'manager', handle: disconnect },
  ];
}
