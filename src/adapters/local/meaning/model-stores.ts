import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { EncoderModel } from '../../../ports/encoder.ts';
import { bytesOfVector } from './vector-file.ts';
import {
  openVectorStore,
  rewriteVectorStore,
  type VectorStore,
  type VectorStoreOptions,
} from './vector-store.ts';

/** Labels and objects are searched by themselves, so each kind has rows of its own. */
export const storeNames = ['labels', 'objects'] as const;
export type StoreName = (typeof storeNames)[number];

/** The vectors that one model made, in a folder of their own: `vectors/<fingerprint>/labels.vectors` and `objects.vectors`. */
export interface ModelStores extends Readonly<Record<StoreName, VectorStore>> {
  readonly model: EncoderModel;
  /** Writes a store anew without what no text has any more, where that is more than half of it.
   *  @returns whether it did: rows stand elsewhere then */
  drop(name: StoreName, wanted: ReadonlySet<number>): Promise<boolean>;
  close(): Promise<void>;
}

/** In the data folder. */
export const VECTORS_FOLDER = 'vectors';
const LOCK = 'lock';
const OURS = /^[0-9a-f]{16}(-\d+)?$/;
/** Fewer are not worth it. */
const LEAST_DROPPED = 1_000;
/** Models whose vectors are kept: the one that is used, and one that somebody may come back to. */
const KEPT_MODELS = 2;

/** Of a fingerprint, or of the folder of whichever host. */
const nameModel = (name: string) => name.slice(0, 16);
const pathOf = (own: string, name: StoreName) => join(own, `${name}.vectors`);

/** Held by one process until it is released, or that ends. */
export interface FolderLock {
  release(): void;
}

/** @returns null where another process holds it */
export type LockFile = (path: string) => FolderLock | null;

export interface ModelStoresOptions {
  /** That of all models. */
  readonly folder: string;
  readonly model: EncoderModel;
  readonly lockFile: LockFile;
}

/** Errors: those of reading and writing; RangeError where there is no memory left. */
export async function openModelStores({ folder, model, lockFile }: ModelStoresOptions): Promise<ModelStores> {
  const { own, lock } = await takeFolder(join(folder, nameModel(model.fingerprint)), lockFile);
  const optionsOf = (name: StoreName) => ({ path: pathOf(own, name), model });
  const stores = await openBoth(optionsOf).catch((error: unknown) => {
    lock.release();
    throw error;
  });
  await removeOldest(folder, { own, lockFile }).catch(() => undefined);
  return {
    model,
    get labels() {
      return stores.labels;
    },
    get objects() {
      return stores.objects;
    },
    async drop(name, wanted) {
      const { count } = stores[name];
      const unwanted = count - [...wanted].filter((key) => stores[name].find(key) >= 0).length;
      if (unwanted < LEAST_DROPPED || unwanted <= count / 2) return false;
      await rewriteVectorStore(stores[name], { ...optionsOf(name), wanted });
      stores[name] = await openVectorStore(optionsOf(name));
      return true;
    },
    async close() {
      try {
        await Promise.all([stores.labels.close(), stores.objects.close()]);
      } finally {
        lock.release();
      }
    },
  };
}

/** About how many vectors of a model a data folder has, by the sizes of its files: for whoever looks from outside. */
export async function estimateKeptVectors(
  dataDir: string,
  { fingerprint, dimensions }: Pick<EncoderModel, 'fingerprint' | 'dimensions'>,
): Promise<number> {
  const own = join(dataDir, VECTORS_FOLDER, nameModel(fingerprint));
  const sizeOf = (name: StoreName) =>
    stat(pathOf(own, name)).then(
      ({ size }) => size,
      () => 0,
    );
  const sizes = await Promise.all(storeNames.map(sizeOf));
  return Math.floor(sizes.reduce((sum, size) => sum + size, 0) / bytesOfVector(dimensions));
}

async function openBoth(optionsOf: (name: StoreName) => VectorStoreOptions) {
  const labels = await openVectorStore(optionsOf('labels'));
  try {
    return { labels, objects: await openVectorStore(optionsOf('objects')) };
  } catch (error) {
    await labels.close();
    throw error;
  }
}

/** Hosts that share a data folder have one each: a file has one writer. */
async function takeFolder(path: string, lockFile: LockFile) {
  for (let number = 1; ; number++) {
    const own = number === 1 ? path : `${path}-${number}`;
    await mkdir(own, { recursive: true, mode: 0o700 });
    const lock = lockFile(join(own, LOCK));
    if (lock === null) continue;
    const now = new Date();
    await utimes(own, now, now);
    return { own, lock };
  }
}

async function removeOldest(
  folder: string,
  { own, lockFile }: { readonly own: string; readonly lockFile: LockFile },
): Promise<void> {
  const names = (await readdir(folder)).filter((name) => OURS.test(name));
  const used = await Promise.all(
    names.map(async (name) => ({
      name,
      model: nameModel(name),
      usedAt: (await stat(join(folder, name))).mtimeMs,
    })),
  );
  used.sort((a, b) => b.usedAt - a.usedAt);
  const kept = [...new Set([nameModel(basename(own)), ...used.map(({ model }) => model)])].slice(
    0,
    KEPT_MODELS,
  );
  for (const { name, model } of used) {
    if (kept.includes(model)) continue;
    const path = join(folder, name);
    const lock = lockFile(join(path, LOCK));
    if (lock === null) continue;
    await rm(path, { recursive: true, force: true }).finally(() => lock.release());
  }
}
