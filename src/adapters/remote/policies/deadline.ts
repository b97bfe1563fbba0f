import { withDeadline } from '../with-deadline.ts';
import type { Policy } from './policy.ts';

/** Ends an operation when its whole time is over, all waiting and repeating included. Errors: UPSTREAM_TIMEOUT. */
export function createDeadline({ timeoutMs }: { readonly timeoutMs: number }): Policy {
  return (call, send) => {
    const deadlineMs = performance.now() + timeoutMs;
    return withDeadline(call, timeoutMs, (signal) =>
      send({ ...call, signal, callerSignal: call.signal, deadlineMs }),
    );
  };
}
