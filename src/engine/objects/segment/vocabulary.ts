import { isStopword } from '../../text/stopwords.ts';
import { nameToTerm, toTerm } from '../../text/term.ts';
import { MAX_SURFACES } from './lexicon.ts';

/** Instead of the number of a term, for function words. */
export const NO_TERM = -1;

/** Terms in order of their first use, while a segment is built. */
export interface Vocabulary {
  readonly terms: readonly string[];
  readonly termsOfSurface: ReadonlyMap<string, readonly number[]>;
  /** Gives the number of a word's term in a language, or NO_TERM. */
  ofLanguage(lang: string): (word: string) => number;
  /** Gives the number of the term of a word of a name. */
  ofNames(word: string): number;
  /** Gives the number of a term that begins with a mark, and that no word stands for. */
  ofMarked(term: string): number;
}

export function createVocabulary(): Vocabulary {
  const terms: string[] = [];
  const ids = new Map<string, number>();
  const termsOfSurface = new Map<string, number[]>();
  const languages = new Map<string, (word: string) => number>();

  function idOfTerm(term: string): number {
    let id = ids.get(term);
    if (id === undefined) {
      id = terms.length;
      ids.set(term, id);
      terms.push(term);
    }
    return id;
  }

  function addSurface(word: string, id: number): void {
    const known = termsOfSurface.get(word);
    if (known === undefined) {
      if (termsOfSurface.size < MAX_SURFACES) termsOfSurface.set(word, [id]);
    } else if (!known.includes(id)) known.push(id);
  }

  /** Words are stemmed, judged and entered once; from then on each costs one look-up. */
  function createLanguage(lang: string): (word: string) => number {
    const idOfWord = new Map<string, number>();
    return (word) => {
      let id = idOfWord.get(word);
      if (id !== undefined) return id;
      id = isStopword(word, lang) ? NO_TERM : idOfTerm(toTerm(word, lang));
      if (id !== NO_TERM) addSurface(word, id);
      idOfWord.set(word, id);
      return id;
    };
  }

  return {
    terms,
    termsOfSurface,
    ofLanguage(lang) {
      let known = languages.get(lang);
      if (known === undefined) {
        known = createLanguage(lang);
        languages.set(lang, known);
      }
      return known;
    },
    ofNames(word) {
      const id = idOfTerm(nameToTerm(word));
      addSurface(word, id);
      return id;
    },
    ofMarked: idOfTerm,
  };
}

/** Weighted frequencies of one document's terms. An array over all terms is several times faster than a map. */
export interface Frequencies {
  add(term: number, worth: number): void;
  /** Visit each term that was added, in the order of first use, and forget it. */
  drain(visit: (term: number, weighted: number) => void): void;
}

export function createVocabularyFrequencies(): Frequencies {
  let weights = new Float64Array(1 << 16);
  const terms: number[] = [];
  return {
    add(term, worth) {
      while (term >= weights.length) {
        const larger = new Float64Array(weights.length * 2);
        larger.set(weights);
        weights = larger;
      }
      if (weights[term] === 0) terms.push(term);
      weights[term]! += worth;
    },
    drain(visit) {
      for (const term of terms) {
        visit(term, weights[term]!);
        weights[term] = 0;
      }
      terms.length = 0;
    },
  };
}
