import { setTimeout as sleep } from 'node:timers/promises';
import { limitConcurrency } from '#domain/async/limit-concurrency';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { Call, Policy } from '../call.ts';
import { createLearntLimits, type LearntLimits, type Rate } from './learnt-limits.ts';

export interface PaceOptions {
  /** How long a request waits for its turn at most; 2,000 by default. */
  readonly maxWaitMs: number;
  /** How long a limit that is not met again is remembered; 60,000 by default. */
  readonly memoryMs: number;
  readonly clock: Clock;
}

/** Keeps to what a key allows once that is learnt: calls above it wait for a moment, and where a
 *  moment is not enough are refused here rather than by the service. A key of which no limit was
 *  learnt is never slowed.
 *  @param place what a call may have to wait for before its turn, such as a bulkhead: a turn taken
 *  earlier would miss what is learnt meanwhile. A call that cannot have its turn in time is refused
 *  before it waits there.
 *  Errors: UPSTREAM_THROTTLED, and those of the place. */
export function createPace(options: PaceOptions, place: Policy): Policy {
  const pace: Pace = { limits: createLearntLimits(options.memoryMs, options.clock), options };
  let queued = 0;
  return async (call, send) => {
    refuseIfLate(pace, call, expectStart(pace.limits, queued));
    let isQueued = true;
    queued++;
    const leaveQueue = () => {
      if (isQueued) queued--;
      isQueued = false;
    };
    try {
      return await place(call, async (placed) => {
        leaveQueue();
        const startMs = await waitForTurn(pace, placed);
        const answer = await send(placed);
        pace.limits.learn(answer, startMs);
        return answer;
      });
    } finally {
      leaveQueue();
    }
  };
}

interface Pace {
  readonly limits: LearntLimits;
  readonly options: PaceOptions;
}

/** When a call that comes now can start, as far as can be told.
 *  @param queued calls that wait for a place, and have no turn yet */
function expectStart(limits: LearntLimits, queued: number): number {
  const nowMs = performance.now();
  const rate = limits.findRate(nowMs);
  const queuedMs = rate === null ? 0 : Math.floor(queued / rate.count) * rate.windowMs;
  return limits.nextStart(nowMs) + queuedMs;
}

function refuseIfLate({ limits, options: { maxWaitMs, memoryMs } }: Pace, call: Call, startMs: number): void {
  const nowMs = performance.now();
  const isLate = startMs - nowMs > maxWaitMs || (call.deadlineMs !== undefined && startMs >= call.deadlineMs);
  // Nobody waits longer than the limit is remembered, whatever the service asks for.
  if (startMs > nowMs && isLate)
    throw createThrottledError(call, Math.min(startMs - nowMs, memoryMs), limits.findRate(nowMs));
}

async function waitForTurn(pace: Pace, call: Call): Promise<number> {
  const { limits } = pace;
  let startMs = reserveStart(pace, call);
  while (startMs > performance.now()) {
    await waitUntil(startMs, call).catch((error: unknown) => {
      limits.cancelStart(startMs);
      throw error;
    });
    // Another call may have learnt meanwhile that nothing is allowed for longer.
    if (!limits.isPaused(performance.now())) break;
    limits.cancelStart(startMs);
    startMs = reserveStart(pace, call);
  }
  return startMs;
}

function reserveStart(pace: Pace, call: Call): number {
  const startMs = pace.limits.nextStart(performance.now());
  refuseIfLate(pace, call, startMs);
  pace.limits.addStart(startMs);
  return startMs;
}

async function waitUntil(atMs: number, { signal }: Call): Promise<void> {
  // Timers may end a little early, and then again would be too early for the service too.
  for (let nowMs = performance.now(); nowMs < atMs; nowMs = performance.now())
    await sleep(Math.ceil(atMs - nowMs), undefined, { signal });
}

function createThrottledError({ url, key, operation }: Call, waitMs: number, rate: Rate | null): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  const who = key === undefined ? 'without a key' : 'with this key';
  const allowed =
    rate === null
      ? `${url.host} allows no more requests ${who} for now`
      : `${url.host} allows ${rate.count} requests ${describeSpan(rate)} ${who}, and more are being made`;
  return new AppError(
    'UPSTREAM_THROTTLED',
    `${allowed}. Try again in ${retryAfterSeconds} s, or use a key of your own.`,
    {
      retryAfterSeconds,
      data: { operation, ...(rate !== null && { limit: rate.count, windowMs: rate.windowMs }) },
    },
  );
}

function describeSpan({ windowMs }: Rate): string {
  return windowMs === 1000 ? 'a second' : `in ${windowMs / 1000} seconds`;
}

export interface BulkheadOptions {
  /** Calls under way at the same time; 32 by default. */
  readonly maxAtOnce: number;
  /** Calls that wait for one of them to end; 400 by default. */
  readonly maxQueued: number;
  /** Least time left to make a waiting call; by default a tenth of the operation's. */
  readonly minTimeMs: number;
}

/** Lets one slow service take no more than its share of connections and memory. A caller that gives
 *  up while waiting leaves the queue at once, and a call that has waited too long to be answered in
 *  time is not made.
 *  Errors: UPSTREAM_BUSY. */
export function createBulkhead({ maxAtOnce, maxQueued, minTimeMs }: BulkheadOptions): Policy {
  const queue = limitConcurrency({ running: maxAtOnce, waiting: maxQueued });
  const busyReason = `${maxAtOnce + maxQueued} requests to it are under way or waiting already`;
  return (call, send) => {
    let hasWaited = false;
    const makeCall = async () => {
      call.signal?.throwIfAborted();
      const leftMs = (call.deadlineMs ?? Number.POSITIVE_INFINITY) - performance.now();
      if (hasWaited && leftMs < minTimeMs)
        throw createBusyError(call, 'the requests before this one took too long');
      return send(call);
    };
    return queue(makeCall, {
      signal: call.signal,
      onWait: () => {
        hasWaited = true;
      },
      tooMany: () => createBusyError(call, busyReason),
    });
  };
}

function createBusyError({ url, operation }: Call, why: string): AppError {
  return new AppError(
    'UPSTREAM_BUSY',
    `${url.host} is slower than it is asked: ${why}. Try again in a moment.`,
    { retryAfterSeconds: 1, data: { operation } },
  );
}
