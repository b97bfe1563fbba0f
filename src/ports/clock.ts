export type Clock = { now(): Date };

/** Starts a timer that calls back once. The returned function stops it. */
export type StartTimer = (timeoutMs: number, callback: () => void) => () => void;

export const startSystemTimer: StartTimer = (timeoutMs, callback) => {
  const timer = setTimeout(callback, timeoutMs);
  return () => clearTimeout(timer);
};

export const systemClock: Clock = { now: () => new Date() };
