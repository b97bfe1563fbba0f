import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { Call, Policy } from '../call.ts';
import { createLearntLimits, type Rate } from './learnt-limits.ts';

export interface PaceOptions {
  /** How long a request waits for its turn at most; 2,000 by default. */
  readonly maxWaitMs: number;
  /** How long a limit that is not met again is remembered; 60,000 by default. */
  readonly memoryMs: number;
  readonly clock: Clock;
}

/** Keeps to what a key allows once that is known: requests above it wait for a moment, and are refused here rather than there
 *  where a moment is not enough. A key of which no limit is known is never slowed.
 *  @param place what a call may have to wait for before its turn, such as a bulkhead: a turn taken earlier would not know what
 *  was learnt meanwhile. A call that cannot have its turn in time is refused before it waits there.
 *  Errors: UPSTREAM_THROTTLED, and those of the place. */
export function createPace({ maxWaitMs, memoryMs, clock }: PaceOptions, place: Policy): Policy {
  const limits = createLearntLimits(memoryMs, clock);
  /** Calls that wait for a place, and have no turn yet. */
  let ahead = 0;

  function refuseIfLate(call: Call, atMs: number, nowMs: number): void {
    const isLate = atMs - nowMs > maxWaitMs || (call.deadlineMs !== undefined && atMs >= call.deadlineMs);
    // Nobody waits longer than the limit is remembered, whatever the service says.
    if (atMs > nowMs && isLate)
      throw throttled(call, Math.min(atMs - nowMs, memoryMs), limits.findRate(nowMs));
  }

  /** When a request that comes now can start, as far as can be told. */
  function expectedStart(nowMs: number): number {
    const rate = limits.findRate(nowMs);
    const aheadMs = rate === null ? 0 : Math.floor(ahead / rate.count) * rate.windowMs;
    return limits.nextStart(nowMs) + aheadMs;
  }

  /** Reserves the time when a request may start. */
  function reserve(call: Call): number {
    const nowMs = performance.now();
    const atMs = limits.nextStart(nowMs);
    refuseIfLate(call, atMs, nowMs);
    limits.addStart(atMs);
    return atMs;
  }

  async function waitUntil(atMs: number, { signal }: Call): Promise<void> {
    try {
      // Timers may end a little early, and then again would be too early for the service too.
      for (let nowMs = performance.now(); nowMs < atMs; nowMs = performance.now())
        await sleep(Math.ceil(atMs - nowMs), undefined, { signal });
    } catch (error) {
      limits.cancelStart(atMs);
      throw error;
    }
  }

  async function waitForTurn(call: Call): Promise<number> {
    let startMs = reserve(call);
    while (startMs > performance.now()) {
      await waitUntil(startMs, call);
      // Others have found out meanwhile that nothing is allowed for longer.
      if (!limits.isPaused(performance.now())) break;
      limits.cancelStart(startMs);
      startMs = reserve(call);
    }
    return startMs;
  }

  return async (call, send) => {
    const nowMs = performance.now();
    refuseIfLate(call, expectedStart(nowMs), nowMs);
    let isAhead = true;
    ahead++;
    const leaveQueue = () => {
      if (isAhead) ahead--;
      isAhead = false;
    };
    try {
      return await place(call, async (placed) => {
        leaveQueue();
        const startMs = await waitForTurn(placed);
        const answer = await send(placed);
        limits.learn(answer, startMs);
        return answer;
      });
    } finally {
      leaveQueue();
    }
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
    { retryAfterSeconds, data: { operation, ...(rate !== null && limitOf(rate)) } },
  );
}

/** For callers that word it differently than for an administrator. */
function limitOf({ count, windowMs }: Rate) {
  return { limit: count, windowMs };
}

function spanOf({ windowMs }: Rate): string {
  return windowMs === 1000 ? 'a second' : `in ${windowMs / 1000} seconds`;
}
