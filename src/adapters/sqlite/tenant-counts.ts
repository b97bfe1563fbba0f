import type { TenantCount } from '../../ports/store/store.ts';

/** Of what a statement with `RETURNING tenant_id` gave, in the order of the tenants' ids. */
export function countTenants(rows: readonly unknown[]): readonly TenantCount[] {
  const counts = new Map<string, number>();
  for (const { tenant_id: tenantId } of rows as readonly { readonly tenant_id: string }[])
    counts.set(tenantId, (counts.get(tenantId) ?? 0) + 1);
  return [...counts.keys()].sort().map((tenantId) => ({ tenantId, count: counts.get(tenantId)! }));
}
