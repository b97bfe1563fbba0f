interface RepeatedWork {
  readonly everyMs: number;
  /** Whether it also runs at the start; false when absent. */
  readonly runsAtOnce?: boolean;
  /** Never runs beside itself. */
  run(): Promise<unknown>;
  onProblem(error: unknown): void;
}

export function repeatWork({ everyMs, runsAtOnce = false, run, onProblem }: RepeatedWork) {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const scheduleNext = () => {
    last = last.then(run).catch(onProblem);
  };
  return {
    /** Aborted by `stop`. */
    signal: stopping.signal,
    start(): void {
      timer ??= setInterval(scheduleNext, everyMs).unref();
      if (runsAtOnce) scheduleNext();
    },
    /** Waits for a run under way. */
    async stop(): Promise<void> {
      stopping.abort();
      clearInterval(timer);
      await last;
    },
  };
}
