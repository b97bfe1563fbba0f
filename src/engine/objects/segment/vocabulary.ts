import { isStopword } from '../../text/stopwords.ts';
import { nameToTerm, toTerm } from '../../text/term.ts';
import { MAX_SURFACES } from './lexicon.ts';
import { PUBLISHER_MARK } from './segment.ts';

/** Instead of the number of a term, for function words. */
export const NO_TERM = -1;

/** Gives the number of the term of a word, or NO_TERM. */
export type TermOfWord = (word: number) => number;

/** Terms in order of their first use, while a segment is built. */
export interface Vocabulary {
  readonly terms: readonly string[];
  readonly termsOfSurface: ReadonlyMap<string, readonly number[]>;
  ofLanguage(lang: string): TermOfWord;
  /** Of a word of a name. */
  readonly ofNames: TermOfWord;
  /** Of a word of a publisher's name, in the list of its own. */
  readonly ofPublishers: TermOfWord;
  /** Gives the number of a term that begins with a mark, and that no word stands for. */
  ofMarked(term: string): number;
}

/** @param spell gives the word of a number */
export function createVocabulary(spell: (word: number) => string): Vocabulary {
  const terms: string[] = [];
  const ids = new Map<string, number>();
  const termsOfSurface = new Map<string, number[]>();
  const languages = new Map<string, TermOfWord>();

  function idOfTerm(term: string): number {
    let id = ids.get(term);
    if (id === undefined) {
      id = terms.length;
      ids.set(term, id);
      terms.push(term);
    }
    return id;
  }

  function idOfSurface(word: string, term: string): number {
    const id = idOfTerm(term);
    const known = termsOfSurface.get(word);
    if (known === undefined) {
      if (termsOfSurface.size < MAX_SURFACES) termsOfSurface.set(word, [id]);
    } else if (!known.includes(id)) known.push(id);
    return id;
  }

  const readLanguage = (lang: string) =>
    rememberTerms((number) => {
      const word = spell(number);
      return isStopword(word, lang) ? NO_TERM : idOfSurface(word, toTerm(word, lang));
    });

  return {
    terms,
    termsOfSurface,
    ofLanguage(lang) {
      let known = languages.get(lang);
      if (known === undefined) {
        known = readLanguage(lang);
        languages.set(lang, known);
      }
      return known;
    },
    ofNames: rememberTerms((number) => {
      const word = spell(number);
      return idOfSurface(word, nameToTerm(word));
    }),
    ofPublishers: rememberTerms((word) => idOfTerm(PUBLISHER_MARK + spell(word))),
    ofMarked: idOfTerm,
  };
}

/** Words are stemmed, judged and entered once; from then on each costs one look-up. */
function rememberTerms(read: TermOfWord): TermOfWord {
  /** By word, its term and two; 0 where it was not read. */
  let known = new Uint32Array(1 << 10);
  return (word) => {
    if (word >= known.length) {
      const larger = new Uint32Array(2 ** Math.ceil(Math.log2(word + 1)));
      larger.set(known);
      known = larger;
    }
    if (known[word] === 0) known[word] = read(word) + 2;
    return known[word]! - 2;
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
