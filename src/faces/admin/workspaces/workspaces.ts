import { DEFAULT_TENANT } from '../../../domain/tenant.ts';
import type { Languages } from '../../words/i18n.ts';
import type { AdminFaceDeps } from '../deps.ts';
import { type AdminRoute, page, type Reply, type SignedInContext } from '../route.ts';
import { tenantListRoutes } from '../tenants/tenant-lists.ts';
import { describeSlack, writeInstallAddress } from './describe-slack.ts';
import { slackAppRoutes } from './slack-app.ts';
import { workspaceRoutes } from './workspace.ts';

/** The Slack workspaces of every tenant one sees, new ones, the page of each, and the Slack app of the host. */
export function workspacesRoutes(deps: AdminFaceDeps, languages: Languages): AdminRoute[] {
  const { slackInstallations, tenants } = deps;
  return [
    ...tenantListRoutes(tenants, {
      part: 'workspaces',
      sorts: ['name'],
      find: ({ scope, search, page, pageSize }) =>
        slackInstallations.listInstallations({ scope, search, page, pageSize }),
      show: async (workspaces, list) =>
        page('workspaces', { ...list, workspaces, slack: await describeSlack(deps) }),
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
    return page('workspace-new', {
      tenant,
      slack: await describeSlack(deps),
      isDefault: tenant.id === DEFAULT_TENANT,
      openAddress: writeInstallAddress(publicUrl),
    });
  }

  async function makeLink({ param, actor }: SignedInContext): Promise<Reply> {
    const tenant = await tenants.getTenant(param('tenantId'));
    const { token, expiresAt } = await slackInstallLinks.create(actor, tenant.id);
    return page('workspace-link', { tenant, address: writeInstallAddress(publicUrl, token), expiresAt });
  }

  const path = '/tenants/:tenantId/workspaces';
  return [
    { method: 'get', path: `${path}/new`, access: 'manager', handle: showWays },
    // Opening the address of an answer again, or changing the language there, leads to where links are made.
    { method: 'get', path: `${path}/link`, access: 'manager', handle: showWays },
    { method: 'post', path: `${path}/link`, access: 'manager', handle: makeLink },
  ];
}
