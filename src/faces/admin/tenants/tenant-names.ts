import type { TenantScope } from '../../../domain/admin.ts';
import type { Tenants } from '../../../services/tenants/tenants.ts';

/** The names of the tenants of a scope, in order, and the ids of those that are gone; null for every tenant. */
export async function describeTenants(
  tenants: Pick<Tenants, 'findTenant'>,
  scope: TenantScope,
): Promise<readonly string[] | null> {
  if (scope === null) return null;
  const names = await Promise.all(scope.map(async (id) => (await tenants.findTenant(id))?.name ?? id));
  return names.sort((a, b) => a.localeCompare(b));
}

/** Names of the tenants of some records by id; the id itself where one is gone. */
export async function findTenantNames(
  tenants: Pick<Tenants, 'findTenant'>,
  records: readonly { readonly tenantId: string }[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(records.map(({ tenantId }) => tenantId))];
  const found = await Promise.all(ids.map((id) => tenants.findTenant(id)));
  return new Map(ids.map((id, index) => [id, found[index]?.name ?? id]));
}
