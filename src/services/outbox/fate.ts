import type { Clock } from '../../ports/clock.ts';
import { type Backoff, nextAttemptMs, postponedMs } from './next-attempt.ts';

/** A delivery that did not succeed. */
export interface FailedDelivery {
  /** `for-good` where another one would fail as well; `postponed` where the receiver was not asked, or said when it can be. */
  readonly sort: 'for-good' | 'postponed' | 'passing';
  /** Before this one. */
  readonly failures: number;
  /** What the receiver asked for, where it did. */
  readonly retryAfterSeconds: number | undefined;
}

export interface Fate {
  readonly state: 'waiting' | 'refused' | 'parked';
  readonly failures: number;
  readonly dueAt: Date;
}

/** What becomes of a record whose delivery did not succeed. */
export function fateOf(
  { sort, failures: before, retryAfterSeconds }: FailedDelivery,
  { clock, backoff }: { readonly clock: Clock; readonly backoff: Backoff },
): Fate {
  const after = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds);
  const failures = before + 1;
  const wait = { retryAfterSeconds, random: Math.random() };
  if (sort === 'for-good') return { state: 'refused', failures, dueAt: clock.now() };
  if (sort === 'postponed')
    return { state: 'waiting', failures: before, dueAt: after(postponedMs(wait, backoff)) };
  const waitMs = nextAttemptMs({ ...wait, failures }, backoff);
  return waitMs === null
    ? { state: 'parked', failures, dueAt: clock.now() }
    : { state: 'waiting', failures, dueAt: after(waitMs) };
}
