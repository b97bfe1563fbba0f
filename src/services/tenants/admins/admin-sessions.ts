import type { Actor } from '#domain/admin';
import { AppError } from '#errors';
import type { OidcIdentity } from '#ports/oidc';
import type { AdminRecord, AdminSessionRecord } from '#ports/store/store';
import { bindState } from '#services/host/bind-state';
import type { AdminLinksDeps } from './admin-links.ts';
import type { AdminView } from './admin-records.ts';
import * as records from './admin-records.ts';
import { admitOidcAccount } from './oidc-accounts.ts';
import { provePassword, type SignInPlace, sealBrowser } from './prove-password.ts';
import { type CodeDeps, proveFactorCode, requireFactorCode } from './second-factor.ts';

export type SignedIn = { readonly admin: AdminView; readonly session: AdminSessionRecord };
type AdminSessionsDeps = CodeDeps & AdminLinksDeps;
const IDLE_MS = 2 * 3_600_000;
/** Interval at which the store notes that a session is used. */
const NOTE_EVERY_MS = 60_000;

/** A session ends after 2 hours without a request, or after 12 hours. */
export function createAdminSessions(deps: AdminSessionsDeps) {
  const sessions = { signIn, signInWithCode, signInByOidc, findSession, endSession, signOutEverywhere, listSessions };
  return {
    ...bindState(deps, sessions),
    /** Signs in the user of a link. Errors: ADMIN_UNKNOWN, SECOND_FACTOR_REQUIRED. */
    async beginSession(adminId: string, caller: Caller) {
      const record = await records.getAdminRecord(deps.admins, adminId);
      requireFactorCode(deps, record);
      return beginSession(deps, record, { caller, by: 'link', isStillProven: async () => true });
    },
    async signOut(token: string): Promise<void> {
      const id = records.findAdminTokenId(token);
      if (id !== null) await deps.adminSessions.removeAdminSession(id);
    },
  };
}

export type AdminSessions = ReturnType<typeof createAdminSessions>;

/** Signs in. Neither error nor time show whether the name or the password is wrong.
 *  Errors: SIGN_IN_FAILED; RATE_LIMITED after 30 failures from this address, or 10 for this name or
 *  in this browser, in 15 minutes, or when too many passwords are being checked;
 *  SECOND_FACTOR_REQUIRED with `pending` in `data`, for `signInWithCode`. */
async function signIn(deps: AdminSessionsDeps, name: string, password: string, caller: Caller): Promise<NewSession> {
  const record = await provePassword(deps, name, password, caller);
  if (record === null) throw createSignInFailedError();
  requireFactorCode(deps, record);
  const isStillProven = async ({ passwordHash }: AdminRecord) =>
    passwordHash === record.passwordHash || deps.passwords.verifyPassword(passwordHash, password);
  return beginSession(deps, record, { caller, by: 'password', isStillProven });
}

/** Completes a sign-in with a code of the second factor. Errors: those of `proveFactorCode`. */
async function signInWithCode(deps: AdminSessionsDeps, pending: string, code: string, caller: Caller) {
  const { record, by } = await proveFactorCode(deps, pending, code);
  const isStillProven = async ({ passwordHash }: AdminRecord) => passwordHash === record.passwordHash;
  return beginSession(deps, record, { caller, by, isStillProven });
}

/** Signs in with an account at the provider. Errors: those of `admitOidcAccount`. */
async function signInByOidc(deps: AdminSessionsDeps, identity: OidcIdentity, caller: Caller): Promise<NewSession> {
  const record = await admitOidcAccount(deps, identity, caller.address);
  const isStillProven = async ({ oidcSubject }: AdminRecord) => oidcSubject === identity.subject;
  return beginSession(deps, record, { caller, by: 'oidc', isStillProven });
}

/** Returns a session, and notes once a minute that it is used; null when it is over. */
async function findSession(deps: AdminSessionsDeps, token: string): Promise<SignedIn | null> {
  const id = records.findAdminTokenId(token);
  const session = id === null ? null : await deps.adminSessions.findAdminSession(id, deps.clock.now());
  if (session === null) return null;
  const record = await deps.admins.findAdmin(session.adminId);
  if (record === null || !isLiveSession(deps, session, record)) return null;
  return { admin: records.toAdminView(record), session: await noteAdminSessionSeen(deps, session) };
}

/** Ends one session of an administrator. Does nothing if it is over, or of somebody else. */
async function endSession(deps: AdminSessionsDeps, actor: Actor, { id, name }: AdminView, sessionId: string) {
  const session = await deps.adminSessions.findAdminSession(sessionId, deps.clock.now());
  if (session?.adminId !== id) return;
  await deps.adminSessions.removeAdminSession(sessionId);
  await deps.audit.record(actor, { action: 'admin.session-ended', tenantId: null, target: name });
}

/** Ends all sessions of this administrator, including this one. */
async function signOutEverywhere(deps: AdminSessionsDeps, { admin }: SignedIn, address: string | null): Promise<void> {
  const now = deps.clock.now();
  await records.updateAdmin(deps.admins, admin.id, (record) => records.endAdminSessionsAt(record, now));
  await deps.adminSessions.removeAdminSessions(admin.id, null);
  const event = { action: 'admin.signed-out-everywhere', tenantId: null, target: admin.name } as const;
  await deps.audit.record(records.toAdminActor(admin, address), event);
}

/** Lists the sessions that can still be used, the last seen first. */
async function listSessions(deps: AdminSessionsDeps, adminId: string): Promise<readonly AdminSessionRecord[]> {
  const record = await deps.admins.findAdmin(adminId);
  if (record === null) return [];
  const sessions = await deps.adminSessions.listAdminSessions(adminId, deps.clock.now());
  return sessions.filter((session) => isLiveSession(deps, session, record));
}

/** Tells whether a session can still be used. The store checks its absolute end. A session from the
 *  future began while a clock was ahead, and would last too long. */
function isLiveSession(
  { clock }: Pick<AdminSessionsDeps, 'clock'>,
  { createdAt, lastSeenAt }: AdminSessionRecord,
  { sessionsValidFrom }: AdminRecord,
): boolean {
  return createdAt >= sessionsValidFrom && Math.abs(clock.now().getTime() - lastSeenAt.getTime()) < IDLE_MS;
}

async function noteAdminSessionSeen({ adminSessions, clock }: AdminSessionsDeps, session: AdminSessionRecord) {
  const lastSeenAt = clock.now();
  if (lastSeenAt.getTime() - session.lastSeenAt.getTime() < NOTE_EVERY_MS) return session;
  await adminSessions.noteAdminSessionSeen(session.id, lastSeenAt);
  return { ...session, lastSeenAt };
}

export interface NewSession {
  /** Content of the session cookie; the store has only its hash. */
  readonly token: string;
  readonly expiresAt: Date;
  /** Content of a persistent cookie, by which failed sign-ins in this browser are counted. */
  readonly browser: { readonly token: string; readonly expiresAt: Date };
}

type Caller = SignInPlace & { readonly userAgent: string | null };

interface SessionStart {
  readonly caller: Caller;
  /** How the person proved who they are. */
  readonly by: 'password' | 'password-code' | 'recovery-code' | 'link' | 'oidc';
  isStillProven(record: AdminRecord): Promise<boolean>;
}

const ABSOLUTE_MS = 12 * 3_600_000;
const MAX_USER_AGENT_LENGTH = 200;
const NOTE_ATTEMPTS = 3;

/** Begins a session. Errors: SIGN_IN_FAILED when the credentials were changed meanwhile. */
async function beginSession(deps: AdminSessionsDeps, record: AdminRecord, start: SessionStart): Promise<NewSession> {
  const { adminSessions, audit, clock } = deps;
  const { caller, by } = start;
  const { token, id } = records.makeAdminToken();
  // Another host, whose clock is ahead, may have ended former sessions.
  const createdAt = records.pickLaterDate(clock.now(), record.sessionsValidFrom);
  const expiresAt = new Date(createdAt.getTime() + ABSOLUTE_MS);
  const userAgent = caller.userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null;
  const { address } = caller;
  const session = { id, adminId: record.id, createdAt, lastSeenAt: createdAt, expiresAt, address, userAgent };
  await adminSessions.addAdminSession(session);
  // A new password is stored before the sessions are ended: so either that change finds this
  // session, or this check sees the new password.
  if (!(await noteAdminSignIn(deps, record.id, createdAt, start))) {
    await adminSessions.removeAdminSession(id);
    throw createSignInFailedError();
  }
  const event = { action: 'admin.signed-in', tenantId: null, target: record.name, details: { by } } as const;
  await audit.record(records.toAdminActor(record, address), event);
  return { token, expiresAt, browser: sealBrowser(deps, record.id) };
}

async function noteAdminSignIn({ admins }: AdminSessionsDeps, id: string, lastSignInAt: Date, start: SessionStart) {
  for (let attempt = 0; attempt < NOTE_ATTEMPTS; attempt++) {
    const record = await admins.findAdmin(id);
    if (record === null || !(await start.isStillProven(record))) return false;
    if (await admins.replaceAdmin({ ...record, lastSignInAt, version: record.version + 1 })) return true;
  }
  // The same person signs in several times at once, and one of the calls has stored the time.
  return true;
}

const createSignInFailedError = (): AppError =>
  new AppError('SIGN_IN_FAILED', 'This name and this password do not belong together. Try again.');
