import { isStopword } from '#engine/text/stopwords';
import { MAX_QUERY_WORDS, tokenize } from '#engine/text/tokenize';
import type { OpenTerms } from '../concept-view.ts';
import { NONE } from '../term-data.ts';
import type { MatchStage } from '../types.ts';
import type { NearWord, NearWords } from './near-words.ts';

/** A distinct word of the query. */
interface Slot {
  readonly word: string;
  /** Most similar first; includes the word itself when labels have it. */
  readonly near: readonly NearWord[];
  /** By language: whether it is a function word there and says nothing. */
  readonly isIgnoredIn: readonly boolean[];
}

export interface ParsedQuery {
  /** Folded, in order, at most MAX_QUERY_WORDS. */
  readonly words: readonly string[];
  readonly lang: string;
  readonly slots: readonly Slot[];
  /** By language: length of the vector of the words that count there. */
  readonly lengthByLang: readonly number[];
}

export interface QueryRequest {
  readonly keywords: string;
  readonly lang: string;
  /** Take the words as typed: no words like them. Several times as fast. */
  readonly asTyped?: boolean;
}

export function parseQuery(terms: OpenTerms, nearWords: NearWords, request: QueryRequest): ParsedQuery {
  const { langs } = terms.vocabulary;
  // Only a language of the index may choose a list of function words.
  const lang = terms.lexicon.findLang(request.lang) < 0 ? '' : request.lang;
  const words = tokenize(request.keywords).slice(0, MAX_QUERY_WORDS);
  const distinct = [...new Set(words)];
  const ignored = langs.map((labelLang) => markIgnored(distinct, labelLang, lang));
  return {
    words,
    lang,
    slots: distinct.map((word, i) => ({
      word,
      near: request.asTyped === true ? nearWords.findSame(word) : nearWords.find(word),
      isIgnoredIn: ignored.map((byWord) => byWord[i]!),
    })),
    lengthByLang: ignored.map((byWord) => nearWords.lengthOf(distinct.filter((_, i) => !byWord[i]))),
  };
}

/** Function words of the labels' language or of the query's say nothing, unless there is nothing else. */
function markIgnored(words: readonly string[], labelLang: string, lang: string): boolean[] {
  const ignored = words.map((word) => isStopword(word, labelLang) || (lang !== '' && isStopword(word, lang)));
  return ignored.includes(false) ? ignored : words.map(() => false);
}

export interface ReadQuery extends ParsedQuery {
  /** By language: the terms of its words in order, function words aside; NONE for a word that no label has. */
  readonly termsByLang: readonly (readonly number[])[];
  /** All its words are words of the labels of its own language. */
  readonly isUnderstood: boolean;
}

/** The query with its terms by language. */
export function readParsedQuery({ vocabulary, lexicon }: OpenTerms, query: ParsedQuery): ReadQuery {
  const termsByLang = vocabulary.langs.map((_, lang) => {
    const ignored = new Set(
      query.slots.filter(({ isIgnoredIn }) => isIgnoredIn[lang]).map(({ word }) => word),
    );
    return query.words.filter((word) => !ignored.has(word)).map((word) => lexicon.findTerm(word, lang));
  });
  const own = lexicon.findLang(query.lang);
  return { ...query, termsByLang, isUnderstood: own >= 0 && !termsByLang[own]!.includes(NONE) };
}

/** Worst last. */
const STAGES = ['partial', 'typo', 'ngram'] as const;

/** How a label was found. */
export function findMatchStage(terms: OpenTerms, label: number, query: ReadQuery): MatchStage {
  if (hasMatchingWords(terms, label, query.words)) return 'exact';
  return hasMatchingTerms(terms, label, query) ? 'stem' : describeMatch(terms, label, query);
}

/** How a label that is not the query itself was found: by the least similar of its words that were found. */
function describeMatch(terms: OpenTerms, label: number, query: ReadQuery): MatchStage {
  const { labels, lexicon } = terms;
  const lang = labels.langOf[label]!;
  const own = new Set(labels.words.subarray(labels.wordStart[label], labels.wordStart[label + 1]));
  const ownTerms = labels.terms.subarray(labels.termStart[label], labels.termStart[label + 1]);
  let worst = 0;
  let isFound = false;
  for (const { word, near, isIgnoredIn } of query.slots) {
    if (isIgnoredIn[lang]) continue;
    const term = lexicon.findTerm(word, lang);
    const isSame = term !== NONE && ownTerms.includes(term);
    const found = near.find((other) => own.has(other.word));
    if (!isSame && found === undefined) continue;
    isFound = true;
    if (!isSame && found?.by !== 'same') worst = Math.max(worst, found?.by === 'typo' ? 1 : 2);
  }
  return isFound ? STAGES[worst]! : 'ngram';
}

/** Whether the label is these very words. */
export function hasMatchingWords(
  { labels, lexicon }: OpenTerms,
  label: number,
  words: readonly string[],
): boolean {
  const start = labels.wordStart[label]!;
  if (labels.wordStart[label + 1]! - start !== words.length) return false;
  return words.every((word, i) => lexicon.words[labels.words[start + i]!] === word);
}

/** Whether the label's terms are the query's, in order. */
export function hasMatchingTerms({ labels }: OpenTerms, label: number, { termsByLang }: ReadQuery): boolean {
  const own = termsByLang[labels.langOf[label]!]!;
  const start = labels.termStart[label]!;
  return (
    labels.termStart[label + 1]! - start === own.length &&
    own.every((term, i) => labels.terms[start + i] === term)
  );
}
