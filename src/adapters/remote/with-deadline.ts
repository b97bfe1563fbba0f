import { setMaxListeners } from 'node:events';
import type { Call, Policy } from './call.ts';
import { createTimeoutError } from './transport-errors.ts';

/** Ends work on a call when its time is over or its caller goes away, whatever the work does then.
 *  Errors: UPSTREAM_TIMEOUT; the reason of the caller's signal, whatever that is; those of the work. */
export async function withDeadline<T>(
  call: Call,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const { signal } = controller;
  const follow = () => controller.abort(call.signal?.reason);
  // A caller may make many calls at once, which is not a leak.
  if (call.signal !== undefined) setMaxListeners(0, call.signal);
  const timer = setTimeout(() => controller.abort(createTimeoutError(call)), timeoutMs);
  if (call.signal?.aborted) follow();
  else call.signal?.addEventListener('abort', follow, { once: true });
  try {
    signal.throwIfAborted();
    // Some work cannot be cancelled, such as opening a socket; it is no longer waited for.
    return await Promise.race([work(signal), rejectWhenAborted(signal)]);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    clearTimeout(timer);
    call.signal?.removeEventListener('abort', follow);
  }
}

function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** Ends an operation when its whole time is over, all waiting and repeating included. Errors: UPSTREAM_TIMEOUT. */
export function createDeadline({ timeoutMs }: { readonly timeoutMs: number }): Policy {
  return (call, send) => {
    const deadlineMs = performance.now() + timeoutMs;
    return withDeadline(call, timeoutMs, (signal) =>
      send({ ...call, signal, callerSignal: call.signal, deadlineMs }),
    );
  };
}
