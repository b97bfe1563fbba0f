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
import { digits, type Latency, measureLatency, memoryInUse, quantile, timeOf } from './measure.ts';
import { compareOverHttp, reportHttp } from './opensearch/compare.ts';
import { openHost } from './opensearch/host-peer.ts';
import { openOpenSearch } from './opensearch/opensearch-peer.ts';
import { plotGrowth, saveRun } from './plot-growth.ts';

const BATCH = 10_000;
/** Documents that queries take their words from, evenly spread. */
const SAMPLE = 2_000;

interface Built {
  readonly engine: BenchEngine;
  readonly buildSeconds: number;
  readonly memoryMB: number;
}

type Latencies = Partial<Record<Kind | 'all', Latency>>;

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
  const measured = measureAll([...built.map(({ engine }) => engine), ours.withDetails()], queries);
  report(docs, built, measured);
  if (values.save) saveRun({ docs, latencies: Object.fromEntries(measured) });
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
): Map<string, Latencies> {
  const measured = new Map<string, Latencies>(engines.map(({ name }) => [name, {}]));
  for (const kind of kinds) {
    for (const engine of engines) {
      if (!engine.kinds.includes(kind)) continue;
      measured.get(engine.name)![kind] = measureLatency(queries[kind], engine.search);
    }
  }
  const everything = kinds.flatMap((kind) => queries[kind]);
  for (const engine of engines) {
    if (engine.kinds.length < kinds.length) continue;
    if (engine.name.startsWith('skilldock')) {
      measured.get(engine.name)!.all = measureLatency(everything, engine.search);
    }
  }
  return measured;
}

function report(docs: number, built: readonly Built[], measured: ReadonlyMap<string, Latencies>): void {
  const cell = (latency: Latency | undefined) =>
    latency === undefined ? '–' : `${digits(latency.p50)} / ${digits(latency.p99)}`;
  const rows = [...measured].map(([engine, latencies]) => {
    const facts = built.find((one) => one.engine.name === engine);
    const bytes = facts?.engine.indexBytes();
    return {
      engine,
      'build s': facts === undefined ? '' : digits(facts.buildSeconds, 1),
      'memory MB': facts === undefined ? '' : digits(facts.memoryMB, 1),
      'index B/object': bytes === undefined ? '' : Math.round(bytes / docs),
      ...Object.fromEntries([...kinds, 'all' as const].map((kind) => [kind, cell(latencies[kind])])),
      'mean hits': digits(latencies['any-term']?.hits ?? Number.NaN, 1),
    };
  });
  console.log('p50 / p99 in milliseconds; FTS5 has no typo tolerance');
  console.table(rows);
  console.log(JSON.stringify(summary(docs, built, measured)));
}

function summary(docs: number, built: readonly Built[], measured: ReadonlyMap<string, Latencies>): object {
  const ours = measured.get('skilldock')!;
  const medianRatio = (name: string) => {
    const theirs = measured.get(name);
    if (theirs === undefined) return null;
    const ratios = kinds.flatMap((kind) => (theirs[kind] ? [theirs[kind].p50 / ours[kind]!.p50] : []));
    return { least: Math.min(...ratios), median: quantile(ratios, 0.5) };
  };
  return {
    docs,
    engines: built.map(({ engine, buildSeconds, memoryMB }) => ({
      name: engine.name,
      buildSeconds,
      memoryMB,
      indexBytesPerObject: (engine.indexBytes() ?? Number.NaN) / docs,
    })),
    latencies: Object.fromEntries(measured),
    timesFasterThan: { minisearch: medianRatio('MiniSearch'), fts5: medianRatio('SQLite FTS5') },
  };
}

await main();
