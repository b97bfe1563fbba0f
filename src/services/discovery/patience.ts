/** How long somebody waits. */
export interface Patience {
  /** Whether his time is over. */
  readonly isOver: boolean;
  /** Until all have ended, or his time is over. Errors: the signal's reason where he goes away before. */
  waitFor(all: readonly Promise<unknown>[]): Promise<void>;
  /** To be called once he waits for nothing more. */
  end(): void;
}

export function createPatience(deadlineMs: number, signal?: AbortSignal): Patience {
  let isOver = false;
  let timer: NodeJS.Timeout;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      isOver = true;
      resolve();
    }, deadlineMs);
  });
  return {
    get isOver() {
      return isOver;
    },
    waitFor: (all) => unlessAborted(Promise.race([Promise.all(all), over]), signal),
    end: () => clearTimeout(timer),
  };
}

/** Errors: the signal's reason where it is aborted before, and those of the promise. */
export async function unlessAborted(promise: Promise<unknown>, signal?: AbortSignal): Promise<void> {
  if (signal === undefined) return void (await promise);
  signal.throwIfAborted();
  let abort!: () => void;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort);
  });
  try {
    await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
