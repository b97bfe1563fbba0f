import type { AdminFaceDeps } from '../deps.ts';
import { stateOfKey } from '../keys/key-state.ts';
import { listModel, readListChoice } from '../lists/lists.ts';
import { type AdminRoute, page, type Reply, type SignedInContext } from '../route.ts';
import { createTenantChooser, newPath } from '../tenants/choose-tenant.ts';
import { narrowScope, readTenantChoices } from '../tenants/tenant-choices.ts';
import { findTenantNames } from '../tenants/tenant-names.ts';

/** The API keys of every tenant one sees, and the way to new ones. */
export function keysRoutes({ apiKeys, tenants, clock }: AdminFaceDeps): AdminRoute[] {
  async function list(context: SignedInContext): Promise<Reply> {
    const { signedIn } = context;
    const chosen = context.params.tenantId ?? context.query.get('tenant') ?? '';
    const query = new URLSearchParams(context.query);
    if (chosen !== '') query.set('tenant', chosen);
    const choice = readListChoice(query, ['createdAt', 'name', 'lastUsedAt'], true);
    const scope = narrowScope(signedIn.admin.tenants, chosen);
    if (chosen !== '') await tenants.getTenant(chosen);
    const [found, choices] = await Promise.all([
      apiKeys.listApiKeys({ ...choice, scope }),
      readTenantChoices(tenants, signedIn.admin.tenants),
    ]);
    const names = await findTenantNames(tenants, found.items);
    const keys = found.items.map((key) => ({
      ...key,
      state: stateOfKey(key, clock.now()),
      tenantName: names.get(key.tenantId) ?? key.tenantId,
    }));
    const list = listModel({ path: '/keys', query, choice }, found);
    return page('keys', { list, keys, chosen, choices, newKeyPath: newPath('keys', chosen, choices) });
  }

  return [
    { method: 'get', path: '/keys', access: 'viewer', handle: list },
    { method: 'get', path: '/tenants/:tenantId/keys', access: 'viewer', handle: list },
    {
      method: 'get',
      path: '/keys/new',
      access: 'manager',
      handle: createTenantChooser(tenants, 'keys', 'key-tenant'),
    },
  ];
}
