import { enlarge } from '../arrays.ts';
import type { VectorRows } from './vectors.ts';

/** Rows that can become more. What was there stays as it is, so whoever knows how many there were sees what there was. */
export interface GrowingRows extends VectorRows {
  readonly count: number;
  /** Errors: RangeError where there is no memory left.
   *  @param vector of length 1
   *  @returns its row */
  push(vector: Float32Array): number;
  /** The same with what `bytes` and `scales` have of it. */
  pushBytes(bytes: Int8Array, scale: number): number;
}

/** Where the scan may write what it computes with: the memory in front of the rows. */
export interface RowMemory {
  readonly memory: WebAssembly.Memory;
  /** Of the first row. */
  readonly rowsAt: number;
}

const PAGE = 65_536;
/** Of all that WebAssembly can address. */
const MAX_PAGES = 65_536;
/** Rows begin at a multiple of what one instruction reads. */
const ALIGNMENT = 16;
const ROWS_AT = 4 * PAGE;
/** Pages that the memory grows by: they take no room before something is in them. */
const MORE_PAGES = 64;

const memories = new WeakMap<VectorRows, RowMemory>();

/** The memory that rows stand in, where `createVectorRows` made them. */
export function findRowMemory(rows: VectorRows): RowMemory | undefined {
  return memories.get(rows);
}

/** @param dimensions 1 to 4,096 */
export function createVectorRows(dimensions: number): GrowingRows {
  const stride = Math.ceil(dimensions / ALIGNMENT) * ALIGNMENT;
  const memory = new WebAssembly.Memory({ initial: ROWS_AT / PAGE, maximum: MAX_PAGES });
  let bytes = new Int8Array(memory.buffer, ROWS_AT);
  let scales = new Float32Array(1_024);
  let known = scales.subarray(0, 0);

  function makeRoom(): void {
    if ((known.length + 1) * stride > bytes.length) {
      memory.grow(MORE_PAGES);
      bytes = new Int8Array(memory.buffer, ROWS_AT);
    }
    if (known.length === scales.length) scales = enlarge(scales);
  }

  function finishRow(scale: number): number {
    const row = known.length;
    scales[row] = scale;
    known = scales.subarray(0, row + 1);
    return row;
  }

  const rows: GrowingRows = {
    dimensions,
    stride,
    get bytes() {
      return bytes;
    },
    get scales() {
      return known;
    },
    get count() {
      return known.length;
    },
    push(vector) {
      makeRoom();
      const start = known.length * stride;
      return finishRow(writeQuantized(vector, bytes.subarray(start, start + dimensions)));
    },
    pushBytes(given, scale) {
      makeRoom();
      bytes.set(given.subarray(0, dimensions), known.length * stride);
      return finishRow(scale);
    },
  };
  memories.set(rows, { memory, rowsAt: ROWS_AT });
  return rows;
}

/** The vector's numbers as -127 to 127.
 *  @returns what they are to be multiplied by to be the numbers again */
export function writeQuantized(vector: Float32Array, into: Int8Array): number {
  let most = 0;
  for (const value of vector) most = Math.max(most, Math.abs(value));
  const scale = Math.fround(most / 127);
  for (let i = 0; i < into.length; i++) into[i] = scale === 0 ? 0 : Math.round(vector[i]! / scale);
  return scale;
}

/** A row's vector, about as it was given. */
export function readVectorRow({ bytes, scales, stride, dimensions }: VectorRows, row: number): Float32Array {
  const scale = scales[row]!;
  return Float32Array.from(bytes.subarray(row * stride, row * stride + dimensions), (byte) => byte * scale);
}
