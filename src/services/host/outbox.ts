import { setImmediate as nextTurn } from 'node:timers/promises';
import { finishInTime } from '#domain/async/deadline';
import type { Clock } from '#ports/clock';
import type { LatestTimes } from '#ports/store/store';

/** Delivers what waits, as long as the host runs. Hosts that share a store share the work: a claimed record is nobody
 *  else's until its lease ends. */
export interface Outbox {
  start(): void;
  /** Something is due now. */
  wake(): void;
  /** Claims nothing more and lets deliveries under way end; those that take too long are given up, and are due at once for
   *  others. A second call waits for the same end. */
  close(): Promise<void>;
}

/** What waits, in the store; as in `FeedbackRepository`. */
export interface OutboxQueue<R> {
  claimDue(now: Date, leasedUntil: Date, busy: readonly string[]): Promise<R | null>;
  findNextDue(busy: readonly string[]): Promise<Date | null>;
  mendTimes(now: Date, latest: LatestTimes): Promise<number>;
}

export interface OutboxDelivery<R> {
  /** When another host may take over a delivery that begins now, should this one stop in the middle of it. */
  leaseUntil(): Date;
  /** Delivers a claimed record, and notes the outcome. Errors: only those of the store.
   *  @returns when its receiver can be asked again, where it cannot be asked at all for now */
  deliver(record: R, options: { readonly signal: AbortSignal }): Promise<Date | null>;
}

/** How deliveries are timed. */
export interface OutboxTiming {
  /** Deliveries at a time; 8 when absent. */
  readonly atOnce?: number | undefined;
  /** Of these, deliveries to one receiver at a time, so that a slow one does not hold up the others; 2 when absent. */
  readonly atOnceOfReceiver?: number | undefined;
  /** Longest pause between two looks at the store, for records of other hosts; 5,000 when absent. */
  readonly pollMs?: number | undefined;
  /** How long `close` waits for deliveries under way; 3,000 when absent. */
  readonly drainMs?: number | undefined;
}

export interface OutboxDeps<R> extends OutboxTiming {
  readonly queue: OutboxQueue<R>;
  readonly delivery: OutboxDelivery<R>;
  /** Who gets a record: what the queue may leave as busy. */
  receiverOf(record: R): string;
  readonly clock: Clock;
  /** Told when the store fails; the outbox goes on. */
  onProblem(error: unknown): void;
  /** Rung when something becomes due, even before there is an outbox; one of its own when absent. */
  readonly bell?: Bell | undefined;
}

const AT_ONCE = 8;
const AT_ONCE_OF_RECEIVER = 2;
const POLL_MS = 5_000;
const DRAIN_MS = 3_000;
/** Shortest pause between two looks at the store, whatever is due. */
const LEAST_PAUSE_MS = 10;
/** Pause after the store has failed; doubled after each further failure. */
const PROBLEM_MS = 1_000;
const MOST_PROBLEM_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Twice as far ahead as a delivery is ever put off. */
const LATEST_DUE_MS = 48 * HOUR_MS;
/** Time for noting in the store what was given up. */
const GIVE_UP_MS = 500;

export function createOutbox<R>(deps: OutboxDeps<R>): Outbox {
  const { queue, delivery, receiverOf, clock, bell = createBell(), onProblem } = deps;
  const {
    atOnce = AT_ONCE,
    atOnceOfReceiver = AT_ONCE_OF_RECEIVER,
    pollMs = POLL_MS,
    drainMs = DRAIN_MS,
  } = deps;
  /** Deliveries under way, with their receivers. */
  const underWay = new Map<Promise<void>, string>();
  /** Receivers that cannot be asked, and until when; otherwise each of their records would have to find out. */
  const resting = new Map<string, Date>();
  const givenUp = new AbortController();
  let looking: Promise<void> | undefined;
  let mendedMs = Number.NEGATIVE_INFINITY;
  let isClosed = false;
  let closed: Promise<void> | undefined;

  function begin(record: R): void {
    const receiver = receiverOf(record);
    const delivered = delivery
      .deliver(record, { signal: givenUp.signal })
      .then((until) => {
        if (until !== null) resting.set(receiver, until);
      })
      .catch(onProblem)
      .finally(() => {
        const wasBusy = isFull(receiver);
        underWay.delete(delivered);
        if (wasBusy) bell.ring();
      });
    underWay.set(delivered, receiver);
  }

  function isFull(receiver: string): boolean {
    return [...underWay.values()].filter((each) => each === receiver).length >= atOnceOfReceiver;
  }

  function findBusy(now: Date): readonly string[] {
    for (const [receiver, until] of resting) if (until <= now) resting.delete(receiver);
    return [...new Set([...resting.keys(), ...[...underWay.values()].filter(isFull)])];
  }

  /** Begins what is due, as far as there is room. Returns the milliseconds until there is more. */
  async function beginDue(): Promise<number> {
    while (!isClosed) {
      if (underWay.size >= atOnce) {
        await Promise.race(underWay.keys());
        continue;
      }
      const now = clock.now();
      const busy = findBusy(now);
      const record = await queue.claimDue(now, delivery.leaseUntil(), busy);
      if (record === null) return pauseBefore(await queue.findNextDue(busy), now);
      begin(record);
      // The embedded store answers at once; without a pause nothing else would get a turn.
      await nextTurn();
    }
    return 0;
  }

  function pauseBefore(due: Date | null, now: Date): number {
    const next = [...resting.values(), ...(due === null ? [] : [due])];
    const leftMs = Math.min(...next.map((each) => each.getTime() - now.getTime()), pollMs);
    return Math.max(leftMs, LEAST_PAUSE_MS);
  }

  /** A host whose clock was ahead must not hold a record back for that long. Done now and then, as clocks are corrected at any
   *  time. */
  async function mendTimes(): Promise<void> {
    if (performance.now() - mendedMs < HOUR_MS) return;
    const now = clock.now();
    const after = (milliseconds: number) => new Date(now.getTime() + milliseconds);
    const latest = { latestDue: after(LATEST_DUE_MS), latestLease: after(HOUR_MS) };
    await queue.mendTimes(now, latest);
    mendedMs = performance.now();
  }

  async function look(): Promise<void> {
    let problems = 0;
    while (!isClosed) {
      try {
        await mendTimes();
        const pauseMs = await beginDue();
        problems = 0;
        await bell.wait(pauseMs);
      } catch (error) {
        onProblem(error);
        await bell.wait(Math.min(PROBLEM_MS * 2 ** problems++, MOST_PROBLEM_MS));
      }
    }
  }

  async function end(): Promise<void> {
    isClosed = true;
    bell.ring();
    const ended = Promise.resolve(looking).then(() => Promise.all(underWay.keys()));
    await finishInTime(ended, drainMs);
    givenUp.abort();
    await finishInTime(ended, GIVE_UP_MS);
  }

  return {
    start() {
      looking ??= look();
    },
    wake: () => bell.ring(),
    close() {
      closed ??= end();
      return closed;
    },
  };
}

/** Ends a pause early. */
interface Bell {
  ring(): void;
  /** Waits until it rings or the time is over; not at all where it has rung since the last pause. */
  wait(milliseconds: number): Promise<void>;
}

export function createBell(): Bell {
  let hasRung = false;
  let end = () => {};
  return {
    ring() {
      hasRung = true;
      end();
    },
    async wait(milliseconds) {
      if (!hasRung)
        await new Promise<void>((resolve) => {
          // The timer must not keep the process alive.
          const timer = setTimeout(resolve, milliseconds).unref();
          end = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      hasRung = false;
    },
  };
}
