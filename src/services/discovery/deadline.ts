export interface Deadline {
  /** Aborted when the time is over or the caller gives up. */
  readonly signal: AbortSignal;
  /** The result of work that succeeds in time, else null. */
  inTime<T>(work: Promise<T>): Promise<T | null>;
  /** When nothing is under way any more. */
  clear(): void;
}

export function startDeadline(timeoutMs: number, outer?: AbortSignal): Deadline {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeoutMs);
  const signal = outer === undefined ? late.signal : AbortSignal.any([outer, late.signal]);
  const over = new Promise<null>((resolve) => {
    if (signal.aborted) resolve(null);
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });
  return {
    signal,
    inTime: (work) => Promise.race([work.catch(() => null), over]),
    clear: () => clearTimeout(timer),
  };
}
