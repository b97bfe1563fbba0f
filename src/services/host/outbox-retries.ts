import type { Clock } from '#ports/clock';

/** How long a delivery that failed waits for the next one. */
export interface Backoff {
  /** Milliseconds after the first failure; doubled after each further one. */
  readonly firstMs: number;
  /** Milliseconds at most; after a wait this long in vain, nothing more is tried. */
  readonly mostMs: number;
}

/** Fourteen failures in about two days and a half. */
export const usualBackoff: Backoff = { firstMs: 30_000, mostMs: 24 * 3_600_000 };

export interface FailedAttempt {
  /** Failures so far, this one included. */
  readonly failures: number;
  /** What the service asked for, where it did. */
  readonly retryAfterSeconds: number | undefined;
  /** From 0 up to, but not including, 1; drawn for this attempt. */
  readonly random: number;
}

/** Milliseconds to wait after a failed attempt; null when it has been tried often enough. Up to a quarter is added, so that
 *  attempts that failed together are not repeated together. */
export function drawNextAttemptMs(
  { failures, retryAfterSeconds = 0, random }: FailedAttempt,
  { firstMs, mostMs }: Backoff,
): number | null {
  if (failures > 1 && firstMs * 2 ** (failures - 2) >= mostMs) return null;
  const waitMs = Math.max(firstMs * 2 ** (failures - 1) * (1 + random / 4), retryAfterSeconds * 1000);
  return Math.round(Math.min(waitMs, mostMs));
}

/** Milliseconds to wait where the service said when to come back, or was not asked at all, which is not a failure. Up to a
 *  quarter is added here too. */
export function drawPostponedAttemptMs(
  { retryAfterSeconds, random }: Omit<FailedAttempt, 'failures'>,
  { firstMs, mostMs }: Backoff,
): number {
  const askedMs = retryAfterSeconds === undefined ? firstMs : Math.max(retryAfterSeconds, 1) * 1000;
  return Math.round(Math.min(askedMs * (1 + random / 4), mostMs));
}

/** A delivery that did not succeed. */
export interface FailedDelivery {
  /** `for-good` where another one would fail as well; `postponed` where the receiver was not asked, or said when it can be. */
  readonly sort: 'for-good' | 'postponed' | 'passing';
  /** Before this one. */
  readonly failures: number;
  /** What the receiver asked for, where it did. */
  readonly retryAfterSeconds: number | undefined;
}

interface Fate {
  readonly state: 'waiting' | 'refused' | 'parked';
  readonly failures: number;
  readonly dueAt: Date;
}

/** The next state of a record whose delivery did not succeed. */
export function decideNextAttempt(
  { sort, failures: before, retryAfterSeconds }: FailedDelivery,
  { clock, backoff }: { readonly clock: Clock; readonly backoff: Backoff },
): Fate {
  const after = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds);
  const failures = before + 1;
  const wait = { retryAfterSeconds, random: Math.random() };
  if (sort === 'for-good') return { state: 'refused', failures, dueAt: clock.now() };
  if (sort === 'postponed')
    return { state: 'waiting', failures: before, dueAt: after(drawPostponedAttemptMs(wait, backoff)) };
  const waitMs = drawNextAttemptMs({ ...wait, failures }, backoff);
  return waitMs === null
    ? { state: 'parked', failures, dueAt: clock.now() }
    : { state: 'waiting', failures, dueAt: after(waitMs) };
}
