/** What an administrator may do, the least first: look, change own tenants, everything. */
export const adminRoles = ['viewer', 'manager', 'owner'] as const;
export type AdminRole = (typeof adminRoles)[number];

/** Ids of the tenants an administrator sees; null means every tenant, also those to come. */
export type TenantScope = readonly string[] | null;

/** True when the role may do what asks for `least`. */
export function isAtLeast(role: AdminRole, least: AdminRole): boolean {
  return adminRoles.indexOf(role) >= adminRoles.indexOf(least);
}

/** True when someone with this scope may see the tenant. */
export function covers(scope: TenantScope, tenantId: string): boolean {
  return scope === null || scope.includes(tenantId);
}
