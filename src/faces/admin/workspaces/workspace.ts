import { slackScopes } from '../../../domain/slack.ts';
import { AppError } from '../../../errors.ts';
import type { AdminFaceDeps } from '../deps.ts';
import { type AdminRoute, page, type Reply, redirect, type SignedInContext } from '../route.ts';

/** One workspace or organisation: what is known of it, and its end here. */
export function workspaceRoutes({
  slackInstallations,
  slackWorkspaces,
  tenants,
}: AdminFaceDeps): AdminRoute[] {
  /** Errors: TENANT_UNKNOWN; SLACK_WORKSPACE_UNKNOWN for a workspace of another tenant, too. */
  async function load({ param }: SignedInContext) {
    const tenant = await tenants.getTenant(param('tenantId'));
    return { tenant, workspace: await slackInstallations.getInstallation([tenant.id], param('workspaceId')) };
  }

  async function show(context: SignedInContext): Promise<Reply> {
    const { tenant, workspace } = await load(context);
    const missingScopes = slackScopes.filter((scope) => !workspace.scopes.includes(scope));
    return page('workspace', { tenant, workspace, missingScopes });
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
    // Here first: what Slack does not do any more must not keep anything of people here.
    const token = await slackInstallations.disconnect(context.actor, [tenant.id], workspace.id);
    const isRemoved = await uninstall(token, context);
    const list = `/workspaces?tenant=${tenant.id}`;
    return redirect(list, isRemoved ? 'workspace-disconnected' : 'workspace-disconnected-here');
  }

  const path = '/tenants/:tenantId/workspaces/:workspaceId';
  return [
    { method: 'get', path, access: 'viewer', handle: show },
    {
      method: 'get',
      path: `${path}/disconnect`,
      access: 'manager',
      handle: async (context) => page('workspace-disconnect', await load(context)),
    },
    { method: 'post', path: `${path}/disconnect`, access: 'manager', handle: disconnect },
  ];
}
