import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { addModel, installModel } from '../../../src/adapters/onnx/install-model.ts';
import { type KnownModel, knownModels, sizeOfModel } from '../../../src/adapters/onnx/known-models.ts';
import { type ModelManifest, verifyModelFiles } from '../../../src/adapters/onnx/manifest.ts';
import { findModel, listModels } from '../../../src/adapters/onnx/model-folders.ts';
import { hasRuntime } from '../../../src/adapters/onnx/runtime.ts';
import { type ModelSource, startModelSource } from '../../fakes/model-source.ts';
import { findTestModel, testManifest } from '../../helpers/test-model.ts';
import { copyModel, makeModelsFolder } from './open-encoder.ts';

const found = await findTestModel();
const model = found ?? '';
const now = new Date('2026-11-24T12:00:00Z');
const never = new AbortController().signal;
const DRAFT = `.draft-${testManifest.name}`;

/** The model of the tests, as the hub would have it. */
const known: KnownModel = {
  ...knownModels[0]!,
  files: {
    'model.onnx': { ...testManifest.files['model.onnx'], path: 'onnx/model_quantized.onnx' },
    'tokenizer.json': { ...testManifest.files['tokenizer.json'], path: 'tokenizer.json' },
    'tokenizer_config.json': {
      ...testManifest.files['tokenizer_config.json'],
      path: 'tokenizer_config.json',
    },
  },
};
const TOTAL = sizeOfModel(known);

async function startSource(options = {}): Promise<ModelSource> {
  const source = await startModelSource(known, model, options);
  onTestFinished(() => source.close());
  return source;
}

function install(folder: string, { url }: { readonly url: string }, changes = {}): Promise<ModelManifest> {
  const options = {
    folder,
    source: url,
    now,
    signal: never,
    pauseMs: 1,
    stallMs: 5_000,
    onProgress: () => {},
  };
  return installModel(known, { ...options, ...changes });
}

describe.skipIf(found === null)('fetching a model', () => {
  test('brings its files and a manifest, and says how far it is', async () => {
    const [folder, source] = [makeModelsFolder(), await startSource()];
    const seen: number[] = [];
    await install(folder, source, { onProgress: (bytes: number) => seen.push(bytes) });
    expect(seen.at(-1)).toBe(TOTAL);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(readdirSync(folder)).toEqual([known.name]);
    const [installed] = listModels(folder);
    expect(installed?.manifest).toEqual({
      ...{ ...testManifest, installedAt: now.toISOString() },
      source: 'Xenova/all-MiniLM-L6-v2@751bff37182d3f1213fa05d7196b954e230abad9',
    });
    await verifyModelFiles(installed!.folder, installed!.manifest!);
  });

  test('goes on where the connection was cut, as often as it is', async () => {
    const [folder, source] = [makeModelsFolder(), await startSource()];
    const cut = { kind: 'cut', afterBytes: 2_000_000 } as const;
    source.fail('model.onnx', ...Array.from({ length: 8 }, () => cut));
    await install(folder, source);
    const places = source.asked.filter(({ name }) => name === 'model.onnx').map(({ from }) => from);
    expect(places).toHaveLength(9);
    expect(places[0]).toBe(0);
    expect(new Set(places).size).toBe(9);
    expect(findModel(folder)?.name).toBe(known.name);
  });

  test.each([
    ['does not begin in the middle', { kind: 'no-range' }],
    ['is busy', { kind: 'status', status: 503 }],
    ['asks for patience', { kind: 'status', status: 429 }],
    ['hangs', { kind: 'hang', afterBytes: 1_000_000 }],
  ] as const)('from a source that %s for a while', async (_what, fault) => {
    const [folder, source] = [makeModelsFolder(), await startSource()];
    source.fail('model.onnx', { kind: 'cut', afterBytes: 1_000_000 }, fault);
    await install(folder, source, { stallMs: 200 });
    expect(findModel(folder)?.name).toBe(known.name);
  });

  test('goes on where it was stopped', async () => {
    const [folder, source] = [makeModelsFolder(), await startSource()];
    const stop = new AbortController();
    const stopInside = (bytes: number) => bytes > 5_000_000 && stop.abort(new Error('stopped'));
    await expect(install(folder, source, { signal: stop.signal, onProgress: stopInside })).rejects.toThrow(
      'stopped',
    );
    expect(listModels(folder)).toEqual([]);
    await install(folder, source);
    expect(source.asked.at(-3)?.from).toBeGreaterThan(4_000_000);
    expect(source.asked.filter(({ name }) => name === 'model.onnx')).toHaveLength(2);
  });

  test('goes on where its process was killed', async () => {
    const [folder, source] = [makeModelsFolder(), await startSource({ chunkPauseMs: 2 })];
    const built = pathToFileURL(resolve('dist/src/adapters/onnx/install-model.js')).href;
    const options = { folder, source: source.url };
    const script = `
      const { installModel } = await import(${JSON.stringify(built)});
      const { signal } = new AbortController();
      await installModel(${JSON.stringify(known)}, { ...${JSON.stringify(options)}, now: new Date(), signal, onProgress() {} });`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' });
    const part = join(folder, DRAFT, 'model.onnx');
    await expect
      .poll(() => existsSync(part) && statSync(part).size > 3_000_000, { timeout: 20_000 })
      .toBe(true);
    child.kill('SIGKILL');
    await new Promise((done) => child.once('close', done));
    expect(listModels(folder)).toEqual([]);
    const { size } = statSync(part);
    await install(folder, source);
    expect(source.asked.filter(({ name }) => name === 'model.onnx').map(({ from }) => from)).toEqual([
      0,
      size,
    ]);
    expect(findModel(folder)?.name).toBe(known.name);
  });

  test('what was left by another file is not kept', async () => {
    const [folder, source] = [makeModelsFolder(), await startSource()];
    mkdirSync(join(folder, DRAFT));
    writeFileSync(join(folder, DRAFT, 'model.onnx'), 'another');
    writeFileSync(join(folder, DRAFT, 'tokenizer_config.json'), 'x'.repeat(1_000));
    await install(folder, source);
    expect(findModel(folder)?.name).toBe(known.name);
  });

  test.each(['wrong', 'too-long'] as const)('bytes that are %s are refused, and not kept', async (kind) => {
    const [folder, source] = [makeModelsFolder(), await startSource()];
    source.fail('tokenizer.json', { kind });
    await expect(install(folder, source)).rejects.toMatchObject({
      code: 'MODEL_INVALID',
      message: expect.stringMatching(/tokenizer\.json is not the file that was pinned/),
    });
    expect(listModels(folder)).toEqual([]);
    expect(readdirSync(join(folder, DRAFT))).toEqual(['model.onnx']);
    // What was right is not fetched again.
    await install(folder, source);
    expect(source.asked.map(({ name }) => name).filter((name) => name === 'model.onnx')).toHaveLength(1);
  });

  test('a source that does not have it, or is not there, is named', async () => {
    const [folder, source] = [makeModelsFolder(), await startSource()];
    source.fail('model.onnx', { kind: 'status', status: 404 });
    const failure = {
      code: 'SOURCE_UNAVAILABLE',
      message: expect.stringMatching(/skilldock model add FOLDER/),
    };
    await expect(install(folder, source)).rejects.toMatchObject(failure);
    expect(source.asked).toHaveLength(1);
    await expect(install(folder, { url: `${source.url}/mirror` })).rejects.toThrow(/does not have/);
    await source.close();
    await expect(install(folder, source)).rejects.toMatchObject(failure);
  });

  test('it appears only when what runs it is there', async () => {
    const [folder, source] = [makeModelsFolder(), await startSource()];
    const seen: number[] = [];
    const beforePlacing = async () => {
      seen.push(listModels(folder).length);
      if (seen.length === 1) throw new Error('no runtime');
    };
    await expect(install(folder, source, { beforePlacing })).rejects.toThrow('no runtime');
    expect(listModels(folder)).toEqual([]);
    await install(folder, source, { beforePlacing });
    expect(source.asked.filter(({ name }) => name === 'model.onnx')).toHaveLength(1);
    expect(seen).toEqual([0, 0]);
    const other = makeModelsFolder();
    const failing = () => Promise.reject(new Error('no runtime'));
    await expect(addModel(model, { folder: other, now, beforePlacing: failing })).rejects.toThrow(
      'no runtime',
    );
    expect(listModels(other)).toEqual([]);
  });

  test('a time limit is told in words, and what came is kept', async () => {
    const [folder, source] = [makeModelsFolder(), await startSource()];
    source.fail('model.onnx', { kind: 'hang', afterBytes: 1_000_000 });
    const limit = new AbortController();
    const limitInside = () => limit.abort(new DOMException('The time is over', 'TimeoutError'));
    const installed = install(folder, source, { signal: limit.signal, onProgress: limitInside });
    await expect(installed).rejects.toMatchObject({
      ...{
        code: 'SOURCE_UNAVAILABLE',
        message: expect.stringMatching(/The time is over.*goes on from there/),
      },
    });
    expect(existsSync(join(folder, DRAFT, 'model.onnx'))).toBe(true);
  });

  test('a new one takes the place of an old one', async () => {
    const [folder, source] = [makeModelsFolder(), await startSource()];
    writeFileSync(join(copyModel(model, folder), 'more'), 'x');
    await install(folder, source);
    expect(readdirSync(folder)).toEqual([known.name]);
    expect(existsSync(join(folder, known.name, 'more'))).toBe(false);
  });
});

describe.skipIf(found === null)('adding a model from a folder', () => {
  test('copies and verifies it, whatever the folder is called', async () => {
    const [folder, from] = [makeModelsFolder(), copyModel(model, makeModelsFolder(), 'a stick')];
    const { name } = await addModel(from, { folder, now });
    rmSync(from, { recursive: true });
    expect(findModel(folder)?.manifest).toEqual({ ...testManifest, installedAt: now.toISOString() });
    expect(name).toBe(testManifest.name);
  });

  const wrong: Readonly<Record<string, [RegExp, (copy: string) => void]>> = {
    'nothing in it': [
      /has no manifest\.json, and not the files of a known model/,
      (copy) => {
        rmSync(copy, { recursive: true });
        mkdirSync(copy);
      },
    ],
    'no manifest': [/has no manifest\.json/, (copy) => rmSync(join(copy, 'manifest.json'))],
    'a file too few': [/model\.onnx is missing/, (copy) => rmSync(join(copy, 'model.onnx'))],
    'a folder for a file': [
      /tokenizer\.json is missing/,
      (copy) => {
        rmSync(join(copy, 'tokenizer.json'));
        mkdirSync(join(copy, 'tokenizer.json'));
      },
    ],
    'another byte': [
      /files are damaged/,
      (copy) => {
        const bytes = readFileSync(join(copy, 'tokenizer.json'));
        bytes[1_000]! ^= 1;
        writeFileSync(join(copy, 'tokenizer.json'), bytes);
      },
    ],
    'a name that leads out of the folder': [
      /manifest\.json cannot be read/,
      (copy) =>
        writeFileSync(join(copy, 'manifest.json'), JSON.stringify({ ...testManifest, name: '../../etc' })),
    ],
  };
  test.each(Object.entries(wrong))('%s: nothing is added', async (_what, [words, change]) => {
    const [folder, from] = [makeModelsFolder(), copyModel(model, makeModelsFolder())];
    change(from);
    const added = addModel(from, { folder, now });
    await expect(added).rejects.toMatchObject({ code: 'MODEL_INVALID' });
    await expect(added).rejects.toThrow(words);
    expect(listModels(folder)).toEqual([]);
  });

  test('a folder that is not there', async () => {
    await expect(addModel('/nowhere', { folder: makeModelsFolder(), now })).rejects.toThrow(/\/nowhere/);
  });
});

test('what runs models counts as there when npm has ended, for this system', () => {
  const folder = makeModelsFolder();
  const native = `onnxruntime-node/bin/napi-v6/${process.platform}/${process.arch}`;
  const add = (path: string) => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), '');
    return hasRuntime(folder);
  };
  expect(add('onnxruntime-node/package.json')).toBe(false);
  expect(add('@huggingface/tokenizers/package.json')).toBe(false);
  expect(add(`${native}/onnxruntime_binding.node`)).toBe(false);
  expect(add('.package-lock.json')).toBe(true);
  rmSync(join(folder, native), { recursive: true });
  expect(hasRuntime(folder)).toBe(false);
});

test('what can be installed is pinned, and none is like another', () => {
  for (const each of knownModels) {
    expect(each.commit).toMatch(/^[0-9a-f]{40}$/);
    for (const { sha256 } of Object.values(each.files)) expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  }
  const sums = knownModels.flatMap(({ files }) => Object.values(files).map(({ sha256 }) => sha256));
  expect(new Set(sums).size).toBe(sums.length);
});
