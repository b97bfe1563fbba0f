/** Who made a change, for the audit trail. */
export interface Actor {
  /** Admin page, teacher in a platform, command line, or the host itself. */
  readonly kind: 'admin' | 'teacher' | 'command' | 'system';
  /** Id of the administrator, or `lti:<registration id>:<user id>` of the teacher; else null. */
  readonly id: string | null;
  /** As it is shown: name of the administrator, or of the teacher where the platform gives it, or
   *  of the account that ran the command. */
  readonly name: string;
  /** Network address the request came from; null where there was none. */
  readonly address: string | null;
}

/** The host itself. */
export const systemActor: Actor = { kind: 'system', id: null, name: 'Skilldock', address: null };

/** Rights of an administrator, in rising order: look, change tenants in scope, everything. */
export const adminRoles = ['viewer', 'manager', 'owner'] as const;
export type AdminRole = (typeof adminRoles)[number];

/** Ids of the tenants an administrator sees; null means every tenant, future ones too. */
export type TenantScope = readonly string[] | null;

/** Whether a role includes the rights of `least`. */
export function isAdminRoleAtLeast(role: AdminRole, least: AdminRole): boolean {
  return adminRoles.indexOf(role) >= adminRoles.indexOf(least);
}

/** Whether the scope includes the tenant. */
export function isInScope(scope: TenantScope, tenantId: string): boolean {
  return scope === null || scope.includes(tenantId);
}
