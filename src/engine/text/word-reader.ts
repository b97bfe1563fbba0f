import { enlarge } from '../arrays.ts';
import { addToHash, HASH_START } from '../hash.ts';
import { foldCodes, MOST_FOLDED } from './fold.ts';
import { ELISION, HAS_APOSTROPHE, isAsciiLetter, MAX_WORD_LENGTH, tokenize } from './tokenize.ts';

const PLUS = 0x2b;
const HASH_SIGN = 0x23;
const BLANK = 0x20;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Numbers words from 0 in the order of their first use, letter by letter: only a new word becomes a string. */
export interface WordReader {
  /** Begin a list of words. */
  start(): void;
  /** Add the words of a text, as `tokenize` gives them. */
  read(text: string): void;
  /** Words that have a number. */
  readonly known: number;
  /** Words in the list. */
  readonly count: number;
  /** Their numbers, and what was there before behind them. */
  readonly words: Uint32Array;
  spell(word: number): string;
}

export function createWordReader(): WordReader {
  /** Letters of all words, and where each begins; the last ends where the next will begin. */
  let letters = new Uint8Array(1 << 16);
  let starts = new Uint32Array(1 << 12);
  let known = 0;
  /** Open addressing: hash, number of the word and one (0 where there is none), side by side to be read from memory at once. */
  let slots = new Uint32Array(1 << 14);
  /** The text that is read; there is room for the longest word. */
  let folded = new Uint8Array(4096);
  let words = new Uint32Array(256);
  let count = 0;

  /** Slots are as many as a power of two. */
  function firstSlot(hash: number): number {
    return ((hash ^ (hash >>> 15)) * 2) & (slots.length - 1);
  }

  function slotAfter(slot: number): number {
    return (slot + 2) & (slots.length - 1);
  }

  /** Number of the word in `folded`. */
  function numberOf(hash: number, from: number, to: number): number {
    let slot = firstSlot(hash);
    for (; slots[slot + 1] !== 0; slot = slotAfter(slot)) {
      const word = slots[slot + 1]! - 1;
      if (slots[slot] === hash && isAt(word, from, to - from)) return word;
    }
    slots[slot] = hash;
    slots[slot + 1] = known + 1;
    return addWord(from, to);
  }

  function isAt(word: number, from: number, length: number): boolean {
    const start = starts[word]!;
    if (starts[word + 1]! - start !== length) return false;
    for (let i = 0; i < length; i++) if (letters[start + i] !== folded[from + i]) return false;
    return true;
  }

  function addWord(from: number, to: number): number {
    const start = starts[known]!;
    const end = start + to - from;
    if (end > letters.length) letters = enlarge(letters);
    for (let i = from; i < to; i++) letters[start + i - from] = folded[i]!;
    const word = known++;
    if (known === starts.length) starts = enlarge(starts);
    starts[known] = end;
    if (known * 4 > slots.length) enlargeSlots();
    return word;
  }

  function enlargeSlots(): void {
    const before = slots;
    slots = new Uint32Array(before.length * 2);
    for (let was = 0; was < before.length; was += 2) {
      if (before[was + 1] === 0) continue;
      let slot = firstSlot(before[was]!);
      while (slots[slot + 1] !== 0) slot = slotAfter(slot);
      slots[slot] = before[was]!;
      slots[slot + 1] = before[was + 1]!;
    }
  }

  function add(hash: number, from: number, to: number): void {
    if (count === words.length) words = enlarge(words);
    words[count++] = numberOf(hash >>> 0, from, to);
  }

  function addHashed(from: number, to: number): void {
    let hash = HASH_START;
    for (let i = from; i < to; i++) hash = addToHash(hash, folded[i]!);
    add(hash, from, to);
  }

  /** Add the words of folded ASCII: `tokenize` says what they are. Each letter is looked at once, but of words with signs and of very long
   *  ones. */
  function addAscii(length: number): void {
    folded[length] = BLANK;
    for (let at = 0; at < length; at++) {
      let letter = folded[at]!;
      if (isAsciiLetter[letter] === 0) continue;
      const from = at;
      let hash = HASH_START;
      do {
        hash = addToHash(hash, letter);
        letter = folded[++at]!;
      } while (isAsciiLetter[letter] === 1);
      if (letter !== PLUS && letter !== HASH_SIGN && at - from <= MAX_WORD_LENGTH) {
        add(hash, from, at);
        continue;
      }
      if (letter === PLUS && folded[at + 1] === PLUS) at += 2;
      else if (letter === HASH_SIGN && isAsciiLetter[folded[at + 1]!] === 0) at++;
      addHashed(from, Math.min(at, from + MAX_WORD_LENGTH));
      at--;
    }
  }

  return {
    start() {
      count = 0;
    },
    read(text) {
      const room = text.length * MOST_FOLDED + 2;
      if (folded.length < room) folded = enlarge(folded, room);
      const own = HAS_APOSTROPHE.test(text) ? text.replace(ELISION, '$1') : text;
      const length = foldCodes(own, folded);
      if (length >= 0) return addAscii(length);
      for (const word of tokenize(text)) addHashed(0, encoder.encodeInto(word, folded).written);
    },
    get known() {
      return known;
    },
    get count() {
      return count;
    },
    get words() {
      return words;
    },
    spell: (word) => decoder.decode(letters.subarray(starts[word], starts[word + 1])),
  };
}

/** Instead of the number of a term, for function words. */
export const NO_TERM = -1;

/** The terms that the words of a reader stand for, in one language or in names. Each is found out once; from then on it costs one look-up. */
export interface WordTerms {
  /** By word: its term and two, 1 for function words, 0 where it was not read. */
  known: Uint32Array;
  /** @return the number of its term, or NO_TERM */
  readonly read: (word: number) => number;
}

/** Of a word. One function for all languages, and not one for each, because it runs for each word of each text.
 *  @return the number of its term, or NO_TERM */
export function termOf(terms: WordTerms, word: number): number {
  if (word >= terms.known.length) terms.known = enlarge(terms.known, word + 1);
  if (terms.known[word] === 0) terms.known[word] = terms.read(word) + 2;
  return terms.known[word]! - 2;
}

/** The terms of words, language by language.
 *  @param read is asked once for each word and language */
export function createLanguageTerms(
  read: (word: number, lang: string) => number,
): (lang: string) => WordTerms {
  const known = new Map<string, WordTerms>();
  return (lang) => {
    let own = known.get(lang);
    if (own === undefined) {
      own = createWordTerms((word) => read(word, lang));
      known.set(lang, own);
    }
    return own;
  };
}

/** @param read is asked once for each word */
export function createWordTerms(read: WordTerms['read']): WordTerms {
  return { known: new Uint32Array(1 << 10), read };
}
