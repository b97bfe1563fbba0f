import { createTopK } from '../top-k.ts';
import { BLOCK, openKernel } from './kernel.ts';
import type { VectorRows } from './vector-rows.ts';

/** Number of simultaneous streams of rows: with only one, memory has a third of its speed. */
const STREAMS = 4;

/** Finds the rows nearest to a vector of length 1, best first; of equal ones the lower row first. A
 *  number of a vector has 12 bits or more and one of a row 8, and the sums are integers: the answer
 *  is the same on every machine. Shape: at most `max` rows; cosines are -1 to 1.
 *  @param among the rows to compare, each once; all by default */
export function findNearestRows(
  rows: VectorRows,
  vector: Float32Array,
  { max, among }: { readonly max: number; readonly among?: Uint32Array },
): { readonly rows: Uint32Array; readonly cosines: Float32Array } {
  const { scales } = rows;
  const top = createTopK(max);
  scanRows(rows, [vector], among, ({ scale, list, products, count }) => {
    let least = top.floor;
    for (let i = 0; i < count; i++) {
      const row = list[i]!;
      const cosine = products[i]! * (scales[row]! * scale);
      if (cosine < least) continue;
      top.offer(cosine, row, row);
      least = top.floor;
    }
  });
  const { items, ranks } = top.finish();
  return { rows: items, cosines: Float32Array.from(ranks) };
}

/** Measures the cosines of rows and each vector. Shape: at `v * count + i` that of vector `v` and
 *  row `i`, or row `among[i]`. @param vectors of length 1; a shorter vector reduces its cosines
 *  accordingly
 *  @param among all rows by default */
export function measureCosines(rows: VectorRows, vectors: readonly Float32Array[], among?: Uint32Array): Float32Array {
  const { scales } = rows;
  const total = among?.length ?? scales.length;
  const cosines = new Float32Array(vectors.length * total);
  scanRows(rows, vectors, among, ({ vector, scale, list, places, products, count }) => {
    const at = vector * total;
    for (let i = 0; i < count; i++) cosines[at + places[i]!] = products[i]! * (scales[list[i]!]! * scale);
  });
  return cosines;
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

/** Rounds a vector to numbers of 16 bits, so small that all products with rows fit into 32 bits. */
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
