import { enlarge } from '../arrays.ts';
import type { VectorRows } from './vectors.ts';

/** Rows in the making. */
export interface GrowingRows {
  readonly count: number;
  /** @param vector of length 1; null for a row that has none
   *  @returns its row */
  push(vector: Float32Array | null): number;
  /** The same with a row of others. */
  copy(from: VectorRows, row: number): void;
  finish(): VectorRows;
}

/** A memory that rows stand in. */
export interface RowMemory {
  readonly memory: WebAssembly.Memory;
  /** Of the first row. */
  readonly rowsAt: number;
}

const PAGE = 65_536;
/** What the scan computes with stands in front. */
const HELD_AT = PAGE;
/** Fewer rows are gone through as they are, in less than a quarter of a millisecond: each memory
 *  takes some room of its own. */
const LEAST_HELD = 1_000;

const memories = new WeakMap<ArrayBufferLike, WebAssembly.Memory>();

/** A copy of a block where the scan reads the rows that are in it ten times as fast; the block
 *  itself where there is no room for one. */
export function holdBlock(block: Uint8Array): Uint8Array {
  try {
    const pages = Math.ceil((HELD_AT + block.length) / PAGE);
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    memories.set(memory.buffer, memory);
    const held = new Uint8Array(memory.buffer, HELD_AT, block.length);
    held.set(block);
    return held;
  } catch (error) {
    if (error instanceof RangeError) return block;
    throw error;
  }
}

/** The memory that rows stand in, where they are in a block that `holdBlock` gave. */
export function findRowMemory({ bytes }: VectorRows): RowMemory | undefined {
  const memory = memories.get(bytes.buffer);
  return memory && { memory, rowsAt: bytes.byteOffset };
}

/** @param room for so many rows, before more has to be made */
export function createVectorRows(dimensions: number, room = 16): GrowingRows {
  let bytes = new Int8Array(room * dimensions);
  let scales = new Float32Array(room);
  let count = 0;

  function makeRoom(): void {
    if (count < scales.length) return;
    scales = enlarge(scales);
    bytes = enlarge(bytes, scales.length * dimensions);
  }

  return {
    get count() {
      return count;
    },
    push(vector) {
      makeRoom();
      const row = bytes.subarray(count * dimensions, (count + 1) * dimensions);
      scales[count] = vector === null ? 0 : writeQuantized(vector, row);
      return count++;
    },
    copy(from, row) {
      makeRoom();
      bytes.set(from.bytes.subarray(row * dimensions, (row + 1) * dimensions), count * dimensions);
      scales[count++] = from.scales[row]!;
    },
    finish() {
      const used = new Uint8Array(bytes.buffer, 0, count * dimensions);
      const { buffer, byteOffset, length } = count < LEAST_HELD ? used.slice() : holdBlock(used);
      return { dimensions, bytes: new Int8Array(buffer, byteOffset, length), scales: scales.slice(0, count) };
    },
  };
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
export function readVectorRow({ bytes, scales, dimensions }: VectorRows, row: number): Float32Array {
  const scale = scales[row]!;
  return Float32Array.from(bytes.subarray(row * dimensions, (row + 1) * dimensions), (byte) => byte * scale);
}

/** Rows as the sections of a snapshot hold them, and again. */
export interface PackedRows {
  readonly bytes: Uint8Array;
  readonly scales: Float32Array;
}

export function packVectorRows({ bytes, scales }: VectorRows): PackedRows {
  return { bytes: new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length), scales };
}

/** Undefined where no row is there. */
export function unpackVectorRows({ bytes, scales }: PackedRows): VectorRows | undefined {
  if (bytes.length === 0) return undefined;
  const dimensions = bytes.length / scales.length;
  return { dimensions, bytes: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length), scales };
}
