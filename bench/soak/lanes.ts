import { setTimeout as sleep } from 'node:timers/promises';

/** Something that is done again and again, one after the other. */
export interface Lane {
  readonly name: string;
  readonly everySeconds: number;
  act(turn: number): Promise<void>;
}

export interface LaneCounts {
  readonly done: Map<string, number>;
  /** By lane and what went wrong. */
  readonly errors: Map<string, number>;
}

/** Runs all of them until the signal, and what has begun then to its end. A turn that takes too long leaves out the next ones, so
 *  that the rate is never higher than it should be. */
export async function runLanes(lanes: readonly Lane[], signal: AbortSignal): Promise<LaneCounts> {
  const counts: LaneCounts = { done: new Map(), errors: new Map() };
  await Promise.all(lanes.map((lane, place) => runLane({ lane, place, signal, counts })));
  return counts;
}

interface Run {
  readonly lane: Lane;
  readonly place: number;
  readonly signal: AbortSignal;
  readonly counts: LaneCounts;
}

async function runLane({ lane: { name, everySeconds, act }, place, signal, counts }: Run): Promise<void> {
  const rest = (seconds: number) => sleep(seconds * 1_000, undefined, { signal }).catch(() => undefined);
  // Not all of them at once.
  await rest(Math.min(everySeconds / 2, place));
  for (let turn = 0; !signal.aborted; turn++) {
    const begun = performance.now();
    try {
      await act(turn);
      count(counts.done, name);
    } catch (error) {
      const { message, cause } = error as Error;
      count(counts.errors, `${name}: ${message}${cause === undefined ? '' : ` (${cause})`}`);
    }
    const tookSeconds = (performance.now() - begun) / 1_000;
    await rest(everySeconds - (tookSeconds % everySeconds));
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
