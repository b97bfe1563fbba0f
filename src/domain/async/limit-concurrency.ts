/** Runs a job when it is its turn. Errors: those of the job; the signal's reason where it is aborted before the turn comes. */
export type RunLimited = <T>(job: () => Promise<T>, wait?: TurnWait) => Promise<T>;

export interface TurnWait {
  readonly signal?: AbortSignal;
  /** Told at once where the job has to wait. */
  onWait?(): void;
}

export interface ConcurrencyLimit {
  readonly running: number;
}

export interface QueueLimit extends ConcurrencyLimit {
  /** How many may wait; more are refused, so that a flood cannot make everyone wait for ever. */
  readonly waiting: number;
  /** What the refused get. */
  tooMany(): Error;
}

/** Runs a few jobs at a time; the others wait their turn, any number of them where the queue has no limit. */
export function limitConcurrency(limit: ConcurrencyLimit | QueueLimit): RunLimited {
  const waiting: (() => void)[] = [];
  let running = 0;

  async function takeTurn({ signal, onWait }: TurnWait): Promise<void> {
    if (running < limit.running) {
      running++;
      return;
    }
    if ('waiting' in limit && waiting.length >= limit.waiting) throw limit.tooMany();
    onWait?.();
    // A job that ends hands its turn on, so `running` stays the same.
    await new Promise<void>((resolve, reject) => {
      const giveUp = () => {
        waiting.splice(waiting.indexOf(begin), 1);
        reject(signal?.reason);
      };
      const begin = () => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      waiting.push(begin);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  function endTurn(): void {
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
  }

  return async (job, wait = {}) => {
    wait.signal?.throwIfAborted();
    await takeTurn(wait);
    try {
      return await job();
    } finally {
      endTurn();
    }
  };
}
