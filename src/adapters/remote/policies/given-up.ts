import type { Call } from '../send.ts';

/** Whether a call that failed was ended before it told anything of the service: by its caller, or so soon after its start,
 *  because the time of its operation was over, that nobody could have answered.
 *  @param startedMs by `performance.now()`
 *  @param minTimeMs from then on, a call without an answer is late */
export function wasGivenUp({ signal, callerSignal }: Call, startedMs: number, minTimeMs: number): boolean {
  if (callerSignal?.aborted) return true;
  return signal?.aborted === true && performance.now() - startedMs < minTimeMs;
}
