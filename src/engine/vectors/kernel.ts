import { getOrAdd } from '../maps.ts';
import { assembleMultiply, ROWS } from './kernel-code.ts';
import type { VectorRows } from './vector-rows.ts';
import { findRowMemory, type RowMemory } from './vector-rows.ts';

interface Kernel {
  /** The numbers of up to BLOCK rows, which the caller writes. */
  readonly list: Uint32Array;
  /** The products by index in the list, which `multiply` writes. */
  readonly products: Int32Array;
  /** Multiplies the query with the rows of the list.
   *  @param query so small that all products fit into 32 bits
   *  @param count number of rows in the list, at most BLOCK */
  multiply(query: Int16Array, count: number): void;
}

/** Rows in a block: so many rows of 256 numbers stay in the processor's cache while several queries
 *  are multiplied with them. */
export const BLOCK = 1_024;

/** Addresses in the memory before the rows. */
const LIST_AT = 0;
const PRODUCTS_AT = 4 * BLOCK;
const QUERY_AT = 8 * BLOCK;

interface CompiledKernel {
  multiply(query: number, list: number, count: number, products: number): void;
}

const kernels = new WeakMap<VectorRows, Map<number, Kernel>>();

/** Opens the kernel of rows, which all scans of them share.
 *  @param numbers how many numbers of each row it multiplies, a multiple of 8; all by default */
export function openKernel(rows: VectorRows, numbers = rows.dimensions): Kernel {
  const ofRows = getOrAdd(kernels, rows, () => new Map<number, Kernel>());
  return getOrAdd(ofRows, numbers, () => createKernel(rows, numbers));
}

function createKernel(rows: VectorRows, numbers: number): Kernel {
  const place = findRowMemory(rows);
  const compiled = place === undefined ? null : compileKernel(rows, place, numbers);
  return place === undefined || compiled === null
    ? createPlainKernel(rows)
    : createCompiledKernel(rows, place, compiled);
}

/** @returns null on a processor for which V8 has no vector instructions */
function compileKernel(
  { dimensions }: VectorRows,
  { memory, rowsAt }: RowMemory,
  numbers: number,
): CompiledKernel | null {
  const code = assembleMultiply({ dimensions, numbers, rowsAt });
  if (dimensions % 8 !== 0 || !WebAssembly.validate(code)) return null;
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(code), { m: { m: memory } });
  return exports as unknown as CompiledKernel;
}

function createCompiledKernel(
  { dimensions }: VectorRows,
  { memory: { buffer } }: RowMemory,
  compiled: CompiledKernel,
): Kernel {
  const list = new Uint32Array(buffer, LIST_AT, BLOCK);
  const queryNumbers = new Int16Array(buffer, QUERY_AT, dimensions);
  return {
    list,
    products: new Int32Array(buffer, PRODUCTS_AT, BLOCK),
    multiply(query, count) {
      queryNumbers.set(query);
      const whole = Math.ceil(count / ROWS) * ROWS;
      // The entries after the list may not be valid rows.
      list.fill(list[0]!, count, whole);
      if (count > 0) compiled.multiply(QUERY_AT, LIST_AT, whole, PRODUCTS_AT);
    },
  };
}

/** Multiplies in JavaScript, a tenth as fast, for the few objects of overlays. */
function createPlainKernel({ bytes, dimensions }: VectorRows): Kernel {
  const list = new Uint32Array(BLOCK);
  const products = new Int32Array(BLOCK);

  function multiplyRow(query: Int16Array, row: number): number {
    let sum = 0;
    for (let k = 0, at = row * dimensions; k < query.length; k++, at++) sum += query[k]! * bytes[at]!;
    return sum;
  }

  return {
    list,
    products,
    multiply(query, count) {
      for (let i = 0; i < count; i++) products[i] = multiplyRow(query, list[i]!);
    },
  };
}
