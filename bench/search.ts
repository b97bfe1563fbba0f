// npm run bench:search -- --docs 100000 [--queries 400] [--no-peers] [--save]; --save keeps the run for --plot, which only draws
// npm run bench:search -- --docs 100000 --opensearch http://127.0.0.1:9201; of the host that `npm run build` made
import { parseArgs } from 'node:util';
import type { ObjectDocument } from '../src/engine/objects/types.ts';
import { generateDocuments } from './corpus/generate.ts';
import { type BenchQuery, type Kind, kinds, makeQueries } from './corpus/queries.ts';
import { readSourceTexts, type SourceTexts } from './corpus/source-texts.ts';
import type { BenchEngine } from './engines/engine.ts';
import { createFts5 } from './engines/fts5.ts';
import { createMiniSearch } from './engines/minisearch.ts';
import { createSkilldock } from './engines/skilldock.ts';
import {
  digits,
  type Latency,
  latencyOf,
  measureTimes,
  memoryInUse,
  quantile,
  type Times,
  timeOf,
} from './measure.ts';
import { compareOverHttp, reportHttp } from './opensearch/compare.ts';
import { openHost } from './opensearch/host-peer.ts';
import { openOpenSearch } from './opensearch/opensearch-peer.ts';
import { plotGrowth, type Run, saveRun } from './plot-growth.ts';
import { required } from './required.ts';

const BATCH = 10_000;
/** Documents that queries take their words from, evenly spread. */
const SAMPLE = 2_000;

interface Built {
  readonly engine: BenchEngine;
  readonly buildSeconds: number;
  readonly memoryMB: number;
}

/** By kind of query, and of all kinds that the engine can answer in one sequence. */
type Measured = Partial<Record<Kind | 'all', Times>>;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      docs: { type: 'string', default: '10000' },
      queries: { type: 'string', default: '400' },
      'no-peers': { type: 'boolean', default: false },
      opensearch: { type: 'string' },
      save: { type: 'boolean', default: false },
      plot: { type: 'boolean', default: false },
    },
  });
  if (values.plot) return plotGrowth();
  const docs = Number(values.docs);
  const { texts, from } = readSourceTexts();
  console.log(`${docs} learning objects of words from ${from}, ${values.queries} queries of each kind`);
  const queries = makeQueries(sampleDocuments(docs, texts), Number(values.queries));
  if (values.opensearch !== undefined) {
    const generate = () => generateDocuments(docs, texts);
    const peers = [await openHost(generate()), await openOpenSearch(values.opensearch, generate())];
    reportHttp(peers, await compareOverHttp(peers, queries));
    for (const peer of peers) await peer.close();
    return;
  }
  const ours = createSkilldock();
  const built = [build(ours, docs, texts)];
  if (!values['no-peers'])
    for (const create of [createMiniSearch, createFts5]) built.push(build(create(), docs, texts));
  // Kind by kind and engine by engine in one process: whatever else the machine does hits all of them.
  const variants = [ours.withDetails(), ours.withMeaning()];
  const measured = measureAll([...built.map(({ engine }) => engine), ...variants], queries);
  report(docs, built, measured);
  if (values.save) saveRun({ docs, latencies: latenciesOf(measured) });
  for (const { engine } of built) engine.close();
}

function sampleDocuments(docs: number, texts: SourceTexts): ObjectDocument[] {
  const every = Math.max(1, Math.floor(docs / SAMPLE));
  const sample: ObjectDocument[] = [];
  let i = 0;
  for (const document of generateDocuments(docs, texts)) if (i++ % every === 0) sample.push(document);
  return sample;
}

/** Documents are made batch by batch, outside the time taken and outside the memory counted. */
function build(engine: BenchEngine, docs: number, texts: SourceTexts): Built {
  const before = memoryInUse();
  let milliseconds = 0;
  const timed = (work: () => void) => {
    milliseconds += timeOf(work);
  };
  let batch: ObjectDocument[] = [];
  for (const document of generateDocuments(docs, texts)) {
    batch.push(document);
    if (batch.length < BATCH) continue;
    timed(() => engine.add(batch));
    batch = [];
  }
  timed(() => engine.add(batch));
  timed(() => engine.finish());
  batch = [];
  return { engine, buildSeconds: milliseconds / 1000, memoryMB: (memoryInUse() - before) / 2 ** 20 };
}

function measureAll(
  engines: readonly BenchEngine[],
  queries: Record<Kind, BenchQuery[]>,
): Map<string, Measured> {
  const measured = new Map<string, Measured>(engines.map(({ name }) => [name, {}]));
  const measure = ({ name, search }: BenchEngine, kind: Kind | 'all', asked: readonly BenchQuery[]) => {
    required(measured.get(name), name)[kind] = measureTimes(asked, search);
  };
  for (const kind of kinds) {
    for (const engine of engines) if (engine.kinds.includes(kind)) measure(engine, kind, queries[kind]);
  }
  for (const engine of engines) {
    measure(
      engine,
      'all',
      engine.kinds.flatMap((kind) => queries[kind]),
    );
  }
  return measured;
}

function report(docs: number, built: readonly Built[], measured: ReadonlyMap<string, Measured>): void {
  const cell = (times: Times | undefined) => {
    if (times === undefined) return '–';
    const { p50, p99 } = latencyOf(times);
    return `${digits(p50)} / ${digits(p99)}`;
  };
  const rows = [...measured].map(([engine, own]) => {
    const facts = built.find((one) => one.engine.name === engine);
    const bytes = facts?.engine.indexBytes();
    return {
      engine,
      'build s': facts === undefined ? '' : digits(facts.buildSeconds, 1),
      'memory MB': facts === undefined ? '' : digits(facts.memoryMB, 1),
      'index B/object': bytes === undefined ? '' : Math.round(bytes / docs),
      ...Object.fromEntries([...kinds, 'all' as const].map((kind) => [kind, cell(own[kind])])),
      'mean hits': digits(own['any-term']?.hits ?? Number.NaN, 1),
    };
  });
  console.log('p50 / p99 in milliseconds; FTS5 has no typo tolerance');
  console.table(rows);
  console.log(JSON.stringify(summary(docs, built, measured)));
}

function summary(docs: number, built: readonly Built[], measured: ReadonlyMap<string, Measured>): object {
  const peers = built.slice(1).map(({ engine }) => engine);
  return {
    docs,
    engines: built.map(({ engine, buildSeconds, memoryMB }) => ({
      name: engine.name,
      buildSeconds,
      memoryMB,
      indexBytesPerObject: (engine.indexBytes() ?? Number.NaN) / docs,
    })),
    latencies: latenciesOf(measured),
    timesFasterThan: Object.fromEntries(peers.map((peer) => [peer.name, timesFaster(peer, measured)])),
  };
}

/** The peer's median by ours: kind by kind, and over all queries that the peer can answer. */
function timesFaster({ name, kinds }: BenchEngine, measured: ReadonlyMap<string, Measured>): object {
  const medianOf = (engine: string, over: readonly Kind[]) =>
    quantile(
      over.flatMap((kind) => required(measured.get(engine)?.[kind], `time of ${engine}`).times),
      0.5,
    );
  const ratio = (over: readonly Kind[]) => medianOf(name, over) / medianOf('skilldock', over);
  return { ...Object.fromEntries(kinds.map((kind) => [kind, ratio([kind])])), all: ratio(kinds) };
}

function latenciesOf(measured: ReadonlyMap<string, Measured>): Run['latencies'] {
  const ofEngine = (own: Measured) =>
    Object.fromEntries(
      Object.entries(own).map(([kind, times]): [string, Latency] => [kind, latencyOf(times)]),
    );
  return Object.fromEntries(Array.from(measured, ([engine, own]) => [engine, ofEngine(own)]));
}

await main();
