/** Who does something that the audit trail keeps. */
export interface Actor {
  /** Someone on the admin page, a teacher in a platform, someone at the command line, or the host itself. */
  readonly kind: 'admin' | 'teacher' | 'command' | 'system';
  /** Id of the administrator, `lti:<registration id>:<user id>` of the teacher; null for the other kinds. */
  readonly id: string | null;
  /** As it is shown: the administrator's name, that of the teacher where the platform tells it, the account that ran the command. */
  readonly name: string;
  /** Network address the request came from; null where there was none. */
  readonly address: string | null;
}

/** The host itself. */
export const systemActor: Actor = { kind: 'system', id: null, name: 'Skilldock', address: null };

/** What an administrator may do, the least first: look, change own tenants, everything. */
export const adminRoles = ['viewer', 'manager', 'owner'] as const;
export type AdminRole = (typeof adminRoles)[number];

/** Ids of the tenants an administrator sees; null means every tenant, also those to come. */
export type TenantScope = readonly string[] | null;

/** True when the role may do what asks for `least`. */
export function isAdminRoleAtLeast(role: AdminRole, least: AdminRole): boolean {
  return adminRoles.indexOf(role) >= adminRoles.indexOf(least);
}

/** True when someone with this scope may see the tenant. */
export function isInScope(scope: TenantScope, tenantId: string): boolean {
  return scope === null || scope.includes(tenantId);
}
