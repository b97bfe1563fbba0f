/** The public keys of platforms (JSON Web Key Sets, RFC 7517), which jose looks after.
 *  1. A set is fetched at the first launch and kept for ten minutes.
 *  2. A launch with a key that is not in it has the set fetched anew, unless that was done within 30 seconds: platforms change
 *     their keys.
 *  3. A launch whose signature fails has the set fetched anew, at most once a minute, and is verified again: some platforms
 *     replace a key under its old id.
 *  4. Where fetching fails, the last set is good for a day; fetching is tried again after 30 seconds.
 *  https://www.imsglobal.org/spec/security/v1p0#platform-originating-messages */
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type JWTVerifyGetKey,
  type RemoteJWKSet,
} from 'jose';
import { LRUCache } from 'lru-cache';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { Outbound } from '#ports/outbound';
import { fetchKeySet } from './key-set.ts';

export interface PlatformKeys {
  /** Verifies a token with the keys of a platform; once more where its signature fails and the keys
   *  were fetched anew.
   *  Errors: those of `verify`; LTI_KEYS_UNAVAILABLE where there is no set and none can be had.
   *
   *  @example
   *  await keys.verifyWith(registration.jwksUri, (getKey) => jwtVerify(idToken, getKey)) */
  verifyWith<T>(jwksUri: string, verify: (getKey: JWTVerifyGetKey) => Promise<T>): Promise<T>;
}

export interface PlatformKeysDeps {
  readonly outbound: Outbound;
  readonly clock: Clock;
}

const FRESH_MS = 10 * 60_000;
const STALE_MS = 24 * 3_600_000;
const REFETCH_MS = 30_000;
const RENEWAL_MS = 60_000;
const MAX_SETS = 500;

export function createPlatformKeys(deps: PlatformKeysDeps): PlatformKeys {
  const sets = new LRUCache<string, KeySet>({ max: MAX_SETS });
  return {
    async verifyWith(uri, verify) {
      const set = sets.get(uri) ?? createKeySet(uri, deps);
      sets.set(uri, set);
      const before = set.fetches();
      try {
        return await verify(set.getKey);
      } catch (error) {
        if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
        // Another launch may have had it fetched meanwhile.
        if (set.fetches() === before && !(await set.renew())) throw error;
        return verify(set.getKey);
      }
    },
  };
}

interface KeySet {
  readonly getKey: JWTVerifyGetKey;
  /** How often it has been fetched. */
  fetches(): number;
  /** Fetches it anew, unless a failed signature had it fetched within the last minute. False where
   *  it was not fetched. */
  renew(): Promise<boolean>;
}

function createKeySet(uri: string, { outbound, clock }: PlatformKeysDeps): KeySet {
  let fetches = 0;
  let kept: { readonly getKey: JWTVerifyGetKey; readonly fetchedAt: number } | null = null;
  let failure: { readonly error: unknown; readonly at: number } | null = null;
  let renewedAt = Number.NEGATIVE_INFINITY;
  const now = () => clock.now().getTime();

  const hasFailedLately = () => failure !== null && now() - failure.at < REFETCH_MS;

  async function fetchSet(): Promise<Response> {
    if (hasFailedLately()) throw failure?.error;
    try {
      const set = { keys: await fetchKeySet(outbound, uri) };
      kept = { getKey: createLocalJWKSet(set), fetchedAt: now() };
      failure = null;
      fetches++;
      return Response.json(set);
    } catch (error) {
      failure = { error, at: now() };
      throw error;
    }
  }

  const remote: RemoteJWKSet = createRemoteJWKSet(new URL(uri), {
    cacheMaxAge: FRESH_MS,
    cooldownDuration: REFETCH_MS,
    [customFetch]: fetchSet,
  });
  return {
    fetches: () => fetches,
    getKey: (header, token) =>
      remote(header, token).catch((error: unknown) => {
        // An error of jose is about the key that was asked for; any other is about fetching the
        // set.
        if (error instanceof errors.JOSEError) throw error;
        if (kept === null || now() - kept.fetchedAt >= STALE_MS) throw createUnavailableError(uri, error);
        return kept.getKey(header, token);
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

function createUnavailableError(uri: string, cause: unknown): AppError {
  return new AppError(
    'LTI_KEYS_UNAVAILABLE',
    `The keys of the platform cannot be fetched from ${new URL(uri).host}, so its launches cannot be verified. Try again later.`,
    { cause, retryAfterSeconds: REFETCH_MS / 1_000 },
  );
}
