// npm run bench:lti [-- --seconds 5 --rounds 4 --connections 10]; builds the host, run from the project root
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startMongoServer } from '../test/helpers/mongo-server.ts';
import { type Child, startChild } from './http/start-child.ts';
import { createLauncher, type LaunchOnce } from './lti/launch.ts';
import { type BenchPlatform, startBenchPlatform } from './lti/platform.ts';
import { digits, quantile } from './measure.ts';

const TARGET = 1.5;
const SECRET_KEY = 'a secret of the bench, long enough for it';

interface Options {
  readonly seconds: number;
  readonly rounds: number;
  readonly connections: number;
}

interface Measured {
  readonly perSecond: number;
  readonly p99: number;
}

type Tool = 'skilldock' | 'ltijs';

/** Both tools on one kind of store. */
interface Pair {
  readonly store: string;
  readonly tools: Readonly<Record<Tool, Child>>;
  stop(): Promise<void>;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '5' },
      rounds: { type: 'string', default: '4' },
      connections: { type: 'string', default: '10' },
    },
  });
  const options: Options = {
    seconds: Number(values.seconds),
    rounds: Number(values.rounds),
    connections: Number(values.connections),
  };
  const platform = await startBenchPlatform();
  const results = [];
  for (const start of [startOnSqlite, startOnMongo]) {
    const pair = await start(platform.url);
    if (pair === null) continue;
    results.push({ store: pair.store, ...(await compare(pair, platform, options)) });
    await pair.stop();
  }
  platform.close();
  report(results);
}

const script = (name: string) => fileURLToPath(new URL(`lti/${name}.js`, import.meta.url));

async function startOnSqlite(platformUrl: string): Promise<Pair> {
  const folder = mkdtempSync(join(tmpdir(), 'skilldock-bench-'));
  const env = { DATA_DIR: join(folder, 'host'), PORT: '0', TRUST_PROXY: '1', SECRET_KEY };
  const tools = {
    skilldock: await startChild([script('host-child'), platformUrl], env),
    ltijs: await startChild([script('ltijs-child'), platformUrl, join(folder, 'ltijs.db')]),
  };
  return { store: 'sqlite', tools, stop: () => stopAll(tools, folder) };
}

async function startOnMongo(platformUrl: string): Promise<Pair | null> {
  const server = await startMongoServer({ isOwn: true });
  if (server === null) return null;
  const folder = mkdtempSync(join(tmpdir(), 'skilldock-bench-'));
  const env = { DATA_DIR: folder, PORT: '0', TRUST_PROXY: '1', MONGODB_URI: server.uri, SECRET_KEY };
  const tools = {
    skilldock: await startChild([script('host-child'), platformUrl], env),
    ltijs: await startChild([script('ltijs-child'), platformUrl, server.newUri()]),
  };
  return {
    store: server.kind,
    tools,
    async stop() {
      await stopAll(tools, folder);
      await server.stop();
    },
  };
}

async function stopAll(tools: Pair['tools'], folder: string): Promise<void> {
  await Promise.all(Object.values(tools).map((tool) => tool.stop()));
  rmSync(folder, { recursive: true });
}

/** Turn by turn, the first one to warm up: whatever else the machine does hits both. */
async function compare({ tools }: Pair, platform: BenchPlatform, options: Options) {
  const runs: Record<Tool, Measured[]> = { skilldock: [], ltijs: [] };
  for (let round = 0; round <= options.rounds; round++) {
    for (const name of ['skilldock', 'ltijs'] as const) {
      const launcher = createLauncher(tools[name].url, platform);
      const measured = await load(launcher.launch, options);
      await launcher.close();
      if (round > 0) runs[name].push(measured);
    }
  }
  return { skilldock: medians(runs.skilldock), ltijs: medians(runs.ltijs) };
}

async function load(launch: LaunchOnce, { seconds, connections }: Options): Promise<Measured> {
  const times: number[] = [];
  const start = performance.now();
  const end = start + seconds * 1_000;
  const worker = async () => {
    while (performance.now() < end) {
      const begun = performance.now();
      await launch();
      times.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  const took = (performance.now() - start) / 1_000;
  return { perSecond: times.length / took, p99: quantile(times, 0.99) };
}

function medians(runs: readonly Measured[]): Measured {
  const median = (of: (run: Measured) => number) => quantile(runs.map(of), 0.5);
  return { perSecond: median(({ perSecond }) => perSecond), p99: median(({ p99 }) => p99) };
}

interface Result extends Record<Tool, Measured> {
  readonly store: string;
}

function report(results: readonly Result[]): void {
  console.table(
    results.map(({ store, skilldock, ltijs }) => ({
      store,
      'skilldock launches/s': digits(skilldock.perSecond, 1),
      'p99 ms': digits(skilldock.p99, 1),
      'ltijs launches/s': digits(ltijs.perSecond, 1),
      'its p99 ms': digits(ltijs.p99, 1),
      ratio: digits(skilldock.perSecond / ltijs.perSecond, 2),
      target: TARGET,
    })),
  );
  console.log(JSON.stringify(results));
}

await main();
