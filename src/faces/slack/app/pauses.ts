import { setTimeout as wait } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { slackThrottled } from './slack-failures.ts';

/** Calls that Slack holds back until then: they wait together, and go one after another. */
export interface Pause {
  /** By `performance.now()`. */
  untilMs: number;
  waiting: number;
}

export const noPause = (): Pause => ({ untilMs: 0, waiting: 0 });

const MAX_PAUSES = 5_000;
/** As many a second as Slack takes of most methods for a while. */
const APART_MS = 200;

/** By what is held back: a method, and whose. */
export function createPauses(): (key: string) => Pause {
  const pauses = new LRUCache<string, Pause>({ max: MAX_PAUSES });
  return (key) => {
    const pause = pauses.get(key) ?? noPause();
    pauses.set(key, pause);
    return pause;
  };
}

/** Slack said to wait. What waits already waits longer. */
export function prolong(pause: Pause, seconds: number): void {
  pause.untilMs = Math.max(pause.untilMs, performance.now() + seconds * 1_000);
}

/** Waits for its turn. Errors: SLACK_THROTTLED where that would be after `latestMs`. */
export async function pass(pause: Pause, latestMs: number): Promise<void> {
  for (;;) {
    const now = performance.now();
    if (now >= pause.untilMs) return;
    const turnMs = pause.untilMs + pause.waiting * APART_MS;
    if (turnMs > latestMs) throw slackThrottled(Math.ceil((turnMs - now) / 1_000));
    pause.waiting++;
    // A timer may be a little early.
    await wait(turnMs - now + 1, undefined, { ref: false });
    pause.waiting--;
  }
}
