/** Runs a job when its turn comes. Errors: those of the job; the signal's reason; `tooMany()`. */
export type RunLimited = <T>(job: () => Promise<T>, turn?: Turn) => Promise<T>;

interface Turn {
  readonly signal?: AbortSignal | undefined;
  /** Called at once if the job has to wait. */
  onWait?(): void;
  /** Makes the error for this job if it is refused, instead of the limit's. */
  tooMany?(): Error;
}

interface ConcurrencyLimit {
  /** Maximum number of running jobs. */
  readonly running: number;
  /** Maximum number of waiting jobs; more are refused. Absent means no limit. */
  readonly waiting?: number;
  tooMany?(): Error;
}

/** Runs a few jobs at a time; the others wait for their turn, in order.
 *  @example
 *  const run = limitConcurrency({ running: 2 });
 *  await Promise.all(urls.map((url) => run(() => fetch(url)))); */
export function limitConcurrency(limit: ConcurrencyLimit): RunLimited {
  const { waiting: maxWaiting = Number.POSITIVE_INFINITY } = limit;
  // A set, so that an aborted job can leave the middle of the queue.
  const waiting = new Set<() => void>();
  let running = 0;

  async function takeTurn({ signal, onWait, tooMany = limit.tooMany }: Turn): Promise<void> {
    if (running < limit.running) {
      running++;
      return;
    }
    if (waiting.size >= maxWaiting) throw tooMany?.() ?? new Error('Too many jobs are waiting.');
    onWait?.();
    // A finished job passes its place to the next one, so `running` stays the same.
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
