import { createTopK } from '../objects/top-k.ts';
import { BLOCK, openKernel } from './kernel.ts';
import type { VectorRows } from './vectors.ts';

export interface NearestOptions {
  /** At least 1. */
  readonly max: number;
  /** Rows that are looked at, each once; all when absent. */
  readonly among?: Uint32Array;
  /** Rows of a lower cosine are left out; none when absent. */
  readonly floor?: number;
}

/** Best first, of equal ones the lower row. */
export interface NearestRows {
  readonly rows: Uint32Array;
  /** -1 to 1. */
  readonly cosines: Float32Array;
}

/** Rows are read from so many places at the same time: memory answers one reader at a third of its speed. */
const STREAMS = 4;

/** The rows nearest to each of some vectors. Several at once cost less than one after the other, as the rows are read once for all.
 *  Shape:  one answer for each vector. A vector counts with 12 bits or more a number and a row with 8, and what is summed up are whole
 *          numbers: the answer is the same on every machine.
 *  @param vectors of length 1 */
export function findNearestRows(
  rows: VectorRows,
  vectors: readonly Float32Array[],
  { max, among, floor = Number.NEGATIVE_INFINITY }: NearestOptions,
): readonly NearestRows[] {
  const tops = vectors.map(() => createTopK(max));
  scan(rows, vectors, among, (v, list, cosines) => {
    const top = tops[v]!;
    let least = Math.max(floor, top.floor);
    for (let i = 0; i < list.length; i++) {
      const cosine = cosines[i]!;
      if (cosine < least) continue;
      top.offer(cosine, list[i]!, list[i]!);
      least = Math.max(floor, top.floor);
    }
  });
  return tops.map((top) => {
    const { items, ranks } = top.finish();
    return { rows: items, cosines: Float32Array.from(ranks) };
  });
}

/** How near some rows are to each of some vectors.
 *  Shape:  `v * among.length + i` is of vector `v` and row `among[i]`.
 *  @param vectors of length 1, or shorter: then it is that much less */
export function measureCosines(
  rows: VectorRows,
  vectors: readonly Float32Array[],
  among: Uint32Array,
): Float32Array {
  const all = new Float32Array(vectors.length * among.length);
  scan(rows, vectors, among, (v, _list, cosines, places) => {
    const at = v * among.length;
    for (let i = 0; i < places.length; i++) all[at + places[i]!] = cosines[i]!;
  });
  return all;
}

/** @param list rows of one block
 *  @param places where each stands among all that are looked at */
type Visit = (vector: number, list: Uint32Array, cosines: Float64Array, places: Uint32Array) => void;

/** Multiply rows and vectors, block by block, and every vector with a block while its rows are near. */
function scan(
  rows: VectorRows,
  vectors: readonly Float32Array[],
  among: Uint32Array | undefined,
  visit: Visit,
): void {
  const { scales } = rows;
  const total = among?.length ?? scales.length;
  const queries = vectors.map(toQuery);
  const { list, products, multiply } = openKernel(rows);
  const places = new Uint32Array(BLOCK);
  const cosines = new Float64Array(BLOCK);
  for (let block = 0; block * BLOCK < total; block++) {
    const count = listPlaces(block, total, places);
    for (let i = 0; i < count; i++) list[i] = among === undefined ? places[i]! : among[places[i]!]!;
    for (const [v, { numbers, scale }] of queries.entries()) {
      multiply(numbers, count);
      for (let i = 0; i < count; i++) cosines[i] = products[i]! * (scales[list[i]!]! * scale);
      visit(v, list.subarray(0, count), cosines, places.subarray(0, count));
    }
  }
}

/** Places of a block: the next ones of each stream, in turn.
 *  @returns how many */
function listPlaces(block: number, total: number, places: Uint32Array): number {
  const length = Math.ceil(total / STREAMS);
  const from = (block * BLOCK) / STREAMS;
  const to = Math.min(length, from + BLOCK / STREAMS);
  let count = 0;
  for (let i = from; i < to; i++) {
    for (let place = i; place < total; place += length) places[count++] = place;
  }
  return count;
}

/** A vector in numbers of 16 bits, so small that no product with a row is beyond 32 bits. */
function toQuery(vector: Float32Array): { readonly numbers: Int16Array; readonly scale: number } {
  let most = 0;
  for (let k = 0; k < vector.length; k++) most = Math.max(most, Math.abs(vector[k]!));
  const highest = Math.min(32_767, Math.floor(0x7fffffff / 127 / vector.length));
  const scale = most / highest;
  const numbers = new Int16Array(vector.length);
  if (scale > 0) for (let k = 0; k < vector.length; k++) numbers[k] = Math.round(vector[k]! / scale);
  return { numbers, scale };
}
