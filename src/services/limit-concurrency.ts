/** Runs a job when it is its turn. */
export type RunLimited = <T>(job: () => Promise<T>) => Promise<T>;

export interface ConcurrencyLimit {
  readonly running: number;
  /** How many may wait; more are refused, so that a flood cannot make everyone wait for ever. */
  readonly waiting: number;
  /** What the refused get. */
  tooMany(): Error;
}

/** Runs a few jobs at a time; the others wait their turn. */
export function limitConcurrency(limit: ConcurrencyLimit): RunLimited {
  const waiting: (() => void)[] = [];
  let running = 0;

  async function takeTurn(): Promise<void> {
    if (running < limit.running) {
      running++;
      return;
    }
    if (waiting.length >= limit.waiting) throw limit.tooMany();
    // A job that ends hands its turn on, so `running` stays the same.
    await new Promise<void>((resolve) => waiting.push(resolve));
  }

  function endTurn(): void {
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
  }

  return async (job) => {
    await takeTurn();
    try {
      return await job();
    } finally {
      endTurn();
    }
  };
}
