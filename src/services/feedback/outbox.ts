import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../ports/clock.ts';
import type { FeedbackRecord, FeedbackRepository } from '../../ports/store.ts';
import { createBell } from './bell.ts';
import type { FeedbackDelivery } from './feedback-delivery.ts';

/** Delivers what waits, as long as the host runs. Hosts that share a store share the work: a claimed record is nobody
 *  else's until its lease ends. */
export interface FeedbackOutbox {
  start(): void;
  /** Something is due now. */
  wake(): void;
  /** Claims nothing more and lets deliveries under way end; those that take too long are given up, and tried again later. */
  close(): Promise<void>;
}

export interface FeedbackOutboxDeps {
  readonly feedback: Pick<FeedbackRepository, 'claimDueFeedback' | 'findNextDue'>;
  readonly delivery: FeedbackDelivery;
  readonly clock: Clock;
  /** Told when the store fails; the outbox goes on. */
  onProblem(error: unknown): void;
  /** Deliveries at a time; 4 when absent. */
  readonly atOnce?: number | undefined;
  /** Longest pause, after which records of other hosts are seen; 5,000 when absent. */
  readonly pollMs?: number | undefined;
  /** How long `close` waits for deliveries under way; 3,000 when absent. */
  readonly drainMs?: number | undefined;
}

const AT_ONCE = 4;
const POLL_MS = 5_000;
const DRAIN_MS = 3_000;
/** Between two looks at the store, whatever it says is due. */
const LEAST_PAUSE_MS = 10;
/** After the store has failed; twice as long after each failure more. */
const PROBLEM_MS = 1_000;
const MOST_PROBLEM_MS = 60_000;
/** For what was given up to be noted in the store. */
const GIVE_UP_MS = 500;

export function createFeedbackOutbox(deps: FeedbackOutboxDeps): FeedbackOutbox {
  const { feedback, delivery, clock, onProblem } = deps;
  const { atOnce = AT_ONCE, pollMs = POLL_MS, drainMs = DRAIN_MS } = deps;
  const underWay = new Set<Promise<void>>();
  const givenUp = new AbortController();
  const bell = createBell();
  let looking: Promise<void> | undefined;
  let isClosed = false;

  function begin(record: FeedbackRecord): void {
    const delivered = delivery
      .deliver(record, { signal: givenUp.signal })
      .catch(onProblem)
      .finally(() => underWay.delete(delivered));
    underWay.add(delivered);
  }

  /** Begins what is due, as far as there is room. Gives the milliseconds until there is more. */
  async function beginDue(): Promise<number> {
    while (!isClosed) {
      if (underWay.size >= atOnce) {
        await Promise.race(underWay);
        continue;
      }
      const now = clock.now();
      const record = await feedback.claimDueFeedback(now, delivery.leaseUntil());
      if (record === null) return pauseBefore(await feedback.findNextDue(), now);
      begin(record);
      // The embedded store answers at once; without a pause nothing else would get a turn.
      await nextTurn();
    }
    return 0;
  }

  function pauseBefore(due: Date | null, now: Date): number {
    const leftMs = due === null ? pollMs : due.getTime() - now.getTime();
    return Math.min(Math.max(leftMs, LEAST_PAUSE_MS), pollMs);
  }

  async function look(): Promise<void> {
    let problems = 0;
    while (!isClosed) {
      try {
        const pauseMs = await beginDue();
        problems = 0;
        await bell.wait(pauseMs);
      } catch (error) {
        onProblem(error);
        await bell.wait(Math.min(PROBLEM_MS * 2 ** problems++, MOST_PROBLEM_MS));
      }
    }
  }

  return {
    start() {
      looking ??= look();
    },
    wake: () => bell.ring(),
    async close() {
      isClosed = true;
      bell.ring();
      const ended = Promise.resolve(looking).then(() => Promise.all(underWay));
      await endsWithin(ended, drainMs);
      givenUp.abort();
      await endsWithin(ended, GIVE_UP_MS);
    },
  };
}

async function endsWithin(work: Promise<unknown>, milliseconds: number): Promise<void> {
  const timer = new AbortController();
  const late = sleep(milliseconds, undefined, { signal: timer.signal }).catch(() => undefined);
  await Promise.race([work, late]);
  timer.abort();
}
