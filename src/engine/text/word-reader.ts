import { enlarge } from '../arrays.ts';
import { addToHash, HASH_START, hashBytes } from '../hash.ts';
import { getOrAdd } from '../maps.ts';
import { foldCodes, MAX_FOLDED_LENGTH } from './fold.ts';
import { dropElisions, isAsciiLetter, MAX_WORD_LENGTH, tokenize } from './tokenize.ts';

const PLUS = 0x2b;
const HASH_SIGN = 0x23;
const BLANK = 0x20;
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export type WordReader = ReturnType<typeof createWordReader>;

/** Splits texts into words as `tokenize` does, and numbers the distinct words from 0 in the order
 *  of first use. It works on bytes, so no string is created for a repeated word. */
export function createWordReader() {
  return {
    /** The UTF-8 bytes of all distinct words. */
    letters: new Uint8Array(1 << 16),
    /** The start of each distinct word in `letters`; one longer than there are words. */
    starts: new Uint32Array(1 << 12),
    /** The number of distinct words in all texts so far. */
    distinctWords: 0,
    /** A hash table with open addressing. A slot is two numbers, side by side to share a cache
     *  line: the hash of a word, and its number plus one (0 for an empty slot). */
    slots: new Uint32Array(1 << 14),
    /** The folded text that is being read, or a single word of it. */
    folded: new Uint8Array(4096),
    /** The numbers of the words of the current texts; only the first `count` are valid. */
    words: new Uint32Array(256),
    count: 0,
  };
}

/** Reads the words of texts into `words`, after its first `from` entries. */
export function readWords(reader: WordReader, texts: readonly string[], from = 0): void {
  reader.count = from;
  for (const text of texts) readTextWords(reader, text);
}

export function spellWord({ letters, starts }: WordReader, word: number): string {
  return decoder.decode(letters.subarray(starts[word], starts[word + 1]));
}

function readTextWords(reader: WordReader, text: string): void {
  const capacity = text.length * MAX_FOLDED_LENGTH + 2;
  if (reader.folded.length < capacity) reader.folded = enlarge(reader.folded, capacity);
  const length = foldCodes(dropElisions(text), reader.folded);
  if (length >= 0) {
    readAsciiWords(reader, length);
    return;
  }
  for (const word of tokenize(text)) {
    const end = encoder.encodeInto(word, reader.folded).written;
    addWord(reader, hashBytes(reader.folded, 0, end), 0, end);
  }
}

/** Adds the words of folded ASCII by the rules of `tokenize`. Nearly all words are hashed while
 *  they are scanned, so each letter is read once. */
function readAsciiWords(reader: WordReader, length: number): void {
  const { folded } = reader;
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
      addWord(reader, hash, from, at);
      continue;
    }
    if (letter === PLUS && folded[at + 1] === PLUS) at += 2;
    else if (letter === HASH_SIGN && isAsciiLetter[folded[at + 1]!] === 0) at++;
    const end = Math.min(at, from + MAX_WORD_LENGTH);
    addWord(reader, hashBytes(folded, from, end), from, end);
    at--;
  }
}

function addWord(reader: WordReader, hash: number, from: number, to: number): void {
  if (reader.count === reader.words.length) reader.words = enlarge(reader.words);
  reader.words[reader.count++] = findWordNumber(reader, hash >>> 0, from, to);
}

/** Returns the number of the word in a range of `folded`; a new word gets the next number. */
function findWordNumber(reader: WordReader, hash: number, from: number, to: number): number {
  const { slots, letters, starts, folded } = reader;
  const mask = slots.length - 1;
  let slot = firstWordSlot(hash, mask);
  for (; slots[slot + 1] !== 0; slot = (slot + 2) & mask) {
    if (slots[slot] !== hash) continue;
    const word = slots[slot + 1]! - 1;
    const start = starts[word]!;
    if (starts[word + 1]! - start !== to - from) continue;
    let at = from;
    while (at < to && letters[start + at - from] === folded[at]) at++;
    if (at === to) return word;
  }
  slots[slot] = hash;
  slots[slot + 1] = reader.distinctWords + 1;
  return addDistinctWord(reader, from, to);
}

function addDistinctWord(reader: WordReader, from: number, to: number): number {
  const start = reader.starts[reader.distinctWords]!;
  const end = start + to - from;
  if (end > reader.letters.length) reader.letters = enlarge(reader.letters);
  for (let i = from; i < to; i++) reader.letters[start + i - from] = reader.folded[i]!;
  const word = reader.distinctWords++;
  if (reader.distinctWords === reader.starts.length) reader.starts = enlarge(reader.starts);
  reader.starts[reader.distinctWords] = end;
  if (reader.distinctWords * 4 > reader.slots.length) enlargeSlots(reader);
  return word;
}

function enlargeSlots(reader: WordReader): void {
  const { slots: before } = reader;
  const slots = new Uint32Array(before.length * 2);
  const mask = slots.length - 1;
  for (let i = 0; i < before.length; i += 2) {
    if (before[i + 1] === 0) continue;
    let slot = firstWordSlot(before[i]!, mask);
    while (slots[slot + 1] !== 0) slot = (slot + 2) & mask;
    slots[slot] = before[i]!;
    slots[slot + 1] = before[i + 1]!;
  }
  reader.slots = slots;
}

const firstWordSlot = (hash: number, mask: number): number => ((hash ^ (hash >>> 15)) * 2) & mask;

/** Stands for the term of function words, which have none. */
export const NO_TERM = -1;

/** The terms of words by one rule, such as that of a language. */
export interface WordTerms {
  /** By word: its term plus two, 1 for a function word, 0 before the look-up. */
  cache: Uint32Array;
  readonly lookUp: (word: number) => number;
}

/** Finds the term of a word, or NO_TERM. It is one function for all languages, not a closure for
 *  each, as it runs for every word of every document. */
export function findTermOfWord(terms: WordTerms, word: number): number {
  if (word >= terms.cache.length) terms.cache = enlarge(terms.cache, word + 1);
  if (terms.cache[word] === 0) terms.cache[word] = terms.lookUp(word) + 2;
  return terms.cache[word]! - 2;
}

/** @param lookUp is called once for each word and language */
export function createLanguageTerms(lookUp: (word: number, lang: string) => number): (lang: string) => WordTerms {
  const byLanguage = new Map<string, WordTerms>();
  return (lang) => getOrAdd(byLanguage, lang, () => createWordTerms((word) => lookUp(word, lang)));
}

/** @param lookUp is called once for each word */
export function createWordTerms(lookUp: WordTerms['lookUp']): WordTerms {
  return { cache: new Uint32Array(1 << 10), lookUp };
}
