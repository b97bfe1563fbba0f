import { fold } from './fold.ts';
import { cacheByWord, type ReadWord, stem } from './stem.ts';
import { cutToken } from './tokenize.ts';

const WORD = /[\p{L}\p{N}\p{M}]+(?:\+\+|#(?![\p{L}\p{N}]))?/gu;

/** Returns the term of a folded word in the index: its stem and its language. The same stem in two
 *  languages is two terms, or the French "amiante" (stem "ami") would match the English "Amy". It
 *  is the same string object each time, so that V8 computes its hash once.
 *  @example toTerm('running', 'en') // 'run/en' */
export const toTerm: ReadWord = cacheByWord((word, lang) => stemToTerm(stem(word, lang), lang));

export const stemToTerm = (stemmed: string, lang: string): string => `${stemmed}/${lang}`;

/** Endings of the plural, by language. Only in these languages do stems merge other words than
 *  inflections: `market` and `marketing`. */
const PLURALS: ReadonlyMap<string, RegExp> = new Map([
  ['en', /(?<=[^su])s$/],
  ['es', /(?<=[aeiou])s$/],
  ['fr', /(?<=[^s])[sx]$/],
]);

/** Returns the term of a folded word in its own form, singular or plural; empty if its stem is as
 *  specific. Stems merge words of a family, and the word itself is a better match than the others.
 *  @example toFormTerm('marketing', 'en') // '=marketing/en', while the stem is 'market' */
export const toFormTerm: ReadWord = cacheByWord((word, lang) => {
  const plural = PLURALS.get(lang);
  if (plural === undefined || word.length < 5) return '';
  const form = word.replace(plural, '');
  const ending = form.slice(stem(word, lang).length);
  return ending === '' || /^[eiy]$/.test(ending) ? '' : `=${form}/${lang}`;
});

/** Returns the term of a folded name: names are not inflected, and have no language. */
export const nameToTerm = (word: string): string => word;

/** Measures the inverse document frequency of a term, which is always positive.
 *  Source: Robertson & Zaragoza 2009, eq. 3.2 plus one. */
export function measureIdf(documents: number, withTerm: number): number {
  return Math.log(1 + (documents - withTerm + 0.5) / (withTerm + 0.5));
}

/** Finds the words of a text whose terms are in `terms`, as ascending UTF-16 offsets, end
 *  exclusive.
 *  @example findMatches('Running maps', 'en', new Set(['run/en'])) // [[0, 7]] */
export function findMatches(text: string, lang: string, terms: ReadonlySet<string>): [start: number, end: number][] {
  const ranges: [number, number][] = [];
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (terms.has(toTerm(cutToken(fold(word)), lang))) ranges.push([index, index + word.length]);
  }
  return ranges;
}
