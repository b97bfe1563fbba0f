import { createTopK } from '../top-k.ts';
import { BLOCK, openKernel } from './kernel.ts';
import type { VectorRows } from './vector-rows.ts';

export interface NearestOptions {
  /** At least 1. */
  readonly max: number;
  /** Rows to compare, each once; all by default. */
  readonly among?: Uint32Array;
  /** Minimum cosine of a result; none by default. */
  readonly floor?: number;
}

/** Best first; of equal ones the lower row first. */
export interface NearestRows {
  readonly rows: Uint32Array;
  /** -1 to 1. */
  readonly cosines: Float32Array;
}

/** Number of simultaneous streams of rows: with only one, memory has a third of its speed. */
const STREAMS = 4;

/** Finds the rows nearest to each vector; the rows are read once for all. Shape: one answer for
 *  each vector. A number of a vector has 12 bits or more and one of a row 8, and the sums are
 *  integers: the answer is the same on every machine. @param vectors of length 1 */
export function findNearestRows(
  rows: VectorRows,
  vectors: readonly Float32Array[],
  { max, among, floor = Number.NEGATIVE_INFINITY }: NearestOptions,
): readonly NearestRows[] {
  const { scales } = rows;
  const tops = vectors.map(() => createTopK(max));
  scanRows(rows, vectors, among, ({ vector, scale, list, products, count }) => {
    const top = tops[vector]!;
    let least = Math.max(floor, top.floor);
    for (let i = 0; i < count; i++) {
      const row = list[i]!;
      const cosine = products[i]! * (scales[row]! * scale);
      if (cosine < least) continue;
      top.offer(cosine, row, row);
      least = Math.max(floor, top.floor);
    }
  });
  return tops.map((top) => {
    const { items, ranks } = top.finish();
    return { rows: items, cosines: Float32Array.from(ranks) };
  });
}

/** Cosines of rows and each vector. Shape: `v * count + i` is of vector `v` and row `i`, or
 *  `among[i]`. @param vectors of length 1; a shorter vector reduces its cosines accordingly
 *  @param among all rows by default */
export function measureCosines(rows: VectorRows, vectors: readonly Float32Array[], among?: Uint32Array): Float32Array {
  const { scales } = rows;
  const total = among?.length ?? scales.length;
  const all = new Float32Array(vectors.length * total);
  scanRows(rows, vectors, among, ({ vector, scale, list, places, products, count }) => {
    const at = vector * total;
    for (let i = 0; i < count; i++) all[at + places[i]!] = products[i]! * (scales[list[i]!]! * scale);
  });
  return all;
}

interface BlockProducts {
  readonly vector: number;
  /** Converts a product times the scale of its row to the cosine. */
  readonly scale: number;
  readonly count: number;
  readonly list: Uint32Array;
  /** Index of each row among the compared rows. */
  readonly places: Uint32Array;
  readonly products: Int32Array;
}

const placesAmong = new Uint32Array(BLOCK);

/** Multiplies block by block, every vector while the rows are in the cache. A shorter vector uses
 *  only as many numbers of each row. */
function scanRows(
  rows: VectorRows,
  vectors: readonly Float32Array[],
  among: Uint32Array | undefined,
  visit: (block: BlockProducts) => void,
): void {
  const total = among?.length ?? rows.scales.length;
  const queries = vectors.map(quantizeQuery);
  const { list, products, multiply } = openKernel(rows, vectors[0]?.length);
  const places = among === undefined ? list : placesAmong;
  for (let block = 0; block * BLOCK < total; block++) {
    const count = listRowPlaces(block, total, places);
    if (among !== undefined) for (let i = 0; i < count; i++) list[i] = among[places[i]!]!;
    for (let vector = 0; vector < queries.length; vector++) {
      const { numbers, scale } = queries[vector]!;
      multiply(numbers, count);
      visit({ vector, scale, count, list, places, products });
    }
  }
}

/** Writes the indexes of a block, of each stream in turn. @returns their number */
function listRowPlaces(block: number, total: number, places: Uint32Array): number {
  const length = Math.ceil(total / STREAMS);
  const from = (block * BLOCK) / STREAMS;
  const to = Math.min(length, from + BLOCK / STREAMS);
  let count = 0;
  for (let i = from; i < to; i++) {
    for (let place = i; place < total; place += length) places[count++] = place;
  }
  return count;
}

/** Numbers of 16 bits, so small that all products with rows fit into 32 bits. */
export function quantizeQuery(vector: Float32Array) {
  let most = 0;
  for (let k = 0; k < vector.length; k++) {
    const size = Math.abs(vector[k]!);
    if (size > most) most = size;
  }
  const highest = Math.min(32_767, Math.floor(0x7fffffff / 127 / vector.length));
  const scale = most / highest;
  const numbers = new Int16Array(vector.length);
  if (scale > 0) for (let k = 0; k < vector.length; k++) numbers[k] = Math.round(vector[k]! / scale);
  return { numbers, scale };
}
