import { MAX_QUERY_WORDS } from '../query-words.ts';
import { isStopword } from '../text/stopwords.ts';
import { tokenize } from '../text/tokenize.ts';
import type { OpenTerms } from './concept-view.ts';
import { NONE } from './term-data.ts';
import { NGRAM_WEIGHT, TYPO_WEIGHT } from './weights.ts';

/** How far from the query a word is: the ordinals of `matchStages` that a single word can have. */
export const wordStages = { stem: 1, typo: 3, ngram: 4 } as const;

/** A term that stands for a word of the query. */
export interface TermMatch {
  readonly term: number;
  /** 0 to 1. */
  readonly weight: number;
  readonly stage: number;
}

/** A distinct word of the query. */
export interface Slot {
  readonly word: string;
  /** Own terms first, then by falling weight. */
  readonly matches: readonly TermMatch[];
  /** By language: what the word weighs in a query of that language; 0 for a function word. */
  readonly weightByLang: readonly number[];
}

export interface ParsedQuery {
  /** Folded, in order, at most MAX_QUERY_WORDS. */
  readonly words: readonly string[];
  readonly lang: string;
  readonly slots: readonly Slot[];
}

/** Which words are looked for in other spellings. */
export type Tolerance = 'none' | 'unknown words' | 'all words';

export function parseQuery(
  terms: OpenTerms,
  request: { readonly keywords: string; readonly lang: string },
): ParsedQuery {
  // Whatever was asked for, only a language of the index may choose a list of function words.
  const lang = terms.lexicon.findLang(request.lang) < 0 ? '' : request.lang;
  const words = tokenize(request.keywords).slice(0, MAX_QUERY_WORDS);
  const distinct = [...new Set(words)];
  const weights = terms.vocabulary.langs.map((_, ordinal) =>
    weighWords(terms, { words: distinct, lang, ordinal }),
  );
  const slots = distinct.map((word, i) => ({
    word,
    matches: ownTerms(terms, word),
    weightByLang: weights.map((byWord) => byWord[i]!),
  }));
  return { words, lang, slots };
}

/** The same query with mistyped words understood: by one edit, else by shared n-grams. */
export function withTolerance(terms: OpenTerms, query: ParsedQuery, tolerance: Tolerance): ParsedQuery {
  const slots = query.slots.map((slot) => {
    const isKnown = terms.lexicon.findWord(slot.word) !== NONE;
    if (tolerance === 'none' || (tolerance === 'unknown words' && isKnown)) return slot;
    return { ...slot, matches: [...slot.matches, ...nearTerms(terms, slot.word, tolerance)] };
  });
  return { ...query, slots };
}

function ownTerms({ lexicon, vocabulary }: OpenTerms, word: string): TermMatch[] {
  return vocabulary.langs
    .map((_, lang) => lexicon.findTerm(word, lang))
    .filter((term) => term !== NONE)
    .map((term) => ({ term, weight: 1, stage: wordStages.stem }));
}

function nearTerms(terms: OpenTerms, word: string, tolerance: Tolerance): TermMatch[] {
  const { spelling } = terms;
  const typos = spelling
    .findTypos(word)
    .flatMap((near) => termsOfWord(terms, near, { weight: TYPO_WEIGHT, stage: wordStages.typo }));
  if (typos.length > 0 && tolerance !== 'all words') return typos;
  const byGrams = spelling
    .findWordsByGrams(word)
    .flatMap(({ word: near, similarity }) =>
      termsOfWord(terms, near, { weight: NGRAM_WEIGHT * similarity, stage: wordStages.ngram }),
    );
  return [...typos, ...byGrams];
}

function termsOfWord({ vocabulary }: OpenTerms, word: number, match: Omit<TermMatch, 'term'>): TermMatch[] {
  const { langs, termOfWord } = vocabulary;
  return langs
    .map((_, lang) => termOfWord[word * langs.length + lang]!)
    .filter((term) => term !== NONE)
    .map((term) => ({ term, ...match }));
}

interface WeighOptions {
  readonly words: readonly string[];
  readonly lang: string;
  /** Of the language to weigh for. */
  readonly ordinal: number;
}

/** A word no label has weighs as much as the rarest one: a label cannot cover it. */
function weighWords({ lexicon, vocabulary }: OpenTerms, { words, lang, ordinal }: WeighOptions): number[] {
  const labelLang = vocabulary.langs[ordinal]!;
  const isFunctionWord = words.map((word) => isStopword(word, labelLang));
  const hasContent = isFunctionWord.includes(false);
  return words.map((word, i) => {
    if (hasContent && isFunctionWord[i]) return 0;
    const term = lexicon.findTerm(word, ordinal);
    if (term !== NONE) return vocabulary.idf[term]!;
    return hasContent && isStopword(word, lang) ? 0 : vocabulary.maxIdf[ordinal]!;
  });
}
