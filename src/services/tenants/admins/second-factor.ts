import { createHmac, hash, randomBytes } from 'node:crypto';
import type { Actor } from '#domain/admin';
import { DEFAULT_TENANT } from '#domain/tenant';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { AdminRecord, SecondFactor, Store } from '#ports/store/store';
import { bindState } from '#services/host/bind-state';
import type { Keyring } from '#services/host/keyring';
import type { Secrets } from '#services/host/secrets';
import type { Audit } from '../audit.ts';
import { createAdminChangedError, getAdminRecord, updateAdmin } from './admin-records.ts';
import type { Passwords } from './passwords.ts';
import { checkCurrentPassword, openSealed, throttleFailures } from './prove-password.ts';

export interface CodeDeps extends Pick<Store, 'admins' | 'rateCounters'> {
  readonly totpSecrets: Pick<Secrets, 'putSecret' | 'findSecret' | 'removeSecret'>;
  readonly keyring: Pick<Keyring, 'seal' | 'open'>;
  readonly clock: Clock;
}

interface SecondFactorDeps extends CodeDeps, Pick<Store, 'adminSessions'> {
  readonly passwords: Passwords;
  readonly audit: Audit;
}

export type SecondFactors = ReturnType<typeof createSecondFactors>;
const SECRET_BYTES = 20;
const STEP_MS = 30_000;
/** Somebody who has the password gets five guesses in a quarter of an hour, and twenty in a day. */
const LIMITS = [
  { name: 'second-factor', points: 5, windowSeconds: 900 },
  { name: 'second-factor-day', points: 20, windowSeconds: 86_400 },
];
const RECOVERY_CODES = 10;
/** Recovery codes have 120 bits: enough for a fast hash in the store (NIST SP 800-63B §3.1.2.2). */
const RECOVERY_BYTES = 15;
const PENDING_MS = 5 * 60_000;
/** Context under which a sign-in is sealed while it waits for a code. */
const PENDING = 'sign-in that waits for a code';

/** A second factor of administrators with a password: codes of an app (RFC 6238) and, where the app
 *  is lost, recovery codes, which work once. */
export function createSecondFactors(deps: SecondFactorDeps) {
  return {
    ...bindState(deps, { enable: enableFactor, removeOwn: removeOwnFactor, remove: removeFactor }),
    /** Returns a secret in base32, and the same sealed for `enable`.
     *  @param sealed repeats a former secret; a new one if it is absent or cannot be opened */
    begin(adminId: string, sealed?: string) {
      const secret =
        openSealed(deps.keyring, sealed ?? '', factorContextOf(adminId)) ?? toBase32(randomBytes(SECRET_BYTES));
      return { secret, sealed: deps.keyring.seal(secret, factorContextOf(adminId)) };
    },
  };
}

interface Enabling {
  readonly sealed: string;
  readonly code: string;
  readonly password: string;
  readonly keepSessionId: string;
}

/** Sets the second factor and ends the other sessions. Returns the recovery codes, of which the
 *  store has hashes only. Errors: SIGN_IN_FAILED for a wrong password, RATE_LIMITED,
 *  SECOND_FACTOR_WRONG, CHANGED_MEANWHILE. */
async function enableFactor(deps: SecondFactorDeps, actor: Actor, id: string, enabling: Enabling) {
  const { admins, adminSessions, totpSecrets, keyring, audit, clock } = deps;
  const record = await getAdminRecord(admins, id);
  const secret = openSealed(keyring, enabling.sealed, factorContextOf(id));
  await checkCurrentPassword(deps, record, enabling.password);
  const usedStep = secret === null ? null : findTimeStep(secret, enabling.code.replace(/\s/g, ''), clock.now());
  if (secret === null || usedStep === null) throw createWrongCodeError();
  const codes = Array.from({ length: RECOVERY_CODES }, () => toBase32(randomBytes(RECOVERY_BYTES)));
  await totpSecrets.putSecret(DEFAULT_TENANT, toFactorSecretName(id), { plain: secret, boundTo: id });
  await updateAdmin(admins, id, (latest) => {
    if (latest.passwordHash !== record.passwordHash) throw createAdminChangedError();
    return { ...latest, secondFactor: { usedStep, codes: codes.map(hashFactorCode) } };
  });
  await adminSessions.removeAdminSessions(id, enabling.keepSessionId);
  await audit.record(actor, { action: 'admin.second-factor-set', tenantId: null, target: record.name });
  return codes.map((code) => code.replace(/.{6}(?=.)/g, '$&-'));
}

/** Errors: SIGN_IN_FAILED for a wrong password, RATE_LIMITED. */
async function removeOwnFactor(deps: SecondFactorDeps, actor: Actor, id: string, password: string): Promise<void> {
  await checkCurrentPassword(deps, await getAdminRecord(deps.admins, id), password);
  await removeFactor(deps, actor, id);
}

/** Errors: ADMIN_UNKNOWN. */
async function removeFactor({ admins, totpSecrets, audit }: SecondFactorDeps, actor: Actor, id: string): Promise<void> {
  const { name: target } = await getAdminRecord(admins, id);
  await updateAdmin(admins, id, (latest) => ({ ...latest, secondFactor: null }));
  await totpSecrets.removeSecret(DEFAULT_TENANT, toFactorSecretName(id));
  await audit.record(actor, { action: 'admin.second-factor-removed', tenantId: null, target });
}

/** Throws SECOND_FACTOR_REQUIRED, with `data.pending` for `proveFactorCode`, if there is a
 *  factor. */
export function requireFactorCode({ keyring, clock }: Pick<CodeDeps, 'keyring' | 'clock'>, record: AdminRecord): void {
  if (record.secondFactor === null || record.passwordHash === null) return;
  const until = clock.now().getTime() + PENDING_MS;
  const pending = keyring.seal(`${until} ${hash('sha256', record.passwordHash)} ${record.id}`, PENDING);
  throw new AppError('SECOND_FACTOR_REQUIRED', 'Type the code that your authenticator app shows.', {
    data: { pending },
  });
}

/** Returns who has proved their password, and the kind of code they typed. Each code works once, on
 *  all hosts together. Errors: SIGN_IN_FAILED if the sign-in was begun too long ago or the password
 *  was changed; SECOND_FACTOR_WRONG; RATE_LIMITED. */
export async function proveFactorCode(deps: CodeDeps, pending: string, typed: string) {
  const record = await getPendingAdmin(deps, pending);
  const keys = LIMITS.map((limit) => ({ limit, key: record.id }));
  const code = typed.replace(/[\s-]/g, '').toUpperCase();
  const by = await throttleFailures(deps, keys, () =>
    /^\d{6}$/.test(code) ? useAppCode(deps, record, code) : useRecoveryCode(deps, record, code),
  );
  if (by === null) throw createWrongCodeError();
  return { record, by };
}

async function getPendingAdmin({ admins, keyring, clock }: CodeDeps, pending: string): Promise<AdminRecord> {
  const [until = '', proof, id = ''] = (openSealed(keyring, pending, PENDING) ?? '').split(' ');
  const record = Number(until) > clock.now().getTime() ? await admins.findAdmin(id) : null;
  if (record?.passwordHash && hash('sha256', record.passwordHash) === proof) return record;
  throw new AppError('SIGN_IN_FAILED', 'This sign-in was begun too long ago. Begin it again.');
}

async function useAppCode({ admins, totpSecrets, clock }: CodeDeps, { id }: AdminRecord, code: string) {
  const secret = await totpSecrets.findSecret(DEFAULT_TENANT, toFactorSecretName(id), id);
  const step = secret === null ? null : findTimeStep(secret, code, clock.now());
  if (step === null) return null;
  const isNew = await changeFactor(admins, id, (factor) =>
    factor.usedStep < step ? { ...factor, usedStep: step } : null,
  );
  return isNew ? ('password-code' as const) : null;
}

async function useRecoveryCode({ admins }: CodeDeps, { id }: AdminRecord, code: string) {
  const hashed = hashFactorCode(code);
  const isNew = await changeFactor(admins, id, ({ codes, ...factor }) =>
    codes.includes(hashed) ? { ...factor, codes: codes.filter((unused) => unused !== hashed) } : null,
  );
  return isNew ? ('recovery-code' as const) : null;
}

/** Changes the second factor, unless `change` returns null. Of two calls at once, the second sees
 *  the first change. @returns whether it was changed */
async function changeFactor(
  admins: CodeDeps['admins'],
  id: string,
  change: (factor: SecondFactor) => SecondFactor | null,
): Promise<boolean> {
  let isChanged = false;
  await updateAdmin(admins, id, (record) => {
    const secondFactor = record.secondFactor && change(record.secondFactor);
    isChanged = secondFactor !== null;
    return isChanged ? { ...record, secondFactor } : record;
  });
  return isChanged;
}

const createWrongCodeError = () =>
  new AppError(
    'SECOND_FACTOR_WRONG',
    'This code is wrong, was used already, or is over. Type the one that is shown now.',
  );

export const toFactorSecretName = (adminId: string) => `totp:${adminId}` as const;
const factorContextOf = (adminId: string) => `second factor of ${adminId}`;
const hashFactorCode = (code: string): string => hash('sha256', code);

/** Returns the time step of a code, the current or, for slow typists, the last one; else null. */
function findTimeStep(secret: string, code: string, now: Date): number | null {
  const currentStep = Math.floor(now.getTime() / STEP_MS);
  return [currentStep, currentStep - 1].find((step) => makeAppCode(fromBase32(secret), step) === code) ?? null;
}

/** Returns the code of an app at a time step: RFC 6238 with SHA-1, six digits and 30 seconds. */
export function makeAppCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fff_ffff;
  return `${number % 1_000_000}`.padStart(6, '0');
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** @param bytes has a multiple of five bytes */
function toBase32(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return bits.replace(/.{5}/g, (five) => BASE32.charAt(Number.parseInt(five, 2)));
}

export function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
}
