/** The public keys of platforms (JSON Web Key Sets, RFC 7517), which jose looks after.
 *  1. A set is fetched at the first launch and cached for ten minutes.
 *  2. Where a token names a key that is not in the set, the set is fetched again, unless that was
 *     done within 30 seconds: platforms change their keys.
 *  3. Where a signature fails, the set is fetched again, at most once a minute, and the token is
 *     verified again: some platforms replace a key under its old id.
 *  4. Where fetching fails, the last set is valid for a day; the next attempt is after 30 seconds.
 *  https://www.imsglobal.org/spec/security/v1p0#platform-originating-messages */
import { createPublicKey, type JsonWebKey } from 'node:crypto';
import type { JWK, JWTVerifyGetKey, RemoteJWKSet } from 'jose';
import { createLocalJWKSet, createRemoteJWKSet, customFetch, errors } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { parseJson } from '#domain/text';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { Outbound } from '#ports/outbound';
import { withinSite } from './platform-call.ts';

export interface PlatformKeys {
  /** Verifies a token with the keys of a platform; once more where its signature fails and the keys
   *  were fetched again.
   *  Errors: those of `verify`; LTI_KEYS_UNAVAILABLE if there is no set and none can be fetched.
   *  @example await keys.verifyWith(jwksUri, (getKey) => jwtVerify(idToken, getKey)) */
  verifyWith<T>(jwksUri: string, verify: (getKey: JWTVerifyGetKey) => Promise<T>): Promise<T>;
}

export type PlatformKeysDeps = { readonly outbound: Outbound; readonly clock: Clock };
const CACHE_MS = 10 * 60_000;
const STALE_MS = 24 * 3_600_000;
const RETRY_MS = 30_000;
const RENEWAL_MS = 60_000;
const MAX_SETS = 500;
const MAX_KEYS = 100;
const MAX_BYTES = 262_144;

export function createPlatformKeys(deps: PlatformKeysDeps): PlatformKeys {
  const sets = new LRUCache<string, KeySet>({ max: MAX_SETS });
  return {
    async verifyWith(uri, verify) {
      const set = sets.get(uri) ?? createPlatformKeySet(uri, deps);
      sets.set(uri, set);
      const before = set.countFetches();
      try {
        return await verify(set.getKey);
      } catch (error) {
        if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
        // Another launch may have fetched the set meanwhile.
        if (set.countFetches() === before && !(await set.renew())) throw error;
        return verify(set.getKey);
      }
    },
  };
}

interface KeySet {
  readonly getKey: JWTVerifyGetKey;
  countFetches(): number;
  /** Fetches the set again, at most once a minute. @returns whether it was fetched */
  renew(): Promise<boolean>;
}

function createPlatformKeySet(uri: string, { outbound, clock }: PlatformKeysDeps): KeySet {
  let fetches = 0;
  let last: { readonly getKey: JWTVerifyGetKey; readonly fetchedAt: number } | null = null;
  let failure: { readonly error: unknown; readonly at: number } | null = null;
  let renewedAt = Number.NEGATIVE_INFINITY;
  const now = () => clock.now().getTime();
  const hasFailedLately = () => failure !== null && now() - failure.at < RETRY_MS;

  async function fetchSet(): Promise<Response> {
    if (hasFailedLately()) throw failure?.error;
    try {
      const set = { keys: await fetchPlatformKeySet(outbound, uri) };
      last = { getKey: createLocalJWKSet(set), fetchedAt: now() };
      failure = null;
      fetches++;
      return Response.json(set);
    } catch (error) {
      failure = { error, at: now() };
      throw error;
    }
  }

  const remote: RemoteJWKSet = createRemoteJWKSet(new URL(uri), {
    cacheMaxAge: CACHE_MS,
    cooldownDuration: RETRY_MS,
    [customFetch]: fetchSet,
  });
  return {
    countFetches: () => fetches,
    getKey: (header, token) =>
      remote(header, token).catch((error: unknown) => {
        // An error of jose is about the key; any other is about fetching the set.
        if (error instanceof errors.JOSEError) throw error;
        if (last === null || now() - last.fetchedAt >= STALE_MS)
          throw new AppError(
            'LTI_KEYS_UNAVAILABLE',
            `The keys of the platform cannot be fetched from ${new URL(uri).host}, so its launches cannot be verified. Try again later.`,
            { cause: error, retryAfterSeconds: RETRY_MS / 1_000 },
          );
        return last.getKey(header, token);
      }),
    async renew() {
      if (hasFailedLately()) return false;
      if (now() - renewedAt >= RENEWAL_MS) renewedAt = now();
      else if (!remote.reloading) return false;
      return remote.reload().then(
        () => true,
        () => false,
      );
    },
  };
}

const keySet = z.object({ keys: z.array(z.record(z.string(), z.unknown())).max(MAX_KEYS) });

/** Fetches RSA keys that may sign. Errors: those of `Outbound`; RESPONSE_INVALID with `status`. */
export async function fetchPlatformKeySet(outbound: Outbound, uri: string): Promise<JWK[]> {
  const { status, text } = await outbound.request(uri, {
    headers: { accept: 'application/jwk-set+json, application/json' },
    maxBytes: MAX_BYTES,
    ...withinSite,
  });
  const { data } = keySet.safeParse(status === 200 ? parseJson(text) : null);
  if (data === undefined)
    throw new AppError(
      'RESPONSE_INVALID',
      `${new URL(uri).host} answered with status ${status} and no key set. Check the address of the platform's keys.`,
      { data: { status } },
    );
  const keys = data.keys.flatMap(readPlatformKey);
  return keys.filter(({ kid }, index) => keys.findIndex((key) => key.kid === kid) === index);
}

/** Returns a key if it may sign, without private parts that a platform published by mistake. */
function readPlatformKey(key: Readonly<Record<string, unknown>>): JWK[] {
  const { kty, kid, use = 'sig', alg = 'RS256', n, e } = key;
  if (kty !== 'RSA' || typeof kid !== 'string' || use !== 'sig' || alg !== 'RS256') return [];
  const bits = countKeyBits({ kty, n, e } as JsonWebKey);
  // Verifying with a larger key only takes time.
  return bits >= 2_048 && bits <= 8_192 ? [{ kty, kid, use, alg, n, e } as JWK] : [];
}

/** Counts the bits of the modulus; 0 if the key is invalid. */
function countKeyBits(key: JsonWebKey): number {
  try {
    return createPublicKey({ key, format: 'jwk' }).asymmetricKeyDetails?.modulusLength ?? 0;
  } catch {
    return 0;
  }
}
