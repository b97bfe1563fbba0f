import { setImmediate } from 'node:timers/promises';

export interface Running {
  /** How many run at the same time. */
  readonly atOnce: number;
  /** Aborted, no more are begun, and those that run are not waited for. */
  readonly signal: AbortSignal;
}

/** What becomes of each job, as it comes; where several are there, the earliest job's first. The jobs are begun in their order
 *  and `run` may not reject. Errors: the reason of the signal. */
export async function* asTheyCome<J, R>(
  jobs: readonly J[],
  run: (job: J) => Promise<R>,
  { atOnce, signal }: Running,
): AsyncGenerator<R, void, undefined> {
  const arrived = new Map<number, R>();
  let wake = () => {};
  let begun = 0;
  const work = async () => {
    while (begun < jobs.length && !signal.aborted) {
      const rank = begun++;
      arrived.set(rank, await run(jobs[rank]!));
      wake();
    }
  };
  for (let workers = 0; workers < atOnce; workers++) void work();
  const stop = () => wake();
  signal.addEventListener('abort', stop, { once: true });
  try {
    for (let given = 0; given < jobs.length; given++) {
      if (arrived.size === 0 && !signal.aborted)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      // What arrives with it is there then, and may come before it.
      await setImmediate();
      signal.throwIfAborted();
      yield takeEarliest(arrived);
    }
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function takeEarliest<R>(arrived: Map<number, R>): R {
  const earliest = Math.min(...arrived.keys());
  const result = arrived.get(earliest)!;
  arrived.delete(earliest);
  return result;
}
