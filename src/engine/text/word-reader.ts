import { createGrowableUint32 } from '../arrays.ts';
import { foldCodes, MOST_FOLDED } from './fold.ts';
import { ELISION, HAS_APOSTROPHE, isAsciiLetter, MAX_WORD_LENGTH, tokenize } from './tokenize.ts';

const PLUS = 0x2b;
const HASH_SIGN = 0x23;
const BLANK = 0x20;
/** Bytes of UTF-8 for a code unit. */
const MOST_BYTES = 3;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Numbers words from 0 in the order of their first use, letter by letter: only a new word becomes a string. */
export interface WordReader {
  /** Begin a list of words. */
  start(): void;
  /** Add the words of a text, as `tokenize` gives them. */
  read(text: string): void;
  /** Words in the list. */
  readonly count: number;
  /** The number of one of them. */
  wordAt(place: number): number;
  spell(word: number): string;
}

export function createWordReader(): WordReader {
  /** Letters of all words, where each ends, and their hashes. */
  let letters = new Uint8Array(1 << 16);
  let size = 0;
  const ends = createGrowableUint32();
  const hashes = createGrowableUint32();
  /** Open addressing: the number of a word and one, or 0. */
  let slots = new Uint32Array(1 << 16);
  let folded = new Uint8Array(4096);
  let isCapital = new Uint8Array(4096);
  let words = new Uint32Array(256);
  let count = 0;

  const startOf = (word: number) => (word === 0 ? 0 : ends.at(word - 1));

  function isAt(word: number, from: number, length: number): boolean {
    const start = startOf(word);
    if (ends.at(word) - start !== length) return false;
    for (let i = 0; i < length; i++) if (letters[start + i] !== folded[from + i]) return false;
    return true;
  }

  function slotOf(hash: number): number {
    return (hash ^ (hash >>> 15)) & (slots.length - 1);
  }

  /** Number of the word in `folded`. Source of hash: FNV-1a. */
  function numberOf(from: number, to: number): number {
    let hash = 0x811c9dc5;
    for (let i = from; i < to; i++) hash = Math.imul(hash ^ folded[i]!, 0x01000193);
    hash >>>= 0;
    let slot = slotOf(hash);
    for (; slots[slot] !== 0; slot = (slot + 1) & (slots.length - 1)) {
      const word = slots[slot]! - 1;
      if (hashes.at(word) === hash && isAt(word, from, to - from)) return word;
    }
    if (size + to - from > letters.length) {
      const larger = new Uint8Array(letters.length * 2);
      larger.set(letters);
      letters = larger;
    }
    for (let i = from; i < to; i++) letters[size++] = folded[i]!;
    ends.push(size);
    hashes.push(hash);
    slots[slot] = hashes.length;
    if (hashes.length * 2 > slots.length) enlargeSlots();
    return hashes.length - 1;
  }

  function enlargeSlots(): void {
    slots = new Uint32Array(slots.length * 2);
    for (let word = 0; word < hashes.length; word++) {
      let slot = slotOf(hashes.at(word));
      while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
      slots[slot] = word + 1;
    }
  }

  function add(from: number, to: number): void {
    if (count === words.length) {
      const larger = new Uint32Array(count * 2);
      larger.set(words);
      words = larger;
    }
    words[count++] = numberOf(from, to);
  }

  /** Add the words of folded ASCII: `tokenize` says what they are. */
  function addAscii(length: number): void {
    folded[length] = BLANK;
    for (let at = 0; at < length; at++) {
      if (isAsciiLetter[folded[at]!] === 0) continue;
      const from = at;
      while (isAsciiLetter[folded[at]!] === 1) at++;
      if (folded[at] === PLUS && folded[at + 1] === PLUS) at += 2;
      else if (folded[at] === HASH_SIGN && isAsciiLetter[folded[at + 1]!] === 0) at++;
      add(from, Math.min(at, from + MAX_WORD_LENGTH));
      at--;
    }
  }

  function makeRoom(bytes: number): void {
    if (folded.length >= bytes) return;
    folded = new Uint8Array(bytes * 2);
    isCapital = new Uint8Array(bytes * 2);
  }

  return {
    start() {
      count = 0;
    },
    read(text) {
      makeRoom(text.length * MOST_FOLDED + 2);
      const own = HAS_APOSTROPHE.test(text) ? text.replace(ELISION, '$1') : text;
      const length = foldCodes(own, folded, isCapital);
      if (length >= 0) return addAscii(length);
      for (const word of tokenize(text)) {
        makeRoom(word.length * MOST_BYTES);
        add(0, encoder.encodeInto(word, folded).written);
      }
    },
    get count() {
      return count;
    },
    wordAt: (place) => words[place]!,
    spell: (word) => decoder.decode(letters.subarray(startOf(word), ends.at(word))),
  };
}
