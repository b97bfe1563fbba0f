import { LRUCache } from 'lru-cache';
import { limitEntries } from '#domain/limit-entries';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { RateCounterRepository } from '#ports/store/store';
import { createBlockSpender, type Spend, type Spending } from '#services/host/rate-blocks';
import { createRateLimiter } from '#services/host/rate-limits';

/** Requests. */
export interface Limits {
  readonly perSecond: number;
  readonly perDay: number;
}

export interface RequestCount {
  /** Requests a day, how many are left, and seconds until they are counted anew. */
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

const DAY_SECONDS = 86_400;
/** How many different limits are kept ready; each has a spender of its own. */
const MAX_LIMITS = 1_000;

/** Counts requests of a key by second and by day.
 *  Errors: RATE_LIMITED with `limit` and `resetSeconds` of the window in `data`. A request refused for the second does
 *  not count for the day. */
export function createRequestCounter(
  rateCounters: RateCounterRepository,
  clock: Clock,
): (keyId: string, limits: Limits) => Promise<RequestCount> {
  const spenders = new LRUCache<string, Spend>(limitEntries(MAX_LIMITS));
  const spenderOf = (name: string, points: number, windowSeconds: number): Spend => {
    const known = spenders.get(`${name} ${points}`);
    if (known !== undefined) return known;
    const spender = createBlockSpender(
      createRateLimiter(rateCounters, clock, { name, points, windowSeconds }),
      clock,
    );
    spenders.set(`${name} ${points}`, spender);
    return spender;
  };
  return async (keyId, { perSecond, perDay }) => {
    const second = await spenderOf('api-second', perSecond, 1)(keyId);
    if (!second.isAllowed) throw usedUp(second, perSecond, 'second');
    const day = await spenderOf('api-day', perDay, DAY_SECONDS)(keyId);
    if (!day.isAllowed) throw usedUp(day, perDay, 'day');
    return { limit: perDay, remaining: day.remaining, resetSeconds: Math.ceil(day.endsInMs / 1000) };
  };
}

function usedUp({ endsInMs }: Spending, limit: number, window: 'second' | 'day'): AppError {
  const seconds = Math.max(1, Math.ceil(endsInMs / 1000));
  const message = `This key allows ${limit} requests a ${window}. Try again in ${seconds} s.`;
  return new AppError('RATE_LIMITED', message, {
    retryAfterSeconds: seconds,
    data: { limit, resetSeconds: seconds },
  });
}
