import type { Request } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '#errors';

export interface Limits {
  /** Requests from one address. */
  readonly points: number;
  /** Seconds after which they are counted anew. */
  readonly duration: number;
}

/** Searches and texts to tag. A school is one address: thirty people get ten searches each in half a minute, more than anyone
 *  reads; a harvester is limited to ten a second, of a few milliseconds each. */
export const searchLimits: Limits = { points: 300, duration: 30 };

/** Completions while typing: counted apart from searches, so that typing does not use those up. Somebody who types without a
 *  pause asks at most eight times a second, mostly twice; fifty for each of thirty people are enough for one line. Each is cheap,
 *  and the browser caches it. */
export const completionLimits: Limits = { points: 1_500, duration: 30 };

/** Count a request of an address. Errors: RATE_LIMITED. */
export type Limit = (request: Request) => Promise<void>;

export const createLimit = (limits: Limits): Limit => limitBy(new RateLimiterMemory(limits));

export function limitBy(limiter: Pick<RateLimiterMemory, 'consume' | 'points'>): Limit {
  return async ({ ip }) => {
    try {
      await limiter.consume(ip ?? 'unknown');
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw tooMany(limiter.points, Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)));
    }
  };
}

function tooMany(limit: number, seconds: number): AppError {
  const message = `Many searches came from your address in a short time. Try again in ${seconds} s.`;
  return new AppError('RATE_LIMITED', message, {
    retryAfterSeconds: seconds,
    data: { limit, resetSeconds: seconds },
  });
}
