import { AppError } from '../../../errors.ts';
import type { Call, Policy } from '../call.ts';

export interface BulkheadOptions {
  /** Calls under way at the same time; 32 by default. */
  readonly maxAtOnce: number;
  /** Calls that wait for one of them to end; 400 by default. */
  readonly maxQueued: number;
  /** Time that a call which waited must have left to be made; a tenth of that of the operation by default. */
  readonly minTimeMs: number;
}

/** Lets one slow service keep no more than its share of connections and memory. Who goes away while he waits leaves the
 *  queue at once, and who has waited too long for an answer to come in time is not called any more.
 *  Errors: UPSTREAM_BUSY. */
export function createBulkhead({ maxAtOnce, maxQueued, minTimeMs }: BulkheadOptions): Policy {
  /** In the order in which they came; each is called when a place is handed on to it. */
  const waiting = new Set<() => void>();
  let underWay = 0;

  async function takePlace(call: Call): Promise<void> {
    if (underWay < maxAtOnce) underWay++;
    else if (waiting.size < maxQueued) await waitForPlace(call);
    else throw busy(call, `${maxAtOnce + maxQueued} requests to it are under way or waiting already`);
  }

  function waitForPlace({ signal }: Call): Promise<void> {
    return new Promise((resolve, reject) => {
      const take = () => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        waiting.delete(take);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      waiting.add(take);
    });
  }

  function leavePlace(): void {
    const [next] = waiting;
    if (next === undefined) {
      underWay--;
      return;
    }
    waiting.delete(next);
    next();
  }

  return async (call, send) => {
    call.signal?.throwIfAborted();
    const isFull = underWay >= maxAtOnce;
    await takePlace(call);
    try {
      call.signal?.throwIfAborted();
      if (isFull && timeLeft(call) < minTimeMs)
        throw busy(call, 'the requests before this one took too long');
      return await send(call);
    } finally {
      leavePlace();
    }
  };
}

function timeLeft({ deadlineMs = Number.POSITIVE_INFINITY }: Call): number {
  return deadlineMs - performance.now();
}

function busy({ url, operation }: Call, why: string): AppError {
  return new AppError(
    'UPSTREAM_BUSY',
    `${url.host} is slower than it is asked: ${why}. Try again in a moment.`,
    { retryAfterSeconds: 1, data: { operation } },
  );
}
