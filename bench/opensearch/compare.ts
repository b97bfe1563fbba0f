import { type BenchQuery, type Kind, kinds } from '../corpus/queries.ts';
import { digits, type Latency, quantile } from '../measure.ts';
import { required } from '../required.ts';
import { CONNECTIONS } from './http-client.ts';
import type { HttpPeer } from './http-peer.ts';

/** Kinds that mean the same to both: our host has no begun words to be completed while they are
 *  typed, only unknown words that it completes on its own, so it does less of `prefix`. */
const comparable = kinds.filter((kind) => kind !== 'prefix');

/** Passes without the clock: all compile what is run often, and a service runs for days. */
const WARM_UP = 12;
/** Passes with the clock running. */
const PASSES = 3;

type Times = Record<Kind, number[][]>;

/** All services asked the same in turns, each over one connection: whatever else the machine does
 *  hits all. */
export async function compareOverHttp(
  peers: readonly HttpPeer[],
  queries: Record<Kind, BenchQuery[]>,
): Promise<Map<string, Record<Kind | 'all', Latency>>> {
  const times = new Map(peers.map(({ name }) => [name, emptyTimes()]));
  const hits = new Map(peers.map(({ name }) => [name, 0]));
  const timesFor = (name: string) => required(times.get(name), name);
  for (let pass = -WARM_UP; pass < PASSES; pass++) {
    for (const kind of kinds) {
      for (const [q, query] of queries[kind].entries()) {
        for (const peer of peers) {
          const start = performance.now();
          const answer = await peer.search(query);
          const time = performance.now() - start;
          if (pass < 0) hits.set(peer.name, (hits.get(peer.name) ?? 0) + peer.countHits(answer));
          else {
            const own = timesFor(peer.name)[kind];
            own[q] = [...(own[q] ?? []), time];
          }
        }
      }
    }
  }
  const asked = kinds.reduce((sum, kind) => sum + queries[kind].length, 0);
  return new Map(peers.map(({ name }) => [name, latenciesOf(timesFor(name), (hits.get(name) ?? 0) / asked / WARM_UP)]));
}

/** Measures searches of all comparable kinds a second, over CONNECTIONS connections at once.
 *  @returns by name of the peer, the median of the passes */
export async function measureThroughput(
  peers: readonly HttpPeer[],
  queries: Record<Kind, BenchQuery[]>,
): Promise<Map<string, number>> {
  const all = comparable.flatMap((kind) => queries[kind]);
  const rates = new Map(peers.map(({ name }) => [name, [] as number[]]));
  for (let pass = -1; pass < PASSES; pass++)
    for (const peer of peers) {
      const waiting = all.values();
      const start = performance.now();
      await Promise.all(Array.from({ length: CONNECTIONS }, () => searchEach(peer, waiting)));
      const seconds = (performance.now() - start) / 1_000;
      if (pass >= 0) rates.get(peer.name)?.push(all.length / seconds);
    }
  return new Map(Array.from(rates, ([name, each]) => [name, quantile(each, 0.5)]));
}

/** Takes queries from an iterator that other connections share. */
async function searchEach(peer: HttpPeer, waiting: Iterable<BenchQuery>): Promise<void> {
  for (const query of waiting) await peer.search(query);
}

function emptyTimes(): Times {
  return { 'any-term': [], 'all-terms': [], prefix: [], typo: [] };
}

/** Of each query the median of its passes. */
function latenciesOf(times: Times, hits: number): Record<Kind | 'all', Latency> {
  const medians = Object.fromEntries(
    kinds.map((kind) => [kind, times[kind].map((passes) => quantile(passes, 0.5))]),
  ) as Record<Kind, number[]>;
  const latency = (values: readonly number[]): Latency => ({
    p50: quantile(values, 0.5),
    p99: quantile(values, 0.99),
    hits,
  });
  return {
    'any-term': latency(medians['any-term']),
    'all-terms': latency(medians['all-terms']),
    prefix: latency(medians.prefix),
    typo: latency(medians.typo),
    all: latency(comparable.flatMap((kind) => medians[kind])),
  };
}

/** A table, and one JSON object on the last line. `share` is the median of the first as a part of
 *  that of the last; `all` is what is comparable. */
export function reportHttp(
  peers: readonly HttpPeer[],
  measured: ReadonlyMap<string, Record<Kind | 'all', Latency>>,
  throughput: ReadonlyMap<string, number>,
): void {
  const columns = [...kinds, 'all'] as const;
  const latenciesFor = (name: string) => required(measured.get(name), name);
  console.log(
    'over HTTP, as the client sees it: p50 / p99 in milliseconds; "all" is without "prefix", see docs/benchmarks.md',
  );
  console.table(
    peers.map(({ name, documents, buildSeconds, indexBytes }) => {
      const own = latenciesFor(name);
      return {
        engine: name,
        documents,
        'build s': buildSeconds === undefined ? '' : digits(buildSeconds, 1),
        'disk MB': indexBytes === undefined ? '' : digits(indexBytes / 2 ** 20, 0),
        ...Object.fromEntries(columns.map((kind) => [kind, `${digits(own[kind].p50)} / ${digits(own[kind].p99)}`])),
        'mean hits': digits(own.all.hits, 1),
        [`searches/s, ${CONNECTIONS} connections`]: Math.round(required(throughput.get(name), name)),
      };
    }),
  );
  const [us, them] = [required(peers[0], 'peer'), required(peers.at(-1), 'last peer')];
  const [ours, theirs] = [latenciesFor(us.name), latenciesFor(them.name)];
  const share = Object.fromEntries(columns.map((kind) => [kind, ours[kind].p50 / theirs[kind].p50]));
  console.log(JSON.stringify({ docs: us.documents, share, latencies: Object.fromEntries(measured) }));
}
