import { linkSignal, waitUnlessAborted } from '#domain/async/deadline';
import { AppError } from '#errors';
import { startSystemTimer } from '#ports/clock';

export type Deadline = ReturnType<typeof startDeadline>;

/** Makes an iterable that stops at once when its reader stops, even within an item. Errors: those
 *  of the generator. @param start begins to generate; on an abort, its generator must reject */
export function makeStoppable<T>(
  start: (signal: AbortSignal) => AsyncGenerator<T, void, undefined>,
  outer?: AbortSignal,
): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      const { signal, abort, unlink } = linkSignal(outer);
      const items = start(signal);
      const end = { done: true as const, value: undefined };
      let isStopped = false;
      return {
        async next() {
          try {
            const item = await items.next();
            if (item.done === true) unlink();
            return item;
          } catch (error) {
            unlink();
            if (isStopped) return end;
            throw error;
          }
        },
        async return() {
          isStopped = true;
          unlink();
          abort();
          await items.return();
          return end;
        },
      };
    },
  };
}

/** Starts a deadline for several calls, which also ends with the caller's signal. `clear` it. */
export function startDeadline(timeoutMs: number, outer?: AbortSignal, startTimer = startSystemTimer) {
  const { signal, abort, unlink } = linkSignal(outer);
  let isOver = false;
  const stopTimer = startTimer(timeoutMs, () => {
    isOver = true;
    abort(createLateError());
  });
  return {
    /** Aborted with UPSTREAM_TIMEOUT when the time is over, or with the caller's reason. */
    signal,
    get isOver() {
      return isOver;
    },
    /** Waits for work; returns null if it fails or is late. Errors: the caller's abort reason. */
    inTime: <T>(work: Promise<T>) =>
      waitUnlessAborted(work, signal).catch(() => {
        outer?.throwIfAborted();
        return null;
      }),
    clear(): void {
      stopTimer();
      unlink();
    },
  };
}

/** Creates the error of a search for which no answer came in time. */
export function createLateError(): AppError {
  return new AppError(
    'UPSTREAM_TIMEOUT',
    'The service that is searched has not answered yet. The answer is still waited for, so the same search may succeed in a few seconds.',
  );
}
