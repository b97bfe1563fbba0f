import type { Clock } from '../../src/ports/clock.ts';

/** A clock that stands until it is set or moved on. */
export interface StandingClock extends Clock {
  set(instant: string): void;
  advance(milliseconds: number): void;
}

export function createStandingClock(instant = '2026-03-01T10:00:00Z'): StandingClock {
  let now = new Date(instant);
  return {
    now: () => now,
    set(next) {
      now = new Date(next);
    },
    advance(milliseconds) {
      now = new Date(now.getTime() + milliseconds);
    },
  };
}
