import { setMaxListeners } from 'node:events';
import { waitUnlessAborted } from './deadline.ts';

/** Calls that all simultaneous callers of one key share (single flight). */
export interface SharedCalls<T> {
  /** Waits for the running call of this key, or starts it. The call's signal is aborted once nobody
   *  waits. Errors: those of the call; the reason of `signal`, for this caller only. */
  wait(key: string, call: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Starts the call unless one is running (null); it continues even if nobody waits for it. */
  start(key: string, call: (signal: AbortSignal) => Promise<T>): Promise<T> | null;
}

interface SharedCall<T> {
  readonly answer: Promise<T>;
  readonly controller: AbortController;
  holders: number;
}

export function createSharedCalls<T>(): SharedCalls<T> {
  const underWay = new Map<string, SharedCall<T>>();

  function makeSharedCall(key: string, call: (signal: AbortSignal) => Promise<T>): SharedCall<T> {
    const controller = new AbortController();
    const answer = call(controller.signal).finally(() => forgetSharedCall(key, sharedCall));
    const sharedCall: SharedCall<T> = { answer, controller, holders: 0 };
    underWay.set(key, sharedCall);
    return sharedCall;
  }

  function forgetSharedCall(key: string, call: SharedCall<T>): void {
    if (underWay.get(key) === call) underWay.delete(key);
  }

  function leaveSharedCall(key: string, call: SharedCall<T>): void {
    if (--call.holders > 0) return;
    forgetSharedCall(key, call);
    call.controller.abort();
  }

  return {
    async wait(key, call, signal) {
      const shared = underWay.get(key) ?? makeSharedCall(key, call);
      shared.holders++;
      // Prevents the warning of a leak: a caller may request the lists of many providers at once.
      if (signal !== undefined) setMaxListeners(0, signal);
      try {
        return await waitUnlessAborted(shared.answer, signal);
      } catch (error) {
        if (signal?.aborted) leaveSharedCall(key, shared);
        throw error;
      }
    },
    start(key, call) {
      if (underWay.has(key)) return null;
      const started = makeSharedCall(key, call);
      started.holders++;
      return started.answer;
    },
  };
}
