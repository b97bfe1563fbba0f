import type { Request } from 'express';
import { findNetworkOf } from '#domain/address-kinds';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import { createLocalCounters, createRateLimiter, type RateLimit } from '#services/host/rate-limits';

/** Searches and texts to tag from one address. A school is one address: thirty people get ten
 *  searches each in half a minute, more than anyone reads; a harvester gets ten a second, of a few
 *  milliseconds each. */
export const searchLimits: RateLimit = { name: 'searches', points: 300, windowSeconds: 30 };

/** Completions while typing: counted apart from searches, so that typing does not use those up.
 *  Somebody who types without a pause asks at most eight times a second, mostly twice; fifty for
 *  each of thirty people are enough for one line. Each is cheap, and the browser caches it. */
export const completionLimits: RateLimit = { name: 'completions', points: 1_500, windowSeconds: 30 };

/** Counts a request of an address. Errors: RATE_LIMITED. */
export type Limit = (request: Request) => Promise<void>;

export function createLimit(limit: RateLimit, clock: Clock): Limit {
  const limiter = createRateLimiter(createLocalCounters(), clock, limit);
  return async ({ ip }) => {
    const { isAllowed, endsInMs } = await limiter.consume(findNetworkOf(ip ?? 'unknown'));
    if (!isAllowed) throw createTooManyError(limit.points, Math.max(1, Math.ceil(endsInMs / 1000)));
  };
}

function createTooManyError(limit: number, seconds: number): AppError {
  const message = `Many searches came from your address in a short time. Try again in ${seconds} s.`;
  return new AppError('RATE_LIMITED', message, {
    retryAfterSeconds: seconds,
    data: { limit, resetSeconds: seconds },
  });
}
