import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { finishInTime } from '#domain/async/deadline';
import type { Clock } from '#ports/clock';
import type { DeliveryQueue } from '#ports/store/store';
import { defaultBackoff } from './outbox-retries.ts';

/** Delivers due records. Hosts share the work: a lease keeps other hosts from a claimed record. */
export interface Outbox {
  start(): void;
  /** Looks for due records at once. */
  wake(): void;
  /** Claims nothing more and waits for deliveries; late ones are aborted and due at once. */
  close(): Promise<void>;
}

export interface OutboxDelivery<R> {
  /** Returns the end of a lease that begins now; other hosts may then repeat the delivery. */
  leaseUntil(): Date;
  /** Delivers a claimed record and stores the outcome. Errors: only those of the store.
   *  @returns when to try the receiver again, if it accepts nothing for now */
  deliver(record: R, options: { readonly signal: AbortSignal }): Promise<Date | null>;
}

export interface OutboxTiming {
  /** Deliveries at a time to one receiver, so that slow ones do not delay others; 2 by default. */
  readonly atOnceOfReceiver?: number;
  /** Longest pause between reads of the store, for records of other hosts; 5,000 by default. */
  readonly pollMs?: number;
  /** How long `close` waits for running deliveries; 3,000 by default. */
  readonly drainMs?: number;
}

export interface OutboxDeps<R> extends OutboxTiming {
  readonly queue: DeliveryQueue<R>;
  readonly delivery: OutboxDelivery<R>;
  /** Returns the receiver of a record, by the name that `busy` of the queue uses. */
  receiverOf(record: R): string;
  readonly clock: Clock;
  onProblem(error: unknown): void;
  /** Rings when a record becomes due, also before the outbox exists; a new one by default. */
  readonly bell?: Bell;
}

/** Limit of deliveries at a time. */
const AT_ONCE = 8;
const defaults = { atOnceOfReceiver: 2, pollMs: 5_000, drainMs: 3_000 };
/** Shortest pause before the store is asked again, whatever is due. */
const MIN_PAUSE_MS = 10;
/** Pause after the store has failed; doubled after each further failure. */
const FAILURE_PAUSE_MS = 1_000;
const MAX_FAILURE_PAUSE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Twice the longest time for which a delivery is put off. */
const LATEST_DUE_MS = 2 * defaultBackoff.maxMs;
/** Time for storing that deliveries were aborted. */
const ABORT_MS = 500;

export function createOutbox<R>(deps: OutboxDeps<R>): Outbox {
  const outbox: State<R> = {
    ...defaults,
    bell: createBell(),
    ...deps,
    running: new Map(),
    resting: new Map(),
    abort: new AbortController(),
    correctedMs: Number.NEGATIVE_INFINITY,
    isClosed: false,
  };
  let loop: Promise<void> | undefined;
  let closing: Promise<void> | undefined;
  return {
    start() {
      loop ??= deliverUntilClosed(outbox);
    },
    wake: () => outbox.bell.ring(),
    close() {
      closing ??= closeOutbox(outbox, loop);
      return closing;
    },
  };
}

interface State<R> extends Required<OutboxDeps<R>> {
  /** Running deliveries with their receivers. */
  readonly running: Map<Promise<void>, string>;
  /** Receivers that accept nothing, and until when, so that not each of their records is tried. */
  readonly resting: Map<string, Date>;
  readonly abort: AbortController;
  /** When the times of the queue were corrected last, on the monotonic clock. */
  correctedMs: number;
  isClosed: boolean;
}

async function deliverUntilClosed<R>(outbox: State<R>): Promise<void> {
  let failures = 0;
  while (!outbox.isClosed) {
    try {
      await correctTimes(outbox);
      const pauseMs = await startDueDeliveries(outbox);
      failures = 0;
      await outbox.bell.wait(pauseMs);
    } catch (error) {
      outbox.onProblem(error);
      await outbox.bell.wait(Math.min(FAILURE_PAUSE_MS * 2 ** failures++, MAX_FAILURE_PAUSE_MS));
    }
  }
}

/** Corrects times from a clock that was ahead, so that they delay no record, once an hour. */
async function correctTimes<R>(outbox: State<R>): Promise<void> {
  if (performance.now() - outbox.correctedMs < HOUR_MS) return;
  const now = outbox.clock.now();
  const after = (milliseconds: number) => new Date(now.getTime() + milliseconds);
  await outbox.queue.correctTimes(now, { latestDue: after(LATEST_DUE_MS), latestLease: after(HOUR_MS) });
  outbox.correctedMs = performance.now();
}

/** Starts as many due deliveries as the limits allow. @returns milliseconds until the next ones */
async function startDueDeliveries<R>(outbox: State<R>): Promise<number> {
  const { queue, delivery, clock, running, resting } = outbox;
  while (!outbox.isClosed) {
    if (running.size >= AT_ONCE) {
      await Promise.race(running.keys());
      continue;
    }
    const now = clock.now();
    for (const [receiver, until] of resting) if (until <= now) resting.delete(receiver);
    const busy = listBusyReceivers(outbox);
    const record = await queue.claimDue(now, delivery.leaseUntil(), busy);
    if (record === null) return findPauseMs(outbox, await queue.findNextDue(busy), now);
    startDelivery(outbox, record);
    // The embedded store answers synchronously; without a pause nothing else would run.
    await nextTurn();
  }
  return 0;
}

function startDelivery<R>(outbox: State<R>, record: R): void {
  const { delivery, running, resting, bell } = outbox;
  const receiver = outbox.receiverOf(record);
  const delivered = delivery
    .deliver(record, { signal: outbox.abort.signal })
    .then((until) => {
      if (until !== null) resting.set(receiver, until);
    })
    .catch(outbox.onProblem)
    .finally(() => {
      const wasBusy = isBusy(outbox, receiver);
      running.delete(delivered);
      if (wasBusy) bell.ring();
    });
  running.set(delivered, receiver);
}

function listBusyReceivers<R>(outbox: State<R>): readonly string[] {
  const busy = [...outbox.running.values()].filter((receiver) => isBusy(outbox, receiver));
  return [...new Set([...outbox.resting.keys(), ...busy])];
}

function isBusy<R>({ running, atOnceOfReceiver }: State<R>, receiver: string): boolean {
  return [...running.values()].filter((each) => each === receiver).length >= atOnceOfReceiver;
}

function findPauseMs<R>({ resting, pollMs }: State<R>, due: Date | null, now: Date): number {
  const instants = [...resting.values(), ...(due === null ? [] : [due])];
  const leftMs = Math.min(...instants.map((instant) => instant.getTime() - now.getTime()), pollMs);
  return Math.max(leftMs, MIN_PAUSE_MS);
}

async function closeOutbox<R>(outbox: State<R>, loop: Promise<void> | undefined): Promise<void> {
  outbox.isClosed = true;
  outbox.bell.ring();
  const ended = Promise.resolve(loop).then(() => Promise.all(outbox.running.keys()));
  await finishInTime(ended, outbox.drainMs);
  outbox.abort.abort();
  await finishInTime(ended, ABORT_MS);
}

/** Ends the pause of an outbox early. */
export type Bell = ReturnType<typeof createBell>;

export function createBell() {
  let rung = new AbortController();
  return {
    ring: (): void => rung.abort(),
    /** Waits for the bell or the time; returns at once where it has rung since the last pause. */
    async wait(milliseconds: number): Promise<void> {
      // Unreferenced, so that it does not keep the process alive.
      await sleep(milliseconds, undefined, { signal: rung.signal, ref: false }).catch(() => undefined);
      rung = new AbortController();
    },
  };
}
