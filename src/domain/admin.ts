/** The author of a change, for the audit trail. */
export interface Actor {
  readonly kind: 'admin' | 'teacher' | 'command' | 'system';
  /** Id of the administrator, or `lti:<registration id>:<user id>` of the teacher; else null. */
  readonly id: string | null;
  /** Name of the administrator or teacher, or of the account that ran the command. */
  readonly name: string;
  /** Network address of the request; null where there was none. */
  readonly address: string | null;
}

export const systemActor: Actor = { kind: 'system', id: null, name: 'Skilldock', address: null };

/** Ascending: read, change tenants in scope, everything. */
export const adminRoles = ['viewer', 'manager', 'owner'] as const;
export type AdminRole = (typeof adminRoles)[number];

/** Tenant ids; null means all tenants, including future ones. */
export type TenantScope = readonly string[] | null;

export function isAdminRoleAtLeast(role: AdminRole, least: AdminRole): boolean {
  return adminRoles.indexOf(role) >= adminRoles.indexOf(least);
}

export const isInScope = (scope: TenantScope, tenantId: string): boolean => scope === null || scope.includes(tenantId);
