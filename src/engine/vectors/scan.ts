import { getOrAdd } from '../maps.ts';
import { createTopK } from '../top-k.ts';
import { BLOCK, openKernel, RUN } from './kernel.ts';
import { ROWS } from './kernel-code.ts';
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

/** Leading dimensions, which have most of the meaning in tables made by principal components: .59
 *  of the square of the vectors of objects, and .52 of those of searches. */
const LEADING_DIMENSIONS = 64;
/** Upper bound of the rounding error of a cosine. */
const ROUNDED = 1e-3;

/** Rows that may have at least this cosine with a vector. The others are excluded by their leading
 *  numbers and the maximum that the rest can add, the product of lengths: this excludes nearly all
 *  rows, and reads a quarter of their bytes. Shape: ascending; all rows with this cosine, and some
 *  others. Source: the inequality of Cauchy and Schwarz. */
export function findCandidateRows(rows: VectorRows, vector: Float32Array, floor: number): Uint32Array {
  const leading = Math.min(LEADING_DIMENSIONS, rows.dimensions);
  const { numbers, scale } = toQuery(vector.subarray(0, leading));
  const rest = measureLength(vector.subarray(leading));
  const { near, sift } = openKernel(rows, leading);
  const bounds = getOrAdd(boundsOf, rows, () => measureBounds(rows, leading));
  const step = Math.floor(rows.scales.length / ROWS);
  // Bit r of `near[i]`: whether row `from + i + r * step` may be near. By run, so that all results
  // together are ascending.
  const result: number[][] = Array.from({ length: ROWS + 1 }, () => []);
  for (let from = 0; from < step; from += RUN) {
    const length = Math.min(RUN, step - from);
    const runBounds = bounds.subarray(2 * ROWS * from, 2 * ROWS * (from + length));
    sift(numbers, { first: from, length, step }, { bounds: runBounds, scale, rest, least: floor - ROUNDED });
    for (let i = 0; i < length; i++) {
      if (near[i] === 0) continue;
      for (let r = 0; r < ROWS; r++) if ((near[i]! >> r) & 1) result[r]!.push(from + i + r * step);
    }
  }
  // At most three rows remain.
  for (let row = ROWS * step; row < rows.scales.length; row++) result[ROWS]!.push(row);
  return new Uint32Array(result.flat());
}

const boundsOf = new WeakMap<VectorRows, Float32Array>();

/** The scales of rows and the lengths of their remaining numbers, for `sift`. */
function measureBounds({ bytes, scales, dimensions }: VectorRows, first: number): Float32Array {
  const step = Math.floor(scales.length / ROWS);
  const bounds = new Float32Array(2 * ROWS * step);
  for (let row = 0; row < ROWS * step; row++) {
    let square = 0;
    for (let at = row * dimensions + first; at < (row + 1) * dimensions; at++) square += bytes[at]! * bytes[at]!;
    const at = 2 * ROWS * (row % step) + Math.floor(row / step);
    bounds[at] = scales[row]!;
    bounds[at + ROWS] = scales[row]! * Math.sqrt(square);
  }
  return bounds;
}

function measureLength(vector: Float32Array): number {
  let square = 0;
  for (let k = 0; k < vector.length; k++) square += vector[k]! * vector[k]!;
  return Math.sqrt(square);
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
  const queries = vectors.map(toQuery);
  const { list, products, multiply } = openKernel(rows, vectors[0]?.length);
  const places = among === undefined ? list : placesAmong;
  for (let block = 0; block * BLOCK < total; block++) {
    const count = listPlaces(block, total, places);
    if (among !== undefined) for (let i = 0; i < count; i++) list[i] = among[places[i]!]!;
    for (let vector = 0; vector < queries.length; vector++) {
      const { numbers, scale } = queries[vector]!;
      multiply(numbers, count);
      visit({ vector, scale, count, list, places, products });
    }
  }
}

/** Writes the indexes of a block, of each stream in turn. @returns their number */
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

type ScanQuery = { readonly numbers: Int16Array; readonly scale: number };

/** Numbers of 16 bits, so small that all products with rows fit into 32 bits. */
function toQuery(vector: Float32Array): ScanQuery {
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
