/** Runs a job when it is its turn. Errors: those of the job; the signal's reason where that is
 *  aborted before the turn comes; `tooMany()`. */
export type RunLimited = <T>(job: () => Promise<T>, turn?: Turn) => Promise<T>;

export interface Turn {
  readonly signal?: AbortSignal | undefined;
  /** Called at once where the job has to wait. */
  onWait?(): void;
  /** The error of a job that is refused, in place of that of the limit. */
  tooMany?(): Error;
}

interface ConcurrencyLimit {
  readonly running: number;
  /** How many may wait; more are refused, so that a flood cannot make everyone wait for ever. Any
   *  number when absent. */
  readonly waiting?: number;
  /** The error of a job that is refused. */
  tooMany?(): Error;
}

/** Runs a few jobs at a time; the others wait for their turn, in order.
 *  @example
 *  const run = limitConcurrency({ running: 2 });
 *  await Promise.all(urls.map((url) => run(() => fetch(url)))); */
export function limitConcurrency(limit: ConcurrencyLimit): RunLimited {
  const { waiting: maxWaiting = Number.POSITIVE_INFINITY } = limit;
  // A set, as a job that gives up leaves the middle of the queue.
  const waiting = new Set<() => void>();
  let running = 0;

  async function takeTurn({ signal, onWait, tooMany = limit.tooMany }: Turn): Promise<void> {
    if (running < limit.running) {
      running++;
      return;
    }
    if (waiting.size >= maxWaiting) throw tooMany?.() ?? new Error('Too many jobs are waiting.');
    onWait?.();
    // A job that ends hands its turn on, so `running` stays the same.
    await new Promise<void>((resolve, reject) => {
      const giveUp = () => {
        waiting.delete(begin);
        reject(signal?.reason);
      };
      const begin = () => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      waiting.add(begin);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  function endTurn(): void {
    const [next] = waiting;
    if (next === undefined) {
      running--;
      return;
    }
    waiting.delete(next);
    next();
  }

  return async (job, turn = {}) => {
    turn.signal?.throwIfAborted();
    await takeTurn(turn);
    try {
      return await job();
    } finally {
      endTurn();
    }
  };
}
