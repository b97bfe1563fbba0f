import { readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type EncodeThread, startEncodeThread } from '../../../src/adapters/onnx/encode-thread.ts';
import type { EncodeItem } from '../../../src/adapters/onnx/session.ts';
import { AppError } from '../../../src/errors.ts';
import { findTestModel, testManifest } from '../../helpers/test-model.ts';
import { copyModel, cosine, isGone, isThere, makeModelsFolder, openEncoder } from './open-encoder.ts';

const found = await findTestModel();
const query = { kind: 'query' } as const;
const unavailable = { code: 'MODEL_UNAVAILABLE' };

/** Runs the model, and remembers what it was given. */
function watch(change: (thread: EncodeThread) => Partial<EncodeThread> = () => ({})) {
  const batches: (readonly EncodeItem[])[] = [];
  const threads: EncodeThread[] = [];
  const startThread: typeof startEncodeThread = async (task, signal) => {
    const thread = await startEncodeThread(task, signal);
    threads.push(thread);
    const own = { ...thread, ...change(thread) };
    return {
      ...own,
      encode(items) {
        batches.push(items);
        return own.encode(items);
      },
    };
  };
  return { batches, threads, startThread };
}

describe.skipIf(found === null)('an encoder of a model in a folder', () => {
  const model = found ?? '';
  const models = dirname(model);

  test('gives vectors of length 1 whose nearness is that of meaning', async () => {
    const { encoder, problems } = openEncoder(models);
    expect(encoder.model).toBeNull();
    await expect(encoder.encode(['too early'], query)).rejects.toMatchObject(unavailable);
    await isThere(encoder);
    const texts = ['take care of patients', 'nursing', 'weld pipes'];
    const encoded = await encoder.encode(texts, query);
    expect(encoded.map(({ vector, tokens }) => [vector.length, tokens])).toEqual(
      texts.map(() => [384, undefined]),
    );
    for (const { vector } of encoded) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    const [care, nursing, welding] = encoded.map(({ vector }) => vector);
    expect(cosine(care!, nursing!)).toBeGreaterThan(cosine(care!, welding!) + 0.2);
    expect(encoder.model).toMatchObject({
      ...{ name: 'all-MiniLM-L6-v2', dimensions: 384, langs: ['en'] },
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(await encoder.encode([], query)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('gives vectors of tokens with their places; their mean is near that of the whole', async () => {
    const { encoder } = openEncoder(models);
    await isThere(encoder);
    const text = 'Manages a team, and plans menus.';
    const [encoded] = await encoder.encode([text], { ...query, tokens: true });
    const { vectors, spans } = encoded!.tokens!;
    const words = Array.from({ length: spans.length / 2 }, (_, token) =>
      text.slice(spans[2 * token], spans[2 * token + 1]),
    );
    expect(words).toEqual(['Manages', 'a', 'team', ',', 'and', 'plans', 'menus', 'menus', '.']);
    expect(vectors).toHaveLength(words.length * 384);
    const mean = new Float32Array(384);
    vectors.forEach((number, at) => {
      mean[at % 384]! += number;
    });
    expect(cosine(mean, encoded!.vector) / Math.hypot(...mean)).toBeGreaterThan(0.95);
  });

  test('gives each text what it has by itself, in the order of the texts', async () => {
    const { encoder } = openEncoder(models);
    await isThere(encoder);
    const texts = Array.from(
      { length: 40 },
      (_, n) => `${'very '.repeat((n * 7) % 11)}good text number ${n}`,
    );
    const together = await encoder.encode(texts, { ...query, isBackground: true });
    for (const n of [0, 13, 39]) {
      const [alone] = await encoder.encode([texts[n]!], query);
      expect(cosine(alone!.vector, together[n]!.vector)).toBeGreaterThan(0.999);
    }
  });

  test('what comes at once goes together, and before what nobody waits for', async () => {
    const { batches, startThread } = watch();
    const { encoder } = openEncoder(models, { startThread });
    await isThere(encoder);
    const many = Array.from({ length: 40 }, (_, n) => `label ${n}`);
    const background = encoder.encode(many, { kind: 'passage', isBackground: true });
    await expect.poll(() => batches.length).toBeGreaterThan(0);
    const at = batches.length;
    await Promise.all(['one', 'two', 'three'].map((text) => encoder.encode([text], query)));
    const since = batches.slice(at).map((items) => items.map(({ text }) => text));
    expect(since[0]).toEqual(['one', 'two', 'three']);
    await background;
    expect(Math.max(...batches.map(({ length }) => length))).toBeLessThanOrEqual(8);
    expect(batches.flat()).toHaveLength(43);
  });

  test('whoever goes away, or waits too long, is not worked for', async () => {
    const held: (() => void)[] = [];
    const { batches, startThread } = watch((thread) => ({
      async encode(items) {
        await new Promise<void>((go) => held.push(go));
        return thread.encode(items);
      },
    }));
    const { encoder } = openEncoder(models, { startThread, deadlineMs: 100 });
    await isThere(encoder);
    const first = encoder.encode(['first'], { ...query, isBackground: true });
    await expect.poll(() => held.length).toBe(1);
    await expect(encoder.encode(['late'], query)).rejects.toThrow(/within 100 ms/);
    const controller = new AbortController();
    const left = encoder.encode(['left'], { ...query, isBackground: true, signal: controller.signal });
    controller.abort(new Error('nobody waits'));
    await expect(left).rejects.toThrow('nobody waits');
    held.shift()?.();
    expect(await first).toHaveLength(1);
    expect(batches.flat().map(({ text }) => text)).toEqual(['first']);
    await expect(encoder.encode(['x'], { ...query, signal: controller.signal })).rejects.toThrow(
      'nobody waits',
    );
  });

  test('takes no more than it can', async () => {
    const { encoder } = openEncoder(models);
    await isThere(encoder);
    const texts = Array.from({ length: 1_001 }, () => 'text');
    await expect(encoder.encode(texts, query)).rejects.toThrow(/More texts wait/);
    expect(await encoder.encode(['text'], query)).toHaveLength(1);
  });

  test('a batch that fails takes nothing else along', async () => {
    let isBroken = true;
    const { startThread } = watch((thread) => ({
      encode: (items) => (isBroken ? Promise.reject(new Error('no memory')) : thread.encode(items)),
    }));
    const { encoder } = openEncoder(models, { startThread });
    await isThere(encoder);
    await expect(encoder.encode(['text'], query)).rejects.toMatchObject(unavailable);
    isBroken = false;
    expect(await encoder.encode(['text'], query)).toHaveLength(1);
  });

  test('a model that comes, goes and comes again while the host runs', async () => {
    const folder = join(makeModelsFolder(), 'models');
    const { encoder, problems } = openEncoder(folder);
    await expect(encoder.encode(['x'], query)).rejects.toThrow(/skilldock model install/);
    copyModel(model, folder);
    await isThere(encoder);
    rmSync(join(folder, testManifest.name), { recursive: true });
    await isGone(encoder);
    await expect(encoder.encode(['x'], query)).rejects.toMatchObject(unavailable);
    copyModel(model, folder);
    await isThere(encoder);
    expect(await encoder.encode(['x'], query)).toHaveLength(1);
    // Copying takes a while, in which it is not complete.
    for (const problem of problems) expect(problem).toBeInstanceOf(AppError);
    expect(encoder.problem).toBeNull();
  });

  const damages: Readonly<Record<string, (copy: string) => void>> = {
    'a file that is cut': (copy) => truncateSync(join(copy, 'model.onnx'), 1_000_000),
    'a byte that is another one': (copy) => {
      const bytes = readFileSync(join(copy, 'model.onnx'));
      bytes[10_000_000]! ^= 1;
      writeFileSync(join(copy, 'model.onnx'), bytes);
    },
    'a file that is missing': (copy) => rmSync(join(copy, 'tokenizer.json')),
    'a manifest that is none': (copy) => writeFileSync(join(copy, 'manifest.json'), '{'),
    'a manifest of another format': (copy) => change(copy, { format: 2 }),
    'other dimensions': (copy) => change(copy, { dimensions: 512 }),
    'another name': (copy) => change(copy, { name: 'other' }),
  };
  const change = (copy: string, changes: object) =>
    writeFileSync(join(copy, 'manifest.json'), JSON.stringify({ ...testManifest, ...changes }));

  test.each(Object.entries(damages))('%s: it says so once, and goes on without', async (_what, damage) => {
    const folder = makeModelsFolder();
    damage(copyModel(model, folder));
    const { encoder, problems } = openEncoder(folder);
    await expect.poll(() => encoder.problem?.code).toBe('MODEL_INVALID');
    await expect(encoder.encode(['x'], query)).rejects.toMatchObject(unavailable);
    expect(encoder.model).toBeNull();
    await new Promise((done) => setTimeout(done, 100));
    expect(problems).toHaveLength(1);
    rmSync(join(folder, testManifest.name), { recursive: true });
    copyModel(model, folder);
    await isThere(encoder);
    expect(encoder.problem).toBeNull();
  });

  test('a folder that cannot be read is a problem, and no more', async () => {
    const file = join(makeModelsFolder(), 'models');
    writeFileSync(file, 'no folder');
    const { encoder, problems } = openEncoder(file);
    await expect.poll(() => problems.length).toBe(1);
    await expect(encoder.encode(['x'], query)).rejects.toMatchObject(unavailable);
    expect(encoder.problem?.message).toContain(`The folder of models ${file} cannot be read (ENOTDIR`);
    rmSync(file);
    await expect.poll(() => encoder.problem).toBeNull();
    copyModel(model, file);
    await isThere(encoder);
  });

  test('a model that runs goes on while its folder cannot be read', async () => {
    const folder = join(makeModelsFolder(), 'models');
    copyModel(model, folder);
    const { batches, threads, startThread } = watch();
    const { encoder, problems } = openEncoder(folder, { startThread });
    await isThere(encoder);
    renameSync(folder, `${folder}-away`);
    writeFileSync(folder, 'no folder');
    // Many looks.
    await new Promise((done) => setTimeout(done, 200));
    expect(await encoder.encode(['x'], query)).toHaveLength(1);
    expect({ problem: encoder.problem, problems }).toEqual({ problem: null, problems: [] });
    rmSync(folder);
    renameSync(`${folder}-away`, folder);
    await new Promise((done) => setTimeout(done, 100));
    expect(await encoder.encode(['y'], query)).toHaveLength(1);
    expect([batches.length, threads.length]).toEqual([2, 1]);
  });

  test('uses the one that is named, else the one that was installed last', async () => {
    const folder = makeModelsFolder();
    const newer = { ...testManifest, name: 'newer', maxTokens: 64, installedAt: '2026-11-02T00:00:00.000Z' };
    copyModel(model, folder);
    writeFileSync(join(copyModel(model, folder, 'newer'), 'manifest.json'), JSON.stringify(newer));
    const { encoder: latest } = openEncoder(folder);
    const { encoder: named } = openEncoder(folder, { wanted: testManifest.name });
    const { encoder: none } = openEncoder(folder, { wanted: 'none' });
    await expect.poll(() => latest.model?.name).toBe('newer');
    await isThere(named);
    expect(named.model?.fingerprint).not.toBe(latest.model?.fingerprint);
    expect(none.model).toBeNull();
  });
});

/** At once, without a flag of the whole run. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

// Threads start from files that Node can run: those of the build.
const built = (name: string) => pathToFileURL(resolve('dist/src/adapters/onnx', name)).href;

describe.skipIf(found === null)('in a thread', () => {
  const models = dirname(found ?? '');
  type Threads = typeof import('../../../src/adapters/onnx/encode-thread.ts');

  test('it runs beside everything else, and is started again when it died', async () => {
    const { startEncodeThread: start } = (await import(built('encode-thread.js'))) as Threads;
    const threads: EncodeThread[] = [];
    const startThread: typeof start = async (task, signal) => {
      const thread = await start(task, signal);
      threads.push(thread);
      return thread;
    };
    const { encoder, problems } = openEncoder(models, { startThread });
    await isThere(encoder);
    let ticks = 0;
    const ticking = setInterval(() => {
      ticks += 1;
    }, 1);
    const encoded = await encoder.encode(
      Array.from({ length: 64 }, (_, n) => `a label of some words, the ${n}th`),
      { ...query, tokens: true, isBackground: true },
    );
    clearInterval(ticking);
    expect(encoded.every(({ vector, tokens }) => vector.length === 384 && tokens!.spans.length > 0)).toBe(
      true,
    );
    expect(ticks).toBeGreaterThan(10);
    const dying = encoder.encode(['x'], query);
    await threads[0]!.end();
    await expect(dying).rejects.toMatchObject(unavailable);
    await expect.poll(() => threads.length).toBe(2);
    await isThere(encoder);
    expect(await encoder.encode(['x'], query)).toHaveLength(1);
    expect(problems).toEqual([expect.objectContaining(unavailable)]);
  });

  test('it keeps no batch that it has answered, and refuses others once it has ended', async () => {
    const { startEncodeThread: start } = (await import(built('encode-thread.js'))) as Threads;
    const thread = await start({ folder: found ?? '', threads: 1 }, new AbortController().signal);
    onTestFinished(() => thread.end());
    const encodeOne = async (text: string) => {
      const [encoded] = await thread.encode([{ text, kind: 'query', withTokens: false }]);
      return new WeakRef(encoded!.vector);
    };
    const kept: WeakRef<Float32Array>[] = [];
    for (let batch = 0; batch < 20; batch += 1) kept.push(await encodeOne(`batch ${batch}`));
    // What a moment ago was in use stays until the next one.
    const countKept = async () => {
      await new Promise(setImmediate);
      collectGarbage();
      return kept.filter((each) => each.deref() !== undefined).length;
    };
    await expect.poll(countKept, { timeout: 20_000 }).toBeLessThanOrEqual(1);
    await thread.end();
    await expect(encodeOne('late')).rejects.toThrow('the thread of the model has ended');
  });

  test('it says why a model cannot be used', async () => {
    const { startEncodeThread: start } = (await import(built('encode-thread.js'))) as Threads;
    const copy = copyModel(found ?? '', makeModelsFolder());
    truncateSync(join(copy, 'tokenizer.json'), 100);
    const { signal } = new AbortController();
    await expect(start({ folder: copy, threads: 1 }, signal)).rejects.toMatchObject({
      message: expect.stringMatching(/tokenizer\.json is not what its manifest says/),
    });
  });

  test('it is ended while it loads, too', async () => {
    const { startEncodeThread: start } = (await import(built('encode-thread.js'))) as Threads;
    const { encoder, problems } = openEncoder(models, { startThread: start });
    await encoder.close();
    await expect(encoder.encode(['x'], query)).rejects.toMatchObject(unavailable);
    expect({ problems, model: encoder.model }).toEqual({ problems: [], model: null });
  });
});
