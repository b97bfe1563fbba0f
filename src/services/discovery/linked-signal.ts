import { setMaxListeners } from 'node:events';

/** A signal of our own that is aborted with another one. `AbortSignal.any` is no substitute: what it makes is kept alive for
 *  as long as anybody listens to it. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
  /** Lets go of the other one, which may live on for long. To be called at the end. */
  unlink(): void;
}

export function linkSignal(outer?: AbortSignal): LinkedSignal {
  const controller = new AbortController();
  // Any number of calls may be under way for it.
  setMaxListeners(0, controller.signal);
  const follow = () => controller.abort(outer!.reason);
  if (outer?.aborted === true) follow();
  else outer?.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    unlink: () => outer?.removeEventListener('abort', follow),
  };
}

/** What the promise gives. Errors: its own; the signal's reason where that is aborted before. */
export async function unlessAborted<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (signal === undefined) return promise;
  let abort!: () => void;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([aborted, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
