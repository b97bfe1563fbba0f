import { fold } from './fold.ts';
import { stem } from './stem.ts';
import { cutWord } from './tokenize.ts';

const WORD = /[\p{L}\p{N}\p{M}]+(?:\+\+|#(?![\p{L}\p{N}]))?/gu;

const MAX_CACHED_WORDS = 20_000;
const caches = new Map<string, Map<string, string>>();

/** The term of a folded word in the index: its stem in its language. The same letters in two languages are two terms, or the
 *  French "amiante" (stem "ami") would find the English "Amy". The same string each time, so that its hash is worked out only
 *  once.
 *  @example toTerm('running', 'en') // 'run/en' */
export function toTerm(word: string, lang: string): string {
  let cache = caches.get(lang);
  if (cache === undefined || cache.size >= MAX_CACHED_WORDS) {
    cache = new Map();
    caches.set(lang, cache);
  }
  let term = cache.get(word);
  if (term === undefined) {
    term = stemToTerm(stem(word, lang), lang);
    cache.set(word, term);
  }
  return term;
}

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
