import { assembleKernel, ROWS } from './kernel-code.ts';
import { findRowMemory, type RowMemory } from './vector-rows.ts';
import type { VectorRows } from './vectors.ts';

/** Multiplies a query with rows. */
export interface Kernel {
  /** Of BLOCK rows: written by the caller. */
  readonly list: Uint32Array;
  /** By place in the list; written by `multiply`. */
  readonly products: Int32Array;
  /** @param query such that no product is beyond 32 bits
   *  @param count rows of the list, at most BLOCK */
  multiply(query: Int16Array, count: number): void;
  /** By place in the runs, a bit for each run; written by `sift`. */
  readonly near: Uint8Array;
  /** Finds rows with `bound.scale * scale * product + bound.rest * rest >= least`, in numbers of 32
   *  bits. */
  sift(query: Int16Array, runs: RowRuns, bound: RowBound): void;
}

/** ROWS runs of rows that are gone through at the same time: memory answers one reader at a third
 *  of its speed. */
export interface RowRuns {
  /** Of the first run; each further one begins `step` rows after the one before it. */
  readonly first: number;
  /** At most RUN. */
  readonly length: number;
  readonly step: number;
}

export interface RowBound {
  /** From the first rows of the runs on: their ROWS scales, then their ROWS rests, and so on. */
  readonly bounds: Float32Array;
  readonly scale: number;
  readonly rest: number;
  readonly least: number;
}

/** So many rows of 256 numbers stay in the processor's cache while one query after the other is
 *  multiplied with them. */
export const BLOCK = 1_024;
export const RUN = 1_024;

/** In the memory in front of the rows. */
const LIST_AT = 0;
const PRODUCTS_AT = 4 * BLOCK;
const QUERY_AT = 8 * BLOCK;
const BOUNDS_AT = 16 * BLOCK;
const NEAR_AT = BOUNDS_AT + 8 * ROWS * RUN;

interface Compiled {
  multiply(query: number, list: number, count: number, products: number): void;
  sift(query: number, row: number, count: number, near: number, ...more: readonly number[]): void;
}

/** By how many numbers of a row are multiplied. */
const kernels = new WeakMap<VectorRows, Map<number, Kernel>>();

/** One scan after the other writes into the same.
 *  @param numbers of each row, the first ones; a multiple of 8 */
export function openKernel(rows: VectorRows, numbers = rows.dimensions): Kernel {
  const existing = kernels.get(rows) ?? new Map<number, Kernel>();
  kernels.set(rows, existing);
  const kernel = existing.get(numbers) ?? createKernel(rows, numbers);
  existing.set(numbers, kernel);
  return kernel;
}

function createKernel(rows: VectorRows, numbers: number): Kernel {
  const place = findRowMemory(rows);
  const compiled = place === undefined ? null : compile(rows, place, numbers);
  return place === undefined || compiled === null
    ? createPlainKernel(rows)
    : createCompiledKernel(rows, place, compiled);
}

/** Null on a processor for which V8 has no vector instructions. */
function compile(
  { dimensions }: VectorRows,
  { memory, rowsAt }: RowMemory,
  numbers: number,
): Compiled | null {
  const code = assembleKernel({ dimensions, numbers, rowsAt });
  if (dimensions % 8 !== 0 || !WebAssembly.validate(code)) return null;
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(code), { m: { m: memory } });
  return exports as unknown as Compiled;
}

function createCompiledKernel(
  { dimensions }: VectorRows,
  { memory: { buffer }, rowsAt }: RowMemory,
  compiled: Compiled,
): Kernel {
  const list = new Uint32Array(buffer, LIST_AT, BLOCK);
  const place = new Int16Array(buffer, QUERY_AT, dimensions);
  const bound = new Float32Array(buffer, BOUNDS_AT, 2 * ROWS * RUN);
  return {
    list,
    products: new Int32Array(buffer, PRODUCTS_AT, BLOCK),
    multiply(query, count) {
      place.set(query);
      const whole = Math.ceil(count / ROWS) * ROWS;
      // Whatever was there may be no row.
      list.fill(list[0]!, count, whole);
      if (count > 0) compiled.multiply(QUERY_AT, LIST_AT, whole, PRODUCTS_AT);
    },
    near: new Uint8Array(buffer, NEAR_AT, RUN),
    sift(query, { first, length, step }, { bounds, scale, rest, least }) {
      place.set(query);
      bound.set(bounds);
      const [from, far] = [rowsAt + first * dimensions, step * dimensions];
      compiled.sift(QUERY_AT, from, ROWS * length, NEAR_AT, far, BOUNDS_AT, scale, rest, least);
    },
  };
}

/** A tenth as fast, for the few objects that lie over many. */
function createPlainKernel({ bytes, dimensions }: VectorRows): Kernel {
  const list = new Uint32Array(BLOCK);
  const products = new Int32Array(BLOCK);
  const near = new Uint8Array(RUN);
  const { fround } = Math;

  function productOf(query: Int16Array, row: number): number {
    let sum = 0;
    for (let k = 0, at = row * dimensions; k < query.length; k++, at++) sum += query[k]! * bytes[at]!;
    return sum;
  }

  return {
    list,
    products,
    multiply(query, count) {
      for (let i = 0; i < count; i++) products[i] = productOf(query, list[i]!);
    },
    near,
    sift(query, { first, length, step }, { bounds, scale, rest, least }) {
      const [ofScale, ofRest] = [fround(scale), fround(rest)];
      for (let i = 0, at = 0; i < length; i++, at += 2 * ROWS) {
        let bits = 0;
        for (let r = 0; r < ROWS; r++) {
          const product = fround(productOf(query, first + r * step + i));
          const most = fround(
            fround(fround(bounds[at + r]! * ofScale) * product) + fround(bounds[at + ROWS + r]! * ofRest),
          );
          if (most >= fround(least)) bits |= 1 << r;
        }
        near[i] = bits;
      }
    },
  };
}
