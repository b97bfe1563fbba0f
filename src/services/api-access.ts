import { timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { ApiKeyScope } from '../domain/api-key.ts';
import { AppError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { ApiKeyRecord, ApiKeyRepository } from '../ports/store.ts';
import { hashKey } from './api-keys.ts';

export interface ApiAccessDeps {
  readonly apiKeys: ApiKeyRepository;
  readonly demoKey: string;
  readonly clock: Clock;
  readonly demoLimits?: Limits;
}

/** Requests. */
export interface Limits {
  readonly perSecond: number;
  readonly perDay: number;
}

export interface Allowance {
  /** Id of the key, or `demo`. */
  readonly keyId: string;
  /** Requests a day, how many are left, and seconds until they are counted anew. */
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

export interface ApiAccess {
  /** Count one request of a key.
   *  Errors: KEY_MISSING, KEY_UNKNOWN, KEY_SCOPE; RATE_LIMITED with `limit` and `resetSeconds` of the window in `data`. */
  authorize(presented: string | undefined, scope: ApiKeyScope): Promise<Allowance>;
}

export const demoLimits: Limits = { perSecond: 5, perDay: 1_000 };

const DAY_SECONDS = 86_400;
/** A key is asked of the store once in this time, so a revoked one stops working within it. */
const RECENT_MS = 1000;
const MAX_RECENT_KEYS = 10_000;

/** Who may call what, and how often. Counts are kept in this process. */
export function createApiAccess({
  apiKeys,
  demoKey,
  clock,
  demoLimits: forDemo = demoLimits,
}: ApiAccessDeps): ApiAccess {
  const demoHash = Buffer.from(hashKey(demoKey));
  const count = createCounter();
  const recent = new LRUCache<string, ApiKeyRecord>({
    max: MAX_RECENT_KEYS,
    ttl: RECENT_MS,
    ttlResolution: 0,
    perf: { now: () => clock.now().getTime() },
  });

  async function findRecord(hash: string): Promise<ApiKeyRecord | null> {
    const known = recent.get(hash);
    if (known !== undefined) return known;
    const record = await apiKeys.findApiKeyByHash(hash);
    if (record !== null) recent.set(hash, record);
    return record;
  }

  async function findKey(
    presented: string,
  ): Promise<{ id: string; scopes: readonly ApiKeyScope[]; limits: Limits }> {
    const hash = hashKey(presented);
    if (timingSafeEqual(Buffer.from(hash), demoHash))
      return { id: 'demo', scopes: ['competency'], limits: forDemo };
    const record = await findRecord(hash);
    if (record === null) {
      throw new AppError(
        'KEY_UNKNOWN',
        'This key is not known here. Check that it was copied whole, or ask for a new one.',
      );
    }
    refuseEnded(record, clock);
    return { id: record.id, scopes: record.scopes, limits: record };
  }

  return {
    async authorize(presented, scope) {
      if (presented === undefined || presented === '') {
        throw new AppError(
          'KEY_MISSING',
          'This address needs a key. Send it in the header that the API reference names.',
        );
      }
      const { id, scopes, limits } = await findKey(presented);
      if (!scopes.includes(scope)) throw wrongScope(id, scopes, scope);
      return count(id, limits);
    },
  };
}

function refuseEnded({ revokedAt, expiresAt }: ApiKeyRecord, clock: Clock): void {
  if (revokedAt !== null) throw new AppError('KEY_UNKNOWN', 'This key was revoked. Ask for a new one.');
  if (expiresAt !== null && expiresAt <= clock.now()) {
    throw new AppError(
      'KEY_UNKNOWN',
      `This key ended on ${expiresAt.toISOString().slice(0, 10)}. Ask for a new one.`,
    );
  }
}

function wrongScope(id: string, scopes: readonly ApiKeyScope[], scope: ApiKeyScope): AppError {
  const message =
    id === 'demo'
      ? 'The demo key works on the Competency API only. Use a personal key here.'
      : `This key may be used for ${scopes.join(', ')}, not for ${scope}. Use another key or ask for this one to be widened.`;
  return new AppError('KEY_SCOPE', message);
}

/** Counts requests of each key by second and by day. */
function createCounter(): (id: string, limits: Limits) => Promise<Allowance> {
  const limiters = new Map<string, RateLimiterMemory>();
  const limiterOf = (keyPrefix: string, points: number, duration: number): RateLimiterMemory => {
    const name = `${keyPrefix}:${points}`;
    let limiter = limiters.get(name);
    if (limiter === undefined) {
      limiter = new RateLimiterMemory({ keyPrefix: name, points, duration });
      limiters.set(name, limiter);
    }
    return limiter;
  };
  return async (id, { perSecond, perDay }) => {
    await consume(limiterOf('second', perSecond, 1), id, `${perSecond} requests a second`);
    const day = await consume(limiterOf('day', perDay, DAY_SECONDS), id, `${perDay} requests a day`);
    return {
      keyId: id,
      limit: perDay,
      remaining: day.remainingPoints,
      resetSeconds: Math.ceil(day.msBeforeNext / 1000),
    };
  };
}

async function consume(limiter: RateLimiterMemory, id: string, allowed: string): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(id);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const retryAfterSeconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
    throw new AppError('RATE_LIMITED', `This key allows ${allowed}. Try again in ${retryAfterSeconds} s.`, {
      retryAfterSeconds,
      data: { limit: limiter.points, resetSeconds: retryAfterSeconds },
    });
  }
}
