import { isStopword } from '../../text/stopwords.ts';
import { nameToTerm, toTerm } from '../../text/term.ts';
import { createWordTerms, NO_TERM, type WordTerms } from '../../text/word-terms.ts';
import { MAX_SURFACES } from './lexicon.ts';
import { PUBLISHER_MARK } from './segment.ts';

/** Terms in order of their first use, while a segment is built. */
export interface Vocabulary {
  readonly terms: readonly string[];
  readonly termsOfSurface: ReadonlyMap<string, readonly number[]>;
  ofLanguage(lang: string): WordTerms;
  /** Of a word of a name. */
  readonly ofNames: WordTerms;
  /** Of a word of a publisher's name, in the list of its own. */
  readonly ofPublishers: WordTerms;
  /** Gives the number of a term that begins with a mark, and that no word stands for. */
  ofMarked(term: string): number;
}

/** @param spell gives the word of a number */
export function createVocabulary(spell: (word: number) => string): Vocabulary {
  const terms: string[] = [];
  const ids = new Map<string, number>();
  const termsOfSurface = new Map<string, number[]>();
  const languages = new Map<string, WordTerms>();

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
    createWordTerms((number) => {
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
    ofNames: createWordTerms((number) => {
      const word = spell(number);
      return idOfSurface(word, nameToTerm(word));
    }),
    ofPublishers: createWordTerms((word) => idOfTerm(PUBLISHER_MARK + spell(word))),
    ofMarked: idOfTerm,
  };
}
