/** The public keys of platforms (JSON Web Key Sets, RFC 7517).
 *  1. A set is fetched at the first launch and kept for ten minutes.
 *  2. A launch with a key that is not in it has it fetched anew, at most once in 30 seconds: platforms change their keys.
 *  3. Where fetching fails, the set that we have holds for a day.
 *  https://www.imsglobal.org/spec/security/v1p0#platform-originating-messages */
import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { AppError } from '../../../errors.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Outbound } from '../../../ports/outbound.ts';

export interface PlatformKeys {
  /** An RSA key that may sign. Errors: LTI_KEY_UNKNOWN; LTI_KEYS_UNAVAILABLE where there is no set and none can be had. */
  getKey(jwksUri: string, keyId: string): Promise<KeyObject>;
}

export interface PlatformKeysDeps {
  readonly outbound: Outbound;
  readonly clock: Clock;
}

const FRESH_MS = 10 * 60_000;
const STALE_MS = 24 * 3_600_000;
const REFETCH_MS = 30_000;
const MAX_SETS = 500;
const MAX_KEYS = 100;
const MAX_BYTES = 262_144;

type KeySet = ReadonlyMap<string, KeyObject>;

interface Kept {
  /** Null where no fetch has succeeded yet. */
  readonly keys: KeySet | null;
  readonly fetchedAt: number;
  /** Also of a fetch that failed. */
  readonly triedAt: number;
  readonly error: unknown;
}

export function createPlatformKeys({ outbound, clock }: PlatformKeysDeps): PlatformKeys {
  const sets = new LRUCache<string, Kept>({ max: MAX_SETS });
  const running = new Map<string, Promise<Kept>>();
  const now = () => clock.now().getTime();

  async function fetchAnew(uri: string): Promise<Kept> {
    const triedAt = now();
    const before = sets.get(uri);
    const kept = await fetchKeys(outbound, uri).then(
      (keys): Kept => ({ keys, fetchedAt: triedAt, triedAt, error: null }),
      (error: unknown): Kept => ({
        keys: before?.keys ?? null,
        fetchedAt: before?.fetchedAt ?? triedAt,
        triedAt,
        error,
      }),
    );
    sets.set(uri, kept);
    return kept;
  }

  function refresh(uri: string): Promise<Kept> {
    const fetching = running.get(uri) ?? fetchAnew(uri).finally(() => running.delete(uri));
    running.set(uri, fetching);
    return fetching;
  }

  function mayFetch({ triedAt }: Kept): boolean {
    return now() - triedAt >= REFETCH_MS;
  }

  return {
    async getKey(uri, keyId) {
      let kept = sets.get(uri) ?? (await refresh(uri));
      const isWanting = now() - kept.fetchedAt >= FRESH_MS || kept.keys?.has(keyId) !== true;
      if (isWanting && mayFetch(kept)) kept = await refresh(uri);
      if (kept.keys === null || now() - kept.fetchedAt >= STALE_MS) throw unavailable(uri, kept.error);
      const key = kept.keys.get(keyId);
      if (key === undefined) throw unknownKey(uri);
      return key;
    },
  };
}

const keySet = z.object({ keys: z.array(z.record(z.string(), z.unknown())).max(MAX_KEYS) });

/** Keys that may sign, by their ids; there may be none.
 *  Errors: OUTBOUND_REFUSED, OUTBOUND_FAILED, RESPONSE_INVALID with the HTTP status in `data.status`. */
export async function fetchKeys(outbound: Outbound, uri: string): Promise<KeySet> {
  const { status, text } = await outbound.request(uri, {
    headers: { accept: 'application/jwk-set+json, application/json' },
    maxBytes: MAX_BYTES,
  });
  const parsed = status === 200 ? keySet.safeParse(parseJson(text)) : null;
  if (parsed?.success !== true)
    throw new AppError(
      'RESPONSE_INVALID',
      `${new URL(uri).host} answered with status ${status} and no key set. Check the address of the platform's keys.`,
      { data: { status } },
    );
  // Of several with one id the first holds.
  return new Map(parsed.data.keys.flatMap(readKey).reverse());
}

/** With its id, where it may sign. */
function readKey(key: Readonly<Record<string, unknown>>): [string, KeyObject][] {
  const { kty, kid, use = 'sig', alg = 'RS256' } = key;
  if (kty !== 'RSA' || typeof kid !== 'string' || use !== 'sig' || alg !== 'RS256') return [];
  const publicKey = toPublicKey(key);
  const bits = publicKey?.asymmetricKeyDetails?.modulusLength ?? 0;
  // A larger one would only take time.
  return publicKey !== null && bits >= 2_048 && bits <= 8_192 ? [[kid, publicKey]] : [];
}

/** Without what a platform should have kept to itself. Null for what is no key. */
function toPublicKey({ kty, n, e }: JsonWebKey): KeyObject | null {
  try {
    return createPublicKey({ key: { kty, n, e } as JsonWebKey, format: 'jwk' });
  } catch {
    return null;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function unavailable(uri: string, cause: unknown): AppError {
  return new AppError(
    'LTI_KEYS_UNAVAILABLE',
    `The keys of the platform cannot be fetched from ${new URL(uri).host}, so its launches cannot be verified. Try again later.`,
    { cause, retryAfterSeconds: REFETCH_MS / 1_000 },
  );
}

function unknownKey(uri: string): AppError {
  return new AppError(
    'LTI_KEY_UNKNOWN',
    `The launch is signed with a key that is not among those at ${new URL(uri).host}. Check the address of the platform's keys.`,
  );
}
