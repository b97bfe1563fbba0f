import { DEFAULT_TENANT } from '../../../domain/tenant.ts';
import type { AdminFaceDeps } from '../deps.ts';
import { listModel, readListChoice } from '../lists/lists.ts';
import { type AdminRoute, page, type Reply, type SignedInContext } from '../route.ts';
import { findTenantNames, narrowScope, readTenantChoices } from '../tenants/tenant-choices.ts';
import { createTenantChooser, newPath } from '../tenants/tenant-lists.ts';
import { describeSlack, installAddress } from './describe-slack.ts';

/** The Slack workspaces of every tenant one sees, whether the host has a Slack app, and what to do next. */
export function workspacesRoutes(deps: AdminFaceDeps): AdminRoute[] {
  const { slackInstallations, tenants } = deps;

  async function list(context: SignedInContext): Promise<Reply> {
    const { tenants: visible } = context.signedIn.admin;
    const chosen = context.params.tenantId ?? context.query.get('tenant') ?? '';
    const query = new URLSearchParams(context.query);
    if (chosen !== '') query.set('tenant', chosen);
    const choice = readListChoice(query, ['name']);
    const scope = narrowScope(visible, chosen);
    if (chosen !== '') await tenants.getTenant(chosen);
    const { search, page: number, pageSize } = choice;
    const [found, choices, slack] = await Promise.all([
      slackInstallations.listInstallations({ scope, search, page: number, pageSize }),
      readTenantChoices(tenants, visible),
      describeSlack(deps),
    ]);
    const names = await findTenantNames(tenants, found.items);
    const workspaces = found.items.map((workspace) => ({
      ...workspace,
      tenantName: names.get(workspace.tenantId) ?? workspace.tenantId,
    }));
    const list = listModel({ path: '/workspaces', query, choice }, found);
    return page('workspaces', {
      list,
      workspaces,
      chosen,
      choices,
      slack,
      newPath: newPath('workspaces', chosen, choices),
    });
  }

  return [
    { method: 'get', path: '/workspaces', access: 'viewer', handle: list },
    { method: 'get', path: '/tenants/:tenantId/workspaces', access: 'viewer', handle: list },
  ];
}

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
