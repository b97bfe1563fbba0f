import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Encoder } from '#ports/encoder';
import { projectRoot } from '#project-root';

/** The table that comes with the program. */
export const meaningDir = join(projectRoot, 'data', 'meaning');

interface Manifest {
  readonly name: string;
  readonly langs: readonly string[];
  /** Of `words.bin`. */
  readonly sha256: string;
}

const WORD = /[\p{L}\p{N}]+(?:\+\+|#(?![\p{L}\p{N}_]))?/gu;
const MARKS = /[\u0300-\u036f]/g;
const ASCII = /^[\0-\x7f]*$/;
const JOINED_LETTERS: Readonly<Record<string, string>> = { œ: 'oe', æ: 'ae', ß: 'ss' };

/** As the words of the table were folded when it was trained. */
function foldWords(text: string): string {
  const lower = text.toLowerCase();
  if (ASCII.test(lower)) return lower;
  const bare = lower.normalize('NFD').replace(MARKS, '');
  return bare.replace(/[œæß]/g, (letter) => JOINED_LETTERS[letter]!);
}

/** Meaning from a table of word vectors: that of a text is the sum of its words', so it knows no order and no negation.
 *  Errors: those of reading.
 *  @param folder of `manifest.json` and `words.bin` */
function openStaticEncoder(folder: string): Encoder {
  const { langs } = readManifest(folder);
  const table = readWordTable(join(folder, 'words.bin'));
  const { dimensions } = table;
  return {
    dimensions,
    langs,
    encode(text, corrections) {
      const sum = addWords(table, new Float32Array(dimensions), { text, corrections });
      let square = 0;
      for (let k = 0; k < dimensions; k++) square += sum[k]! * sum[k]!;
      const length = Math.sqrt(square) || 1;
      for (let k = 0; k < dimensions; k++) sum[k]! /= length;
      return sum;
    },
    tokens(text) {
      const words = [...text.matchAll(WORD)];
      const vectors = new Float32Array(words.length * dimensions);
      for (const [i, [word]] of words.entries())
        addWords(table, vectors.subarray(i * dimensions, (i + 1) * dimensions), { text: word });
      const spans = words.flatMap(({ 0: word, index }) => [index, index + word.length]);
      return { vectors, spans: Uint32Array.from(spans) };
    },
  };
}

function addWords(
  table: WordTable,
  sum: Float32Array,
  { text, corrections }: { text: string; corrections?: ReadonlyMap<string, string> | undefined },
): Float32Array {
  for (const [word] of foldWords(text).matchAll(WORD))
    table.addWord(sum, table.has(word) ? word : (corrections?.get(word) ?? word));
  return sum;
}

let opened: Encoder | undefined;

/** The one that comes with the program, read once in a process or thread. Errors: those of reading. */
export function openEncoder(): Encoder {
  opened ??= openStaticEncoder(meaningDir);
  return opened;
}

/** Of the table that comes with the program: whatever has its vectors must be made anew with another one. */
export function readEncoderFingerprint(): string {
  return readManifest(meaningDir).sha256;
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest;
}

/** Vectors of words, as `tools/meaning` trains them. The file is
 *
 *      size    4 bytes, of the header
 *      header  JSON: `WordTableHeader`
 *      words   `count` of them, a line each, in UTF-8: `wordsBytes`
 *      scales  a 32-bit float a row
 *      codes   `dims` numbers a row, of 4 bits each (a value less 8, the lower half of a byte first) or of 8 (signed)
 *
 *  with a row for each word, then one for each bucket of hashed letters. All numbers are little-endian. */
interface WordTable {
  readonly dimensions: number;
  /** Whether a folded word has a row. */
  has(word: string): boolean;
  /** Adds the vector of a folded word to a sum. */
  addWord(sum: Float32Array, word: string): void;
}

interface WordTableHeader {
  readonly dims: number;
  readonly count: number;
  readonly buckets: number;
  readonly bits: number;
  readonly wordsBytes: number;
}

/** Lengths in letters of the pieces that stand for a word without a row. */
const PIECE_LENGTHS: readonly number[] = [3, 4, 5];

/** Errors: those of reading. */
function readWordTable(path: string): WordTable {
  const file = readFileSync(path);
  const headerEnd = 4 + file.readUInt32LE(0);
  const header = JSON.parse(file.toString('utf8', 4, headerEnd)) as WordTableHeader;
  const { dims, count, buckets, bits, wordsBytes } = header;
  const wordsEnd = headerEnd + wordsBytes;
  const rowOf = new Map<string, number>();
  for (const word of file.toString('utf8', headerEnd, wordsEnd).split('\n')) rowOf.set(word, rowOf.size);
  const codesAt = wordsEnd + 4 * (count + buckets);
  const scales = Float32Array.from({ length: count + buckets }, (_, row) =>
    file.readFloatLE(wordsEnd + 4 * row),
  );
  const codes = file.subarray(codesAt);

  const addRow = bits === 8 ? addBytes : addHalves;

  function addBytes(sum: Float32Array, row: number, scale: number): void {
    for (let k = 0, at = row * dims; k < dims; k++, at++) sum[k]! += scale * ((codes[at]! << 24) >> 24);
  }

  function addHalves(sum: Float32Array, row: number, scale: number): void {
    for (let k = 0, at = (row * dims) / 2; k < dims; k += 2, at++) {
      const both = codes[at]!;
      sum[k]! += scale * ((both & 15) - 8);
      sum[k + 1]! += scale * ((both >> 4) - 8);
    }
  }

  return {
    dimensions: dims,
    has: (word) => rowOf.has(word),
    addWord(sum, word) {
      const row = rowOf.get(word);
      if (row !== undefined) return addRow(sum, row, scales[row]!);
      if (buckets === 0) return;
      const pieces = listPieces(word);
      for (const piece of pieces) {
        const pieceRow = count + (hashPiece(piece) % buckets);
        addRow(sum, pieceRow, scales[pieceRow]! / pieces.length);
      }
    },
  };
}

/** Of `<word>`, whose ends say where it begins and ends. */
function listPieces(word: string): string[] {
  const letters = [...`<${word}>`];
  return PIECE_LENGTHS.flatMap((length) =>
    Array.from({ length: Math.max(0, letters.length - length + 1) }, (_, at) =>
      letters.slice(at, at + length).join(''),
    ),
  );
}

/** Source: FNV-1a of the bytes of UTF-8, Fowler, Noll & Vo. */
function hashPiece(piece: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(piece)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
