import { enlarge } from '../arrays.ts';

/** Instead of the number of a term, for function words. */
export const NO_TERM = -1;

/** The terms of words in one language, or in names. What a word stands for is found out once; from then on it costs one look-up. */
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
