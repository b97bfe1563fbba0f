import { buildStringTable, findString, findStringRange, readString, sortStringsByBytes } from '#engine/string-table';
import { buildTypoTable, findTypos, MAX_TYPO_WORDS, type TypoTable } from '#engine/text/typo-table';
import type { Lexicon } from './segment.ts';

/** Words of a lexicon; further ones are left out, as the typo table cannot hold more. */
export const MAX_SURFACES = MAX_TYPO_WORDS;

export function buildLexicon(termsOfWords: ReadonlyMap<string, readonly number[]>): Lexicon {
  const words = sortStringsByBytes([...termsOfWords.keys()]);
  return { ...listLexiconTerms(words, termsOfWords), ...buildTypoTable(words) };
}

/** @param words sorted */
export function listLexiconTerms(
  words: readonly string[],
  termsOfWords: ReadonlyMap<string, readonly number[]>,
): Omit<Lexicon, keyof TypoTable> {
  const termStart = new Uint32Array(words.length + 1);
  const terms: number[] = [];
  for (const [i, word] of words.entries()) {
    terms.push(...termsOfWords.get(word)!);
    termStart[i + 1] = terms.length;
  }
  return { surfaces: buildStringTable(words), termStart, terms: Uint32Array.from(terms) };
}

const NO_TERMS = new Uint32Array();

export function findTermsOfWord(lexicon: Lexicon, word: string): Uint32Array {
  const surface = findString(lexicon.surfaces, word);
  return surface < 0 ? NO_TERMS : listTermsOfSurface(lexicon, surface);
}

export function listTermsOfSurface(lexicon: Lexicon, surface: number): Uint32Array {
  return lexicon.terms.subarray(lexicon.termStart[surface], lexicon.termStart[surface + 1]);
}

/** Finds the numbers of the words with a prefix, ascending. */
export function findSurfacesByPrefix(lexicon: Lexicon, prefix: string): Uint32Array {
  const [start, end] = findStringRange(lexicon.surfaces, prefix);
  return Uint32Array.from({ length: end - start }, (_, i) => start + i);
}

/** Finds the numbers of the words of which a word may be a typo, ascending. */
export function findSurfacesByTypo(lexicon: Lexicon, word: string): Uint32Array {
  return findTypos(lexicon, word, (surface) => readString(lexicon.surfaces, surface));
}
