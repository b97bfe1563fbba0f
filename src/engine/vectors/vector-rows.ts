import { enlarge } from '../arrays.ts';

/** Vectors of texts, of which near ones have similar meanings. Stored as consecutive signed bytes.
 *  */
export interface VectorRows {
  /** A multiple of 8. */
  readonly dimensions: number;
  /** `row * dimensions`. */
  readonly bytes: Int8Array;
  /** By row: the factor that converts the product of a vector of length 1 and the bytes of the row
   *  to the cosine; 0 if the row has no vector. */
  readonly scales: Float32Array;
}

/** Converts texts to vectors; see `Encoder` of the ports. */
export interface TextEncoding {
  readonly dimensions: number;
  /** Two-letter codes of the languages that the encoder reads well. */
  readonly langs: readonly string[];
  /** Encodes a text as a vector of length 1; all zeros for a text without words.
   *  @param corrections by folded word: its replacement, unless the encoder reads the word itself
   *  */
  encode(text: string, corrections?: ReadonlyMap<string, string>): Float32Array;
  /** Returns the vectors of the words of a text, at `word * dimensions`, and the range of each word
   *  in the text: two numbers, in UTF-16 units. */
  tokens(text: string): { readonly vectors: Float32Array; readonly spans: Uint32Array };
}

export type GrowingRows = ReturnType<typeof createVectorRows>;

export interface RowMemory {
  readonly memory: WebAssembly.Memory;
  /** Address of the first row. */
  readonly rowsAt: number;
}

const PAGE = 65_536;
/** Address of the rows, after the working memory of the scan. */
const HELD_AT = PAGE;
/** Minimum number of rows for a separate memory, which takes some space. A scan of fewer rows takes
 *  less than a quarter of a millisecond without one. */
const LEAST_HELD = 1_000;

const memories = new WeakMap<ArrayBufferLike, WebAssembly.Memory>();

/** Copies a block into a memory where the scan reads its rows ten times as fast; returns the block
 *  itself if there is no space. */
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

/** Returns the memory of rows that are in a block of `holdBlock`. */
export function findRowMemory({ bytes }: VectorRows): RowMemory | undefined {
  const memory = memories.get(bytes.buffer);
  return memory && { memory, rowsAt: bytes.byteOffset };
}

/** Builds rows one by one.
 *  @param room initial number of rows with allocated space */
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
    /** Adds a row.
     *  @param vector of length 1; null for a row without a vector
     *  @returns the number of the row */
    push(vector: Float32Array | null): number {
      makeRoom();
      const row = bytes.subarray(count * dimensions, (count + 1) * dimensions);
      scales[count] = vector === null ? 0 : writeQuantized(vector, row);
      return count++;
    },
    /** Adds a copy of a row of other rows. */
    copy(from: VectorRows, row: number): void {
      makeRoom();
      bytes.set(from.bytes.subarray(row * dimensions, (row + 1) * dimensions), count * dimensions);
      scales[count++] = from.scales[row]!;
    },
    finish(): VectorRows {
      const used = new Uint8Array(bytes.buffer, 0, count * dimensions);
      const { buffer, byteOffset, length } = count < LEAST_HELD ? used.slice() : holdBlock(used);
      return { dimensions, bytes: new Int8Array(buffer, byteOffset, length), scales: scales.slice(0, count) };
    },
  };
}

/** Rounds the numbers of a vector to -127 to 127.
 *  @returns the factor that converts them back */
export function writeQuantized(vector: Float32Array, into: Int8Array): number {
  let most = 0;
  for (const value of vector) most = Math.max(most, Math.abs(value));
  const scale = Math.fround(most / 127);
  for (let i = 0; i < into.length; i++) into[i] = scale === 0 ? 0 : Math.round(vector[i]! / scale);
  return scale;
}

/** Returns the vector of a row, apart from rounding. */
export function readVectorRow({ bytes, scales, dimensions }: VectorRows, row: number): Float32Array {
  const scale = scales[row]!;
  return Float32Array.from(bytes.subarray(row * dimensions, (row + 1) * dimensions), (byte) => byte * scale);
}

/** Converts rows to sections of a snapshot and back. */
export interface PackedRows {
  readonly bytes: Uint8Array;
  readonly scales: Float32Array;
}

export function packVectorRows({ bytes, scales }: VectorRows): PackedRows {
  return { bytes: new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length), scales };
}

/** Undefined if there are no rows. */
export function unpackVectorRows({ bytes, scales }: PackedRows): VectorRows | undefined {
  if (bytes.length === 0) return undefined;
  const dimensions = bytes.length / scales.length;
  return { dimensions, bytes: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length), scales };
}
