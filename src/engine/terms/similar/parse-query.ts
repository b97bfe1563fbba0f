import { isStopword } from '#engine/text/stopwords';
import { MAX_QUERY_WORDS, tokenize } from '#engine/text/tokenize';
import type { OpenTerms } from '../concept-view.ts';
import { type LabelTable, NONE } from '../term-data.ts';
import type { MatchStage } from '../types.ts';
import { findNearWords, findSameWord, measureWords, type NearWord, type NearWords } from './near-words.ts';

/** A distinct word of a query. */
interface Slot {
  readonly word: string;
  /** Similar words of the index, most similar first; includes the word itself if labels have it. */
  readonly near: readonly NearWord[];
  /** By language: whether it is a function word there. */
  readonly isIgnoredIn: readonly boolean[];
}

export interface ParsedQuery {
  readonly words: readonly string[];
  readonly lang: string;
  readonly slots: readonly Slot[];
  /** By language: the length of the n-gram vector of the words that are not ignored there. */
  readonly lengthByLang: readonly number[];
}

export interface QueryRequest {
  readonly keywords: string;
  readonly lang: string;
  /** Leaves out similar words, which is several times as fast. */
  readonly asTyped?: boolean;
}

/** Splits a query into words, and finds similar words of the index for each. */
export function parseQuery(terms: OpenTerms, nearWords: NearWords, request: QueryRequest): ParsedQuery {
  const { langs } = terms.vocabulary;
  // Other languages have no list of function words that fits the index.
  const lang = terms.lexicon.findLang(request.lang) < 0 ? '' : request.lang;
  const words = tokenize(request.keywords).slice(0, MAX_QUERY_WORDS);
  const distinct = [...new Set(words)];
  const ignored = langs.map((labelLang) => findIgnored(distinct, labelLang, lang));
  return {
    words,
    lang,
    slots: distinct.map((word, i) => ({
      word,
      near: (request.asTyped === true ? findSameWord : findNearWords)(nearWords, word),
      isIgnoredIn: ignored.map((byWord) => byWord[i]!),
    })),
    lengthByLang: ignored.map((byWord) =>
      measureWords(
        nearWords,
        distinct.filter((_, i) => !byWord[i]),
      ),
    ),
  };
}

/** Tells which words are function words in the labels' or the query's language; none if all are. */
function findIgnored(words: readonly string[], labelLang: string, lang: string): boolean[] {
  const ignored = words.map((word) => isStopword(word, labelLang) || (lang !== '' && isStopword(word, lang)));
  return ignored.includes(false) ? ignored : words.map(() => false);
}

/** A query with the terms of its words in each language. */
export interface ResolvedQuery extends ParsedQuery {
  readonly termsByLang: readonly (readonly number[])[];
  /** By language and slot: the term of its word. */
  readonly slotTerms: readonly (readonly number[])[];
  /** By slot: the place in `near` of each similar word. */
  readonly nearPlaces: readonly ReadonlyMap<number, number>[];
  /** Whether the labels of its language have all its words. */
  readonly isUnderstood: boolean;
}

export function resolveQuery({ vocabulary, lexicon }: OpenTerms, query: ParsedQuery): ResolvedQuery {
  const { slots } = query;
  const slotOf = query.words.map((word) => slots.findIndex((slot) => slot.word === word));
  const slotTerms = vocabulary.langs.map((_, lang) => slots.map(({ word }) => lexicon.findTerm(word, lang)));
  const termsByLang = slotTerms.map((terms, lang) =>
    slotOf.filter((slot) => !slots[slot]!.isIgnoredIn[lang]).map((slot) => terms[slot]!),
  );
  const nearPlaces = slots.map(({ near }) => new Map(near.map(({ word }, place) => [word, place])));
  const lang = lexicon.findLang(query.lang);
  return {
    ...query,
    termsByLang,
    slotTerms,
    nearPlaces,
    isUnderstood: lang >= 0 && !termsByLang[lang]!.includes(NONE),
  };
}

/** The stages of a partial match, from the best to the worst. */
const STAGES = ['partial', 'typo', 'ngram'] as const;

export function findMatchStage(terms: OpenTerms, label: number, query: ResolvedQuery): MatchStage {
  if (hasMatchingWords(terms, label, query.words)) return 'exact';
  return hasMatchingTerms(terms, label, query) ? 'stem' : findPartialStage(terms, label, query);
}

/** Finds the stage of a partial match: that of the least similar of the matching words. */
function findPartialStage({ labels }: OpenTerms, label: number, query: ResolvedQuery): MatchStage {
  const lang = labels.langOf[label]!;
  let worst = 0;
  let hasMatch = false;
  for (const [slot, { near, isIgnoredIn }] of query.slots.entries()) {
    if (isIgnoredIn[lang]) continue;
    const isSame = hasTerm(labels, label, query.slotTerms[lang]![slot]!);
    const nearest = near[findNearest(labels, label, query.nearPlaces[slot]!)];
    if (!isSame && nearest === undefined) continue;
    hasMatch = true;
    if (!isSame && nearest?.by !== 'same') worst = Math.max(worst, nearest?.by === 'typo' ? 1 : 2);
  }
  return hasMatch ? STAGES[worst]! : 'ngram';
}

function hasTerm({ terms, termStart }: LabelTable, label: number, term: number): boolean {
  if (term === NONE) return false;
  for (let at = termStart[label]!; at < termStart[label + 1]!; at++) if (terms[at] === term) return true;
  return false;
}

/** Finds the first place of a word of the label, or infinity. */
function findNearest({ words, wordStart }: LabelTable, label: number, places: ReadonlyMap<number, number>): number {
  let first = Number.POSITIVE_INFINITY;
  for (let at = wordStart[label]!; at < wordStart[label + 1]!; at++)
    first = Math.min(first, places.get(words[at]!) ?? first);
  return first;
}

export function hasMatchingWords({ labels, lexicon }: OpenTerms, label: number, words: readonly string[]): boolean {
  const start = labels.wordStart[label]!;
  if (labels.wordStart[label + 1]! - start !== words.length) return false;
  return words.every((word, i) => lexicon.words[labels.words[start + i]!] === word);
}

export function hasMatchingTerms({ labels }: OpenTerms, label: number, { termsByLang }: ResolvedQuery): boolean {
  const terms = termsByLang[labels.langOf[label]!]!;
  const start = labels.termStart[label]!;
  return (
    labels.termStart[label + 1]! - start === terms.length && terms.every((term, i) => labels.terms[start + i] === term)
  );
}
