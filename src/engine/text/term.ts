import { stem } from './stem.ts';

/** What the index knows a folded word by: its stem in its language. The same letters in two languages are two terms, or
 *  the French "amiante" (stem "ami") would find the English "Amy". */
export function termOf(word: string, lang: string): string {
  return termOfStem(stem(word, lang), lang);
}

export function termOfStem(stemmed: string, lang: string): string {
  return `${stemmed}/${lang}`;
}

/** What the index knows a word of a name by: names are not inflected, and belong to no language. */
export function termOfName(word: string): string {
  return word;
}
