import { isStopword } from '#engine/text/stopwords';
import { nameToTerm, toTerm } from '#engine/text/term';
import type { Expansion, ObjectQuery } from '../types.ts';
import { matchWeights } from '../weights.ts';

/** A phrase that stands for one or more words of the query: all its words must be in the document. */
export interface Alternative {
  /** For each word of the phrase: its terms, and the word, which is looked for as it is written; any of them will do. */
  readonly words: readonly PhraseWord[];
  readonly weight: number;
}

export interface PhraseWord {
  readonly word: string;
  readonly terms: readonly string[];
}

/** Alternatives that belong together: a document needs all words of one of them. */
export type Phrases = readonly Alternative[];

export interface ExpandOptions {
  readonly query: ObjectQuery;
  /** Languages whose stemmers are tried. */
  readonly langs: readonly string[];
  /** Gives what a word that no document has is a typo of; null for a word that some document has. */
  readonly correct: (word: string, index: number) => string | null;
}

/** Other ways of finding the words from `start` to `end`. */
export interface ExpandedSpan extends Pick<Expansion, 'start' | 'end'> {
  readonly synonyms: readonly Phrases[];
  readonly related: readonly Phrases[];
}

export interface ExpandedWords {
  readonly spans: readonly ExpandedSpan[];
  /** By the word that was typed. */
  readonly corrections: ReadonlyMap<string, string>;
}

/** Other words for those of a query. A word that no concept and no document knows is corrected first; what is then found for it
 *  is a guess. */
export function expandWords(words: readonly string[], options: ExpandOptions): ExpandedWords {
  const { query, langs, correct } = options;
  const expand = (meant: readonly string[]) => query.expand?.(meant, findOnlyLanguage(langs)) ?? [];
  const asTyped = expand(words);
  const isKnown = (i: number) => asTyped.some(({ start, end }) => start <= i && i < end);
  const corrected = words.map((word, i) => (isKnown(i) ? null : correct(word, i)));
  const corrections = new Map(words.flatMap((word, i) => (corrected[i] ? [[word, corrected[i]]] : [])));
  const found = corrections.size === 0 ? asTyped : expand(words.map((word, i) => corrected[i] ?? word));
  const isGuess = ({ start, end }: Expansion) => corrected.slice(start, end).some((word) => word !== null);
  return { corrections, spans: found.map((span) => alternativesOf(span, isGuess(span), options)) };
}

/** The language of a query that has but one. */
export function findOnlyLanguage(langs: readonly string[]): string | undefined {
  return langs.length === 1 ? langs[0] : undefined;
}

function alternativesOf(
  { start, end, synonyms, related }: Expansion,
  isGuess: boolean,
  options: ExpandOptions,
): ExpandedSpan {
  const weight = matchWeights.synonym * (isGuess ? matchWeights.typo : 1);
  const same = rememberedPhrases(synonyms, weight, options);
  const near =
    options.query.model === 'extended' ? [rememberedPhrases(related, matchWeights.related, options)] : [];
  return { start, end, synonyms: isGuess ? [] : [same], related: isGuess ? [same, ...near] : near };
}

/** Keyed by the words they were made of, weight and languages. */
const made = new WeakMap<Expansion['synonyms'], Map<string, Phrases>>();

/** Returns the same phrase objects for the same expansion of a taxonomy, which comes again with every query that has its words:
 *  so their places stay remembered, too. */
function rememberedPhrases(
  phrases: Expansion['synonyms'],
  weight: number,
  { langs }: ExpandOptions,
): Phrases {
  let own = made.get(phrases);
  if (own === undefined) {
    own = new Map();
    made.set(phrases, own);
  }
  const key = `${weight} ${langs}`;
  let alternatives = own.get(key);
  if (alternatives === undefined) {
    alternatives = toAlternatives(phrases, weight, findOnlyLanguage(langs));
    own.set(key, alternatives);
  }
  return alternatives;
}

function toAlternatives(
  phrases: Expansion['synonyms'],
  weight: number,
  only: string | undefined,
): Alternative[] {
  return (
    phrases
      // Function words are not indexed, so a phrase that kept them would never be found.
      .map(({ words, lang }) => ({ lang, words: words.filter((word) => !isStopword(word, only)) }))
      .filter(({ words }) => words.length > 0)
      .map(({ words, lang }) => ({
        words: words.map((word) => ({ word, terms: [toTerm(word, lang), nameToTerm(word)] })),
        weight,
      }))
  );
}
