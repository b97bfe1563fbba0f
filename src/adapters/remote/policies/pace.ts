import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../../errors.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Call } from '../send.ts';
import { createLearntLimits } from './learnt-limits.ts';
import type { Policy } from './policy.ts';
import type { Rate } from './stated-limits.ts';

export interface PaceOptions {
  /** How long a request waits for its turn at most; 2,000 by default. */
  readonly maxWaitMs: number;
  /** How many wait at the same time; 50 by default. */
  readonly maxWaiting: number;
  /** How long a limit is remembered that is not met again; 60,000 by default. */
  readonly memoryMs: number;
  readonly clock: Clock;
}

/** Keeps to what a key allows once that is known: requests above it wait for a moment, and are refused here rather than
 *  there where a moment is not enough. A key of which no limit is known is never slowed. Errors: UPSTREAM_THROTTLED. */
export function createPace({ maxWaitMs, maxWaiting, memoryMs, clock }: PaceOptions): Policy {
  const limits = createLearntLimits(memoryMs, clock);
  let waiting = 0;

  /** When a request may start; that time is its own then. */
  function reserve(call: Call, nowMs: number): number {
    const at = limits.nextStart(nowMs);
    const isTooLate = at - nowMs > maxWaitMs || (call.deadlineMs !== undefined && at >= call.deadlineMs);
    if (at > nowMs && (isTooLate || waiting >= maxWaiting))
      throw throttled(call, at - nowMs, limits.findRate(nowMs));
    limits.addStart(at);
    return at;
  }

  async function waitUntil(atMs: number, { signal }: Call): Promise<void> {
    waiting++;
    try {
      // Timers may end a little early, and then again would be too early for the service too.
      for (let nowMs = performance.now(); nowMs < atMs; nowMs = performance.now())
        await sleep(Math.ceil(atMs - nowMs), undefined, { signal });
    } catch (error) {
      limits.cancelStart(atMs);
      throw error;
    } finally {
      waiting--;
    }
  }

  return async (call, send) => {
    let startMs = reserve(call, performance.now());
    while (startMs > performance.now()) {
      await waitUntil(startMs, call);
      // Others have found out meanwhile that nothing is allowed for longer.
      if (!limits.isPaused(performance.now())) break;
      limits.cancelStart(startMs);
      startMs = reserve(call, performance.now());
    }
    const answer = await send(call);
    limits.learn(answer, startMs);
    return answer;
  };
}

function throttled({ url, key, operation }: Call, waitMs: number, rate: Rate | null): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  const who = key === undefined ? 'without a key' : 'with this key';
  const allowed =
    rate === null
      ? `${url.host} allows no more requests ${who} for now`
      : `${url.host} allows ${rate.count} requests ${spanOf(rate)} ${who}, and more are being made`;
  return new AppError(
    'UPSTREAM_THROTTLED',
    `${allowed}. Try again in ${retryAfterSeconds} s, or use a key of your own.`,
    { retryAfterSeconds, data: { operation } },
  );
}

function spanOf({ windowMs }: Rate): string {
  return windowMs === 1000 ? 'a second' : `in ${windowMs / 1000} seconds`;
}
