import { stem } from './stem.ts';

const MAX_CACHED_WORDS = 20_000;
const caches = new Map<string, Map<string, string>>();

/** What the index knows a folded word by: its stem in its language. The same letters in two languages are two terms, or
 *  the French "amiante" (stem "ami") would find the English "Amy". The same string each time, so that its hash, too, is worked
 *  out once. */
export function termOf(word: string, lang: string): string {
  let cache = caches.get(lang);
  if (cache === undefined || cache.size >= MAX_CACHED_WORDS) {
    cache = new Map();
    caches.set(lang, cache);
  }
  let term = cache.get(word);
  if (term === undefined) {
    term = termOfStem(stem(word, lang), lang);
    cache.set(word, term);
  }
  return term;
}

export function termOfStem(stemmed: string, lang: string): string {
  return `${stemmed}/${lang}`;
}

/** What the index knows a word of a name by: names are not inflected, and belong to no language. */
export function termOfName(word: string): string {
  return word;
}
