import type { AdminFaceDeps } from '../deps.ts';
import { listModel, readListChoice } from '../lists/lists.ts';
import { type AdminRoute, page, type Reply, type SignedInContext } from '../route.ts';
import { newPath } from '../tenants/choose-tenant.ts';
import { narrowScope, readTenantChoices } from '../tenants/tenant-choices.ts';
import { findTenantNames } from '../tenants/tenant-names.ts';
import { describeSlack } from './describe-slack.ts';

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
