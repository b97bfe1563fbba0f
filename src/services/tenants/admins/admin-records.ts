import { createHash, randomBytes } from 'node:crypto';
import type { Actor, AdminRole, RoleMapping, TenantScope } from '#domain/admin';
import { findNameProblem, MAX_NAME_LENGTH } from '#domain/text';
import { AppError, type Problem } from '#errors';
import type { AdminRecord, AdminRepository, TenantRepository } from '#ports/store/store';
import type { AuditEvent } from '../audit.ts';

/** The part of an administrator that may be shown. */
export type AdminView = Omit<AdminRecord, 'passwordHash' | 'oidcSubject' | 'secondFactor'> & {
  readonly hasPassword: boolean;
  readonly hasOidc: boolean;
  /** Number of unused recovery codes; null without a second factor. */
  readonly recoveryCodes: number | null;
};

/** ID of the administrator who sets up the host, so that two people cannot do it at once. */
export const FIRST_ADMIN_ID = 'first';
const TOKEN_BYTES = 32;
const TOKEN_SHAPE = /^[\w-]{43}$/;
/** Number of tries to change a record. One fails only when another change succeeded. */
const UPDATE_ATTEMPTS = 20;

/** Makes a random token for a link or a cookie, and the ID under which it is stored. */
export function makeAdminToken(): { readonly token: string; readonly id: string } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, id: hashAdminToken(token) };
}

/** Returns the ID of a token; null for a text that cannot be a token. */
export const findAdminTokenId = (token: string): string | null =>
  TOKEN_SHAPE.test(token) ? hashAdminToken(token) : null;

/** Tokens are random and long, so a slow hash would add no protection to SHA-256. */
const hashAdminToken = (token: string): string => createHash('sha256').update(token).digest('hex');

export function toAdminView({ passwordHash, oidcSubject, secondFactor, ...shown }: AdminRecord): AdminView {
  const recoveryCodes = secondFactor?.codes.length ?? null;
  return { ...shown, hasPassword: passwordHash !== null, hasOidc: oidcSubject !== null, recoveryCodes };
}

export const toAdminActor = ({ id, name }: Pick<AdminRecord, 'id' | 'name'>, address: string | null): Actor => ({
  kind: 'admin',
  id,
  name,
  address,
});

export function makeAdmin(
  values: Pick<AdminRecord, 'id' | 'name' | 'passwordHash' | 'oidcSubject' | 'role' | 'tenants'>,
  now: Date,
): AdminRecord {
  return {
    ...values,
    secondFactor: null,
    roleClaim: null,
    createdAt: now,
    lastSignInAt: null,
    sessionsValidFrom: now,
    version: 1,
  };
}

/** Changes a record. `change` is called again when another call has changed the record, and may
 *  throw. Returns null if there is no such administrator. Errors: CHANGED_MEANWHILE. */
export async function updateAdmin(
  admins: AdminRepository,
  id: string,
  change: (record: AdminRecord) => AdminRecord,
): Promise<AdminRecord | null> {
  for (let attempt = 0; attempt < UPDATE_ATTEMPTS; attempt++) {
    const record = await admins.findAdmin(id);
    if (record === null) return null;
    const next = { ...change(record), version: record.version + 1 };
    if (await admins.replaceAdmin(next)) return next;
  }
  throw createAdminChangedError();
}

/** Ends all sessions that began before. The time never decreases, even if a clock is behind. */
export const endAdminSessionsAt = (record: AdminRecord, now: Date): AdminRecord => ({
  ...record,
  sessionsValidFrom: pickLaterDate(now, record.sessionsValidFrom),
});

export const pickLaterDate = (a: Date, b: Date): Date => (a > b ? a : b);

export function createAdminChangedError(): AppError {
  const message = 'Somebody changed this administrator while the form was open. Look at the new state and try again.';
  return new AppError('CHANGED_MEANWHILE', message);
}

export const createAdminUnknownError = (): AppError =>
  new AppError('ADMIN_UNKNOWN', 'This administrator does not exist (any more). Go back to the list.');

/** Errors: ADMIN_UNKNOWN. */
export async function getAdminRecord(admins: AdminRepository, id: string): Promise<AdminRecord> {
  const record = await admins.findAdmin(id);
  if (record === null) throw createAdminUnknownError();
  return record;
}

/** Refuses a change of a role that follows from a claim. Errors: ROLE_FROM_CLAIM. */
export function refuseAdminRoleFromClaim(mapping: RoleMapping | undefined, { roleClaim }: AdminRecord): void {
  if (mapping === undefined || roleClaim === null) return;
  throw new AppError('ROLE_FROM_CLAIM', 'The role follows from the identity provider. Change it there.');
}

/** Demotes an owner unless there is no other. Counts again afterwards, as two may demote each
 *  other, and restores the role then. Errors: LAST_OWNER; those of `demote`. */
export async function demoteUnlessLastOwner(
  admins: AdminRepository,
  id: string,
  demote: () => Promise<void>,
): Promise<void> {
  if ((await admins.countAdmins('owner')) <= 1) throw createLastOwnerError();
  await demote();
  if ((await admins.countAdmins('owner')) > 0) return;
  await updateAdmin(admins, id, (record) => ({ ...record, role: 'owner', tenants: null }));
  throw createLastOwnerError();
}

function createLastOwnerError(): AppError {
  return new AppError(
    'LAST_OWNER',
    'This is the only owner, and without an owner nobody could manage the server. Make somebody else an owner first.',
  );
}

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

/** Throws FORM_INVALID with these problems, if there are any. */
export function checkAdminProblems(problems: readonly FormProblem[]): void {
  if (problems.length === 0) return;
  throw new AppError('FORM_INVALID', 'Nothing was changed: correct what is marked, and send it again.', { problems });
}

const nameProblems = {
  unprintable: 'This name contains invisible characters. Type it instead of pasting it.',
  empty: 'Write a name with at least one letter or digit.',
  'too-long': `This name is too long. Choose one of at most ${MAX_NAME_LENGTH} characters.`,
};

/** @param name must be cleaned before (`cleanName`) */
export function findAdminNameProblems(name: string): readonly FormProblem[] {
  const reason = findNameProblem(name);
  return reason === null ? [] : [{ path: 'name', reason: `name-${reason}`, problem: nameProblems[reason] }];
}

/** Returns the scope that a role may have of the chosen tenants: owners see everything, managers
 *  the chosen tenants, viewers and auditors either. Errors: FORM_INVALID. */
function checkAdminScope(role: AdminRole, tenants: TenantScope): TenantScope {
  if (role === 'owner') return null;
  if (tenants === null && role !== 'manager') return null;
  const tenantIds = [...new Set(tenants)];
  if (tenantIds.length > 0) return tenantIds;
  const problem =
    role === 'manager'
      ? 'Choose at least one tenant that this person manages.'
      : 'Choose at least one tenant that this person sees, or all of them.';
  checkAdminProblems([{ path: 'tenants', reason: 'tenants-missing', problem }]);
  return tenantIds;
}

/** Writes a scope for the audit trail. */
export const describeAdminScope = (tenants: TenantScope): string => tenants?.join(', ') ?? 'all';

export function makeAdminJoinEvent({ name, role, tenants }: AdminRecord): AuditEvent {
  return {
    action: 'admin.joined',
    tenantId: null,
    target: name,
    details: { role, tenants: describeAdminScope(tenants) },
  };
}

export function makeAdminChangeEvent(before: AdminRecord, after: AdminRecord): AuditEvent {
  const details = {
    role: after.role,
    tenants: describeAdminScope(after.tenants),
    roleBefore: before.role,
    tenantsBefore: describeAdminScope(before.tenants),
  };
  return { action: 'admin.changed', tenantId: null, target: after.name, details };
}

/** Returns those of the ids whose tenants exist and are not being deleted, in the same order. */
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

/** Returns the ids of tenants that the rules name and that do not exist. */
export async function findUnknownRuleTenants(
  tenants: TenantRepository,
  mapping: RoleMapping | undefined,
): Promise<readonly string[]> {
  const tenantIds = [...new Set(mapping?.rules.flatMap((rule) => rule.tenants ?? []))];
  const living = await findTenantsOfAdmin(tenants, tenantIds);
  return tenantIds.filter((id) => !living.includes(id));
}

/** Returns the scope that a role may have of the chosen tenants, which must exist. Store it at
 *  once: a deleted tenant is removed from all scopes only a moment after it is marked as
 *  `deleting`. Errors: FORM_INVALID. */
export async function checkLivingScope(
  tenants: TenantRepository,
  role: AdminRole,
  chosen: TenantScope,
): Promise<TenantScope> {
  const scope = checkAdminScope(role, chosen);
  if (scope === null) return null;
  const living = await findTenantsOfAdmin(tenants, scope);
  const problem = 'A tenant that was chosen is not there any more. Look at the list again.';
  if (living.length < scope.length) checkAdminProblems([{ path: 'tenants', reason: 'tenant-gone', problem }]);
  return scope;
}
