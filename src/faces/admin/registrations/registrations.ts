import type { AdminFaceDeps } from '../deps.ts';
import { listModel, readListChoice } from '../lists/lists.ts';
import { type AdminRoute, page, type Reply, type SignedInContext } from '../route.ts';
import { findTenantNames, narrowScope, readTenantChoices } from '../tenants/tenant-choices.ts';
import { createTenantChooser, newPath } from '../tenants/tenant-lists.ts';

/** The platforms of every tenant one sees, and the way to new ones. */
export function registrationsRoutes({ ltiRegistrations, tenants }: AdminFaceDeps): AdminRoute[] {
  async function list(context: SignedInContext): Promise<Reply> {
    const { tenants: visible } = context.signedIn.admin;
    const chosen = context.params.tenantId ?? context.query.get('tenant') ?? '';
    const query = new URLSearchParams(context.query);
    if (chosen !== '') query.set('tenant', chosen);
    const choice = readListChoice(query, ['createdAt', 'name'], true);
    const scope = narrowScope(visible, chosen);
    if (chosen !== '') await tenants.getTenant(chosen);
    const [found, choices] = await Promise.all([
      ltiRegistrations.listRegistrations({ ...choice, scope }),
      readTenantChoices(tenants, visible),
    ]);
    const names = await findTenantNames(tenants, found.items);
    const registrations = found.items.map((registration) => ({
      ...registration,
      tenantName: names.get(registration.tenantId) ?? registration.tenantId,
    }));
    const list = listModel({ path: '/registrations', query, choice }, found);
    return page('registrations', {
      list,
      registrations,
      chosen,
      choices,
      newPath: newPath('registrations', chosen, choices),
    });
  }

  return [
    { method: 'get', path: '/registrations', access: 'viewer', handle: list },
    { method: 'get', path: '/tenants/:tenantId/registrations', access: 'viewer', handle: list },
    {
      method: 'get',
      path: '/registrations/new',
      access: 'manager',
      handle: createTenantChooser(tenants, 'registrations', 'registration-tenant'),
    },
  ];
}
