import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Encoder } from '#ports/encoder';
import { projectRoot } from '#project-root';

export const meaningDir = join(projectRoot, 'data', 'meaning');

interface Manifest {
  readonly name: string;
  readonly langs: readonly string[];
  /** The hash of `words.bin`. */
  readonly sha256: string;
}

let bundledEncoder: Encoder | undefined;

/** Opens the encoder with the bundled table, which is read once in each process or thread. */
export function openEncoder(): Encoder {
  bundledEncoder ??= openStaticEncoder(meaningDir);
  return bundledEncoder;
}

/** Returns the hash of the bundled table. Vectors of another table must be computed again. */
export const readEncoderFingerprint = (): string => readEncoderManifest(meaningDir).sha256;

const readEncoderManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest;

/** Opens an encoder. The vector of a text is the normalized sum of the vectors of its words, so
 *  that order and negation do not count. Errors: those of `readFileSync`.
 *  @param folder contains `manifest.json` and `words.bin` */
function openStaticEncoder(folder: string): Encoder {
  const { langs } = readEncoderManifest(folder);
  const table = readEncoderWords(join(folder, 'words.bin'));
  const { dims: dimensions } = table;
  return {
    dimensions,
    langs,
    encode(text, corrections) {
      const sum = sumEncoderWords(table, text, corrections);
      let square = 0;
      for (let k = 0; k < dimensions; k++) square += sum[k]! * sum[k]!;
      const length = Math.sqrt(square) || 1;
      const vector = new Float32Array(dimensions);
      for (let k = 0; k < dimensions; k++) vector[k] = sum[k]! / length;
      return vector;
    },
    tokens(text) {
      const words = [...text.matchAll(WORD)];
      const vectors = new Float32Array(words.length * dimensions);
      for (const [i, [word]] of words.entries()) vectors.set(sumEncoderWords(table, word), i * dimensions);
      const spans = words.flatMap(({ 0: word, index }) => [index, index + word.length]);
      return { vectors, spans: Uint32Array.from(spans) };
    },
  };
}

const WORD = /[\p{L}\p{N}]+(?:\+\+|#(?![\p{L}\p{N}_]))?/gu;
const MARKS = /[\u0300-\u036f]/g;
const ASCII = /^[\0-\x7f]*$/;
const LIGATURES: Readonly<Record<string, string>> = { œ: 'oe', æ: 'ae', ß: 'ss' };

/** Folds a text as the words of the table were folded for training. */
function foldTextToEncode(text: string): string {
  const lower = text.toLowerCase();
  if (ASCII.test(lower)) return lower;
  const bare = lower.normalize('NFD').replace(MARKS, '');
  return bare.replace(/[œæß]/g, (letter) => LIGATURES[letter]!);
}

/** Adds up the vectors of the words of a text. @param corrections replace words without a row */
function sumEncoderWords(table: WordTable, text: string, corrections?: ReadonlyMap<string, string>): Float64Array {
  const sum = new Float64Array(table.dims);
  for (const word of foldTextToEncode(text).match(WORD) ?? []) addWord(table, sum, word, corrections);
  return sum;
}

/** Vectors of words, as `tools/meaning` trains them. All numbers of the file are little-endian:
 *
 *      size    4 bytes: the length of the header
 *      header  JSON: `WordTableHeader`
 *      words   `count` words in UTF-8, one on each line: `wordsBytes` bytes
 *      scales  a 32-bit float for each row
 *      codes   `dims` numbers for each row: signed bytes, or 4 bits each (the value plus 8,
 *              the lower half of a byte first)
 *
 *  There is a row for each word, then one for each bucket of hashed pieces of words. */
interface WordTable extends WordTableHeader {
  /** Rows by folded word. */
  readonly rowOf: ReadonlyMap<string, number>;
  readonly scales: Float32Array;
  readonly codes: Uint8Array;
}

interface WordTableHeader {
  readonly dims: number;
  readonly count: number;
  readonly buckets: number;
  readonly bits: number;
  readonly wordsBytes: number;
}

function readEncoderWords(path: string): WordTable {
  const file = readFileSync(path);
  const headerEnd = 4 + file.readUInt32LE(0);
  const header = JSON.parse(file.toString('utf8', 4, headerEnd)) as WordTableHeader;
  const rows = header.count + header.buckets;
  const wordsEnd = headerEnd + header.wordsBytes;
  const rowOf = new Map<string, number>();
  for (const word of file.toString('utf8', headerEnd, wordsEnd).split('\n')) rowOf.set(word, rowOf.size);
  const scales = Float32Array.from({ length: rows }, (_, row) => file.readFloatLE(wordsEnd + 4 * row));
  return { ...header, rowOf, scales, codes: file.subarray(wordsEnd + 4 * rows) };
}

/** Adds the vector of a word: without a row, it is the mean of those of its pieces. */
function addWord(table: WordTable, sum: Float64Array, word: string, corrections?: ReadonlyMap<string, string>): void {
  const { rowOf, scales, count, buckets } = table;
  const row = rowOf.get(word);
  const corrected = corrections?.get(word) ?? word;
  if (row !== undefined) addEncoderRow(table, sum, row, scales[row]!);
  else if (corrected !== word) addWord(table, sum, corrected);
  else if (buckets > 0) {
    const pieces = hashEncoderPieces(word);
    for (const piece of pieces) {
      const pieceRow = count + (piece % buckets);
      addEncoderRow(table, sum, pieceRow, scales[pieceRow]! / pieces.length);
    }
  }
}

function addEncoderRow({ codes, dims, bits }: WordTable, sum: Float64Array, row: number, scale: number): void {
  if (bits === 8) {
    for (let k = 0, at = row * dims; k < dims; k++, at++) sum[k]! += scale * ((codes[at]! << 24) >> 24);
    return;
  }
  for (let k = 0, at = (row * dims) / 2; k < dims; k += 2, at++) {
    const code = codes[at]!;
    sum[k]! += scale * ((code & 15) - 8);
    sum[k + 1]! += scale * ((code >> 4) - 8);
  }
}

/** Numbers of letters of the pieces that replace a word without a row. */
const SHORTEST_PIECE = 3;
const LONGEST_PIECE = 5;

/** Hashes the pieces of a word, each from the shorter one. Source: FNV-1a, Fowler, Noll & Vo. */
function hashEncoderPieces(word: string): number[] {
  const letters = [...`<${word}>`].map((letter) => Buffer.from(letter));
  const hashes: number[] = [];
  for (let start = 0; start < letters.length; start++) {
    let hash = 0x811c9dc5;
    for (let length = 1; length <= LONGEST_PIECE && start + length <= letters.length; length++) {
      for (const byte of letters[start + length - 1]!) hash = Math.imul(hash ^ byte, 0x01000193);
      if (length >= SHORTEST_PIECE) hashes.push(hash >>> 0);
    }
  }
  return hashes;
}
