import { LRUCache } from 'lru-cache';
import { limitEntries } from '#domain/limit-entries';
import type { Clock } from '#ports/clock';
import type { RateCounterRepository, WindowCount } from '#ports/store/store';

export interface RateLimit {
  /** Name of this limit in the store: `api-day`, `sign-in-address`. */
  readonly name: string;
  /** Points that a key may use in one window. */
  readonly points: number;
  /** A window begins with the first use after the one before has ended. */
  readonly windowSeconds: number;
}

/** State of a window. */
export interface RateUse {
  readonly isAllowed: boolean;
  /** Points used in this window by every host, refused ones included. */
  readonly used: number;
  readonly remaining: number;
  /** Milliseconds until the window ends. */
  readonly endsInMs: number;
}

/** Counts uses by key; hosts that share a store share the counts. A refusal is an answer, not an error.
 *  Errors: STORE_UNAVAILABLE. */
export interface RateLimiter {
  readonly limit: RateLimit;
  /** Uses points, also when it refuses. */
  consume(key: string, points?: number): Promise<RateUse>;
}

/** @param counters where windows are counted: `store.rateCounters`, or `createLocalCounters()` */
export function createRateLimiter(
  counters: RateCounterRepository,
  clock: Clock,
  limit: RateLimit,
): RateLimiter {
  return {
    limit,
    async consume(key, points = 1) {
      const now = clock.now();
      const expiresAt = new Date(now.getTime() + limit.windowSeconds * 1_000);
      const window = await counters.addRatePoints(`${limit.name}:${key}`, points, { now, expiresAt });
      return {
        isAllowed: window.points <= limit.points,
        used: window.points,
        remaining: Math.max(0, limit.points - window.points),
        endsInMs: Math.max(0, window.expiresAt.getTime() - clock.now().getTime()),
      };
    },
  };
}

const MAX_LOCAL_WINDOWS = 100_000;

/** Counts of this host alone, for limits that are not worth a write to the store for each request. */
export function createLocalCounters(): RateCounterRepository {
  const windows = new LRUCache<string, WindowCount>(limitEntries(MAX_LOCAL_WINDOWS));
  return {
    async addRatePoints(name, points, { now, expiresAt }) {
      const window = windows.get(name);
      const isRunning = window !== undefined && window.expiresAt > now;
      const count = isRunning
        ? { points: window.points + points, expiresAt: window.expiresAt }
        : { points, expiresAt };
      windows.set(name, count);
      return count;
    },
  };
}
