import { enlarge } from '../arrays.ts';
import { runSteps } from '../run-steps.ts';

/** Vectors of texts as signed bytes; near ones have similar meanings. */
export interface VectorRows {
  /** A multiple of 8. */
  readonly dimensions: number;
  /** The numbers of a row begin at `row * dimensions`. */
  readonly bytes: Int8Array;
  /** By row: the factor from a product with a unit vector to the cosine; 0 without a vector. */
  readonly scales: Float32Array;
}

export interface TextEncoding {
  readonly dimensions: number;
  /** Two-letter codes of the languages that the encoder supports. */
  readonly langs: readonly string[];
  /** Returns a vector of length 1; all zeros for a text without words.
   *  @param corrections folded word → replacement, for words that the encoder does not have */
  encode(text: string, corrections?: ReadonlyMap<string, string>): Float32Array;
  /** Encodes each word of a text: its vector is at `word * dimensions`, its range of UTF-16
   *  offsets at `2 * word`. */
  tokens(text: string): { readonly vectors: Float32Array; readonly spans: Uint32Array };
}

export type GrowingRows = ReturnType<typeof createVectorRows>;
export type RowMemory = { readonly memory: WebAssembly.Memory; readonly rowsAt: number };
const PAGE = 65_536;
/** The address of the rows, after the working memory of the scan. */
const ROWS_AT = PAGE;
/** Minimum number of rows for a memory of WebAssembly, which takes some space. Without one, a scan
 *  of fewer rows takes less than a quarter of a millisecond. */
const MIN_ROWS = 1_000;

const memories = new WeakMap<ArrayBufferLike, WebAssembly.Memory>();

/** Bytes copied in one step, which takes some milliseconds: the system allocates each page. */
const STEP_BYTES = 2 ** 21;

/** Copies a block in steps into a memory of WebAssembly, where a scan of its rows is ten times as
 *  fast. @returns the copy, or the block itself if there is no space */
export function* copyBlockToMemory(block: Uint8Array): Generator<void, Uint8Array> {
  const memory = reserveMemory(ROWS_AT + block.length);
  if (memory === undefined) return block;
  memories.set(memory.buffer, memory);
  const copy = new Uint8Array(memory.buffer, ROWS_AT, block.length);
  for (let at = 0; at < block.length; at += STEP_BYTES) {
    copy.set(block.subarray(at, at + STEP_BYTES), at);
    yield;
  }
  return copy;
}

/** Reserves a memory of at least these bytes. @returns undefined if there is no space */
export function reserveMemory(bytes: number): WebAssembly.Memory | undefined {
  try {
    const pages = Math.ceil(bytes / PAGE);
    return new WebAssembly.Memory({ initial: pages, maximum: pages });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Finds the memory of WebAssembly into which `copyBlockToMemory` copied these rows. */
export function findRowMemory({ bytes }: VectorRows): RowMemory | undefined {
  const memory = memories.get(bytes.buffer);
  return memory && { memory, rowsAt: bytes.byteOffset };
}

/** @param room initial number of rows with allocated space */
export function createVectorRows(dimensions: number, room = 16) {
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
    /** @param vector of length 1; null for a row without one @returns the number of the row */
    push(vector: Float32Array | null): number {
      makeRoom();
      const row = bytes.subarray(count * dimensions, (count + 1) * dimensions);
      scales[count] = vector === null ? 0 : quantizeRow(vector, row);
      return count++;
    },
    copy(from: VectorRows, row: number): void {
      makeRoom();
      bytes.set(from.bytes.subarray(row * dimensions, (row + 1) * dimensions), count * dimensions);
      scales[count++] = from.scales[row]!;
    },
    finish(): VectorRows {
      const used = new Uint8Array(bytes.buffer, 0, count * dimensions);
      const { buffer, byteOffset, length } = count < MIN_ROWS ? used.slice() : runSteps(copyBlockToMemory(used));
      return { dimensions, bytes: new Int8Array(buffer, byteOffset, length), scales: scales.slice(0, count) };
    },
  };
}

/** Rounds the numbers of a vector to -127 to 127. @returns the factor that converts them back */
export function quantizeRow(vector: Float32Array, into: Int8Array): number {
  let most = 0;
  for (const value of vector) most = Math.max(most, Math.abs(value));
  const scale = Math.fround(most / 127);
  for (let i = 0; i < into.length; i++) into[i] = scale === 0 ? 0 : Math.round(vector[i]! / scale);
  return scale;
}
