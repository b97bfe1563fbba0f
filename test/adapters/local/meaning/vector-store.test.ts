import { appendFileSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import {
  keyOfText,
  openVectorStore,
  rewriteVectorStore,
  type VectorStore,
} from '../../../../src/adapters/local/meaning/vector-store.ts';
import { readVectorRow } from '../../../../src/engine/vectors/vector-rows.ts';
import { propertyRuns } from '../../../helpers/draw.ts';
import { makeTempDir } from '../../../helpers/temp-dir.ts';

const model = { fingerprint: 'a'.repeat(64), dimensions: 4 };

function vectorOf(text: string): Float32Array {
  const vector = Float32Array.from({ length: 4 }, (_, k) => ((keyOfText(text) >>> (8 * k)) & 0xff) - 128);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

const pathIn = (folder: string) => join(folder, 'vectors', 'labels.vectors');

async function open(path: string, of = model): Promise<VectorStore> {
  const store = await openVectorStore({ path, model: of });
  onTestFinished(() => store.close());
  return store;
}

async function add(store: VectorStore, texts: readonly string[]): Promise<void> {
  await store.add(texts.map(keyOfText), texts.map(vectorOf));
}

function expectVector(store: VectorStore, text: string): void {
  const row = store.find(keyOfText(text));
  expect(row, text).toBeGreaterThanOrEqual(0);
  for (const [k, value] of readVectorRow(store.rows, row).entries())
    expect(value).toBeCloseTo(vectorOf(text)[k]!, 2);
}

test('vectors are there again when the file is opened again, each text once', async () => {
  const path = pathIn(makeTempDir());
  const store = await open(path);
  await add(store, ['one', 'two', 'one']);
  await add(store, ['two', 'three']);
  expect(store.count).toBe(3);
  await store.close();
  const again = await open(path);
  expect(again.count).toBe(3);
  for (const text of ['one', 'two', 'three']) expectVector(again, text);
  expect(again.find(keyOfText('four'))).toBe(-1);
  expect(again.bytes).toBe(statSync(path).size);
});

test('wherever a killed process left the file, whole batches stay, and the next ones follow them', async () => {
  const texts = ['one', 'two', 'three', 'four', 'five'];
  const whole = pathIn(makeTempDir());
  const store = await open(whole);
  const ends = [store.bytes];
  for (const text of texts) {
    await add(store, [text]);
    ends.push(store.bytes);
  }
  await store.close();
  const bytes = readFileSync(whole);
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length), fc.uint8Array({ maxLength: 40 }), async (length, rest) => {
      const path = join(makeTempDir(), 'cut.vectors');
      writeFileSync(path, bytes.subarray(0, length));
      // What a disk may have there instead.
      appendFileSync(path, rest);
      const cut = await openVectorStore({ path, model });
      const kept = ends.filter((end) => end <= length).length - 1;
      expect(cut.count).toBeGreaterThanOrEqual(Math.max(0, kept));
      for (const text of texts.slice(0, Math.max(0, kept))) expectVector(cut, text);
      await add(cut, texts);
      await cut.close();
      const again = await openVectorStore({ path, model });
      expect(again.count).toBe(texts.length);
      for (const text of texts) expectVector(again, text);
      await again.close();
    }),
    propertyRuns(200, 30),
  );
});

test('a damaged byte costs what follows it, and is never taken for a vector', async () => {
  const texts = ['one', 'two', 'three'];
  const path = pathIn(makeTempDir());
  const store = await open(path);
  for (const text of texts) await add(store, [text]);
  await store.close();
  const bytes = readFileSync(path);
  for (let at = 0; at < bytes.length; at += 7) {
    const damaged = Buffer.from(bytes);
    damaged[at]! ^= 0x10;
    writeFileSync(path, damaged);
    const found = await openVectorStore({ path, model });
    for (const text of texts) if (found.find(keyOfText(text)) >= 0) expectVector(found, text);
    expect(found.count).toBeLessThan(texts.length);
    await found.close();
  }
});

test('another model begins anew', async () => {
  const path = pathIn(makeTempDir());
  const store = await open(path);
  await add(store, ['one']);
  await store.close();
  const other = await open(path, { fingerprint: 'b'.repeat(64), dimensions: 4 });
  expect(other.count).toBe(0);
});

test('a file of zeros, or of nothing, is begun anew', async () => {
  const path = join(makeTempDir(), 'zeros.vectors');
  writeFileSync(path, Buffer.alloc(100_000));
  const store = await open(path);
  expect(store.count).toBe(0);
  await store.close();
  truncateSync(path);
  expect((await open(path)).count).toBe(0);
});

test('rewriting leaves what nobody wants any more', async () => {
  const path = pathIn(makeTempDir());
  const store = await open(path);
  await add(store, ['one', 'two', 'three', 'four']);
  const before = store.bytes;
  const wanted = new Set(['two', 'four', 'never encoded'].map(keyOfText));
  await rewriteVectorStore(store, { path, model, wanted });
  const rewritten = await open(path);
  expect(rewritten.count).toBe(2);
  expectVector(rewritten, 'two');
  expectVector(rewritten, 'four');
  expect(rewritten.bytes).toBeLessThan(before);
});

test('texts have keys of their own', () => {
  const keys = new Set(Array.from({ length: 20_000 }, (_, n) => keyOfText(`text ${n}`)));
  expect(keys.size).toBe(20_000);
  expect(Math.max(...[...keys].slice(0, 1_000))).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER);
});
