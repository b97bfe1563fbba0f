import { foldCodes, MOST_FOLDED } from '../../text/fold.ts';
import { ELISION, MAX_WORD_LENGTH, tokenize } from '../../text/tokenize.ts';
import type { WordSequence } from '../lexicon.ts';
import { addByteToHash, HASH_START, type WordTable } from '../word-table.ts';

const HAS_APOSTROPHE = /['’]/;
const PLUS = 0x2b;
const HASH_SIGN = 0x23;
const BLANK = 0x20;
/** Bytes of UTF-8 for a code unit. */
const MOST_BYTES = 3;

/** 1 for what makes up words. */
const isLetter = new Uint8Array(256);
for (const letter of 'abcdefghijklmnopqrstuvwxyz0123456789') isLetter[letter.charCodeAt(0)] = 1;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The words of a text. */
export interface ScannedWords extends WordSequence {
  /** Folded, with a blank between two. */
  readonly tokenizedText: string;
  readonly words: Uint32Array;
}

/** Reads words as `tokenize` does and finds their ordinals, letter by letter and without a string for each. One for all
 *  calls: after `start` each `scan` adds the words of a text. */
export function createWordScanner(table: WordTable) {
  let folded = new Uint8Array(1024);
  let letters = new Uint8Array(1024);
  let words = new Uint32Array(1024);
  let starts = new Uint32Array(1024);
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
    }
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
      if (isLetter[folded[at]!] === 0) continue;
      const from = at;
      while (isLetter[folded[at]!] === 1) at++;
      if (folded[at] === PLUS && folded[at + 1] === PLUS) at += 2;
      else if (folded[at] === HASH_SIGN && isLetter[folded[at + 1]!] === 0) at++;
      range.from = from;
      range.to = Math.min(at, from + MAX_WORD_LENGTH);
      let hash = HASH_START;
      for (let i = from; i < range.to; i++) hash = addByteToHash(hash, folded[i]!);
      range.hash = hash;
      add(folded, range.to - from);
      at--;
    }
  }

  function addTokenized(text: string): void {
    for (const word of tokenize(text)) {
      makeRoom(word.length * MOST_BYTES + 1);
      if (folded.length < word.length * MOST_BYTES) folded = enlarge(folded, word.length * MOST_BYTES);
      range.from = 0;
      range.to = encoder.encodeInto(word, folded).written;
      range.hash = HASH_START;
      for (let i = 0; i < range.to; i++) range.hash = addByteToHash(range.hash, folded[i]!);
      add(folded, word.length);
    }
  }

  return {
    start(): void {
      count = 0;
      end = 0;
      units = 0;
    },
    /** @return how many words there are now */
    scan(text: string): number {
      const room = text.length * MOST_FOLDED + 2;
      if (folded.length < room) folded = enlarge(folded, room);
      const length = foldCodes(HAS_APOSTROPHE.test(text) ? text.replace(ELISION, '$1') : text, folded);
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
        wordAt(place) {
          const next = ownStarts[place + 1];
          return tokenizedText.slice(ownStarts[place], next === undefined ? undefined : next - 1);
        },
      };
    },
  };
}

function enlarge<T extends Uint8Array | Uint32Array>(values: T, least: number): T {
  const larger = new (values.constructor as new (length: number) => T)(Math.max(least, 2 * values.length));
  larger.set(values);
  return larger;
}
