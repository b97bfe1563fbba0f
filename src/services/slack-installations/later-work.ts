/** Work that is to be done a while later, and at the latest when the host closes. */
export interface LaterWork {
  /** What fails is tried again after the same time. */
  add(work: () => Promise<void>): void;
  /** Waits for what is being done, and does at once what is left. Never rejects. */
  close(): Promise<void>;
}

export function createLaterWork(delayMs: number, onProblem: (error: unknown) => void): LaterWork {
  const left = new Map<() => Promise<void>, NodeJS.Timeout>();
  const running = new Set<Promise<void>>();

  /** @returns whether it is done */
  async function isDone(work: () => Promise<void>): Promise<boolean> {
    clearTimeout(left.get(work));
    left.delete(work);
    try {
      await work();
      return true;
    } catch (error) {
      onProblem(error);
      return false;
    }
  }

  async function doOrAdd(work: () => Promise<void>): Promise<void> {
    if (!(await isDone(work))) add(work);
  }

  function add(work: () => Promise<void>): void {
    const timer = setTimeout(() => {
      const run = doOrAdd(work).finally(() => running.delete(run));
      running.add(run);
    }, delayMs);
    left.set(work, timer.unref());
  }

  return {
    add,
    async close() {
      // What fails now is left.
      await Promise.all(running);
      await Promise.all([...left.keys()].map(isDone));
    },
  };
}
