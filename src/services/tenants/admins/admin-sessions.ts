import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { AdminRecord, AdminSessionRecord, Store } from '#ports/store/store';
import type { Keyring } from '#services/host/keyring';
import type { Audit } from '../audit.ts';
import {
  type AdminView,
  createAdminUnknownError,
  endAdminSessionsAt,
  findAdminTokenId,
  makeAdminToken,
  pickLaterDate,
  showAdminRecord,
  toAdminActor,
  updateAdmin,
} from './admin-records.ts';
import type { Passwords } from './passwords.ts';
import { createPasswordProof, type SignInPlace, sealBrowser } from './prove-password.ts';

export interface SignedIn {
  readonly admin: AdminView;
  readonly session: AdminSessionRecord;
}

/** Sessions of administrators. A session ends after 2 hours without a request, or after 12
 *  hours. */
export type AdminSessions = ReturnType<typeof createAdminSessions>;

export interface AdminSessionsDeps extends Pick<Store, 'admins' | 'adminSessions' | 'rateCounters'> {
  readonly passwords: Passwords;
  readonly audit: Audit;
  readonly keyring: Pick<Keyring, 'seal' | 'open'>;
  readonly clock: Clock;
}

const IDLE_MS = 2 * 3_600_000;

const NOTE_EVERY_MS = 60_000;

export function createAdminSessions(deps: AdminSessionsDeps) {
  const { admins, adminSessions, passwords, audit, clock } = deps;
  const provePassword = createPasswordProof(deps);
  const begin = createSessionStart(deps);

  /** Whether a session can still be used. The store checks its absolute end. One from the future
   *  began while a clock was ahead, and would last for as long as it was. */
  const isLive = ({ createdAt, lastSeenAt }: AdminSessionRecord, { sessionsValidFrom }: AdminRecord) =>
    createdAt >= sessionsValidFrom && Math.abs(clock.now().getTime() - lastSeenAt.getTime()) < IDLE_MS;

  return {
    /** Gives the same error after the same time, whether the name or the password is wrong.
     *  Errors: SIGN_IN_FAILED; RATE_LIMITED after 30 failures from this address, or 10 for this
     *  name or in this browser, in 15 minutes, or when too many passwords are being checked. */
    async signIn(name: string, password: string, caller: Caller): Promise<NewSession> {
      const record = await provePassword(name, password, caller);
      if (record === null) throw createSignInFailedError();
      const isStillProven = async ({ passwordHash }: AdminRecord) =>
        passwordHash === record.passwordHash || passwords.verifyPassword(passwordHash, password);
      return begin(record, { caller, by: 'password', isStillProven });
    },
    /** Signs in a person who has just used a link. Errors: ADMIN_UNKNOWN. */
    async beginSession(adminId: string, caller: Caller): Promise<NewSession> {
      const record = await admins.findAdmin(adminId);
      if (record === null) throw createAdminUnknownError();
      return begin(record, { caller, by: 'link', isStillProven: async () => true });
    },
    /** Errors: SIGN_IN_FAILED when no administrator has this OpenID Connect account. */
    async signInByOidc(subject: string, caller: Caller): Promise<NewSession> {
      const record = await admins.findAdminByOidcSubject(subject);
      if (record === null)
        throw new AppError(
          'SIGN_IN_FAILED',
          'Nobody here has this account. Ask an owner for an invitation, and use the account there.',
        );
      const isStillProven = async ({ oidcSubject }: AdminRecord) => oidcSubject === subject;
      return begin(record, { caller, by: 'oidc', isStillProven });
    },
    /** Null when the session is over. Records once a minute that it is used. */
    async findSession(token: string): Promise<SignedIn | null> {
      const id = findAdminTokenId(token);
      const session = id === null ? null : await adminSessions.findAdminSession(id, clock.now());
      if (session === null) return null;
      const record = await admins.findAdmin(session.adminId);
      if (record === null || !isLive(session, record)) return null;
      return { admin: showAdminRecord(record), session: await noteSeen(deps, session) };
    },
    async signOut(token: string): Promise<void> {
      const id = findAdminTokenId(token);
      if (id !== null) await adminSessions.removeAdminSession(id);
    },
    /** Ends all sessions of this administrator, including this one. */
    async signOutEverywhere({ admin }: SignedIn, address: string | null): Promise<void> {
      const now = clock.now();
      await updateAdmin(admins, admin.id, (record) => endAdminSessionsAt(record, now));
      await adminSessions.removeAdminSessions(admin.id, null);
      await audit.record(toAdminActor(admin, address), {
        action: 'admin.signed-out-everywhere',
        tenantId: null,
        target: admin.name,
      });
    },
    /** Sessions that can still be used, the last seen first. */
    async listSessions(adminId: string): Promise<readonly AdminSessionRecord[]> {
      const record = await admins.findAdmin(adminId);
      if (record === null) return [];
      const sessions = await adminSessions.listAdminSessions(adminId, clock.now());
      return sessions.filter((session) => isLive(session, record));
    },
  };
}

async function noteSeen({ adminSessions, clock }: AdminSessionsDeps, session: AdminSessionRecord) {
  const lastSeenAt = clock.now();
  if (lastSeenAt.getTime() - session.lastSeenAt.getTime() < NOTE_EVERY_MS) return session;
  await adminSessions.noteAdminSessionSeen(session.id, lastSeenAt);
  return { ...session, lastSeenAt };
}

export interface NewSession {
  /** For the cookie; the store keeps its hash. */
  readonly token: string;
  readonly expiresAt: Date;
  /** For a persistent cookie: failed sign-ins of this browser are counted separately from those of
   *  other browsers. */
  readonly browser: { readonly token: string; readonly expiresAt: Date };
}

interface Caller extends SignInPlace {
  readonly userAgent: string | null;
}

interface SessionStart {
  readonly caller: Caller;
  /** How the person proved who they are. */
  readonly by: 'password' | 'link' | 'oidc';
  /** Whether the proof still holds for a newer record. */
  isStillProven(record: AdminRecord): Promise<boolean>;
}

const ABSOLUTE_MS = 12 * 3_600_000;

const MAX_USER_AGENT_LENGTH = 200;

const NOTE_ATTEMPTS = 3;

/** Creates a function that begins a session of an authenticated person. Its errors: SIGN_IN_FAILED
 *  when the credentials were changed meanwhile. */
function createSessionStart(
  deps: Pick<Store, 'admins' | 'adminSessions'> & {
    readonly audit: Audit;
    readonly keyring: Pick<Keyring, 'seal' | 'open'>;
    readonly clock: Clock;
  },
) {
  const { admins, adminSessions, audit, clock } = deps;

  /** @returns false when the credentials were changed meanwhile */
  async function noteSignIn(id: string, lastSignInAt: Date, { isStillProven }: SessionStart) {
    for (let attempt = 0; attempt < NOTE_ATTEMPTS; attempt++) {
      const record = await admins.findAdmin(id);
      if (record === null || !(await isStillProven(record))) return false;
      if (await admins.replaceAdmin({ ...record, lastSignInAt, version: record.version + 1 })) return true;
    }
    // Several sign-ins of the same person at once; one of them has stored the time.
    return true;
  }

  return async (record: AdminRecord, start: SessionStart): Promise<NewSession> => {
    const { caller, by } = start;
    const { token, id } = makeAdminToken();
    // Another host, whose clock is ahead, may have ended former sessions.
    const createdAt = pickLaterDate(clock.now(), record.sessionsValidFrom);
    const expiresAt = new Date(createdAt.getTime() + ABSOLUTE_MS);
    const userAgent = caller.userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null;
    const { address } = caller;
    const times = { createdAt, lastSeenAt: createdAt, expiresAt };
    await adminSessions.addAdminSession({ ...times, id, adminId: record.id, address, userAgent });
    // A new password is stored before the sessions are ended: so either that change finds this
    // session, or this check sees the new password.
    if (!(await noteSignIn(record.id, createdAt, start))) {
      await adminSessions.removeAdminSession(id);
      throw createSignInFailedError();
    }
    await audit.record(toAdminActor(record, address), {
      action: 'admin.signed-in',
      tenantId: null,
      target: record.name,
      details: { by },
    });
    return { token, expiresAt, browser: sealBrowser(deps, record.id) };
  };
}

function createSignInFailedError(): AppError {
  return new AppError('SIGN_IN_FAILED', 'This name and this password do not belong together. Try again.');
}
