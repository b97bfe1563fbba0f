import { AppError } from '../../errors.ts';
import { linkSignal, unlessAborted } from './linked-signal.ts';

/** How long somebody waits. */
export interface Deadline {
  /** Aborted when his time is over, with UPSTREAM_TIMEOUT, or when he gives up, with his reason. */
  readonly signal: AbortSignal;
  /** Whether his time is over. */
  readonly isOver: boolean;
  /** The result of work that succeeds in time, else null. Errors: his reason where he gives up. */
  inTime<T>(work: Promise<T>): Promise<T | null>;
  /** When he waits for nothing any more. */
  clear(): void;
}

export function startDeadline(timeoutMs: number, outer?: AbortSignal): Deadline {
  const { signal, abort, unlink } = linkSignal(outer);
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    abort(createLateError());
  }, timeoutMs);
  return {
    signal,
    get isOver() {
      return isOver;
    },
    inTime: (work) =>
      unlessAborted(work, signal).catch(() => {
        outer?.throwIfAborted();
        return null;
      }),
    clear() {
      clearTimeout(timer);
      unlink();
    },
  };
}

/** Where nothing came in time. */
export function createLateError(): AppError {
  return new AppError(
    'UPSTREAM_TIMEOUT',
    'The service that is searched has not answered yet. The answer is still waited for, so the same search may succeed in a few seconds.',
  );
}
