import { enlarge } from '#engine/arrays';
import { addToHash, HASH_START } from '#engine/hash';
import { MAX_UTF8_BYTES } from '#engine/string-table';
import { foldCodes, MAX_FOLDED_LENGTH } from '#engine/text/fold';
import { ELISION, HAS_APOSTROPHE, isAsciiLetter, MAX_WORD_LENGTH, tokenize } from '#engine/text/tokenize';
import type { WordSequence, WordTable } from '../lexicon.ts';

const PLUS = 0x2b;
const HASH_SIGN = 0x23;
const BLANK = 0x20;
const HYPHEN = 0x2d;

/** What is known of a word besides its letters, as bits: a comma or the end of a clause stands before it, it begins with a capital. */
export const wordMarks = { comma: 1, clause: 2, capital: 4 } as const;

/** By folded sign. */
const breakOf = new Uint8Array(256);
for (const sign of ',/|') breakOf[sign.charCodeAt(0)] = wordMarks.comma;
for (const sign of ':;()[]{}"') breakOf[sign.charCodeAt(0)] = wordMarks.clause;
/** Where clauses of a text that does not fold to ASCII end. */
const CLAUSE_SIGNS = /([,/|])|[:;()[\]{}"–—―«»“”„…]/;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The words of a text. */
export interface ScannedWords extends WordSequence {
  /** Folded, with a blank between two. */
  readonly tokenizedText: string;
  readonly words: Uint32Array;
  /** By word, of `wordMarks`. */
  readonly marks: Uint8Array;
}

/** Reads words as `tokenize` does and finds their ordinals, letter by letter and without a string for each. One for all
 *  calls: after `start` each `scan` adds the words of a text. */
export function createWordScanner(table: WordTable) {
  let folded = new Uint8Array(1024);
  /** By place in `folded`: 1 where the text has a capital. */
  let isCapital = new Uint8Array(1024);
  let letters = new Uint8Array(1024);
  let words = new Uint32Array(1024);
  let starts = new Uint32Array(1024);
  let marks = new Uint8Array(1024);
  /** Of the next word. */
  let nextMarks = 0;
  let count = 0;
  let end = 0;
  /** `end` in code units. */
  let units = 0;
  const range = { from: 0, to: 0, hash: 0 };

  function makeRoom(bytes: number): void {
    if (end + bytes > letters.length) letters = enlarge(letters, end + bytes);
  }

  /** Add the word in `range` of some bytes.
   *  @param length in code units */
  function add(bytes: Uint8Array, length: number): void {
    if (count === words.length) {
      words = enlarge(words, count + 1);
      starts = enlarge(starts, count + 1);
      marks = enlarge(marks, count + 1);
    }
    marks[count] = nextMarks;
    nextMarks = 0;
    words[count] = table.findBytes(bytes, range);
    starts[count++] = units;
    for (let at = range.from; at < range.to; at++) letters[end++] = bytes[at]!;
    letters[end++] = BLANK;
    units += length + 1;
  }

  /** Add the words of folded ASCII: `tokenize` says what they are. One long loop, because it runs for each letter. */
  function addAscii(length: number): void {
    // There may be nothing between two words: `c++c++`.
    makeRoom(2 * length);
    folded[length] = BLANK;
    for (let at = 0; at < length; at++) {
      if (isAsciiLetter[folded[at]!] === 0) {
        nextMarks |= isDash(at) ? wordMarks.clause : breakOf[folded[at]!]!;
        continue;
      }
      const from = at;
      if (isCapital[from] === 1) nextMarks |= wordMarks.capital;
      while (isAsciiLetter[folded[at]!] === 1) at++;
      if (folded[at] === PLUS && folded[at + 1] === PLUS) at += 2;
      else if (folded[at] === HASH_SIGN && isAsciiLetter[folded[at + 1]!] === 0) at++;
      range.from = from;
      range.to = Math.min(at, from + MAX_WORD_LENGTH);
      let hash = HASH_START;
      for (let i = from; i < range.to; i++) hash = addToHash(hash, folded[i]!);
      range.hash = hash;
      add(folded, range.to - from);
      at--;
    }
  }

  /** A hyphen between blanks. */
  function isDash(at: number): boolean {
    return folded[at] === HYPHEN && folded[at - 1] === BLANK && folded[at + 1] === BLANK;
  }

  function addTokenized(text: string): void {
    for (const [i, clause] of text.split(CLAUSE_SIGNS).entries()) {
      // Odd ones are the commas that were cut at.
      if (i % 2 === 1) nextMarks |= clause === undefined ? wordMarks.clause : wordMarks.comma;
      else addClause(clause);
    }
  }

  function addClause(text: string): void {
    for (const word of tokenize(text)) {
      makeRoom(word.length * MAX_UTF8_BYTES + 1);
      if (folded.length < word.length * MAX_UTF8_BYTES)
        folded = enlarge(folded, word.length * MAX_UTF8_BYTES);
      range.from = 0;
      range.to = encoder.encodeInto(word, folded).written;
      range.hash = HASH_START;
      for (let i = 0; i < range.to; i++) range.hash = addToHash(range.hash, folded[i]!);
      add(folded, word.length);
    }
  }

  return {
    start(): void {
      nextMarks = 0;
      count = 0;
      end = 0;
      units = 0;
    },
    /** @return how many words there are now */
    scan(text: string): number {
      const room = text.length * MAX_FOLDED_LENGTH + 2;
      if (folded.length < room) folded = enlarge(folded, room);
      if (isCapital.length < folded.length) isCapital = new Uint8Array(folded.length);
      nextMarks = 0;
      const own = HAS_APOSTROPHE.test(text) ? text.replace(ELISION, '$1') : text;
      const length = foldCodes(own, folded, isCapital);
      if (length < 0) addTokenized(text);
      else addAscii(length);
      return count;
    },
    finish(): ScannedWords {
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
    },
  };
}
