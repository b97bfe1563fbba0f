import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Encoder } from '#ports/encoder';
import { projectRoot } from '#project-root';
import { readWordTable, type WordTable } from './word-table.ts';

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
export function openStaticEncoder(folder: string): Encoder {
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
