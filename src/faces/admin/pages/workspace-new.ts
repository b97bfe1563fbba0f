import { DEFAULT_TENANT } from '../../../domain/tenant.ts';
import type { AdminFaceDeps } from '../deps.ts';
import { type AdminRoute, page, type Reply, type SignedInContext } from '../route.ts';
import { createTenantChooser } from '../tenants/choose-tenant.ts';
import { describeSlack } from '../workspaces/describe-slack.ts';
import { installAddress } from '../workspaces/slack-addresses.ts';

/** Connecting a workspace to a tenant: by a link for it, or at the open address. */
export function workspaceNewRoutes(deps: AdminFaceDeps): AdminRoute[] {
  const { slackInstallLinks, tenants, publicUrl } = deps;

  async function showWays({ params }: SignedInContext): Promise<Reply> {
    const tenant = await tenants.getTenant(params.tenantId!);
    return page('workspace-new', {
      tenant,
      slack: await describeSlack(deps),
      isDefault: tenant.id === DEFAULT_TENANT,
      openAddress: installAddress(publicUrl),
    });
  }

  async function makeLink({ params, actor }: SignedInContext): Promise<Reply> {
    const tenant = await tenants.getTenant(params.tenantId!);
    const { token, expiresAt } = await slackInstallLinks.create(actor, tenant.id);
    return page('workspace-link', { tenant, address: installAddress(publicUrl, token), expiresAt });
  }

  const chooseTenant = createTenantChooser(tenants, 'workspaces', 'workspace-tenant');
  const path = '/tenants/:tenantId/workspaces';
  return [
    { method: 'get', path: '/workspaces/new', access: 'manager', handle: chooseTenant },
    { method: 'get', path: `${path}/new`, access: 'manager', handle: showWays },
    // Whoever opens the address of an answer again, or changes the language there, comes to where links are made.
    { method: 'get', path: `${path}/link`, access: 'manager', handle: showWays },
    { method: 'post', path: `${path}/link`, access: 'manager', handle: makeLink },
  ];
}
