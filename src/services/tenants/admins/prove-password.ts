import { findNetworkOf } from '#domain/address-kinds';
import type { Actor } from '#domain/admin';
import { cleanName, foldText } from '#domain/text';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { AdminRecord, Store } from '#ports/store/store';
import type { Keyring } from '#services/host/keyring';
import { createRateLimiter, type RateLimiter } from '#services/host/rate-limits';
import { checkAdminProblems, createAdminChangedError, createAdminUnknownError, updateAdmin } from './admin-records.ts';
import { type LinkRecordsDeps, revokeResetLinks } from './link-records.ts';
import type { Passwords } from './passwords.ts';

export interface PasswordProofDeps extends Pick<Store, 'admins' | 'rateCounters'> {
  readonly passwords: Passwords;
  readonly keyring: Pick<Keyring, 'seal' | 'open'>;
  readonly clock: Clock;
}

export interface SignInPlace {
  readonly address: string | null;
  /** Token of `sealBrowser` from a sign-in in this browser; null or absent for a new one. */
  readonly browser?: string | null;
}

/** Returns null when name and password do not match. Errors: RATE_LIMITED. */
export type ProvePassword = (name: string, password: string, place: SignInPlace) => Promise<AdminRecord | null>;

const ADDRESS_LIMIT = { name: 'sign-in-address', points: 30, windowSeconds: 900 };
const NAME_LIMIT = { name: 'sign-in-name', points: 10, windowSeconds: 900 };
const BROWSER_LIMIT = { name: 'sign-in-browser', points: 10, windowSeconds: 900 };
const BROWSER_CONTEXT = 'browser of an administrator';
const BROWSER_MS = 180 * 24 * 3_600_000;

/** Creates the token of a browser in which an administrator has signed in. */
export function sealBrowser({ keyring, clock }: Pick<PasswordProofDeps, 'keyring' | 'clock'>, adminId: string) {
  const expiresAt = new Date(clock.now().getTime() + BROWSER_MS);
  return { token: keyring.seal(`${expiresAt.getTime()} ${adminId}`, BROWSER_CONTEXT), expiresAt };
}

/** Counts failures by address and by name, whether the name exists or not, on all hosts together.
 *  In a browser in which the administrator of this name has signed in before, they are counted by
 *  browser instead of by name: so strangers who try passwords do not lock the administrator out.
 *  Links and OpenID Connect are not counted at all.
 *  Source: OWASP, “Slow Down Online Guessing Attacks with Device Cookies”. */
export function createPasswordProof(deps: PasswordProofDeps): ProvePassword {
  const { admins, rateCounters, passwords, keyring, clock } = deps;
  const byAddress = createRateLimiter(rateCounters, clock, ADDRESS_LIMIT);
  const byName = createRateLimiter(rateCounters, clock, NAME_LIMIT);
  const byBrowser = createRateLimiter(rateCounters, clock, BROWSER_LIMIT);

  /** Returns the id of the administrator; null for a token that is not of this host, or has ended.
   *  */
  function findAdminOf(browser: string): string | null {
    try {
      const [expiresAt, adminId = ''] = keyring.open(browser, BROWSER_CONTEXT).split(' ');
      return Number(expiresAt) > clock.now().getTime() ? adminId : null;
    } catch {
      return null;
    }
  }

  async function isBrowserOf(name: string, browser: string): Promise<boolean> {
    const adminId = findAdminOf(browser);
    const record = adminId === null ? null : await admins.findAdmin(adminId);
    return record !== null && foldText(record.name) === foldText(name);
  }

  /** Does the same amount of work if there is nobody with this name. */
  async function provePassword(name: string, password: string): Promise<AdminRecord | null> {
    const record = await admins.findAdminByName(name);
    const isRight = await passwords.verifyPassword(record?.passwordHash ?? null, password);
    return isRight ? record : null;
  }

  /** Hashes the password again if the cost was raised, unless the password was changed meanwhile.
   *  */
  async function renewHash({ id, passwordHash: old }: AdminRecord, password: string): Promise<void> {
    if (old === null || !passwords.isOutdated(old)) return;
    const passwordHash = await passwords.hashPassword(password);
    await updateAdmin(admins, id, (latest) => (latest.passwordHash === old ? { ...latest, passwordHash } : latest));
  }

  return async (name, password, { address, browser = null }) => {
    const cleaned = cleanName(name);
    const counted: readonly Counted[] = [
      { limiter: byAddress, key: findNetworkOf(address ?? 'unknown') },
      browser !== null && (await isBrowserOf(cleaned, browser))
        ? { limiter: byBrowser, key: browser }
        : { limiter: byName, key: foldText(cleaned) },
    ];
    const record = await throttleFailures(clock, counted, () => provePassword(cleaned, password));
    if (record !== null) await renewHash(record, password);
    return record;
  };
}

interface ChangePasswordDeps extends LinkRecordsDeps, Pick<Store, 'adminSessions' | 'rateCounters'> {
  readonly passwords: Passwords;
}

/** Errors: ADMIN_UNKNOWN; FORM_INVALID for a password that is refused; SIGN_IN_FAILED when
 *  `current` is wrong; RATE_LIMITED; CHANGED_MEANWHILE when the password was changed meanwhile. */
export type ChangePassword = (
  actor: Actor,
  id: string,
  passwords: { current: string; next: string; keepSessionId: string },
) => Promise<void>;

/** Failures are counted apart from those at sign-in, so that strangers cannot use up the limit. */
const PROOF_LIMIT = { name: 'password-change', points: 10, windowSeconds: 900 };

/** Creates a check of the current password of an administrator who is signed in. */
export function createAdminPasswordCheck(deps: Pick<ChangePasswordDeps, 'rateCounters' | 'passwords' | 'clock'>) {
  const { passwords, clock } = deps;
  const proofs = createRateLimiter(deps.rateCounters, clock, PROOF_LIMIT);
  /** Errors: SIGN_IN_FAILED, RATE_LIMITED. */
  return async ({ id, passwordHash }: AdminRecord, current: string): Promise<void> => {
    const proved = await throttleFailures(clock, [{ limiter: proofs, key: id }], async () =>
      (await passwords.verifyPassword(passwordHash, current)) ? true : null,
    );
    if (proved === null) throw new AppError('SIGN_IN_FAILED', 'The current password is wrong. Type it again.');
  };
}

export function createPasswordChange(deps: ChangePasswordDeps): ChangePassword {
  const { admins, adminSessions, passwords, audit } = deps;
  const checkPassword = createAdminPasswordCheck(deps);

  /** Errors: CHANGED_MEANWHILE if the password was changed since it was checked. */
  async function replacePasswordHash({ id, passwordHash: proved }: AdminRecord, passwordHash: string): Promise<void> {
    const changed = await updateAdmin(admins, id, (latest) => {
      if (latest.passwordHash !== proved) throw createAdminChangedError();
      return { ...latest, passwordHash };
    });
    if (changed === null) throw createAdminUnknownError();
  }

  return async (actor, id, { current, next, keepSessionId }) => {
    const record = await admins.findAdmin(id);
    if (record === null) throw createAdminUnknownError();
    checkAdminProblems(await passwords.findProblems(next, record.name));
    await checkPassword(record, current);
    await replacePasswordHash(record, await passwords.hashPassword(next));
    await adminSessions.removeAdminSessions(id, keepSessionId);
    await revokeResetLinks(deps, actor, record);
    await audit.record(actor, { action: 'admin.password-changed', tenantId: null, target: record.name });
  };
}

/** A key of a limit on which attempts are counted. */
type Counted = { readonly limiter: RateLimiter; readonly key: string };
type CountedAttempt = Counted & { readonly endsAtMs: number };

/** Runs an attempt that may fail. It is counted first, so that simultaneous attempts cannot exceed
 *  the limit, and subtracted where it succeeds or throws. A refused attempt is not counted.
 *  @param attempt returns null when it failed
 *  Errors: RATE_LIMITED, where the attempt was not run; those of the attempt. */
export async function throttleFailures<T>(clock: Clock, counted: readonly Counted[], attempt: () => Promise<T | null>) {
  const attempts = await countAttempt(clock, counted);
  let hasFailed = false;
  try {
    const result = await attempt();
    hasFailed = result === null;
    return result;
  } finally {
    if (!hasFailed) await uncountAttempt(clock, attempts);
  }
}

/** Errors: RATE_LIMITED. */
async function countAttempt(clock: Clock, counted: readonly Counted[]): Promise<readonly CountedAttempt[]> {
  const attempts: CountedAttempt[] = [];
  for (const { limiter, key } of counted) {
    const { isAllowed, endsInMs } = await limiter.consume(key);
    attempts.push({ limiter, key, endsAtMs: clock.now().getTime() + endsInMs });
    if (isAllowed) continue;
    await uncountAttempt(clock, attempts);
    throw createPasswordLimitError(endsInMs);
  }
  return attempts;
}

/** Subtracts an attempt only within its window, so that no window begins below zero. */
async function uncountAttempt(clock: Clock, attempts: readonly CountedAttempt[]): Promise<void> {
  for (const { limiter, key, endsAtMs } of attempts)
    if (clock.now().getTime() < endsAtMs) await limiter.consume(key, -1);
}

function createPasswordLimitError(endsInMs: number): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil(endsInMs / 1000));
  const minutes = Math.ceil(retryAfterSeconds / 60);
  return new AppError(
    'RATE_LIMITED',
    `Too many attempts failed. Try again in ${minutes} min, or ask an owner or the operator for a link to choose a new password.`,
    { retryAfterSeconds },
  );
}
