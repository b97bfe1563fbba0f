import { AppError } from '#errors';
import type { Clock } from '#ports/clock';

export interface Backoff {
  /** Milliseconds after the first failure; doubled after each further one. */
  readonly firstMs: number;
  /** Longest delay in milliseconds; after it, the delivery is parked. */
  readonly maxMs: number;
}

/** Parks a delivery after fourteen failures in about two and a half days. */
export const defaultBackoff: Backoff = { firstMs: 30_000, maxMs: 24 * 3_600_000 };

export interface FailedAttempt {
  /** Failures so far, this one included. */
  readonly failures: number;
  /** The delay that the service asked for, if any. */
  readonly retryAfterSeconds: number | undefined;
  /** A random number from 0 up to, but not including, 1. */
  readonly random: number;
}

/** Returns the delay before the next attempt in milliseconds; null if there is none. The delay is
 *  up to a quarter longer to spread attempts, unless the service asked for a longer one. */
export function drawNextAttemptMs(attempt: FailedAttempt, { firstMs, maxMs }: Backoff): number | null {
  const { failures, retryAfterSeconds = 0, random } = attempt;
  // The delay before this attempt was the longest.
  if (failures > 1 && firstMs * 2 ** (failures - 2) >= maxMs) return null;
  const waitMs = Math.max(firstMs * 2 ** (failures - 1) * (1 + random / 4), retryAfterSeconds * 1000);
  return Math.round(Math.min(waitMs, maxMs));
}

/** Returns the delay in milliseconds where the service was not asked, or asked for a later attempt.
 *  It is spread like that of `drawNextAttemptMs`. */
export function drawPostponedAttemptMs(
  { retryAfterSeconds, random }: Omit<FailedAttempt, 'failures'>,
  { firstMs, maxMs }: Backoff,
): number {
  const askedMs = retryAfterSeconds === undefined ? firstMs : Math.max(retryAfterSeconds, 1) * 1000;
  return Math.round(Math.min(askedMs * (1 + random / 4), maxMs));
}

export interface FailedDelivery {
  /** `for-good` where another attempt would fail as well; `postponed` where the receiver was not
   *  asked, or said when to come back; else `passing`. */
  readonly kind: 'for-good' | 'postponed' | 'passing';
  /** Failures before this one. */
  readonly failures: number;
}

interface RetryDecision {
  readonly state: 'waiting' | 'refused' | 'parked';
  readonly failures: number;
  readonly dueAt: Date;
  /** In words for administrators. */
  readonly lastError: string;
}

/** Decides what becomes of a delivery that failed: it waits, or it is refused or parked. */
export function decideOutboxRetry(
  error: unknown,
  { kind, failures: before }: FailedDelivery,
  { clock, backoff }: { readonly clock: Clock; readonly backoff: Backoff },
): RetryDecision {
  const { message: lastError, retryAfterSeconds } =
    error instanceof AppError ? error : { message: 'An unexpected error of this host.', retryAfterSeconds: undefined };
  const dueIn = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds);
  const failures = before + 1;
  const wait = { retryAfterSeconds, random: Math.random() };
  if (kind === 'for-good') return { state: 'refused', failures, dueAt: clock.now(), lastError };
  if (kind === 'postponed')
    return { state: 'waiting', failures: before, dueAt: dueIn(drawPostponedAttemptMs(wait, backoff)), lastError };
  const waitMs = drawNextAttemptMs({ ...wait, failures }, backoff);
  return waitMs === null
    ? { state: 'parked', failures, dueAt: clock.now(), lastError }
    : { state: 'waiting', failures, dueAt: dueIn(waitMs), lastError };
}
