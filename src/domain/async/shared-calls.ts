import { setMaxListeners } from 'node:events';

/** Calls shared by everyone who asks for the same at the same time. */
export interface SharedCalls<T> {
  /** Waits for the call that is under way, or makes it. The call is told to give up once nobody waits for it any more.
   *  Errors: those of the call; the reason of `signal` once that is aborted, for this caller only. */
  wait(key: string, call: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Makes the call, unless one is under way; it goes on to its end, whether or not anyone waits for it. Null where one was under way. */
  start(key: string, call: (signal: AbortSignal) => Promise<T>): Promise<T> | null;
}

interface SharedCall<T> {
  readonly answer: Promise<T>;
  readonly controller: AbortController;
  /** How many still wait for the answer. */
  holders: number;
}

export function createSharedCalls<T>(): SharedCalls<T> {
  const underWay = new Map<string, SharedCall<T>>();

  function make(key: string, call: (signal: AbortSignal) => Promise<T>): SharedCall<T> {
    const controller = new AbortController();
    const answer = call(controller.signal).finally(() => forget(key, made));
    const made: SharedCall<T> = { answer, controller, holders: 0 };
    underWay.set(key, made);
    return made;
  }

  /** The next caller makes a call of its own. */
  function forget(key: string, call: SharedCall<T>): void {
    if (underWay.get(key) === call) underWay.delete(key);
  }

  function leave(key: string, call: SharedCall<T>): void {
    if (--call.holders > 0) return;
    forget(key, call);
    call.controller.abort();
  }

  return {
    wait(key, call, signal) {
      const shared = underWay.get(key) ?? make(key, call);
      shared.holders++;
      return signal === undefined
        ? shared.answer
        : waitUntilAborted(shared.answer, signal, () => leave(key, shared));
    },
    start(key, call) {
      if (underWay.has(key)) return null;
      const started = make(key, call);
      started.holders++;
      return started.answer;
    },
  };
}

function waitUntilAborted<T>(answer: Promise<T>, signal: AbortSignal, leave: () => void): Promise<T> {
  // One caller may ask for the lists of many providers at once; Node would take the many listeners for a leak.
  setMaxListeners(0, signal);
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      reject(signal.reason);
      leave();
    };
    signal.addEventListener('abort', giveUp, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}
