import type { AdminRole, TenantScope } from '../../domain/admin.ts';
import type { TenantRepository } from '../../ports/store/store.ts';
import { checkScope } from './admin-rules.ts';
import { refuseProblems } from './form-problems.ts';

/** Those of the ids that stand for a tenant which is there and stays, in their order. */
export async function findLivingTenants(
  tenants: TenantRepository,
  ids: readonly string[],
): Promise<readonly string[]> {
  const living: string[] = [];
  for (const id of ids) {
    const tenant = await tenants.findTenant(id);
    if (tenant !== null && tenant.status !== 'deleting') living.push(id);
  }
  return living;
}

/** `checkScope` of tenants that are there. Whoever stores it has until a tenant's removal, which comes some time after it is
 *  marked as `deleting` and takes the id out of every scope. Errors: FORM_INVALID. */
export async function checkLivingScope(
  tenants: TenantRepository,
  role: AdminRole,
  wanted: TenantScope,
): Promise<TenantScope> {
  const scope = checkScope(role, wanted);
  if (scope === null) return null;
  const living = await findLivingTenants(tenants, scope);
  const problem = 'A tenant that was chosen is not there any more. Look at the list again.';
  if (living.length < scope.length) refuseProblems([{ path: 'tenants', reason: 'tenant-gone', problem }]);
  return scope;
}
