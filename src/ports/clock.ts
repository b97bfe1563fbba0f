/** The current time, so that tests can hold it still. */
export interface Clock {
  now(): Date;
}

/** Calls back once after this time, unless it is stopped before. Tests advance the time by hand. */
export type StartTimer = (timeoutMs: number, callback: () => void) => () => void;

export const startSystemTimer: StartTimer = (timeoutMs, callback) => {
  const timer = setTimeout(callback, timeoutMs);
  return () => clearTimeout(timer);
};

export const systemClock: Clock = { now: () => new Date() };
