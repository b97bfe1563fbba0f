import { hash } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { createVectorRows, writeQuantized } from '../../../engine/vectors/vector-rows.ts';
import type { VectorRows } from '../../../engine/vectors/vectors.ts';
import type { EncoderModel } from '../../../ports/encoder.ts';
import { openVectorFile, type VectorBatch, type VectorFile } from './vector-file.ts';

/** Vectors of texts, in memory and in a file; a text has one, wherever it stands. Rows stay where they are. */
export interface VectorStore {
  readonly model: Pick<EncoderModel, 'fingerprint' | 'dimensions'>;
  readonly rows: VectorRows;
  readonly count: number;
  /** Of its file. */
  readonly bytes: number;
  /** The row of a text, by its key; -1 where there is none. */
  find(key: number): number;
  /** Keeps vectors under their keys; of a key that is there, the one that is there. Errors: those of writing; none is kept then. */
  add(keys: readonly number[], vectors: readonly Float32Array[]): Promise<void>;
  close(): Promise<void>;
}

export interface VectorStoreOptions {
  readonly path: string;
  readonly model: Pick<EncoderModel, 'fingerprint' | 'dimensions'>;
}

/** Rows of a batch while a file is written anew. */
const REWRITE_ROWS = 200;
const DRAFT = '.new';

/** What a text is known by: 53 bits of its hash, as many as a number holds. Of a million texts two have the same with a chance of
 *  1 : 18,000; then one is taken for the other. */
export function keyOfText(text: string): number {
  const bytes = hash('sha256', text, 'buffer');
  return bytes.readUInt32LE(0) + (bytes.readUInt32LE(4) & 0x1fffff) * 2 ** 32;
}

/** Errors: those of reading and writing; RangeError where there is no memory left. */
export async function openVectorStore({ path, model }: VectorStoreOptions): Promise<VectorStore> {
  const { dimensions } = model;
  const rows = createVectorRows(dimensions);
  const known = new Map<number, number>();
  const take = ({ keys, scales, bytes }: VectorBatch) => {
    for (const [i, key] of keys.entries())
      known.set(key, rows.pushBytes(bytes.subarray(i * dimensions, (i + 1) * dimensions), scales[i] ?? 0));
  };
  const { fingerprint } = model;
  const file = await openVectorFile({ path, fingerprint, dimensions, onBatch: take });
  return {
    ...{ model, rows },
    get count() {
      return rows.count;
    },
    get bytes() {
      return file.bytes;
    },
    find: (key) => known.get(key) ?? -1,
    async add(keys, vectors) {
      const batch = quantize(keys, vectors, { dimensions, isKnown: (key) => known.has(key) });
      if (batch.keys.length === 0) return;
      await file.append(batch);
      take(batch);
    },
    close: file.close,
  };
}

function quantize(
  keys: readonly number[],
  vectors: readonly Float32Array[],
  { dimensions, isKnown }: { readonly dimensions: number; isKnown(key: number): boolean },
): VectorBatch {
  const isNew = keys.map((key, i) => !isKnown(key) && keys.indexOf(key) === i);
  const fresh = vectors.filter((_, i) => isNew[i]);
  const bytes = new Int8Array(fresh.length * dimensions);
  const scales = Float32Array.from(fresh, (vector, i) =>
    writeQuantized(vector, bytes.subarray(i * dimensions, (i + 1) * dimensions)),
  );
  return { keys: Float64Array.from(keys.filter((_, i) => isNew[i])), scales, bytes };
}

/** Writes the file of a store anew with the wanted rows alone; it is closed then, and can be opened again.
 *  Errors: those of writing; then it is as before, and nothing of the draft is left. */
export async function rewriteVectorStore(
  store: VectorStore,
  { path, model, wanted }: VectorStoreOptions & { readonly wanted: ReadonlySet<number> },
): Promise<void> {
  const draft = path + DRAFT;
  await rm(draft, { force: true });
  const file = await openVectorFile({ path: draft, ...model, onBatch: () => undefined });
  try {
    await copyRows(store, file, [...wanted]).finally(() => file.close());
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await store.close();
  await rename(draft, path);
}

async function copyRows(
  { rows, find }: VectorStore,
  file: VectorFile,
  wanted: readonly number[],
): Promise<void> {
  const { stride, dimensions } = rows;
  const kept = wanted.filter((key) => find(key) >= 0);
  for (let start = 0; start < kept.length; start += REWRITE_ROWS) {
    const keys = kept.slice(start, start + REWRITE_ROWS);
    const bytes = new Int8Array(keys.length * dimensions);
    for (const [i, key] of keys.entries()) {
      const from = find(key) * stride;
      bytes.set(rows.bytes.subarray(from, from + dimensions), i * dimensions);
    }
    const scales = Float32Array.from(keys, (key) => rows.scales[find(key)] ?? 0);
    await file.append({ keys: Float64Array.from(keys), scales, bytes });
  }
}
