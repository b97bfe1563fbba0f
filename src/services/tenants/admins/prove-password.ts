import { findNetworkOf } from '#domain/address-kinds';
import type { Actor } from '#domain/admin';
import { cleanName, foldText } from '#domain/text';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { AdminRecord, Store } from '#ports/store/store';
import type { Keyring } from '#services/host/keyring';
import { createRateLimiter, type RateLimit, type RateLimiter } from '#services/host/rate-limits';
import {
  checkAdminProblems,
  createAdminChangedError,
  createAdminUnknownError,
  getAdminRecord,
  updateAdmin,
} from './admin-records.ts';
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

/** Returns the administrator of a name and a password; null when they do not match. Failures are
 *  counted by address and by name, whether the name exists or not, on all hosts together. In a
 *  browser in which the administrator of this name signed in before, they are counted by browser
 *  instead of by name: so strangers who try passwords do not lock the administrator out.
 *  Errors: RATE_LIMITED.
 *  Source: OWASP, “Slow Down Online Guessing Attacks with Device Cookies”. */
export async function provePassword(
  deps: PasswordProofDeps,
  typedName: string,
  password: string,
  { address, browser = null }: SignInPlace,
): Promise<AdminRecord | null> {
  const name = cleanName(typedName);
  const keys: readonly LimitedKey[] = [
    { limit: ADDRESS_LIMIT, key: findNetworkOf(address ?? 'unknown') },
    browser !== null && (await isBrowserOf(deps, name, browser))
      ? { limit: BROWSER_LIMIT, key: browser }
      : { limit: NAME_LIMIT, key: foldText(name) },
  ];
  return throttleFailures(deps, keys, async () => {
    const record = await deps.admins.findAdminByName(name);
    // Verifying takes as long if there is nobody with this name.
    const isRight = await deps.passwords.verifyPassword(record?.passwordHash ?? null, password);
    if (record === null || !isRight) return null;
    await renewHash(deps, record, password);
    return record;
  });
}

/** Tells whether the administrator of this name has signed in before in a browser. */
async function isBrowserOf({ admins, keyring, clock }: PasswordProofDeps, name: string, browser: string) {
  const [expiresAt, adminId = ''] = (openSealed(keyring, browser, BROWSER_CONTEXT) ?? '').split(' ');
  const record = Number(expiresAt) > clock.now().getTime() ? await admins.findAdmin(adminId) : null;
  return record !== null && foldText(record.name) === foldText(name);
}

/** Opens a sealed text; null for one that this host has not sealed for this purpose. */
export function openSealed(keyring: Pick<Keyring, 'open'>, sealed: string, context: string): string | null {
  try {
    return keyring.open(sealed, context);
  } catch {
    return null;
  }
}

/** Hashes the password again if the cost was raised, unless it was changed meanwhile. */
async function renewHash({ admins, passwords }: PasswordProofDeps, record: AdminRecord, password: string) {
  const { id, passwordHash: old } = record;
  if (old === null || !passwords.isOutdated(old)) return;
  const passwordHash = await passwords.hashPassword(password);
  await updateAdmin(admins, id, (latest) => (latest.passwordHash === old ? { ...latest, passwordHash } : latest));
}

interface ChangePasswordDeps extends LinkRecordsDeps, Pick<Store, 'adminSessions' | 'rateCounters'> {
  readonly passwords: Passwords;
}

/** Failures are counted apart from those at sign-in, so that strangers cannot use up the limit. */
const CURRENT_LIMIT = { name: 'password-change', points: 10, windowSeconds: 900 };

/** Checks the password of a signed-in administrator. Errors: SIGN_IN_FAILED, RATE_LIMITED. */
export async function checkCurrentPassword(
  deps: Pick<ChangePasswordDeps, 'rateCounters' | 'passwords' | 'clock'>,
  { id, passwordHash }: AdminRecord,
  current: string,
): Promise<void> {
  const proved = await throttleFailures(deps, [{ limit: CURRENT_LIMIT, key: id }], async () =>
    (await deps.passwords.verifyPassword(passwordHash, current)) ? true : null,
  );
  if (proved === null) throw new AppError('SIGN_IN_FAILED', 'The current password is wrong. Type it again.');
}

/** Changes a password, and ends all other sessions of the administrator. Errors: ADMIN_UNKNOWN;
 *  FORM_INVALID for a refused password; SIGN_IN_FAILED when `current` is wrong; RATE_LIMITED;
 *  CHANGED_MEANWHILE when the password was changed meanwhile. */
export async function changePassword(
  deps: ChangePasswordDeps,
  actor: Actor,
  id: string,
  { current, next, keepSessionId }: { current: string; next: string; keepSessionId: string },
): Promise<void> {
  const { admins, adminSessions, passwords, audit } = deps;
  const record = await getAdminRecord(admins, id);
  checkAdminProblems(await passwords.findProblems(next, record.name));
  await checkCurrentPassword(deps, record, current);
  const passwordHash = await passwords.hashPassword(next);
  const changed = await updateAdmin(admins, id, (latest) => {
    if (latest.passwordHash !== record.passwordHash) throw createAdminChangedError();
    return { ...latest, passwordHash };
  });
  if (changed === null) throw createAdminUnknownError();
  await adminSessions.removeAdminSessions(id, keepSessionId);
  await revokeResetLinks(deps, actor, record);
  await audit.record(actor, { action: 'admin.password-changed', tenantId: null, target: record.name });
}

/** A key on which attempts are counted. */
type LimitedKey = { readonly limit: RateLimit; readonly key: string };
type CountedAttempt = { readonly limiter: RateLimiter; readonly key: string; readonly endsAtMs: number };
type ThrottleDeps = Pick<Store, 'rateCounters'> & { readonly clock: Clock };

/** Runs an attempt that may fail. It is counted first, so that simultaneous attempts cannot exceed
 *  the limits, and subtracted if it succeeds or throws. A refused attempt is not counted.
 *  @param attempt returns null when it failed
 *  Errors: RATE_LIMITED, without running the attempt; those of the attempt. */
export async function throttleFailures<T>(
  deps: ThrottleDeps,
  keys: readonly LimitedKey[],
  attempt: () => Promise<T | null>,
): Promise<T | null> {
  const attempts = await countAttempt(deps, keys);
  let hasFailed = false;
  try {
    const result = await attempt();
    hasFailed = result === null;
    return result;
  } finally {
    if (!hasFailed) await uncountAttempt(deps.clock, attempts);
  }
}

/** Errors: RATE_LIMITED. */
async function countAttempt({ rateCounters, clock }: ThrottleDeps, keys: readonly LimitedKey[]) {
  const attempts: CountedAttempt[] = [];
  for (const { limit, key } of keys) {
    const limiter = createRateLimiter(rateCounters, clock, limit);
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
