export type Clock = { now(): Date };

/** Calls back once after this time unless the returned function stops it. */
export type StartTimer = (timeoutMs: number, callback: () => void) => () => void;

export const startSystemTimer: StartTimer = (timeoutMs, callback) => {
  const timer = setTimeout(callback, timeoutMs);
  return () => clearTimeout(timer);
};

export const systemClock: Clock = { now: () => new Date() };
