import { z } from 'zod';
import { type AdminRole, adminRoles, type TenantScope } from '#domain/admin';
import { boxField } from '../forms/fields.ts';
import { type FormState, fillForm } from '../forms/forms.ts';
import type { TenantChoice } from '../tenants/tenant-choices.ts';

/** The fields that choose a role: the role, a box for each tenant, and a box for all tenants, which
 *  only viewers may have. */
export const roleFields = {
  role: z.enum(adminRoles, 'required'),
  tenants: z.array(z.string()),
  everyTenant: boxField,
};

export const roleLists = ['tenants'] as const;

/** The scope that was chosen. What a role cannot have is left out; the service refuses too
 *  little. */
export function readRoleScope(chosen: {
  readonly role: AdminRole;
  readonly tenants: readonly string[];
  readonly everyTenant: boolean;
}): TenantScope {
  if (chosen.role === 'owner') return null;
  return chosen.role === 'viewer' && chosen.everyTenant ? null : chosen.tenants;
}

/** The form as filled in for somebody who has this role. */
export function fillRoleForm(
  { role, tenants }: { readonly role: AdminRole; readonly tenants: TenantScope },
  more: Readonly<Record<string, string>> = {},
): FormState {
  const everyTenant = role === 'viewer' && tenants === null ? '1' : [];
  return fillForm({ ...more, role, tenants: tenants ?? [], everyTenant });
}

/** The tenants to choose from; chosen ones that would not be shown, because there are too many,
 *  come first. */
export function listRoleTenantChoices(choices: readonly TenantChoice[], chosen: readonly string[]): TenantChoice[] {
  const shown = new Set(choices.map(({ id }) => id));
  return [...chosen.filter((id) => !shown.has(id)).map((id) => ({ id, name: id })), ...choices];
}
