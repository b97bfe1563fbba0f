import { fold } from './fold.ts';
import { cacheWords, type ReadWord, stem } from './stem.ts';
import { cutWord } from './tokenize.ts';

const WORD = /[\p{L}\p{N}\p{M}]+(?:\+\+|#(?![\p{L}\p{N}]))?/gu;

/** The term of a folded word in the index: its stem in its language. The same letters in two languages are two terms, or the
 *  French "amiante" (stem "ami") would find the English "Amy". The same string each time, so that its hash is worked out only
 *  once.
 *  @example toTerm('running', 'en') // 'run/en' */
export const toTerm: ReadWord = cacheWords((word, lang) => stemToTerm(stem(word, lang), lang));

export function stemToTerm(stemmed: string, lang: string): string {
  return `${stemmed}/${lang}`;
}

/** The term of a word of a name: names are not inflected, and belong to no language. */
export function nameToTerm(word: string): string {
  return word;
}

/** Inverse document frequency of a term, always positive. Source: Robertson & Zaragoza 2009, eq. 3.2 plus one. */
export function measureTermIdf(documents: number, withTerm: number): number {
  return Math.log(1 + (documents - withTerm + 0.5) / (withTerm + 0.5));
}

/** Half-open ranges of UTF-16 offsets of the words of a text whose term is among `terms`, ascending.
 *  @example findMatches('Running maps', 'en', new Set(['run/en'])) // [[0, 7]] */
export function findMatches(
  text: string,
  lang: string,
  terms: ReadonlySet<string>,
): [start: number, end: number][] {
  const ranges: [number, number][] = [];
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (terms.has(toTerm(cutWord(fold(word)), lang))) ranges.push([index, index + word.length]);
  }
  return ranges;
}
