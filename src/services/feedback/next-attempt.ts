/** How long a delivery that failed waits for the next one. */
export interface Backoff {
  /** Milliseconds after the first failure; twice as long after each one more. */
  readonly firstMs: number;
  /** Milliseconds, at most; when it was waited so long in vain, nothing is tried any more. */
  readonly mostMs: number;
}

/** Fourteen attempts in about two days and a half. */
export const usualBackoff: Backoff = { firstMs: 30_000, mostMs: 24 * 3_600_000 };

export interface FailedAttempt {
  /** Deliveries tried so far, this one included. */
  readonly attempts: number;
  /** What the service asked for, where it did. */
  readonly retryAfterSeconds: number | undefined;
  /** From 0 up to but without 1, drawn for this attempt. */
  readonly random: number;
}

/** Milliseconds to wait after a failed attempt; null when enough was tried. What failed at the same moment is not tried at
 *  the same moment again: up to a quarter is added. */
export function nextAttemptMs(
  { attempts, retryAfterSeconds = 0, random }: FailedAttempt,
  { firstMs, mostMs }: Backoff,
): number | null {
  if (attempts > 1 && firstMs * 2 ** (attempts - 2) >= mostMs) return null;
  const waitMs = Math.max(firstMs * 2 ** (attempts - 1) * (1 + random / 4), retryAfterSeconds * 1000);
  return Math.round(Math.min(waitMs, mostMs));
}
