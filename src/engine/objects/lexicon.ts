import { hashString, hashWithout } from '../hash.ts';
import { buildStringTable, findString, prefixRange, sortByBytes, stringAt } from '../string-table.ts';
import { isWithinOneEdit } from '../text/osa-distance.ts';
import type { Lexicon } from './segment.ts';

/** Shorter words have too many neighbours, longer ones are rarely typed. */
const MIN_TYPO_LENGTH = 4;
const MAX_TYPO_LENGTH = 24;

/** 2^21 words fit beside a hash in the sort keys of the typos. */
export const MAX_SURFACES = 2 ** 21;

/** Build the lexicon from each word and the terms it stands for. */
export function buildLexicon(termsOfWords: ReadonlyMap<string, readonly number[]>): Lexicon {
  const words = sortByBytes([...termsOfWords.keys()]);
  const termStart = new Uint32Array(words.length + 1);
  const terms: number[] = [];
  for (const [i, word] of words.entries()) {
    terms.push(...termsOfWords.get(word)!);
    termStart[i + 1] = terms.length;
  }
  return {
    surfaces: buildStringTable(words),
    termStart,
    terms: Uint32Array.from(terms),
    ...buildTypos(words),
  };
}

/** Terms a word stands for, as written. */
export function termsOfWord(lexicon: Lexicon, word: string): Iterable<number> {
  const surface = findString(lexicon.surfaces, word);
  return surface < 0 ? [] : termsOfSurface(lexicon, surface);
}

export function termsOfSurface(lexicon: Lexicon, surface: number): Uint32Array {
  return lexicon.terms.subarray(lexicon.termStart[surface], lexicon.termStart[surface + 1]);
}

/** Numbers of the words that begin with `prefix`, ascending. */
export function surfacesByPrefix(lexicon: Lexicon, prefix: string): Uint32Array {
  const [start, end] = prefixRange(lexicon.surfaces, prefix);
  return Uint32Array.from({ length: end - start }, (_, i) => start + i);
}

/** Numbers of the words one edit away from `word`, ascending. */
export function surfacesByTypo(lexicon: Lexicon, word: string): Uint32Array {
  const found = new Set<number>();
  if (word.length < MIN_TYPO_LENGTH || word.length > MAX_TYPO_LENGTH) return new Uint32Array(0);
  for (const hash of neighbourhood(word)) {
    for (let i = lowerBoundOfHash(lexicon.typoHash, hash); lexicon.typoHash[i] === hash; i++) {
      const surface = lexicon.typoSurface[i]!;
      if (!found.has(surface) && isWithinOneEdit(word, stringAt(lexicon.surfaces, surface)))
        found.add(surface);
    }
  }
  return Uint32Array.from(found).sort();
}

/** Hashes of the word itself and of every word made by leaving out one letter. Two words one edit apart share one.
 *  Source: the symmetric deletion algorithm (SymSpell, Garbe 2012). */
function neighbourhood(word: string): number[] {
  const hashes = [hashString(word)];
  for (let i = 0; i < word.length; i++) {
    // Leaving out either of two equal neighbours gives the same word.
    if (i === 0 || word[i] !== word[i - 1]) hashes.push(hashWithout(word, i));
  }
  return hashes;
}

function buildTypos(words: readonly string[]): Pick<Lexicon, 'typoHash' | 'typoSurface'> {
  // A hash and its word in one float (exact below 2^53) sort natively, many times faster than by a comparing function.
  let capacity = 0;
  for (const word of words) if (mayBeMistyped(word)) capacity += word.length + 1;
  const keys = new Float64Array(capacity);
  let size = 0;
  for (const [surface, word] of words.entries()) {
    if (!mayBeMistyped(word)) continue;
    for (const hash of neighbourhood(word)) keys[size++] = hash * MAX_SURFACES + surface;
  }
  const sorted = keys.subarray(0, size).sort();
  const typoHash = new Uint32Array(size);
  const typoSurface = new Uint32Array(size);
  for (let i = 0; i < size; i++) {
    const hash = Math.floor(sorted[i]! / MAX_SURFACES);
    typoHash[i] = hash;
    typoSurface[i] = sorted[i]! - hash * MAX_SURFACES;
  }
  return { typoHash, typoSurface };
}

function mayBeMistyped(word: string): boolean {
  return word.length >= MIN_TYPO_LENGTH && word.length <= MAX_TYPO_LENGTH && !/\d/.test(word);
}

function lowerBoundOfHash(hashes: Uint32Array, hash: number): number {
  let low = 0;
  let high = hashes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (hashes[middle]! < hash) low = middle + 1;
    else high = middle;
  }
  return low;
}
