// npm run bench:search -- --docs 100000 [--queries 400]
// --lucene, --tantivy  beside these peers, which read no vectors: a million is searched by words
// --no-peers           without MiniSearch and SQLite FTS5
// --no-minisearch      its millions of objects on our heap are collected in the time of the others
// --save               keeps the run for --plot, which only draws
// --keep FOLDER        keeps the indexes there, and opens them in a later run
// --cpu                times of CPU, where the machine has other work
// --changes 30         instead: how long until so many changes of 1,000 objects are found, and the
//                      searches between them
// --opensearch URL     instead: over HTTP, beside a node, the host that `npm run build` made; with
//                      CATALOG_URL also with its objects on that node, and the node alone
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readBlockFile, writeBlockFile } from '../src/adapters/local/versions/version-files.ts';
import type { ObjectDocument } from '../src/engine/objects/types.ts';
import { reportChanges } from './changes.ts';
import { generateDocuments, readAgain } from './corpus/generate.ts';
import { type BenchQuery, type Kind, kinds, makeQueries } from './corpus/queries.ts';
import { readSourceTexts, type SourceTexts } from './corpus/source-texts.ts';
import type { Asked, BenchEngine, BuildTime } from './engines/engine.ts';
import { createFts5 } from './engines/fts5.ts';
import { createLucene } from './engines/lucene.ts';
import { createMiniSearch } from './engines/minisearch.ts';
import { createSkilldock } from './engines/skilldock.ts';
import { createTantivy } from './engines/tantivy.ts';
import {
  collectGarbage,
  digits,
  type Latency,
  latencyOf,
  medianPass,
  memoryInUse,
  PASSES,
  quantile,
  type Times,
  useCpuClock,
} from './measure.ts';
import { compareOverHttp, measureThroughput, reportHttp } from './opensearch/compare.ts';
import { openHost, openHostOn } from './opensearch/host-peer.ts';
import { openOpenSearch } from './opensearch/opensearch-peer.ts';
import { plotGrowth, type Run, saveRun } from './plot-growth.ts';
import { required } from './required.ts';

const BATCH = 10_000;
/** Documents that queries take their words from, evenly spread. */
const SAMPLE = 2_000;
/** Passes without the clock, of the two that are compiled while they run. */
const WARM_UP = 6;

/** How long a run took to fill an engine; kept beside it. */
interface BuildFacts extends BuildTime {
  readonly memoryMB: number;
}

interface Built extends BuildFacts {
  readonly engine: BenchEngine;
}

/** By kind of query, and of all kinds that the engine can answer in one sequence. */
type Measured = Partial<Record<Kind | 'all', Times>>;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      docs: { type: 'string', default: '10000' },
      queries: { type: 'string', default: '400' },
      'no-peers': { type: 'boolean', default: false },
      'no-minisearch': { type: 'boolean', default: false },
      lucene: { type: 'boolean', default: false },
      tantivy: { type: 'boolean', default: false },
      opensearch: { type: 'string' },
      keep: { type: 'string' },
      changes: { type: 'string' },
      cpu: { type: 'boolean', default: false },
      save: { type: 'boolean', default: false },
      plot: { type: 'boolean', default: false },
    },
  });
  if (values.plot) return plotGrowth();
  if (values.cpu) useCpuClock();
  const docs = Number(values.docs);
  const { texts, from } = readSourceTexts();
  console.log(`${docs} learning objects of words from ${from}, ${values.queries} queries of each kind`);
  const sample = sampleDocuments(docs, texts);
  const queries = makeQueries(sample, Number(values.queries));
  if (values.opensearch !== undefined) {
    const generate = () => generateDocuments(docs, texts);
    const { CATALOG_URL } = process.env;
    const peers = [
      ...(CATALOG_URL === undefined
        ? []
        : await openHostOn(
            CATALOG_URL,
            generate(),
            kinds.flatMap((kind) => queries[kind]),
          )),
      await openHost(generate()),
      await openOpenSearch(values.opensearch, generate()),
    ];
    reportHttp(peers, await compareOverHttp(peers, queries), await measureThroughput(peers, queries));
    for (const peer of peers) await peer.close();
    return;
  }
  const folder = values.keep === undefined ? undefined : join(values.keep, String(docs));
  if (folder !== undefined) mkdirSync(folder, { recursive: true });
  const ours = await buildOurs(docs, texts, folder);
  if (values.changes !== undefined) {
    const ids = sample.map(({ id }) => id);
    return reportChanges(ours.engine.index, Number(values.changes), { texts, ids, queries });
  }
  const built: Built[] = [ours];
  const clock = values.cpu ? 'cpu' : 'wall';
  const keptAt = (name: string) => folder && join(folder, name);
  const beside = [
    ...(values.lucene ? [createLucene(clock, keptAt('lucene'))] : []),
    ...(values.tantivy ? createTantivy(clock, keptAt) : []),
  ];
  for (const engine of beside) built.push(await build(engine, docs, { texts, facts: keptAt(`${engine.name}.json`) }));
  if (!values['no-peers']) {
    const peers = values['no-minisearch'] ? [createFts5] : [createMiniSearch, createFts5];
    for (const create of peers) built.push(await build(create(), docs, { texts }));
  }
  // Lucene and Tantivy read no vectors: beside them, the most that meaning can search is left out.
  const hasWordPeers = beside.length > 0;
  const isAsked = ({ most = Number.POSITIVE_INFINITY }: Asked) => (hasWordPeers ? docs < most : docs <= most);
  const asked = built.flatMap(({ engine }) => [engine, ...(engine.ways ?? []).filter(isAsked)]);
  const measured = await measureAll(asked, queries);
  report(docs, built, measured);
  if (values.save) saveRun({ docs, latencies: latenciesOf(measured) });
  for (const { engine } of built) engine.close();
}

/** Our index, from its snapshot where a run before kept one. */
async function buildOurs(docs: number, texts: SourceTexts, folder: string | undefined) {
  const [file, facts] = folder ? [join(folder, 'skilldock'), join(folder, 'skilldock.json')] : [];
  if (file !== undefined && existsSync(file)) {
    const engine = { ...createSkilldock(readBlockFile(file)), isBuilt: true };
    return { ...(await build(engine, docs, { texts, facts })), engine };
  }
  const engine = createSkilldock();
  const built = await build(engine, docs, { texts, facts });
  if (file !== undefined) writeBlockFile(file, engine.index.save({}));
  return { ...built, engine };
}

function sampleDocuments(docs: number, texts: SourceTexts): ObjectDocument[] {
  const every = Math.max(1, Math.floor(docs / SAMPLE));
  const sample: ObjectDocument[] = [];
  let i = 0;
  for (const document of generateDocuments(docs, texts)) if (i++ % every === 0) sample.push(document);
  return sample;
}

/** Documents are made batch by batch, outside the time taken and outside the memory counted.
 *  @param facts file of what is told of an engine that is kept */
async function build(
  engine: BenchEngine,
  docs: number,
  { texts, facts }: { readonly texts: SourceTexts; readonly facts?: string | undefined },
): Promise<Built> {
  if (engine.isBuilt && facts !== undefined)
    return { engine, ...(JSON.parse(readFileSync(facts, 'utf8')) as BuildFacts) };
  const before = memoryInUse();
  let [milliseconds, microseconds] = [0, 0];
  const timed = async (work: () => unknown) => {
    const [start, used] = [performance.now(), process.cpuUsage()];
    await work();
    milliseconds += performance.now() - start;
    const { user, system } = process.cpuUsage(used);
    microseconds += user + system;
  };
  let made: ObjectDocument[] = [];
  const addMade = async () => {
    const batch = readAgain(made);
    made = [];
    await timed(() => engine.add(batch));
  };
  for (const document of generateDocuments(docs, texts)) {
    made.push(document);
    if (made.length === BATCH) await addMade();
  }
  await addMade();
  await timed(() => engine.finish());
  const time = { buildSeconds: milliseconds / 1e3, cpuSeconds: microseconds / 1e6 };
  const built = { ...time, ...engine.buildTime?.(), memoryMB: (memoryInUse() - before) / 2 ** 20 };
  if (facts !== undefined) writeFileSync(facts, JSON.stringify(built));
  return { engine, ...built };
}

/** Kind by kind, pass by pass and engine by engine: whatever else the machine does hits all of
 *  them. */
async function measureAll(
  engines: readonly Asked[],
  queries: Record<Kind, BenchQuery[]>,
): Promise<Map<string, Measured>> {
  const measured = new Map<string, Measured>(engines.map(({ name }) => [name, {}]));
  for (const kind of [...kinds, 'all'] as const) {
    const askedOf = (engine: Asked) => (kind === 'all' ? engine.kinds.flatMap((each) => queries[each]) : queries[kind]);
    const passes = new Map<Asked, Times[]>(
      engines.filter(({ kinds: own }) => kind === 'all' || own.includes(kind)).map((engine) => [engine, []]),
    );
    for (let pass = -WARM_UP; pass < PASSES; pass++) {
      collectGarbage();
      for (const [engine, own] of passes) {
        if (pass < -1 && !isCompiled(engine)) continue;
        const times = await engine.ask(askedOf(engine));
        if (pass >= 0) own.push(times);
      }
    }
    for (const [{ name }, own] of passes) required(measured.get(name), name)[kind] = medianPass(own);
  }
  return measured;
}

/** The others take seconds for a pass, and are compiled after the first. */
function isCompiled({ name }: Asked): boolean {
  return !name.startsWith('MiniSearch') && !name.startsWith('SQLite');
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
      'CPU s': facts === undefined ? '' : digits(facts.cpuSeconds, 1),
      'memory MB': facts === undefined ? '' : digits(facts.memoryMB, 1),
      'index B/object': bytes === undefined ? '' : Math.round(bytes / docs),
      ...Object.fromEntries([...kinds, 'all' as const].map((kind) => [kind, cell(own[kind])])),
      'mean hits': digits(own['any-term']?.hits ?? Number.NaN, 1),
    };
  });
  console.log('p50 / p99 in milliseconds; FTS5 has no typo tolerance');
  console.table(rows);
  console.log('median total / share of queries with the same total as skilldock');
  console.table([...measured].map(([engine, own]) => ({ engine, ...describeTotals(own, measured.get('skilldock')) })));
  console.log(`load of the machine ${digits(loadavg()[0] ?? 0, 1)}`);
  console.log(JSON.stringify(summary(docs, built, measured)));
}

/** Whether an engine counts the same hits, kind by kind; empty where it tells no totals. */
function describeTotals(own: Measured, ours: Measured | undefined): Record<string, string> {
  const describe = (kind: Kind): string => {
    const { totals } = own[kind] ?? {};
    if (totals === undefined) return '–';
    const same = totals.filter((total, i) => total === ours?.[kind]?.totals?.[i]).length;
    return `${quantile(totals, 0.5)} / ${Math.round((100 * same) / totals.length)} %`;
  };
  return Object.fromEntries(kinds.map((kind) => [kind, describe(kind)]));
}

function summary(docs: number, built: readonly Built[], measured: ReadonlyMap<string, Measured>): object {
  const peers = built.slice(1).map(({ engine }) => engine);
  return {
    docs,
    engines: built.map(({ engine, ...facts }) => ({
      name: engine.name,
      ...facts,
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
    Object.fromEntries(Object.entries(own).map(([kind, times]): [string, Latency] => [kind, latencyOf(times)]));
  return Object.fromEntries(Array.from(measured, ([engine, own]) => [engine, ofEngine(own)]));
}

await main();
