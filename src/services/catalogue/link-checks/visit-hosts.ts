import { setTimeout as wait } from 'node:timers/promises';

export interface HostPace {
  /** Hosts that are visited at the same time. */
  readonly hosts: number;
  /** Addresses that are read ahead, so that several hosts can be visited even where a catalogue
   *  lists one host after another. */
  readonly ahead: number;
}

/** Visits one address; returns how long to leave its host alone afterwards, in milliseconds. */
export type Visit = (url: string) => Promise<number>;

interface Lane {
  readonly urls: string[];
  isBusy: boolean;
  /** By the clock of `performance`. */
  readyAt: number;
}

/** Visits addresses: several hosts at once, but each host one address at a time with a rest
 *  between.
 *  Errors: those of a visit, once all others under way have ended; what the signal was aborted
 *  with. */
export async function visitHosts(
  urls: AsyncIterable<string>,
  visit: Visit,
  { hosts, ahead, signal }: HostPace & { readonly signal: AbortSignal },
): Promise<void> {
  const lanes = new Map<string, Lane>();
  const running = new Set<Promise<void>>();
  const source = urls[Symbol.asyncIterator]();
  let waiting = 0;
  let isOver = false;
  let failure: { readonly error: unknown } | null = null;

  async function readAhead(): Promise<void> {
    while (!isOver && waiting < ahead) {
      const { done, value } = await source.next();
      if (done === true) isOver = true;
      else {
        const { host } = new URL(value);
        const lane = lanes.get(host) ?? { urls: [], isBusy: false, readyAt: 0 };
        lanes.set(host, lane);
        lane.urls.push(value);
        waiting++;
      }
    }
  }

  function start(lane: Lane): void {
    const url = lane.urls.shift();
    if (url === undefined) return;
    waiting--;
    lane.isBusy = true;
    const visited = visit(url)
      .then((restMs) => {
        lane.readyAt = performance.now() + restMs;
      })
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => {
        lane.isBusy = false;
        running.delete(visited);
      });
    running.add(visited);
  }

  /** Begins what may begin now; returns how long until the next may, infinity where something else
   *  must happen first. */
  function startReady(): number {
    let soonest = Number.POSITIVE_INFINITY;
    for (const [host, lane] of lanes) {
      if (lane.isBusy) continue;
      const restMs = lane.readyAt - performance.now();
      if (restMs > 0) soonest = Math.min(soonest, restMs);
      else if (lane.urls.length === 0) lanes.delete(host);
      else if (running.size < hosts) start(lane);
    }
    return soonest;
  }

  try {
    while (failure === null && !signal.aborted) {
      await readAhead();
      const restMs = startReady();
      if (isOver && waiting === 0 && running.size === 0) break;
      await nextEvent([...running], restMs, signal);
    }
  } finally {
    await Promise.all(running);
    await source.return?.();
  }
  signal.throwIfAborted();
  const failed = failure as { readonly error: unknown } | null;
  if (failed !== null) throw failed.error;
}

async function nextEvent(
  running: readonly Promise<void>[],
  restMs: number,
  signal: AbortSignal,
): Promise<void> {
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const pause = Number.isFinite(restMs) ? [wait(Math.ceil(restMs), undefined, { signal: either })] : [];
  try {
    await Promise.race([...running, ...pause.map((each) => each.catch(() => {}))]);
  } finally {
    over.abort();
  }
}
