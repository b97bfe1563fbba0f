import { bulkhead, isBulkheadRejectedError } from 'cockatiel';
import { AppError } from '../../../errors.ts';
import type { Call } from '../send.ts';
import type { Policy } from './policy.ts';

export interface BulkheadOptions {
  /** Calls under way at the same time; 16 by default. */
  readonly maxAtOnce: number;
  /** Calls that wait for one of them to end; 200 by default. */
  readonly maxQueued: number;
}

/** Lets one slow service keep no more than its share of connections and memory. Errors: UPSTREAM_BUSY. */
export function createBulkhead({ maxAtOnce, maxQueued }: BulkheadOptions): Policy {
  const policy = bulkhead(maxAtOnce, maxQueued);
  return async (call, send) => {
    try {
      // The signal is not the library's to watch: giving up a queued call there, it would forget those behind it.
      return await policy.execute(() => {
        call.signal?.throwIfAborted();
        return send(call);
      });
    } catch (error) {
      throw isBulkheadRejectedError(error) ? busy(call, maxAtOnce + maxQueued) : error;
    }
  };
}

function busy({ url, operation }: Call, count: number): AppError {
  return new AppError(
    'UPSTREAM_BUSY',
    `${count} requests to ${url.host} are under way or waiting already, and this host allows itself no more. Try again in a moment.`,
    { retryAfterSeconds: 1, data: { operation } },
  );
}
