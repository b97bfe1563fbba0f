import { createHash, generateKeyPair, type JsonWebKey } from 'node:crypto';
import { promisify } from 'node:util';
import type { Actor } from '#domain/admin';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { LtiRegistrationRecord, LtiRegistrationRepository } from '#ports/store/store';
import { readEveryItem } from '#services/host/every-item';
import type { Secrets } from '#services/host/secrets';
import { describeChangeForAudit } from '#services/tenants/audit';
import {
  KEY_PREFIX,
  type KeyPair,
  type LtiRegistrationsDeps,
  nameRegistrationKeySecret,
  recordRegistration,
} from './registration-records.ts';

/** For `jose` and `ltijs`. */
export interface SigningKey {
  readonly keyId: string;
  /** PKCS #8 in PEM. */
  readonly privateKey: string;
}

const generate = promisify(generateKeyPair);

/** What platforms expect of RS256. */
const MODULUS_BITS = 2048;

/** A new pair for signing with RS256, made on another thread: it takes tens of milliseconds, and sometimes hundreds. */
export async function makeKeyPair(): Promise<KeyPair> {
  const { publicKey, privateKey } = await generate('rsa', { modulusLength: MODULUS_BITS });
  const { n = '', e = '' } = publicKey.export({ format: 'jwk' });
  const keyId = thumbprintOf({ e, n });
  return {
    keyId,
    publicKey: { kty: 'RSA', n, e, kid: keyId, alg: 'RS256', use: 'sig' },
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** JWK thumbprint, RFC 7638: the required members, ordered by name. */
function thumbprintOf({ e, n }: Pick<JsonWebKey, 'e' | 'n'>): string {
  return createHash('sha256')
    .update(JSON.stringify({ e, kty: 'RSA', n }))
    .digest('base64url');
}

type PublicKey = Readonly<Record<string, string>>;

interface PublicKeys {
  list(): Promise<readonly PublicKey[]>;
  /** After a change of this host. */
  forget(): void;
}

/** Anyone may ask for the keys as often as they like: the store is asked once in this time. */
const REMEMBERED_MS = 60_000;

export interface PublicKeysDeps {
  readonly registrations: Pick<LtiRegistrationRepository, 'listPublicKeys'>;
  readonly secrets: Pick<Secrets, 'listStored'>;
  readonly clock: Clock;
}

/** Only of keys that this host can sign with. */
export function createPublicSigningKeys({ registrations, secrets, clock }: PublicKeysDeps): PublicKeys {
  let remembered: { readonly keys: Promise<readonly PublicKey[]>; readonly untilMs: number } | null = null;

  async function read(): Promise<readonly PublicKey[]> {
    const keys = await registrations.listPublicKeys();
    const readable = new Set<string>();
    // Asked for after them, as a private key is there before its registration.
    for await (const { boundTo, state } of secrets.listStored(KEY_PREFIX))
      if (state === 'readable') readable.add(boundTo);
    return keys.filter(({ keyId }) => readable.has(keyId)).map(({ publicKey }) => publicKey);
  }

  return {
    async list() {
      const nowMs = clock.now().getTime();
      if (remembered === null || remembered.untilMs <= nowMs)
        remembered = { keys: read(), untilMs: nowMs + REMEMBERED_MS };
      const { keys } = remembered;
      try {
        return await keys;
      } catch (error) {
        if (remembered?.keys === keys) remembered = null;
        throw error;
      }
    },
    forget() {
      remembered = null;
    },
  };
}

/** Gives each registration whose signing key cannot be read a new one. Platforms fetch it when they first meet something that is
 *  signed with it. @returns how many got one */
export type RenewUnreadableKeys = (actor: Actor) => Promise<number>;

/** @param signingKeyOf rejects with SECRET_UNREADABLE for those that cannot be read */
export function createKeyRenewal(
  { registrations, secrets, audit, clock, makeKeyPair }: LtiRegistrationsDeps,
  signingKeyOf: (registration: LtiRegistrationRecord) => Promise<SigningKey>,
): RenewUnreadableKeys {
  async function canSign(registration: LtiRegistrationRecord): Promise<boolean> {
    try {
      await signingKeyOf(registration);
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code === 'SECRET_UNREADABLE') return false;
      throw error;
    }
  }

  /** @returns false where the registration was changed or removed meanwhile */
  async function renew(actor: Actor, before: LtiRegistrationRecord): Promise<boolean> {
    const { privateKey, ...key } = await makeKeyPair();
    const { id, tenantId, keyId, version } = before;
    await secrets.putSecret(tenantId, nameRegistrationKeySecret(id), {
      plain: privateKey,
      boundTo: key.keyId,
    });
    const registration = { ...before, ...key, updatedAt: clock.now(), version: version + 1 };
    if (!(await registrations.replaceRegistration(registration))) return false;
    const details = describeChangeForAudit(
      { registration: { keyId } },
      { registration: { keyId: key.keyId } },
    );
    await recordRegistration(audit, actor, { action: 'registration.changed', registration, details });
    return true;
  }

  /** Until it has a key that can sign, or is gone. */
  async function renewUntilDone(actor: Actor, listed: LtiRegistrationRecord): Promise<boolean> {
    for (let registration: LtiRegistrationRecord | null = listed; registration !== null; ) {
      if (await canSign(registration)) return false;
      if (await renew(actor, registration)) return true;
      registration = await registrations.findRegistration(listed.id);
    }
    await secrets.removeSecret(listed.tenantId, nameRegistrationKeySecret(listed.id));
    return false;
  }

  return async (actor) => {
    const all = { scope: null, search: '', sort: 'createdAt', descending: false } as const;
    let renewed = 0;
    for await (const registration of readEveryItem((page) =>
      registrations.listRegistrations({ ...all, ...page }),
    ))
      if (await renewUntilDone(actor, registration)) renewed++;
    return renewed;
  };
}
