// npm run bench:meaning -- --data FOLDER; of a data folder into which taxonomies were imported, a copy
// What a model costs a host: how long it encodes, what it holds, and how long searches take before, meanwhile and after.

import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type HostProcess, runProgram, startHostProcess } from '../test/helpers/host-process.ts';
import { findTestModel } from '../test/helpers/test-model.ts';
import { digits, quantile } from './measure.ts';
import { required } from './required.ts';

/** Between two searches: a host that people use, not one that is tried to its limit. */
const PAUSE_MS = 100;
const SEARCHES = 300;
const METRICS_TOKEN = 'of-this-bench-and-of-nothing-else';

const { values } = parseArgs({ options: { data: { type: 'string' } } });
const model = required((await findTestModel()) ?? undefined, 'a model');
const folder = mkdtempSync(join(tmpdir(), 'skilldock-bench-'));
const env = { DATA_DIR: join(folder, 'data'), METRICS_TOKEN };
cpSync(required(values.data, '--data FOLDER'), env.DATA_DIR, { recursive: true });

const needs = readFileSync('bench/needs/needs.jsonl', 'utf8').trimEnd().split('\n');
const queries = needs.map((line) => (JSON.parse(line) as { query: string }).query);
/** Each with words that were not asked for before: nothing is answered from memory. */
let asked = 0;

async function search(host: HostProcess, key: string): Promise<number> {
  const keywords = `${queries[asked % queries.length]} ${asked++}`;
  const address = `${host.url}/learningobject/v2/search?${new URLSearchParams({ keywords })}`;
  const beganMs = performance.now();
  const answer = await fetch(address, { headers: { 'x-api-key': key } });
  await answer.text();
  if (!answer.ok) throw new Error(`a search was answered with ${answer.status}`);
  await sleep(PAUSE_MS);
  return performance.now() - beganMs - PAUSE_MS;
}

async function readVectors({ url }: HostProcess): Promise<{ done: number; all: number }> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const text = await (await fetch(`${url}/metrics`, { headers })).text();
  const sum = (state: string) =>
    [...text.matchAll(new RegExp(`^skilldock_vectors\\{.*state="${state}".*\\} (\\d+)`, 'gm'))].reduce(
      (total, [, count]) => total + Number(count),
      0,
    );
  return { done: sum('done'), all: sum('all') };
}

const memoryMB = ({ pid }: HostProcess) =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

const rows: object[] = [];
function report(name: string, host: HostProcess, times: readonly number[], more = ''): void {
  const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
  rows.push({ name, searches: times.length, p50, p99, memoryMB: memoryMB(host) });
  console.log(
    `${name.padEnd(28)} searches p50 ${digits(p50, 1)} ms, p99 ${digits(p99, 1)} ms; resident ${digits(memoryMB(host), 0)} MB${more}`,
  );
}

async function searchMany(host: HostProcess, key: string): Promise<number[]> {
  const times: number[] = [];
  while (times.length < SEARCHES) times.push(await search(host, key));
  return times;
}

const without = await startHostProcess({ ...env, MODEL: 'none' });
const key = await without.createKey();
await searchMany(without, key);
report('without a model', without, await searchMany(without, key));
await without.stop();

const added = await runProgram(['model', 'add', model], env);
if (added.code !== 0) throw new Error(added.stderr);
const first = await startHostProcess(env);
const beganMs = performance.now();
const meanwhile: number[] = [];
let state = await readVectors(first);
while (state.all === 0 || state.done < state.all) {
  meanwhile.push(await search(first, key));
  if (meanwhile.length % 10 === 0) state = await readVectors(first);
}
const seconds = (performance.now() - beganMs) / 1_000;
report('while it encodes', first, meanwhile, `; ${state.all} texts in ${digits(seconds, 0)} s`);
report('once all is encoded', first, await searchMany(first, key));
await first.stop();

const again = await startHostProcess(env);
await searchMany(again, key);
report('started again', again, await searchMany(again, key));
await again.stop();
rmSync(folder, { recursive: true });
console.log(JSON.stringify({ bench: 'meaning', texts: state.all, seconds, rows }));
