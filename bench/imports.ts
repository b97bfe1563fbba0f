// npm run bench:imports [-- --objects 20000 --alone 30]; builds the host, run from the root
// Linux only
import { mkdtempSync, openAsBlob, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createAdminBrowser } from '../test/faces/admin/admin-browser.ts';
import { type HostProcess, startHostProcess } from '../test/helpers/host-process.ts';
import { generateDocuments } from './corpus/generate.ts';
import { readSourceTexts } from './corpus/source-texts.ts';
import { startChild } from './http/start-child.ts';
import { digits, quantile } from './measure.ts';
import { writeObjectLines } from './opensearch/host-peer.ts';
import { runImport } from './soak/admin-lanes.ts';

/** Searches in an open loop, alone and beside an import: none waits for the one before, so that a
 *  pause counts for all that would have come in it. A bare handler is asked beside them: its times
 *  are those of the machine. */

const PER_SECOND = 50;
/** After the import, for the version with it to be opened. */
const AFTER_MS = 5_000;
const SAMPLE_MS = 200;
const TARGET = { p99: 60, p999: 150, addedMB: 150 };
const LAG = 'nodejs_eventloop_lag_max_seconds';
const PATH = '/learningobject/v2/search-provider';
const password = 'four words about nothing';
const words = [
  'python',
  'data analysis',
  'machine learning',
  'statistics',
  'first aid',
  'gestion de projet',
  'nursing',
];

interface Phase {
  readonly host: number[];
  /** Without the time in which the host, or this process, was ready to run and had no core: what a
   *  machine without other work would show, or a little more. */
  readonly onCore: number[];
  readonly bare: number[];
  readonly peakMB: number;
  /** Longest turn of the host's event loop. */
  readonly longestMs: number;
}

let asked = 0;
/** Reading the metrics of a host begins this measurement anew. */
let longestMs = 0;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { objects: { type: 'string', default: '20000' }, alone: { type: 'string', default: '30' } },
  });
  const objects = Number(values.objects);
  const folder = mkdtempSync(join(tmpdir(), 'skilldock-bench-'));
  const bodies = join(folder, 'bodies.json');
  writeFileSync(bodies, JSON.stringify({ [PATH]: 'x'.repeat(4_000) }));
  const bare = await startChild([fileURLToPath(new URL('http/bare-server.js', import.meta.url)), bodies]);
  const host = await startHostProcess({ ADMIN_PASSWORD: password });
  try {
    const file = join(folder, 'objects.jsonl');
    await writeObjectLines(file, generateDocuments(objects, readSourceTexts().texts));
    const key = await host.createKey('--per-second', '1000000', '--per-day', '1000000000');
    const measure = (work: () => Promise<unknown>) => measureBeside(work, { host, key, bareUrl: bare.url });
    await measure(() => sleep(5_000));
    const alone = await measure(() => sleep(Number(values.alone) * 1_000));
    const started = performance.now();
    const beside = await measure(() => importObjects(host, file, objects));
    report(objects, { alone, beside, seconds: (performance.now() - started) / 1_000 });
  } finally {
    await host.stop();
    await bare.stop();
    rmSync(folder, { recursive: true });
  }
}

async function importObjects({ url }: HostProcess, path: string, objects: number): Promise<void> {
  const owner = createAdminBrowser(url);
  await owner.post('/sign-in', { name: 'admin', password });
  const before = await readMetric(url, 'skilldock_index_entries{what="objects"}');
  const content = new Uint8Array(await (await openAsBlob(path)).arrayBuffer());
  const { state } = await runImport(owner, { format: 'objects', name: 'bench' }, { name: 'objects.jsonl', content });
  if (state !== 'Published') throw new Error(`the import ended as ${state}`);
  const isFound = async () =>
    (await readMetric(url, 'skilldock_index_entries{what="objects"}')) >= before + objects / 2;
  while (!(await isFound())) await sleep(500);
  await sleep(AFTER_MS);
}

interface Servers {
  readonly host: HostProcess;
  readonly key: string;
  readonly bareUrl: string;
}

async function measureBeside(work: () => Promise<unknown>, { host, key, bareUrl }: Servers): Promise<Phase> {
  const agent = new Agent({ keepAlive: true });
  const times = { host: [] as number[], onCore: [] as number[], bare: [] as number[] };
  const running = new Set<Promise<void>>();
  // What one request takes is counted from when it was due.
  const send = (url: string, due: number, note: (ms: number) => void) => {
    const answer = ask(url, key, agent).then(() => note(performance.now() - due));
    running.add(answer.finally(() => running.delete(answer)));
  };
  const waitedFor = (pid: number) =>
    Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  const readWaits = () => [waitedFor(host.pid), waitedFor(process.pid)] as const;
  // Of the turn before, as this process may have waited since the request was due.
  let waits = readWaits();
  await readMetric(host.url, LAG);
  longestMs = 0;
  let peakMB = 0;
  const sampling = setInterval(() => {
    peakMB = Math.max(peakMB, residentMB(host.pid));
  }, SAMPLE_MS);
  const begun = performance.now();
  let sent = 0;
  const loop = setInterval(() => {
    for (; begun + (sent * 1_000) / PER_SECOND <= performance.now(); sent++) {
      const due = begun + (sent * 1_000) / PER_SECOND;
      const [hostBefore, ownBefore] = waits;
      send(host.url + nextSearch(), due, (ms) => {
        const [hostNow, ownNow] = readWaits();
        times.host.push(ms);
        times.onCore.push(Math.max(0, ms - Math.max(hostNow - hostBefore, ownNow - ownBefore)));
      });
      send(bareUrl + PATH, due, (ms) => times.bare.push(ms));
    }
    waits = readWaits();
  }, 2);
  try {
    await work();
  } finally {
    clearInterval(loop);
    clearInterval(sampling);
    await Promise.all(running);
    await readMetric(host.url, LAG);
    agent.destroy();
  }
  return { ...times, peakMB, longestMs };
}

function nextSearch(): string {
  const query = new URLSearchParams({
    keywords: words[asked % words.length] ?? '',
    provider: 'phet',
    popularityMin: (++asked / 1e9).toFixed(9),
  });
  return `${PATH}?${query}`;
}

function ask(url: string, key: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers: { 'x-api-key': key } }, (response) => {
      response.resume().once('end', resolve);
      if (response.statusCode !== 200) reject(new Error(`${url} answered with ${response.statusCode}`));
    });
    sent.on('error', reject).end();
  });
}

async function readMetric(url: string, name: string): Promise<number> {
  const lines = (await (await fetch(`${url}/metrics`)).text()).split('\n');
  const find = (each: string) => Number(lines.find((line) => line.startsWith(`${each} `))?.slice(each.length + 1));
  longestMs = Math.max(longestMs, find(LAG) * 1_000);
  return find(name);
}

function residentMB(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
}

interface Result {
  readonly alone: Phase;
  readonly beside: Phase;
  readonly seconds: number;
}

function report(objects: number, { alone, beside, seconds }: Result): void {
  const row = ({ host, onCore, bare, peakMB, longestMs }: Phase) => ({
    searches: host.length,
    p50: digits(quantile(host, 0.5), 1),
    p99: digits(quantile(host, 0.99), 1),
    'p99.9': digits(quantile(host, 0.999), 1),
    'p99 with a core': digits(quantile(onCore, 0.99), 1),
    'p99.9 with a core': digits(quantile(onCore, 0.999), 1),
    'bare p99': digits(quantile(bare, 0.99), 1),
    'bare p99.9': digits(quantile(bare, 0.999), 1),
    'longest turn': digits(longestMs, 0),
    'peak MB': Math.round(peakMB),
  });
  console.log(`${objects} objects, searchable after ${digits(seconds, 0)} s; load of the machine ${loadavg()[0]}; ms`);
  console.table({ alone: row(alone), 'beside the import': row(beside) });
  const added = Math.round(beside.peakMB - alone.peakMB);
  console.log(`${added} MB more; targets: p99 ${TARGET.p99}, p99.9 ${TARGET.p999}, ${TARGET.addedMB} MB more`);
}

await main();
