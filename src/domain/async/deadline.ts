import { setMaxListeners } from 'node:events';

/** Waits for work; returns null if it is late, while it continues. Errors: those of the work. */
export async function finishInTime<T>(work: Promise<T>, timeoutMs: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, null);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for a promise. Errors: those of the promise; the reason of a signal that aborts first. */
export async function waitUnlessAborted<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
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

interface WorkDeadline {
  readonly timeoutMs: number;
  /** Aborted when the caller gives up. */
  readonly signal?: AbortSignal | undefined;
  createLateError(): Error;
}

/** Runs work with a signal that is aborted at the deadline or when the caller gives up. Work that
 *  ignores the signal, such as a DNS lookup, continues, but nobody waits for it. Errors: the late
 *  error; the reason of the caller's signal; those of the work. */
export async function runWithDeadline<T>(
  { timeoutMs, signal: outer, createLateError }: WorkDeadline,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  outer?.throwIfAborted();
  const { signal, abort, unlink } = linkSignal(outer);
  const timer = setTimeout(() => abort(createLateError()), timeoutMs);
  // Prevents the warning of a leak, as a caller may make many calls at once.
  if (outer !== undefined) setMaxListeners(0, outer);
  try {
    return await waitUnlessAborted(work(signal), signal);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    clearTimeout(timer);
    unlink();
  }
}

/** Makes a signal that is aborted with the outer one until it is unlinked. Signals of
 *  `AbortSignal.any` cannot be unlinked, and stay in memory while anybody listens. */
export function linkSignal(outer?: AbortSignal) {
  const controller = new AbortController();
  // Any number of calls may be under way for it.
  setMaxListeners(0, controller.signal);
  const abortByOuterSignal = () => controller.abort(outer?.reason);
  if (outer?.aborted === true) abortByOuterSignal();
  else outer?.addEventListener('abort', abortByOuterSignal, { once: true });
  return {
    signal: controller.signal,
    abort: (reason?: unknown) => controller.abort(reason),
    /** Detaches the signal from the outer one, which may live much longer. */
    unlink: () => outer?.removeEventListener('abort', abortByOuterSignal),
  };
}
