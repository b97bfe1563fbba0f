import { isInScope } from '../../../domain/admin.ts';
import type { Tenants } from '../../../services/tenants/tenants.ts';
import { tenantUnknown } from '../access.ts';
import { page, type Reply, redirect, type SignedInContext } from '../route.ts';
import { readTenantChoices, type TenantChoice } from './tenant-choices.ts';

/** Parts of a tenant that a new one is made in. */
type Part = 'keys' | 'registrations' | 'workspaces';

/** Which tenant a new one is for: known for people with one tenant, else asked for on the page `view`. */
export function createTenantChooser(tenants: Tenants, part: Part, view: string) {
  return async ({ query, signedIn }: SignedInContext): Promise<Reply> => {
    const { tenants: scope } = signedIn.admin;
    const chosen = query.get('tenant');
    if (chosen) {
      if (!isInScope(scope, chosen)) throw tenantUnknown(chosen);
      const { id } = await tenants.getTenant(chosen);
      return redirect(newPath(part, id, []));
    }
    const choices = await readTenantChoices(tenants, scope);
    return choices.length === 1 ? redirect(newPath(part, '', choices)) : page(view, { choices });
  };
}

/** Where a new one is made: in the only tenant or the chosen one, else where it is asked for. */
export function newPath(part: Part, chosen: string, choices: readonly TenantChoice[]): string {
  const only = choices.length === 1 ? choices[0]!.id : chosen;
  return only === '' ? `/${part}/new` : `/tenants/${only}/${part}/new`;
}
