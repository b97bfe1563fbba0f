import { AppError } from '../../errors.ts';
import type { AdminRecord, AdminSessionRepository, RateCounterRepository } from '../../ports/store/store.ts';
import { createRateLimiter } from '../rate-limits.ts';
import { adminUnknown, changedMeanwhile, updateAdmin } from './admin-records.ts';
import type { Admins } from './admins.ts';
import { refuseProblems } from './form-problems.ts';
import { isFor, type LinkRecordsDeps, revokeLinks } from './link-records.ts';
import type { Passwords } from './passwords.ts';
import { countFailure } from './throttle.ts';

export interface ChangePasswordDeps extends LinkRecordsDeps {
  readonly adminSessions: AdminSessionRepository;
  readonly rateCounters: RateCounterRepository;
  readonly passwords: Passwords;
}

/** Failures to prove the current password, apart from those at the sign-in: strangers must not use these up. */
const PROOF_LIMIT = { name: 'password-change', points: 10, windowSeconds: 900 };

export function createPasswordChange(deps: ChangePasswordDeps): Admins['changePassword'] {
  const { admins, adminSessions, passwords, audit, clock } = deps;
  const proofs = createRateLimiter(deps.rateCounters, clock, PROOF_LIMIT);

  async function prove({ id, passwordHash }: AdminRecord, current: string): Promise<void> {
    const proved = await countFailure(clock, [{ limiter: proofs, key: id }], async () =>
      (await passwords.verifyPassword(passwordHash, current)) ? true : null,
    );
    if (proved === null)
      throw new AppError('SIGN_IN_FAILED', 'The current password is wrong. Type it again.');
  }

  /** What was proved must still hold. */
  async function replace({ id, passwordHash: proved }: AdminRecord, passwordHash: string): Promise<void> {
    const changed = await updateAdmin(admins, id, (latest) => {
      if (latest.passwordHash !== proved) throw changedMeanwhile();
      return { ...latest, passwordHash };
    });
    if (changed === null) throw adminUnknown();
  }

  return async (actor, id, { current, next, keepSessionId }) => {
    const record = await admins.findAdmin(id);
    if (record === null) throw adminUnknown();
    refuseProblems(await passwords.findProblems(next, record.name));
    await prove(record, current);
    await replace(record, await passwords.hashPassword(next));
    await adminSessions.removeAdminSessions(id, keepSessionId);
    await revokeLinks(deps, actor, isFor(record));
    await audit.record(actor, { action: 'admin.password-changed', tenantId: null, target: record.name });
  };
}
