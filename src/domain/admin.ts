/** The author of a change, for the audit trail. */
export interface Actor {
  readonly kind: 'admin' | 'teacher' | 'command' | 'system';
  /** Id of the administrator, or `lti:<registration id>:<user id>` of the teacher; else null. */
  readonly id: string | null;
  /** Name of the administrator or teacher, or of the account that ran the command. */
  readonly name: string;
  /** Network address of the request; null if there was none. */
  readonly address: string | null;
}

export const systemActor: Actor = { kind: 'system', id: null, name: 'Skilldock', address: null };

/** Viewers read tenants; auditors also read what belongs to the whole host, and send nothing but
 *  what concerns their account; managers change tenants; owners change everything. */
export const adminRoles = ['viewer', 'auditor', 'manager', 'owner'] as const;
export type AdminRole = (typeof adminRoles)[number];

const includedRoles: Readonly<Record<AdminRole, readonly AdminRole[]>> = {
  viewer: ['viewer'],
  auditor: ['viewer', 'auditor'],
  manager: ['viewer', 'manager'],
  owner: adminRoles,
};

/** IDs of tenants; null means all tenants, including future ones. */
export type TenantScope = readonly string[] | null;

export const isAdminRoleAtLeast = (role: AdminRole, least: AdminRole): boolean => includedRoles[role].includes(least);

export const isInAdminScope = (scope: TenantScope, tenantId: string): boolean =>
  scope === null || scope.includes(tenantId);

export type RoleScope = { readonly role: AdminRole; readonly tenants: TenantScope };

/** The role that a value of a claim gives. */
type RoleRule = RoleScope & { readonly value: string };

/** How roles follow from a claim of the OpenID Connect provider. */
export type RoleMapping = { readonly claim: string; readonly rules: readonly RoleRule[] };

/** Parses rules; returns null if a part is not a rule.
 *  @param text `lib-admins=owner; lyon-staff=manager:lyon,paris` */
export function parseAdminRoleRules(text: string): readonly RoleRule[] | null {
  const parts = text.split(';').filter((part) => part.trim() !== '');
  const rules = parts.flatMap((part) => parseAdminRoleRule(part) ?? []);
  return rules.length === parts.length && rules.length > 0 ? rules : null;
}

/** The value may have `=` itself, as names in directories do. */
function parseAdminRoleRule(text: string): RoleRule | null {
  const [, value = '', name, ids] = /^(.+)=\s*(\w+)\s*(?::(.*))?$/s.exec(text) ?? [];
  const role = adminRoles.find((adminRole) => adminRole === name);
  const tenants = ids?.split(',').flatMap((id) => id.trim() || []) ?? null;
  if (role === undefined || value.trim() === '' || tenants?.length === 0) return null;
  // Owners have all tenants; managers must name theirs.
  if ((role === 'owner' && tenants !== null) || (role === 'manager' && tenants === null)) return null;
  return { value: value.trim(), role, tenants };
}

/** Chooses the most powerful role of the values, in the tenants of its rules; null without any. */
export function chooseAdminRole(rules: readonly RoleRule[], values: readonly string[]) {
  const matching = rules.filter(({ value }) => values.includes(value));
  const role = adminRoles.findLast((candidate) => matching.some((rule) => rule.role === candidate));
  if (role === undefined) return null;
  const giving = matching.filter((rule) => rule.role === role);
  const isEverywhere = giving.some(({ tenants }) => tenants === null);
  const tenants = isEverywhere ? null : [...new Set(giving.flatMap((rule) => rule.tenants ?? []))];
  return { role, tenants, values: giving.map(({ value }) => value) };
}
