import { AppError } from '#errors';
import type { Call, Policy } from '../call.ts';

export interface BulkheadOptions {
  /** Calls under way at the same time; 32 by default. */
  readonly maxAtOnce: number;
  /** Calls that wait for one of them to end; 400 by default. */
  readonly maxQueued: number;
  /** Time that must be left for a waiting call to be made; by default a tenth of the operation's. */
  readonly minTimeMs: number;
}

/** Lets one slow service take no more than its share of connections and memory. A caller that gives up while waiting leaves the
 *  queue at once, and a call that has waited too long to be answered in time is not made.
 *  Errors: UPSTREAM_BUSY. */
export function createBulkhead({ maxAtOnce, maxQueued, minTimeMs }: BulkheadOptions): Policy {
  /** In order of arrival; each is called when it gets a place. */
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
