import { enlarge } from '#engine/arrays';
import { hashBytes } from '#engine/hash';
import { MAX_UTF8_BYTES } from '#engine/string-table';
import { foldCodes, MAX_FOLDED_LENGTH } from '#engine/text/fold';
import { dropElisions, isAsciiLetter, MAX_WORD_LENGTH, tokenize } from '#engine/text/tokenize';
import type { WordSequence, WordTable } from '../lexicon.ts';

const PLUS = 0x2b;
const HASH_SIGN = 0x23;
const BLANK = 0x20;
const HYPHEN = 0x2d;

/** The marks of a word, as bits: a comma or a clause's end before it, a capital as its first. */
export const wordMarks = { comma: 1, clause: 2, capital: 4 } as const;

/** By folded sign: the mark that the word after it gets. */
const breakOf = new Uint8Array(256);
for (const sign of ',/|') breakOf[sign.charCodeAt(0)] = wordMarks.comma;
for (const sign of ':;()[]{}"') breakOf[sign.charCodeAt(0)] = wordMarks.clause;
/** The signs that end clauses, for text that does not fold to ASCII; the group is a comma. */
const CLAUSE_SIGNS = /([,/|])|[:;()[\]{}"–—―«»“”„…]/;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export interface ScannedWords extends WordSequence {
  readonly tokenizedText: string;
  readonly words: Uint32Array;
  readonly marks: Uint8Array;
}

export type WordScan = ReturnType<typeof createWordScan>;

export function createWordScan(table: WordTable) {
  return {
    table,
    folded: new Uint8Array(1024),
    /** By index in `folded`: 1 if the text has a capital there. */
    isCapital: new Uint8Array(1024),
    /** The UTF-8 bytes of the folded words, with a space after each. */
    letters: new Uint8Array(1024),
    /** The length of `letters`, in bytes and in UTF-16 code units. */
    end: 0,
    units: 0,
    /** The ordinal, the start in UTF-16 code units and the marks of each word. */
    words: new Uint32Array(1024),
    starts: new Uint32Array(1024),
    marks: new Uint8Array(1024),
    count: 0,
    /** The marks that the next word gets. */
    nextMarks: 0,
    /** The current word in `folded`. One object serves all words. */
    range: { from: 0, to: 0, hash: 0 },
  };
}

export function startWordScan(scan: WordScan): void {
  scan.count = 0;
  scan.end = 0;
  scan.units = 0;
}

/** Adds the words of a text as `tokenize` reads them, with their ordinals. It works on bytes, so no
 *  string is created for a word. @returns the number of words so far */
export function scanTextWords(scan: WordScan, text: string): number {
  const capacity = text.length * MAX_FOLDED_LENGTH + 2;
  if (scan.folded.length < capacity) scan.folded = enlarge(scan.folded, capacity);
  if (scan.isCapital.length < scan.folded.length) scan.isCapital = new Uint8Array(scan.folded.length);
  scan.nextMarks = 0;
  const length = foldCodes(dropElisions(text), scan.folded, scan.isCapital);
  if (length < 0) scanClauses(scan, text);
  else scanAsciiWords(scan, length);
  return scan.count;
}

function scanAsciiWords(scan: WordScan, length: number): void {
  const { folded, isCapital, range } = scan;
  // Words may follow each other without a space (`c++c++`), and each gets one.
  reserveLetters(scan, 2 * length);
  folded[length] = BLANK;
  for (let at = 0; at < length; at++) {
    if (isAsciiLetter[folded[at]!] === 0) {
      scan.nextMarks |= isDash(folded, at) ? wordMarks.clause : breakOf[folded[at]!]!;
      continue;
    }
    const from = at;
    if (isCapital[from] === 1) scan.nextMarks |= wordMarks.capital;
    while (isAsciiLetter[folded[at]!] === 1) at++;
    if (folded[at] === PLUS && folded[at + 1] === PLUS) at += 2;
    else if (folded[at] === HASH_SIGN && isAsciiLetter[folded[at + 1]!] === 0) at++;
    setRange(range, folded, from, Math.min(at, from + MAX_WORD_LENGTH));
    addScannedWord(scan, range.to - from);
    at--;
  }
}

/** Tells whether there is a hyphen between spaces. */
function isDash(folded: Uint8Array, at: number): boolean {
  return folded[at] === HYPHEN && folded[at - 1] === BLANK && folded[at + 1] === BLANK;
}

function scanClauses(scan: WordScan, text: string): void {
  for (const [i, part] of text.split(CLAUSE_SIGNS).entries()) {
    // Every second part is what the sign captured: a comma, or undefined.
    if (i % 2 === 1) scan.nextMarks |= part === undefined ? wordMarks.clause : wordMarks.comma;
    else for (const word of tokenize(part)) scanWord(scan, word);
  }
}

function scanWord(scan: WordScan, word: string): void {
  const capacity = word.length * MAX_UTF8_BYTES;
  reserveLetters(scan, capacity + 1);
  if (scan.folded.length < capacity) scan.folded = enlarge(scan.folded, capacity);
  setRange(scan.range, scan.folded, 0, encoder.encodeInto(word, scan.folded).written);
  addScannedWord(scan, word.length);
}

function setRange(range: WordScan['range'], bytes: Uint8Array, from: number, to: number): void {
  range.from = from;
  range.to = to;
  range.hash = hashBytes(bytes, from, to);
}

function reserveLetters(scan: WordScan, bytes: number): void {
  if (scan.end + bytes > scan.letters.length) scan.letters = enlarge(scan.letters, scan.end + bytes);
}

/** Adds the word in `range` of `folded`. @param length in UTF-16 code units */
function addScannedWord(scan: WordScan, length: number): void {
  const { folded, letters, range } = scan;
  const at = scan.count++;
  if (at === scan.words.length) {
    scan.words = enlarge(scan.words);
    scan.starts = enlarge(scan.starts);
    scan.marks = enlarge(scan.marks);
  }
  scan.marks[at] = scan.nextMarks;
  scan.nextMarks = 0;
  scan.words[at] = scan.table.findBytes(folded, range);
  scan.starts[at] = scan.units;
  let { end } = scan;
  for (let i = range.from; i < range.to; i++) letters[end++] = folded[i]!;
  letters[end++] = BLANK;
  scan.end = end;
  scan.units += length + 1;
}

export function finishWordScan({ letters, end, words, starts, marks, count }: WordScan): ScannedWords {
  const tokenizedText = decoder.decode(letters.subarray(0, Math.max(0, end - 1)));
  const ownStarts = starts.slice(0, count);
  return {
    tokenizedText,
    words: words.slice(0, count),
    marks: marks.slice(0, count),
    wordAt(place) {
      const next = ownStarts[place + 1];
      return tokenizedText.slice(ownStarts[place], next === undefined ? undefined : next - 1);
    },
  };
}
