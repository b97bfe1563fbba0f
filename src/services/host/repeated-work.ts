interface RepeatedWork {
  readonly everyMs: number;
  /** Whether it also runs at the start; false when absent. */
  readonly runsAtOnce?: boolean;
  /** Is called again only when the last call has ended. */
  run(): Promise<unknown>;
  onProblem(error: unknown): void;
}

/** Runs background work at intervals. Its timer does not keep the process alive. */
export function repeatWork({ everyMs, runsAtOnce = false, run, onProblem }: RepeatedWork) {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const runNext = () => {
    last = last.then(run).catch(onProblem);
  };
  return {
    /** `stop` aborts it. */
    signal: stopping.signal,
    start(): void {
      timer ??= setInterval(runNext, everyMs).unref();
      if (runsAtOnce) runNext();
    },
    /** Waits for a call that is running. */
    async stop(): Promise<void> {
      stopping.abort();
      clearInterval(timer);
      await last;
    },
  };
}
