import { assembleKernel, ROWS } from './kernel-code.ts';
import { findRowMemory, type RowMemory } from './vector-rows.ts';
import type { VectorRows } from './vectors.ts';

/** Multiplies a query with a list of rows. */
export interface Kernel {
  /** Of BLOCK rows: written by the caller. */
  readonly list: Uint32Array;
  /** By place in the list; written by `multiply`. */
  readonly products: Int32Array;
  /** @param query such that no product is beyond 32 bits
   *  @param count rows of the list, at most BLOCK */
  multiply(query: Int16Array, count: number): void;
}

/** So many rows of 256 numbers stay in the processor's cache while one query after the other is multiplied with them. */
export const BLOCK = 1_024;

/** In the memory in front of the rows. */
const LIST_AT = 0;
const PRODUCTS_AT = 4 * BLOCK;
const QUERY_AT = 8 * BLOCK;

type Multiply = (query: number, list: number, count: number, products: number) => void;

/** By how many numbers of a row are multiplied. */
const compiled = new WeakMap<VectorRows, Map<number, Multiply | null>>();

/** For one scan.
 *  @param numbers of each row, the first ones; a multiple of 8 */
export function openKernel(rows: VectorRows, numbers = rows.dimensions): Kernel {
  const place = findRowMemory(rows);
  const multiply = place === undefined ? null : compile(rows, place, numbers);
  return place === undefined || multiply === null
    ? openPlainKernel(rows)
    : openCompiledKernel(place.memory.buffer, multiply);
}

/** Null on a processor for which V8 has no vector instructions. */
function compile(rows: VectorRows, { memory, rowsAt }: RowMemory, numbers: number): Multiply | null {
  const known = compiled.get(rows) ?? new Map<number, Multiply | null>();
  compiled.set(rows, known);
  const before = known.get(numbers);
  if (before !== undefined) return before;
  const code = assembleKernel({ dimensions: rows.dimensions, numbers, rowsAt });
  const isReadable = rows.dimensions % 8 === 0 && WebAssembly.validate(code);
  const made = isReadable ? instantiate(code, memory) : null;
  known.set(numbers, made);
  return made;
}

function instantiate(code: Uint8Array<ArrayBuffer>, memory: WebAssembly.Memory): Multiply {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(code), { m: { m: memory } });
  return (exports as { readonly multiply: Multiply }).multiply;
}

function openCompiledKernel(buffer: ArrayBuffer, run: Multiply): Kernel {
  const list = new Uint32Array(buffer, LIST_AT, BLOCK);
  return {
    list,
    products: new Int32Array(buffer, PRODUCTS_AT, BLOCK),
    multiply(query, count) {
      new Int16Array(buffer, QUERY_AT, query.length).set(query);
      const whole = Math.ceil(count / ROWS) * ROWS;
      // Whatever was there may be no row.
      list.fill(list[0]!, count, whole);
      if (count > 0) run(QUERY_AT, LIST_AT, whole, PRODUCTS_AT);
    },
  };
}

/** A tenth as fast, for the few objects that lie over many. */
function openPlainKernel({ bytes, dimensions }: VectorRows): Kernel {
  const list = new Uint32Array(BLOCK);
  const products = new Int32Array(BLOCK);
  return {
    list,
    products,
    multiply(query, count) {
      for (let i = 0; i < count; i++) {
        const start = list[i]! * dimensions;
        let sum = 0;
        for (let k = 0; k < query.length; k++) sum += query[k]! * bytes[start + k]!;
        products[i] = sum;
      }
    },
  };
}
