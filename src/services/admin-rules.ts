import type { AdminRole, TenantScope } from '../domain/admin.ts';
import type { AdminRecord } from '../ports/store.ts';
import type { AuditEvent } from './audit.ts';
import { type FormProblem, refuseProblems } from './form-problems.ts';

export const MAX_NAME_LENGTH = 100;

/** Controls, formats, surrogates, unassigned and private characters, and those that are drawn as nothing. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const BLANKS = /\p{Zs}+/gu;
const LETTER_OR_NUMBER = /[\p{L}\p{N}]/u;

/** A name as it is kept and looked for: composed, and without blanks that nobody sees. */
export function cleanName(name: string): string {
  return name.normalize('NFC').replace(BLANKS, ' ').trim();
}

/** @param name cleaned */
export function findNameProblems(name: string): readonly FormProblem[] {
  if (UNPRINTABLE.test(name)) {
    const problem = 'This name has characters that cannot be seen. Type it anew, without copying.';
    return [{ path: 'name', reason: 'name-unprintable', problem }];
  }
  if (!LETTER_OR_NUMBER.test(name)) {
    return [
      { path: 'name', reason: 'name-empty', problem: 'Write a name with at least one letter or digit.' },
    ];
  }
  if ([...name].length <= MAX_NAME_LENGTH) return [];
  const problem = `This name is too long. Choose one of at most ${MAX_NAME_LENGTH} characters.`;
  return [{ path: 'name', reason: 'name-too-long', problem }];
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
