import { isStopword } from '../text/stopwords.ts';
import type { Alternative } from './query-plan.ts';
import type { Expansion, ObjectQuery } from './types.ts';
import { matchWeights } from './weights.ts';

export interface ExpandOptions {
  readonly query: ObjectQuery;
  /** The language of the query, where it has but one. */
  readonly only: string | undefined;
  readonly termsOf: (word: string) => readonly string[];
  /** Gives what a word that nobody wrote is a typo of; null for a word that somebody did. */
  readonly correct: (word: string, index: number) => string | null;
}

/** Other ways of finding the words from `start` to `end`. */
export interface ExpandedSpan extends Pick<Expansion, 'start' | 'end'> {
  readonly synonyms: readonly Alternative[];
  readonly related: readonly Alternative[];
}

export interface ExpandedWords {
  readonly spans: readonly ExpandedSpan[];
  /** By the word that was typed. */
  readonly corrections: ReadonlyMap<string, string>;
}

/** Other words for those of a query. What no concept knows and no document has is corrected first; what it then stands
 *  for is a guess. */
export function expandWords(words: readonly string[], options: ExpandOptions): ExpandedWords {
  const { query, only, correct } = options;
  const expand = (meant: readonly string[]) => query.expand?.(meant, only) ?? [];
  const asTyped = expand(words);
  const isKnown = (i: number) => asTyped.some(({ start, end }) => start <= i && i < end);
  const corrected = words.map((word, i) => (isKnown(i) ? null : correct(word, i)));
  const corrections = new Map(words.flatMap((word, i) => (corrected[i] ? [[word, corrected[i]]] : [])));
  const found = corrections.size === 0 ? asTyped : expand(words.map((word, i) => corrected[i] ?? word));
  const isGuess = ({ start, end }: Expansion) => corrected.slice(start, end).some((word) => word !== null);
  return { corrections, spans: found.map((span) => alternativesOf(span, isGuess(span), options)) };
}

/** Made once for a span, however many words it has: so its phrases are looked for once, too. */
function alternativesOf(
  { start, end, synonyms, related }: Expansion,
  isGuess: boolean,
  { query, only, termsOf }: ExpandOptions,
): ExpandedSpan {
  const toAlternatives = (phrases: readonly (readonly string[])[], weight: number): Alternative[] =>
    phrases
      // Function words are not indexed, so a phrase that kept them would never be found.
      .map((phrase) => phrase.filter((word) => !isStopword(word, only)))
      .filter((phrase) => phrase.length > 0)
      .map((phrase) => ({ words: phrase.map(termsOf), weight }));
  const same = toAlternatives(synonyms, matchWeights.synonym * (isGuess ? matchWeights.typo : 1));
  const near = query.model === 'extended' ? toAlternatives(related, matchWeights.related) : [];
  return { start, end, synonyms: isGuess ? [] : same, related: isGuess ? [...same, ...near] : near };
}
