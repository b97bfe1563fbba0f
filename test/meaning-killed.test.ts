import { spawn } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openModelStores } from '../src/adapters/local/meaning/model-stores.ts';
import { lockFile } from '../src/adapters/store/sqlite/file-lock.ts';
import { readVectorRow } from '../src/engine/vectors/vector-rows.ts';
import { isFullRun } from './helpers/draw.ts';
import { type HostProcess, startHostProcess } from './helpers/host-process.ts';
import { makeTempDir } from './helpers/temp-dir.ts';
import { findTestModel, testManifest } from './helpers/test-model.ts';

const ROUNDS = isFullRun ? 20 : 4;
const BATCHES_BEFORE = 20;
const keeper = resolve('test/helpers/keep-until-killed.js');
const model = await findTestModel();

/** Keys of the batches of which a process said that they are kept, before it was killed. */
async function keepAndKill(folder: string, round: number): Promise<number[]> {
  const child = spawn(process.execPath, [keeper, folder, String(round)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((done) => child.once('exit', (_code, signal) => done(signal)));
  const kept: number[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const [key, end] = line.split(' ');
    if (end === '.') kept.push(Number(key));
    if (kept.length === BATCHES_BEFORE) setTimeout(() => child.kill('SIGKILL'), Math.random() * 100);
  }
  expect(await ended).toBe('SIGKILL');
  return kept;
}

test('a process that is killed while it keeps vectors loses none of those that it kept', async () => {
  const folder = makeTempDir();
  const kept: number[] = [];
  for (let round = 0; round < ROUNDS; round++) kept.push(...(await keepAndKill(folder, round)));
  const stores = await openModelStores({
    folder,
    model: { name: 'a model', fingerprint: 'a'.repeat(64), dimensions: 384, langs: null },
    lockFile: (path) => lockFile(path, { isShared: false }),
  });
  onTestFinished(() => stores.close());
  expect(kept.length).toBeGreaterThanOrEqual(ROUNDS * BATCHES_BEFORE);
  for (const first of kept) {
    for (let key = first; key < first + 16; key++) {
      const row = stores.labels.find(key);
      expect(row).toBeGreaterThanOrEqual(0);
      expect(readVectorRow(stores.labels.rows, row)[7]).toBeCloseTo(Math.sin(key * 8), 2);
    }
  }
}, 120_000);

async function readCounts({ url }: HostProcess) {
  const text = await (await fetch(`${url}/metrics`)).text();
  const count = (what: string, state: string) =>
    Number(
      new RegExp(`^skilldock_vectors\\{what="${what}",state="${state}"\\} (\\d+)$`, 'm').exec(text)?.[1],
    );
  return { done: count('labels', 'done') + count('objects', 'done'), all: count('labels', 'all') };
}

const search = async ({ url }: HostProcess, key: string) =>
  (
    await fetch(`${url}/learningobject/v2/search?keywords=bread&model=extended`, {
      headers: { 'x-api-key': key },
    })
  ).status;

describe.skipIf(model === null)('a host with a model', () => {
  test('goes on where it was killed while it encoded; without the model it goes by words, and ends in order', async () => {
    const dataDir = makeTempDir();
    cpSync(model ?? '', join(dataDir, 'models', testManifest.name), { recursive: true });
    const host = await startHostProcess({ DATA_DIR: dataDir });
    await expect.poll(async () => (await readCounts(host)).done, { timeout: 60_000 }).toBeGreaterThan(300);
    const key = await host.createKey();
    expect(await search(host, key)).toBe(200);
    const before = await readCounts(host);
    await host.stop('SIGKILL');

    const again = await startHostProcess({ DATA_DIR: dataDir });
    await expect.poll(async () => (await readCounts(again)).all, { timeout: 60_000 }).toBe(before.all);
    expect((await readCounts(again)).done).toBeGreaterThanOrEqual(before.done);
    await expect
      .poll(async () => (await readCounts(again)).done, { timeout: 60_000 })
      .toBeGreaterThan(before.done + 16);
    rmSync(join(dataDir, 'models'), { recursive: true });
    let last = -1;
    const isStill = async () => {
      const { done } = await readCounts(again);
      const was = last;
      last = done;
      return done === was;
    };
    await expect.poll(isStill, { timeout: 60_000, interval: 3_000 }).toBe(true);
    expect(await search(again, key)).toBe(200);
    expect(await again.stop()).toBe(0);
  }, 240_000);

  test('ends in order while it encodes', async () => {
    const dataDir = makeTempDir();
    cpSync(model ?? '', join(dataDir, 'models', testManifest.name), { recursive: true });
    const host = await startHostProcess({ DATA_DIR: dataDir });
    await expect.poll(async () => (await readCounts(host)).done, { timeout: 60_000 }).toBeGreaterThan(0);
    expect(await host.stop()).toBe(0);
  }, 120_000);
});
