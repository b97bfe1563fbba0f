import type { AdminRole, TenantScope } from '#domain/admin';
import { findNameProblem, MAX_NAME_LENGTH } from '#domain/text';
import { AppError, type Problem } from '#errors';
import type { AdminRecord, TenantRepository } from '#ports/store/store';
import type { AuditEvent } from '../audit.ts';

/** Why a field is refused, for faces that say it in another language. */
type FormReason =
  | 'name-empty'
  | 'name-too-long'
  | 'name-unprintable'
  | 'password-too-short'
  | 'password-too-long'
  | 'password-easy'
  | 'tenants-missing'
  | 'tenant-gone';

export interface FormProblem extends Problem {
  readonly path: 'name' | 'password' | 'tenants';
  readonly reason: FormReason;
}

/** Errors: FORM_INVALID with these problems, when there are any. */
export function refuseAdminProblems(problems: readonly FormProblem[]): void {
  if (problems.length === 0) return;
  throw new AppError('FORM_INVALID', 'Nothing was changed: correct what is marked, and send it again.', {
    problems,
  });
}

const nameProblems = {
  unprintable: 'This name contains invisible characters. Type it instead of pasting it.',
  empty: 'Write a name with at least one letter or digit.',
  'too-long': `This name is too long. Choose one of at most ${MAX_NAME_LENGTH} characters.`,
};

/** @param name cleaned */
export function findAdminNameProblems(name: string): readonly FormProblem[] {
  const reason = findNameProblem(name);
  return reason === null ? [] : [{ path: 'name', reason: `name-${reason}`, problem: nameProblems[reason] }];
}

/** What someone with this role sees: owners everything, managers the tenants they are given, viewers either.
 *  Errors: FORM_INVALID when that is nothing. */
export function checkAdminScope(role: AdminRole, tenants: TenantScope): TenantScope {
  if (role === 'owner') return null;
  if (tenants === null && role === 'viewer') return null;
  const named = [...new Set(tenants)];
  if (named.length > 0) return named;
  const problem =
    role === 'manager'
      ? 'Choose at least one tenant that this person manages.'
      : 'Choose at least one tenant that this person sees, or all of them.';
  refuseAdminProblems([{ path: 'tenants', reason: 'tenants-missing', problem }]);
  return named;
}

/** For the audit trail. */
export const describeAdminScope = (tenants: TenantScope): string => tenants?.join(', ') ?? 'all';

/** The audit event for a new person who can sign in. */
export function makeAdminJoinEvent({ name, role, tenants }: AdminRecord): AuditEvent {
  return {
    action: 'admin.joined',
    tenantId: null,
    target: name,
    details: { role, tenants: describeAdminScope(tenants) },
  };
}

/** The ids whose tenants exist and are not being deleted, in the same order. */
export async function findTenantsOfAdmin(
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

/** `checkAdminScope`, and the tenants must exist. The caller has to store the scope before a tenant's removal, which comes some
 *  time after the tenant is marked as `deleting` and takes its id out of every scope. Errors: FORM_INVALID. */
export async function checkLivingScope(
  tenants: TenantRepository,
  role: AdminRole,
  wanted: TenantScope,
): Promise<TenantScope> {
  const scope = checkAdminScope(role, wanted);
  if (scope === null) return null;
  const living = await findTenantsOfAdmin(tenants, scope);
  const problem = 'A tenant that was chosen is not there any more. Look at the list again.';
  if (living.length < scope.length)
    refuseAdminProblems([{ path: 'tenants', reason: 'tenant-gone', problem }]);
  return scope;
}
