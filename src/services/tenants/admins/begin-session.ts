import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { AdminRecord, AdminRepository, AdminSessionRepository } from '#ports/store/store';
import type { Audit } from '../audit.ts';
import { makeAdminToken, pickLaterDate, toAdminActor } from './admin-records.ts';

export interface SessionGiven {
  /** For the cookie; the store keeps its hash. */
  readonly token: string;
  readonly expiresAt: Date;
}

export interface Caller {
  readonly address: string | null;
  readonly userAgent: string | null;
}

export interface SessionStartDeps {
  readonly admins: AdminRepository;
  readonly adminSessions: AdminSessionRepository;
  readonly audit: Audit;
  readonly clock: Clock;
}

export interface SessionStart {
  readonly caller: Caller;
  /** How they proved who they are. */
  readonly by: 'password' | 'link' | 'oidc';
  /** Whether the proof still holds for a newer record. */
  isStillProven(record: AdminRecord): Promise<boolean>;
}

const ABSOLUTE_MS = 12 * 3_600_000;

const MAX_USER_AGENT_LENGTH = 200;

const NOTE_ATTEMPTS = 3;

/** Begins a session of someone who has proved who they are. Errors: SIGN_IN_FAILED when the proof was overtaken. */
export function createSessionStart(deps: SessionStartDeps) {
  const { admins, adminSessions, audit, clock } = deps;

  /** False when the proof does not hold any more. */
  async function noteSignIn(id: string, lastSignInAt: Date, { isStillProven }: SessionStart) {
    for (let attempt = 0; attempt < NOTE_ATTEMPTS; attempt++) {
      const record = await admins.findAdmin(id);
      if (record === null || !(await isStillProven(record))) return false;
      if (await admins.replaceAdmin({ ...record, lastSignInAt, version: record.version + 1 })) return true;
    }
    // Several sign in as the same person at once; one of them has noted the time.
    return true;
  }

  return async (record: AdminRecord, start: SessionStart): Promise<SessionGiven> => {
    const { caller, by } = start;
    const { token, id } = makeAdminToken();
    // Another host, whose clock is ahead, may have ended the sessions before.
    const createdAt = pickLaterDate(clock.now(), record.sessionsValidFrom);
    const expiresAt = new Date(createdAt.getTime() + ABSOLUTE_MS);
    const userAgent = caller.userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null;
    const { address } = caller;
    const times = { createdAt, lastSeenAt: createdAt, expiresAt };
    await adminSessions.addAdminSession({ ...times, id, adminId: record.id, address, userAgent });
    // A new password first replaces the old one and then ends the sessions there are: either it finds this one, or it is seen here.
    if (!(await noteSignIn(record.id, createdAt, start))) {
      await adminSessions.removeAdminSession(id);
      throw createBeginSessionError();
    }
    const event = { tenantId: null, target: record.name, details: { by } };
    await audit.record(toAdminActor(record, address), { action: 'admin.signed-in', ...event });
    return { token, expiresAt };
  };
}

export function createBeginSessionError(): AppError {
  return new AppError('SIGN_IN_FAILED', 'This name and this password do not belong together. Try again.');
}
