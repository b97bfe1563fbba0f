import { getOrAdd } from '#engine/maps';
import { isStopword } from '#engine/text/stopwords';
import { nameToTerm, toFormTerm, toTerm } from '#engine/text/term';
import type { Expansion, ObjectQuery } from '../types.ts';
import { matchWeights } from '../weights.ts';

/** A phrase that replaces words of the query; a document must have all its words. */
export type Alternative = { readonly words: readonly PhraseWord[]; readonly weight: number };

/** A document matches if it has any of the terms, or the word as spelled. */
export interface PhraseWord {
  readonly word: string;
  readonly terms: readonly string[];
  /** An excluded term: a synonym does not match by a stem that it shares with other words. */
  readonly stem?: string;
}

/** A document must have one of the alternatives. */
export type Phrases = readonly Alternative[];

interface ExpandOptions {
  readonly query: ObjectQuery;
  /** Languages whose stemmers are applied. */
  readonly langs: readonly string[];
  /** Returns the word of which this one is a typo; null if some document has the word. */
  readonly correct: (word: string, index: number) => string | null;
}

export interface ExpandedSpan extends Pick<Expansion, 'start' | 'end'> {
  readonly synonyms: readonly Phrases[];
  readonly related: readonly Phrases[];
}

/** Finds alternatives for the words of a query. A word that no concept and no document has is
 *  corrected first; its alternatives are then guesses. Shape: `corrections` is by typed word. */
export function expandWords(words: readonly string[], options: ExpandOptions) {
  const { query, langs, correct } = options;
  const expand = (list: readonly string[]) => query.expand?.(list, findOnlyLanguage(langs)) ?? [];
  const asTyped = expand(words);
  const isInConcept = (i: number) => asTyped.some(({ start, end }) => start <= i && i < end);
  const corrected = words.map((word, i) => (isInConcept(i) ? null : correct(word, i)));
  const corrections = new Map(words.flatMap((word, i) => (corrected[i] ? [[word, corrected[i]]] : [])));
  const spans = corrections.size === 0 ? asTyped : expand(words.map((word, i) => corrected[i] ?? word));
  const isGuess = ({ start, end }: Expansion) => corrected.slice(start, end).some((word) => word !== null);
  return { corrections, spans: spans.map((span) => expandSpan(span, isGuess(span), options)) };
}

/** @returns the only language; undefined if there are several, or none */
export function findOnlyLanguage(langs: readonly string[]): string | undefined {
  return langs.length === 1 ? langs[0] : undefined;
}

function expandSpan(expansion: Expansion, isGuess: boolean, options: ExpandOptions): ExpandedSpan {
  const { start, end, synonyms, related } = expansion;
  const weight = matchWeights.synonym * (isGuess ? matchWeights.typo : 1);
  const same = findCachedExpansions(synonyms, weight, options);
  const near = options.query.model === 'extended' ? [findCachedExpansions(related, matchWeights.related, options)] : [];
  return { start, end, synonyms: isGuess ? [] : [same], related: isGuess ? [same, ...near] : near };
}

const alternativesCache = new WeakMap<Expansion['synonyms'], Map<string, Phrases>>();

/** Returns the same objects for the same phrases, so that other caches can use them as keys. */
function findCachedExpansions(phrases: Expansion['synonyms'], weight: number, { langs }: ExpandOptions): Phrases {
  const cache = getOrAdd(alternativesCache, phrases, () => new Map<string, Phrases>());
  return getOrAdd(cache, `${weight} ${langs}`, () => toExpansions(phrases, weight, findOnlyLanguage(langs)));
}

function toExpansions(phrases: Expansion['synonyms'], weight: number, only: string | undefined): Alternative[] {
  return (
    phrases
      // Function words are not indexed, so a phrase with them would never match.
      .map(({ words, lang }) => ({ lang, words: words.filter((word) => !isStopword(word, only)) }))
      .filter(({ words }) => words.length > 0)
      .map(({ words, lang }) => ({ words: words.map((word) => toPhraseWord(word, lang, words.length)), weight }))
  );
}

function toPhraseWord(word: string, lang: string, length: number): PhraseWord {
  const form = length > 1 ? '' : toFormTerm(word, lang);
  return form === ''
    ? { word, terms: [toTerm(word, lang), nameToTerm(word)] }
    : { word, terms: [form, nameToTerm(word)], stem: toTerm(word, lang) };
}
