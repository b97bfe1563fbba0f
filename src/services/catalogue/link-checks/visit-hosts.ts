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

interface Visits {
  readonly source: AsyncIterator<string>;
  readonly visit: Visit;
  readonly pace: HostPace;
  /** By host. */
  readonly lanes: Map<string, Lane>;
  readonly running: Set<Promise<void>>;
  /** Addresses in the lanes. */
  waiting: number;
  /** Whether the source has no more addresses. */
  isOver: boolean;
  failure: { readonly error: unknown } | null;
}

/** Visits addresses: several hosts at once, but each host one address at a time with a rest
 *  between. Errors: those of a visit, once all others under way have ended; what the signal was
 *  aborted with. */
export async function visitHosts(
  urls: AsyncIterable<string>,
  visit: Visit,
  { signal, ...pace }: HostPace & { readonly signal: AbortSignal },
): Promise<void> {
  const source = urls[Symbol.asyncIterator]();
  const visits: Visits = {
    source,
    visit,
    pace,
    lanes: new Map(),
    running: new Set(),
    waiting: 0,
    isOver: false,
    failure: null,
  };
  try {
    while (visits.failure === null && !signal.aborted) {
      await readAhead(visits);
      const restMs = startReady(visits);
      if (visits.isOver && visits.waiting === 0 && visits.running.size === 0) break;
      await nextEvent([...visits.running], restMs, signal);
    }
  } finally {
    await Promise.all(visits.running);
    await source.return?.();
  }
  signal.throwIfAborted();
  if (visits.failure !== null) throw visits.failure.error;
}

async function readAhead(visits: Visits): Promise<void> {
  const { source, lanes, pace } = visits;
  while (!visits.isOver && visits.waiting < pace.ahead) {
    const { done, value } = await source.next();
    if (done === true) visits.isOver = true;
    else {
      const { host } = new URL(value);
      const lane = lanes.get(host) ?? { urls: [], isBusy: false, readyAt: 0 };
      lanes.set(host, lane);
      lane.urls.push(value);
      visits.waiting++;
    }
  }
}

/** Begins the visits that may begin now.
 *  @returns milliseconds until the next may begin; infinity where another event must come first */
function startReady(visits: Visits): number {
  const { lanes, running, pace } = visits;
  let soonest = Number.POSITIVE_INFINITY;
  for (const [host, lane] of lanes) {
    if (lane.isBusy) continue;
    const restMs = lane.readyAt - performance.now();
    if (restMs > 0) soonest = Math.min(soonest, restMs);
    else if (lane.urls.length === 0) lanes.delete(host);
    else if (running.size < pace.hosts) startVisit(visits, lane);
  }
  return soonest;
}

function startVisit(visits: Visits, lane: Lane): void {
  const { visit, running } = visits;
  const url = lane.urls.shift();
  if (url === undefined) return;
  visits.waiting--;
  lane.isBusy = true;
  const visited = visit(url)
    .then((restMs) => {
      lane.readyAt = performance.now() + restMs;
    })
    .catch((error: unknown) => {
      visits.failure ??= { error };
    })
    .finally(() => {
      lane.isBusy = false;
      running.delete(visited);
    });
  running.add(visited);
}

async function nextEvent(running: readonly Promise<void>[], restMs: number, signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const pause = Number.isFinite(restMs) ? [wait(Math.ceil(restMs), undefined, { signal: either })] : [];
  try {
    await Promise.race([...running, ...pause.map((each) => each.catch(() => {}))]);
  } finally {
    over.abort();
  }
}
