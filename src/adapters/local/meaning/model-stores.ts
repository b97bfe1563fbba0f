import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { EncoderModel } from '../../../ports/encoder.ts';
import { openVectorStore, rewriteVectorStore, type VectorStore } from './vector-store.ts';

/** Labels and objects are searched by themselves, so each kind has rows of its own. */
export type StoreName = 'labels' | 'objects';

/** The vectors that one model made, in a folder of their own: `vectors/<fingerprint>/labels.vectors` and `objects.vectors`. */
export interface ModelStores extends Readonly<Record<StoreName, VectorStore>> {
  readonly model: EncoderModel;
  /** Writes a store anew without what no text has any more, where that is more than half of it.
   *  @returns whether it did: rows stand elsewhere then */
  drop(name: StoreName, wanted: ReadonlySet<number>): Promise<boolean>;
  close(): Promise<void>;
}

/** Fewer are not worth it. */
const LEAST_DROPPED = 1_000;
/** Models whose vectors are kept: the one that is used, and one that somebody may come back to. */
const KEPT_MODELS = 2;

/** @param folder that of all models
 *  Errors: those of reading and writing; RangeError where there is no memory left. */
export async function openModelStores(folder: string, model: EncoderModel): Promise<ModelStores> {
  const own = join(folder, model.fingerprint.slice(0, 16));
  const optionsOf = (name: StoreName) => ({ path: join(own, `${name}.vectors`), model });
  const stores = {
    labels: await openVectorStore(optionsOf('labels')),
    objects: await openVectorStore(optionsOf('objects')),
  };
  await removeOldest(folder, own);
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
      await Promise.all([stores.labels.close(), stores.objects.close()]);
    },
  };
}

async function removeOldest(folder: string, own: string): Promise<void> {
  const found = await Promise.all(
    (await readdir(folder)).map(async (name) => {
      const path = join(folder, name);
      return { path, usedAt: path === own ? Number.POSITIVE_INFINITY : (await stat(path)).mtimeMs };
    }),
  );
  const oldest = found.sort((a, b) => b.usedAt - a.usedAt).slice(KEPT_MODELS);
  await Promise.all(oldest.map(({ path }) => rm(path, { recursive: true, force: true })));
}
