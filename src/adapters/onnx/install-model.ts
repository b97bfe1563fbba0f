import { copyFileSync, existsSync, mkdirSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../errors.ts';
import { type FetchFileOptions, fetchFile } from './fetch-file.ts';
import { type KnownModel, knownModels, sizeOfModel, toManifest } from './known-models.ts';
import {
  MANIFEST_FILE,
  type ModelFileName,
  type ModelManifest,
  modelFileNames,
  readManifest,
  verifyModelFiles,
} from './manifest.ts';
import { DRAFT, placeModel } from './model-folders.ts';

export interface InstallOptions extends Pick<FetchFileOptions, 'signal' | 'stallMs' | 'pauseMs'> {
  /** Of the installed models; it is made where it is missing. */
  readonly folder: string;
  /** Of the hub or a mirror, without a slash at the end. */
  readonly source: string;
  readonly now: Date;
  /** Runs when all is there and verified, before the model appears: a running host takes it up at once. Where it fails, nothing
   *  appears. */
  beforePlacing?(): Promise<void>;
  onProgress(bytes: number, total: number): void;
}

/** What is written besides the files. */
const SPARE_BYTES = 1_000_000;

/** Fetches a model that is known, and puts it in place when all of it is there and verified. Killed in the middle, it goes on from there
 *  the next time. To be called by one at a time.
 *  Errors: those of `fetchFile`; DATA_DIR_UNWRITABLE where there is too little room; those of writing and of `beforePlacing`. */
export async function installModel(known: KnownModel, options: InstallOptions): Promise<ModelManifest> {
  const { folder, source, now, beforePlacing, onProgress, ...others } = options;
  const draft = join(folder, `${DRAFT}${known.name}`);
  mkdirSync(draft, { recursive: true });
  const total = sizeOfModel(known);
  let done = modelFileNames.reduce((sum, name) => sum + sizeOf(join(draft, name)), 0);
  requireRoom(draft, total - done);
  done = 0;
  for (const name of modelFileNames) {
    const { path, size, sha256 } = known.files[name];
    const url = `${source}/${known.repository}/resolve/${known.commit}/${path}`;
    const report = (bytes: number) => onProgress(done + bytes, total);
    await fetchFile({ url, path: join(draft, name), size, sha256 }, { ...others, onProgress: report });
    done += size;
  }
  await beforePlacing?.();
  return place(toManifest(known, now), folder, draft);
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function requireRoom(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize >= bytes + SPARE_BYTES) return;
  const megabytes = (value: number) => Math.ceil(value / 1e6);
  throw new AppError(
    'DATA_DIR_UNWRITABLE',
    `The model needs ${megabytes(bytes + SPARE_BYTES)} MB more in ${folder}, and ${megabytes(bavail * bsize)} MB are free. Make room, or set DATA_DIR to a folder of a larger disk.`,
  );
}

function place(manifest: ModelManifest, folder: string, draft: string): ModelManifest {
  writeFileSync(join(draft, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`, { flush: true });
  placeModel(folder, draft, manifest.name);
  return manifest;
}

/** Copies a model from another folder: one that a host has in its data folder, or the files of a known one as its page has them.
 *  Errors: MODEL_INVALID; DATA_DIR_UNWRITABLE where there is too little room; those of reading, writing and `beforePlacing`. */
export async function addModel(
  from: string,
  { folder, now, beforePlacing }: Pick<InstallOptions, 'folder' | 'now' | 'beforePlacing'>,
): Promise<ModelManifest> {
  const { manifest, placeOf } = recognise(from, now);
  const draft = join(folder, `${DRAFT}${manifest.name}`);
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  requireRoom(draft, sizeOfModel(manifest));
  for (const name of modelFileNames) {
    const stat = statSync(placeOf(name), { throwIfNoEntry: false });
    if (stat?.isFile() !== true || stat.size !== manifest.files[name].size)
      throw createFolderError(from, `${placeOf(name)} is missing, or not of the right size`);
    copyFileSync(placeOf(name), join(draft, name));
  }
  try {
    await verifyModelFiles(draft, manifest);
  } catch (cause) {
    rmSync(draft, { recursive: true, force: true });
    if (!(cause instanceof AppError)) throw cause;
    throw createFolderError(from, 'its files are damaged, or not those of the manifest');
  }
  await beforePlacing?.();
  return place({ ...manifest, installedAt: now.toISOString() }, folder, draft);
}

interface Recognised {
  readonly manifest: ModelManifest;
  placeOf(name: ModelFileName): string;
}

function recognise(from: string, now: Date): Recognised {
  if (existsSync(join(from, MANIFEST_FILE)))
    return { manifest: readManifest(from), placeOf: (name) => join(from, name) };
  for (const known of knownModels) {
    const placeOf = (name: ModelFileName) => join(from, known.files[name].path);
    const isIt = modelFileNames.every((name) => sizeOf(placeOf(name)) === known.files[name].size);
    if (isIt) return { manifest: toManifest(known, now), placeOf };
  }
  throw createFolderError(from, `it has no ${MANIFEST_FILE}, and not the files of a known model`);
}

function createFolderError(from: string, why: string): AppError {
  return new AppError(
    'MODEL_INVALID',
    `${from} has no model that can be added: ${why}. Take the folder of a model from another host (DATA_DIR/models/NAME), or download all files again as docs/guides/meaning.md lists them.`,
  );
}
