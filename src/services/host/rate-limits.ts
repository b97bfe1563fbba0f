import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';
import RateLimiterStoreAbstract from 'rate-limiter-flexible/lib/RateLimiterStoreAbstract.js';
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

/** How a window stands. */
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

/** Make a limiter over the shared counts. */
export function createRateLimiter(
  rateCounters: RateCounterRepository,
  clock: Clock,
  limit: RateLimit,
): RateLimiter {
  const limiter = new StoreRateLimiter(rateCounters, clock, limit);
  return {
    limit,
    async consume(key, points = 1) {
      try {
        return toUse(await limiter.consume(key, points), true);
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        return toUse(refusal, false);
      }
    },
  };
}

function toUse(
  { consumedPoints, remainingPoints, msBeforeNext }: RateLimiterRes,
  isAllowed: boolean,
): RateUse {
  return { isAllowed, used: consumedPoints, remaining: remainingPoints, endsInMs: msBeforeNext };
}

/** The library's limiter on top of our port. A class, because the library can only be extended that way. */
class StoreRateLimiter extends RateLimiterStoreAbstract {
  readonly #counters: RateCounterRepository;
  readonly #clock: Clock;

  constructor(counters: RateCounterRepository, clock: Clock, { name, points, windowSeconds }: RateLimit) {
    super({ storeClient: counters, keyPrefix: name, points, duration: windowSeconds });
    this.#counters = counters;
    this.#clock = clock;
  }

  async _upsert(window: string, points: number, durationMs: number): Promise<WindowCount> {
    const now = this.#clock.now();
    return this.#counters.addRatePoints(window, points, {
      now,
      expiresAt: new Date(now.getTime() + durationMs),
    });
  }

  _get(window: string): Promise<WindowCount | null> {
    return this.#counters.findRateWindow(window, this.#clock.now());
  }

  _delete(window: string): Promise<boolean> {
    return this.#counters.removeRateWindow(window);
  }

  _getRateLimiterRes(_window: string, added: number, { points, expiresAt }: WindowCount): RateLimiterRes {
    const endsInMs = Math.max(0, expiresAt.getTime() - this.#clock.now().getTime());
    return new RateLimiterRes(Math.max(0, this.points - points), endsInMs, points, points === added);
  }
}
