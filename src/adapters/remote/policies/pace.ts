import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { Call, Policy } from '../call.ts';
import { createLearntLimits, type LearntLimits, type Rate } from './learnt-limits.ts';

export interface PaceOptions {
  /** The longest wait of a request for its turn; 2,000 by default. */
  readonly maxWaitMs: number;
  /** How long a limit is remembered if it is not reached; 60,000 by default. */
  readonly memoryMs: number;
  readonly clock: Clock;
}

/** Respects the learnt limits of a key: a call above a limit waits for at most `maxWaitMs`, and is
 *  refused if that is too short. A key without a learnt limit is never slowed. Errors:
 *  UPSTREAM_THROTTLED, and those of `place`.
 *  @param place policy that a call passes before it gets its turn, such as a bulkhead, so that
 *  turns respect the limits learnt while it waits there. A call that cannot get its turn in time is
 *  refused before that. */
export function createPace(options: PaceOptions, place: Policy): Policy {
  const pace: Pace = { limits: createLearntLimits(options.memoryMs, options.clock), options };
  let queued = 0;
  return async (call, send) => {
    refuseIfLate(pace, call, expectPacedStart(pace.limits, queued));
    let isQueued = true;
    queued++;
    const leaveQueue = () => {
      if (isQueued) queued--;
      isQueued = false;
    };
    try {
      return await place(call, async (placed) => {
        leaveQueue();
        const startMs = await waitForPacedTurn(pace, placed);
        const answer = await send(placed);
        pace.limits.learn(answer, startMs);
        return answer;
      });
    } finally {
      leaveQueue();
    }
  };
}

type Pace = { readonly limits: LearntLimits; readonly options: PaceOptions };

/** Estimates when a new call can start. @param queued the number of waiting calls without a turn */
function expectPacedStart(limits: LearntLimits, queued: number): number {
  const nowMs = performance.now();
  const rate = limits.findRate(nowMs);
  const queuedMs = rate === null ? 0 : Math.floor(queued / rate.count) * rate.windowMs;
  return limits.nextStart(nowMs) + queuedMs;
}

function refuseIfLate({ limits, options: { maxWaitMs, memoryMs } }: Pace, call: Call, startMs: number): void {
  const nowMs = performance.now();
  const isLate = startMs - nowMs > maxWaitMs || (call.deadlineMs !== undefined && startMs >= call.deadlineMs);
  // The reported wait is at most as long as the limit is stored.
  if (startMs > nowMs && isLate)
    throw createPaceThrottledError(call, Math.min(startMs - nowMs, memoryMs), limits.findRate(nowMs));
}

async function waitForPacedTurn(pace: Pace, call: Call): Promise<number> {
  const { limits } = pace;
  let startMs = reservePacedStart(pace, call);
  while (startMs > performance.now()) {
    await waitUntil(startMs, call).catch((error: unknown) => {
      limits.cancelStart(startMs);
      throw error;
    });
    // Another call may have learnt of a longer pause meanwhile.
    if (!limits.isPaused(performance.now())) break;
    limits.cancelStart(startMs);
    startMs = reservePacedStart(pace, call);
  }
  return startMs;
}

function reservePacedStart(pace: Pace, call: Call): number {
  const startMs = pace.limits.nextStart(performance.now());
  refuseIfLate(pace, call, startMs);
  pace.limits.addStart(startMs);
  return startMs;
}

async function waitUntil(atMs: number, { signal }: Call): Promise<void> {
  // Timers may fire early, and the call would then be too early for the service.
  for (let nowMs = performance.now(); nowMs < atMs; nowMs = performance.now())
    await sleep(Math.ceil(atMs - nowMs), undefined, { signal });
}

function createPaceThrottledError({ url, key, operation }: Call, waitMs: number, rate: Rate | null): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  const who = key === undefined ? 'without a key' : 'with this key';
  const allowed =
    rate === null
      ? `${url.host} allows no more requests ${who} for now`
      : `${url.host} allows ${rate.count} requests ${describeSpan(rate)} ${who}, and more are being made`;
  return new AppError(
    'UPSTREAM_THROTTLED',
    `${allowed}. Try again in ${retryAfterSeconds} s, or use a key of your own.`,
    { retryAfterSeconds, data: { operation, ...(rate !== null && { limit: rate.count, windowMs: rate.windowMs }) } },
  );
}

const describeSpan = ({ windowMs }: Rate): string => (windowMs === 1000 ? 'a second' : `in ${windowMs / 1000} seconds`);
