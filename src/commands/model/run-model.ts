import { join, resolve } from 'node:path';
import { openDataDir } from '../../adapters/files/data-dir.ts';
import { addModel, installModel } from '../../adapters/onnx/install-model.ts';
import {
  ENGLISH_MODEL,
  getKnownModel,
  type KnownModel,
  MULTILINGUAL_MODEL,
  sizeOfModel,
} from '../../adapters/onnx/known-models.ts';
import { type ModelManifest, modelFileNames, verifyModelFiles } from '../../adapters/onnx/manifest.ts';
import { createMissingError, createNoneError } from '../../adapters/onnx/model-errors.ts';
import { findModel, listModels, MODELS_FOLDER, removeModel } from '../../adapters/onnx/model-folders.ts';
import { openModelSession } from '../../adapters/onnx/session.ts';
import { lockFile } from '../../adapters/store/sqlite/file-lock.ts';
import { type Config, readConfig } from '../../config.ts';
import { AppError } from '../../errors.ts';
import { systemClock } from '../../ports/clock.ts';
import { createProgressLine, writeProgressCount } from '../import/progress.ts';
import { print, printJson, printTable } from '../print.ts';
import { ensureRuntime } from './ensure-runtime.ts';

/** Fetching may take this long in all. */
const MAX_FETCH_MS = 6 * 3_600_000;
const INTERRUPTED = 130;

const inMegabytes = (bytes: number) => `${writeProgressCount(Math.round(bytes / 1e6))} MB`;
const folderOf = ({ dataDir }: Config) => resolve(dataDir, MODELS_FOLDER);

export async function runModelInstall({ multilingual }: { readonly multilingual?: true }): Promise<void> {
  const config = readConfig();
  const known = getKnownModel(multilingual ? MULTILINGUAL_MODEL : ENGLISH_MODEL);
  const isThere = await alone(config, async () => {
    if (!(await isInstalled(config, known))) return fetchKnown(config, known);
    await ensureRuntime();
    return true;
  });
  if (isThere) await tryOut(config, known.name);
}

/** Whether it is there already, byte for byte. */
async function isInstalled(config: Config, known: KnownModel): Promise<boolean> {
  const found = findModel(folderOf(config), known.name);
  if (found?.manifest == null) return false;
  const { files } = found.manifest;
  if (modelFileNames.some((name) => files[name].sha256 !== known.files[name].sha256)) return false;
  const isWhole = await verifyModelFiles(found.folder, found.manifest).then(
    () => true,
    () => false,
  );
  if (isWhole) print(`The model ${known.name} is in ${found.folder} already.`);
  return isWhole;
}

/** @returns false where somebody stopped it */
async function fetchKnown(config: Config, known: KnownModel): Promise<boolean> {
  const { source } = config.model;
  const total = inMegabytes(sizeOfModel(known));
  print(`Fetching ${known.name} (${total}, ${known.licence}) from ${source}`);
  const line = createProgressLine(process.stderr);
  const stopper = new AbortController();
  const stop = () => stopper.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    await installModel(known, {
      ...{ folder: folderOf(config), source, now: systemClock.now() },
      signal: AbortSignal.any([stopper.signal, AbortSignal.timeout(MAX_FETCH_MS)]),
      async beforePlacing() {
        line.end();
        await ensureRuntime();
      },
      onProgress: (bytes) => line.show(() => `${inMegabytes(bytes)} of ${total}`),
    });
    return true;
  } catch (error) {
    if (!stopper.signal.aborted) throw error;
    line.say('Stopped. What was fetched is kept; the same command goes on from here.');
    process.exitCode = INTERRUPTED;
    return false;
  } finally {
    line.end();
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

export async function runModelAdd(from: string): Promise<void> {
  const config = readConfig();
  const { name } = await alone(config, () =>
    addModel(resolve(from), {
      ...{ folder: folderOf(config), now: systemClock.now() },
      beforePlacing: ensureRuntime,
    }),
  );
  await tryOut(config, name);
}

export function runModelList({ json }: { readonly json?: true }): void {
  const config = readConfig();
  const used = findModel(folderOf(config), config.model.name)?.name;
  const rows = listModels(folderOf(config)).map(({ name, manifest, problem }) => ({
    name,
    state: problem === null ? (name === used ? 'used' : 'not used') : 'unusable',
    bytes: manifest === null ? null : sizeOfModel(manifest),
    dimensions: manifest?.dimensions ?? null,
    langs: manifest?.langs ?? null,
    licence: manifest?.licence ?? null,
    problem: problem?.message ?? null,
  }));
  if (json === true) printJson(rows);
  else if (rows.length === 0) print('No model is installed. skilldock model install installs one.');
  else printModels(rows);
  if (json !== true && config.embeddings !== undefined)
    print('EMBEDDINGS_URL is set: the host uses that service instead.');
}

interface ListedModel {
  readonly name: string;
  readonly state: string;
  readonly bytes: number | null;
  readonly langs: readonly string[] | null;
  readonly licence: string | null;
  readonly problem: string | null;
}

function printModels(models: readonly ListedModel[]): void {
  printTable([
    ['MODEL', 'STATE', 'SIZE', 'LANGUAGES', 'LICENCE'],
    ...models.map(({ name, state, bytes, langs, licence, problem }) =>
      problem === null
        ? [name, state, inMegabytes(bytes ?? 0), langs?.join(' ') ?? 'many', licence ?? '']
        : [name, `${state}: ${problem}`],
    ),
  ]);
}

export async function runModelRemove(name: string): Promise<void> {
  const config = readConfig();
  const isGone = await alone(
    config,
    async () => findModel(folderOf(config), name) !== null && removeModel(folderOf(config), name),
  );
  if (!isGone) throw createMissingError(name);
  print(`The model ${name} is removed. A running host notices within seconds.`);
}

export async function runModelCheck(): Promise<void> {
  const config = readConfig();
  const { name } = config.model;
  const found = findModel(folderOf(config), name);
  if (found === null) throw name === undefined ? createNoneError() : createMissingError(name);
  await tryOut(config, found.name);
}

/** Whether it does here what it is for. */
async function tryOut(config: Config, name: string): Promise<void> {
  const found = findModel(folderOf(config), name);
  if (found?.manifest == null) throw found?.problem ?? createMissingError(name);
  const session = await openModelSession(found.folder);
  const beganMs = performance.now();
  await session.encode([
    { text: 'Somebody who takes care of patients at night.', kind: 'query', withTokens: true },
  ]);
  const tookMs = Math.ceil(performance.now() - beganMs);
  print(`The model ${name} works: a sentence takes ${tookMs} ms. ${describeUse(config, found.manifest)}`);
}

function describeUse(config: Config, { name }: ModelManifest): string {
  if (config.embeddings !== undefined) return 'The host does not use it, as EMBEDDINGS_URL names a service.';
  const used = findModel(folderOf(config), config.model.name);
  return used?.name === name
    ? 'A running host takes it up within seconds.'
    : `The host does not use it, as MODEL is ${config.model.name ?? used?.name ?? 'not set'}.`;
}

/** Two at once would write into one draft. */
async function alone<T>(config: Config, use: () => Promise<T>): Promise<T> {
  openDataDir(config.dataDir);
  const folder = openDataDir(folderOf(config)).path;
  const lock = lockFile(join(folder, '.lock'), { isShared: false });
  if (lock === null)
    throw new AppError(
      'DATA_DIR_IN_USE',
      `Another skilldock model command works in ${folder}. Wait until it has ended.`,
    );
  try {
    return await use();
  } finally {
    lock.release();
  }
}
