/** Work that is to be done a while later, and at the latest when the host closes. */
export interface LaterWork {
  /** What fails is tried again after the same time. */
  add(work: () => Promise<void>): void;
  /** Does at once what is left. Never rejects. */
  close(): Promise<void>;
}

export function createLaterWork(delayMs: number, onProblem: (error: unknown) => void): LaterWork {
  const left = new Map<() => Promise<void>, NodeJS.Timeout>();

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

  const add = (work: () => Promise<void>): void => {
    const timer = setTimeout(async () => {
      if (!(await isDone(work))) add(work);
    }, delayMs);
    left.set(work, timer.unref());
  };

  return {
    add,
    async close() {
      await Promise.all([...left.keys()].map(isDone));
    },
  };
}
