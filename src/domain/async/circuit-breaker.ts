interface CircuitBreakerOptions {
  /** Failures in a row that open the circuit. */
  readonly maxFailures: number;
  readonly pauseMs: number;
  /** Returns whether an error is a failure; others are ignored, and end a trial as successes. */
  isFailure(error: unknown): boolean;
}

export class CircuitOpenError extends Error {
  readonly endsInMs: number;

  constructor(endsInMs: number) {
    super(`Refused for another ${Math.ceil(endsInMs)} ms.`);
    this.endsInMs = endsInMs;
  }
}

/** Refuses work for `pauseMs` after `maxFailures` failures in a row; then one trial decides. */
export function createCircuitBreaker({ maxFailures, pauseMs, isFailure }: CircuitBreakerOptions) {
  let failures = 0;
  /** Time by `performance.now()`; null while closed. */
  let openUntilMs: number | null = null;
  let trial: Promise<unknown> | null = null;

  const closeCircuit = () => {
    failures = 0;
    openUntilMs = null;
  };
  const openCircuit = () => {
    openUntilMs = performance.now() + pauseMs;
  };

  async function runClosed<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      failures = 0;
      return result;
    } catch (error) {
      if (isFailure(error) && ++failures >= maxFailures && openUntilMs === null) openCircuit();
      throw error;
    }
  }

  async function runTrial<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      closeCircuit();
      return result;
    } catch (error) {
      if (isFailure(error)) openCircuit();
      else closeCircuit();
      throw error;
    } finally {
      trial = null;
    }
  }

  return {
    /** The circuit refuses work while `open`; while `trying`, work waits for a trial. */
    get state() {
      if (trial !== null) return 'trying';
      return openUntilMs === null ? 'closed' : 'open';
    },
    /** Errors: those of the work; `CircuitOpenError`. */
    async run<T>(work: () => Promise<T>): Promise<T> {
      while (trial !== null) await trial.catch(() => undefined);
      if (openUntilMs === null) return runClosed(work);
      const endsInMs = openUntilMs - performance.now();
      if (endsInMs > 0) throw new CircuitOpenError(endsInMs);
      const running = runTrial(work);
      trial = running;
      return running;
    },
  };
}
