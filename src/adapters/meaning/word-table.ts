import { readFileSync } from 'node:fs';

/** Vectors of words, as `tools/meaning` trains them. The file is
 *
 *      size    4 bytes, of the header
 *      header  JSON: `WordTableHeader`
 *      words   `count` of them, a line each, in UTF-8: `wordsBytes`
 *      scales  a 32-bit float a row
 *      codes   `dims` numbers a row, of 4 bits each (a value less 8, the lower half of a byte first) or of 8 (signed)
 *
 *  with a row for each word, then one for each bucket of hashed letters. All numbers are little-endian. */
export interface WordTable {
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
export function readWordTable(path: string): WordTable {
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
