import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { limitEntries } from '#domain/limit-entries';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import { latestShortLivedExpiry, type RateCounterRepository, type WindowCount } from '#ports/store/store';

export interface RateLimit {
  /** Name of this limit in the store: `api-day`, `sign-in-address`. */
  readonly name: string;
  /** Points that a key may use in one window. */
  readonly points: number;
  /** A window begins with the first use after the former window has ended. */
  readonly windowSeconds: number;
}

export interface RateUse {
  readonly isAllowed: boolean;
  /** Points used in this window by every host, refused ones included. */
  readonly used: number;
  readonly remaining: number;
  /** Milliseconds until the window ends. */
  readonly endsInMs: number;
}

/** Counts the points that keys use. Hosts that share a store share the counts. */
export type RateLimiter = ReturnType<typeof createRateLimiter>;

/** @param counters where windows are counted: `store.rateCounters`, or `createLocalCounters()` */
export function createRateLimiter(counters: RateCounterRepository, clock: Clock, limit: RateLimit) {
  return {
    limit,
    /** Uses points. A refusal is no error, and uses them, too. Errors: STORE_UNAVAILABLE. */
    async consume(key: string, points = 1): Promise<RateUse> {
      const now = clock.now();
      const expiresAt = new Date(now.getTime() + limit.windowSeconds * 1_000);
      // A key may name a person or a network address, which the store need not know.
      const name = `${limit.name}:${createHash('sha256').update(key).digest('base64url')}`;
      const window = await counters.addRatePoints(name, points, { now, expiresAt });
      return {
        isAllowed: window.points <= limit.points,
        used: window.points,
        remaining: Math.max(0, limit.points - window.points),
        endsInMs: Math.max(0, window.expiresAt.getTime() - clock.now().getTime()),
      };
    },
  };
}

/** Uses a point of the key. Errors: RATE_LIMITED.
 *  @param write returns the message for a number of seconds to wait */
export async function requireRatePoint(
  { consume, limit }: RateLimiter,
  key: string,
  write: (seconds: number) => string,
): Promise<void> {
  const { isAllowed, endsInMs } = await consume(key);
  if (!isAllowed) throw createRateLimitError(limit.points, endsInMs, write);
}

/** Creates RATE_LIMITED, with `limit` and `resetSeconds` of the window in `data`. */
export function createRateLimitError(limit: number, endsInMs: number, write: (seconds: number) => string): AppError {
  const seconds = Math.max(1, Math.ceil(endsInMs / 1_000));
  const data = { limit, resetSeconds: seconds };
  return new AppError('RATE_LIMITED', write(seconds), { retryAfterSeconds: seconds, data });
}

const MAX_LOCAL_WINDOWS = 100_000;

/** Counts on this host alone, for limits that are not worth a write for each request. */
export function createLocalCounters(): RateCounterRepository {
  const windows = new LRUCache<string, WindowCount>(limitEntries(MAX_LOCAL_WINDOWS));
  return {
    async addRatePoints(name, points, { now, expiresAt }) {
      const window = windows.get(name);
      const isRunning =
        window !== undefined && window.expiresAt > now && window.expiresAt <= latestShortLivedExpiry(expiresAt);
      const count = isRunning ? { points: window.points + points, expiresAt: window.expiresAt } : { points, expiresAt };
      windows.set(name, count);
      return count;
    },
  };
}

/** `remaining` are the free points at the last read of the shared count, and unused ones here. */
export type Spending = Omit<RateUse, 'used'>;

/** Uses one point of a key. Errors: STORE_UNAVAILABLE. */
export type Spend = (key: string) => Promise<Spending>;

/** The points of one key that this host holds. */
interface Purse {
  /** Points that were taken from the shared count and not used. */
  unspent: number;
  /** Free points in the shared count when it was read last. */
  shared: number;
  /** Milliseconds since 1970; 0 before the first block. */
  endsAt: number;
  /** Number of callers that wait for the block that is being taken. */
  waiting: number;
  taking: Promise<void> | null;
}

const MAX_PURSES = 10_000;
const BLOCKS_IN_LIMIT = 100;

/** Takes points from a shared limit in blocks of a hundredth, so that a window needs about a
 *  hundred writes for a key. All hosts together never exceed the limit; at most a hundredth, unused
 *  at the end of a window, is lost. Limits up to 199 are exact. */
export function createBlockSpender(limiter: RateLimiter, clock: Clock): Spend {
  const purses = new LRUCache<string, Purse>({
    ...limitEntries(MAX_PURSES),
    memoMethod: () => ({ unspent: 0, shared: 0, endsAt: 0, waiting: 0, taking: null }),
  });
  return async (key) => {
    const purse = purses.memo(key);
    for (;;) {
      const spending = purse.taking === null ? spendLocally(limiter, purse, clock.now().getTime()) : null;
      if (spending !== null) return spending;
      purse.waiting++;
      purse.taking ??= takeBlock(limiter, clock, key, purse).finally(() => {
        purse.taking = null;
      });
      await purse.taking.finally(() => purse.waiting--);
    }
  };
}

/** Returns null when the shared count must be read. */
function spendLocally({ limit }: RateLimiter, purse: Purse, now: number): Spending | null {
  const latest = latestShortLivedExpiry(new Date(now + limit.windowSeconds * 1_000)).getTime();
  if (purse.endsAt <= now || purse.endsAt > latest) return null;
  if (purse.unspent > 0) {
    purse.unspent--;
    return toSpending(purse, true, now);
  }
  // All hosts together have used the limit up, so reading the count is of no use.
  return purse.shared === 0 ? toSpending(purse, false, now) : null;
}

/** Takes a block, or as many points as callers wait for, up to the limit. */
async function takeBlock(limiter: RateLimiter, clock: Clock, key: string, purse: Purse): Promise<void> {
  const { points } = limiter.limit;
  const blockSize = Math.max(1, Math.floor(points / BLOCKS_IN_LIMIT));
  const requested = Math.max(blockSize, purse.waiting);
  const { used, remaining, endsInMs } = await limiter.consume(key, requested);
  purse.unspent = Math.max(0, requested - Math.max(0, used - points));
  purse.shared = remaining;
  purse.endsAt = clock.now().getTime() + endsInMs;
}

const toSpending = ({ shared, unspent, endsAt }: Purse, isAllowed: boolean, now: number): Spending => ({
  isAllowed,
  remaining: shared + unspent,
  endsInMs: Math.max(0, endsAt - now),
});
