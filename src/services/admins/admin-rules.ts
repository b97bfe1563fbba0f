import type { AdminRole, TenantScope } from '../../domain/admin.ts';
import { findNameProblem, MAX_NAME_LENGTH } from '../../domain/text.ts';
import type { AdminRecord } from '../../ports/store/store.ts';
import type { AuditEvent } from '../audit.ts';
import { type FormProblem, refuseProblems } from './form-problems.ts';

const nameProblems = {
  unprintable: 'This name has characters that cannot be seen. Type it anew, without copying.',
  empty: 'Write a name with at least one letter or digit.',
  'too-long': `This name is too long. Choose one of at most ${MAX_NAME_LENGTH} characters.`,
};

/** @param name cleaned */
export function findNameProblems(name: string): readonly FormProblem[] {
  const reason = findNameProblem(name);
  return reason === null ? [] : [{ path: 'name', reason: `name-${reason}`, problem: nameProblems[reason] }];
}

/** What someone of this role sees: owners everything, managers named tenants, viewers either.
 *  Errors: FORM_INVALID when there is nothing to see. */
export function checkScope(role: AdminRole, tenants: TenantScope): TenantScope {
  if (role === 'owner') return null;
  if (tenants === null && role === 'viewer') return null;
  const named = [...new Set(tenants)];
  if (named.length > 0) return named;
  const problem =
    role === 'manager'
      ? 'Choose at least one tenant that this person manages.'
      : 'Choose at least one tenant that this person sees, or all of them.';
  refuseProblems([{ path: 'tenants', reason: 'tenants-missing', problem }]);
  return named;
}

/** For the audit trail. */
export const describeScope = (tenants: TenantScope): string => tenants?.join(', ') ?? 'all';

/** For the audit trail, when somebody new can sign in. */
export function joinEvent({ name, role, tenants }: AdminRecord): AuditEvent {
  return {
    action: 'admin.joined',
    tenantId: null,
    target: name,
    details: { role, tenants: describeScope(tenants) },
  };
}
