import { calculateJwkThumbprint, exportJWK, exportPKCS8, generateKeyPair } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Actor } from '#domain/admin';
import { limitEntriesAndAge } from '#domain/limit-entries';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { LtiRegistrationRecord, LtiRegistrationRepository } from '#ports/store/store';
import { readEveryItem } from '#services/host/every-item';
import { isSecretReadable, type Secrets } from '#services/host/secrets';
import { describeChangeForAudit } from '#services/tenants/audit';
import type { KeyPair, LtiRegistrationsDeps } from './registration-records.ts';
import { auditRegistration, KEY_PREFIX, nameRegistrationKeySecret } from './registration-records.ts';

export interface SigningKey {
  readonly keyId: string;
  /** PKCS #8 in PEM. */
  readonly privateKey: string;
}

/** Generates a pair of 2,048 bits for RS256. Its key ID is its thumbprint (RFC 7638). */
export async function makeSigningKeyPair(): Promise<KeyPair> {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  const { n = '', e = '' } = await exportJWK(publicKey);
  const keyId = await calculateJwkThumbprint({ kty: 'RSA', n, e });
  return {
    keyId,
    publicKey: { kty: 'RSA', n, e, kid: keyId, alg: 'RS256', use: 'sig' },
    privateKey: await exportPKCS8(privateKey),
  };
}

type PublicKey = Readonly<Record<string, string>>;

/** How long the list of public keys is cached, as anybody may request it at any rate. */
const CACHED_MS = 60_000;

export function createPublicSigningKeys(deps: {
  readonly registrations: Pick<LtiRegistrationRepository, 'listPublicKeys'>;
  readonly secrets: Pick<Secrets, 'listStored'>;
  readonly clock: Clock;
}) {
  const { registrations, secrets, clock } = deps;

  async function readPublicKeys(): Promise<readonly PublicKey[]> {
    const keys = await registrations.listPublicKeys();
    const readable = new Set<string>();
    // Private keys are stored before their registrations, so they are listed after them.
    for await (const { boundTo, state } of secrets.listStored(KEY_PREFIX))
      if (state === 'readable') readable.add(boundTo);
    return keys.filter(({ keyId }) => readable.has(keyId)).map(({ publicKey }) => publicKey);
  }

  // Simultaneous callers share one reading. Neither failures nor outdated keys are cached.
  const cached = new LRUCache<'keys', readonly PublicKey[]>({
    ...limitEntriesAndAge(1, CACHED_MS, () => clock.now().getTime()),
    ignoreFetchAbort: true,
    fetchMethod: readPublicKeys,
  });
  return { list: (): Promise<readonly PublicKey[]> => cached.forceFetch('keys'), clearCache: () => cached.clear() };
}

/** Errors: SECRET_UNREADABLE. */
export async function readSigningKey(secrets: Secrets, record: LtiRegistrationRecord): Promise<SigningKey> {
  const { id, tenantId, keyId, name } = record;
  const privateKey = await secrets.findSecret(tenantId, nameRegistrationKeySecret(id), keyId);
  if (privateKey !== null) return { keyId, privateKey };
  throw new AppError(
    'SECRET_UNREADABLE',
    `The key that this host signs with towards ${name} is not there. Remove the platform and register it again.`,
  );
}

/** Platforms fetch a new key at its first signature. @returns how many keys were replaced */
export async function renewUnreadableSigningKeys(deps: LtiRegistrationsDeps, actor: Actor): Promise<number> {
  const all = { scope: null, search: '', sort: 'createdAt', descending: false } as const;
  const listed = readEveryItem((page) => deps.registrations.listRegistrations({ ...all, ...page }));
  let renewed = 0;
  for await (const registration of listed) if (await renewUnreadableSigningKey(deps, actor, registration)) renewed++;
  return renewed;
}

/** Replaces an unreadable key, again after each change by others. @returns false if it is readable,
 *  or the registration was removed meanwhile */
async function renewUnreadableSigningKey(deps: LtiRegistrationsDeps, actor: Actor, listed: LtiRegistrationRecord) {
  const { registrations, secrets } = deps;
  for (let registration: LtiRegistrationRecord | null = listed; registration !== null; ) {
    const current = registration;
    if (await isSecretReadable(() => readSigningKey(secrets, current))) return false;
    if (await renewKey(deps, actor, current)) return true;
    registration = await registrations.findRegistration(listed.id);
  }
  // A try may have stored a key after the removal.
  await secrets.removeSecret(listed.tenantId, nameRegistrationKeySecret(listed.id));
  return false;
}

/** @returns false if the registration was changed or removed meanwhile */
async function renewKey(deps: LtiRegistrationsDeps, actor: Actor, before: LtiRegistrationRecord): Promise<boolean> {
  const { registrations, secrets, audit, clock, makeKeyPair } = deps;
  const { privateKey, ...key } = await makeKeyPair();
  const { id, tenantId, keyId, version } = before;
  const secret = { plain: privateKey, boundTo: key.keyId };
  await secrets.putSecret(tenantId, nameRegistrationKeySecret(id), secret);
  const registration = { ...before, ...key, updatedAt: clock.now(), version: version + 1 };
  if (!(await registrations.replaceRegistration(registration))) return false;
  const details = describeChangeForAudit({ registration: { keyId } }, { registration: { keyId: key.keyId } });
  await auditRegistration(audit, actor, { action: 'registration.changed', registration, details });
  return true;
}
