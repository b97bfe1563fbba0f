import { foldedWordsOf, linksOf, type OpenTerms, preferredLabel } from './concept-view.ts';
import { gramsOf, similarityOfGrams } from './grams.ts';
import { type ParsedQuery, parseQuery, type Tolerance, withTolerance } from './query.ts';
import { type ConceptMatch, createConceptScorer, type ScoreOptions } from './score-concepts.ts';
import { linkKinds } from './term-data.ts';
import {
  ALL_WORDS_BELOW,
  NGRAM_SHARE,
  SHARE_OF_BEST,
  SIMILAR_FLOOR,
  STRONG_SCORE,
  UNKNOWN_WORDS_BELOW,
} from './weights.ts';

/** What a link leaves of the score. Other names of one thing are nearest; a job and its many optional skills farthest. */
const LINK_FACTORS: Readonly<Record<number, number>> = {
  [linkKinds.sameAs]: 0.6,
  [linkKinds.narrower]: 0.5,
  [linkKinds.related]: 0.48,
  [linkKinds.broader]: 0.45,
  [linkKinds.essential]: 0.4,
  [linkKinds.essentialFor]: 0.36,
  [linkKinds.optional]: 0.3,
  [linkKinds.optionalFor]: 0.25,
};
/** Matches whose neighbours are looked at, and neighbours taken of each. */
const MAX_STRONG = 5;
const MAX_NEIGHBOURS = 24;

export interface RankOptions extends ScoreOptions {
  /** Take the words as typed, whatever they find. */
  readonly asTyped?: boolean;
}

export type ConceptRanker = (
  query: { readonly keywords: string; readonly lang: string },
  options: RankOptions,
) => ConceptMatch[];

/** Concepts like the keywords, best first. Spelling is doubted only as far as the words as typed find little. */
export function createConceptRanker(terms: OpenTerms): ConceptRanker {
  const score = createConceptScorer(terms);
  return (request, options) => {
    const query = parseQuery(terms, request);
    if (query.words.length === 0) return [];
    const attempts: [Tolerance, number][] = [
      ['none', Number.POSITIVE_INFINITY],
      ['unknown words', UNKNOWN_WORDS_BELOW],
      ['all words', ALL_WORDS_BELOW],
    ];
    let matches: ConceptMatch[] = [];
    for (const [tolerance, below] of attempts) {
      if ((matches[0]?.score ?? 0) >= below || (options.asTyped === true && tolerance !== 'none')) break;
      const widened = withTolerance(terms, query, tolerance);
      // Nothing was added to any word: the answer would be the same.
      if (
        tolerance !== 'none' &&
        widened.slots.every((slot, i) => slot.matches.length === query.slots[i]!.matches.length)
      ) {
        continue;
      }
      matches = withoutFarFetched(compareSpelling(terms, score(widened, options), query));
    }
    return addNeighbours(terms, matches, { ...options, query }).sort(byScore);
  };
}

/** Character n-grams of the whole labels decide among labels that share the same words with the query. */
function compareSpelling(terms: OpenTerms, matches: ConceptMatch[], { words }: ParsedQuery): ConceptMatch[] {
  const grams = gramsOf(words.join(' '));
  return matches
    .map((match) => {
      if (match.match === 'exact' || match.match === 'stem') return match;
      const similarity = similarityOfGrams(grams, foldedWordsOf(terms, match.label).join(' '));
      return { ...match, score: match.score * (1 - NGRAM_SHARE * (1 - similarity)) };
    })
    .filter(({ score }) => score >= SIMILAR_FLOOR)
    .sort(byScore);
}

/** Beside a good match, a label that shares only a word with the query is far-fetched: `Mechanical engineers` for a web
 *  designer, because a tool designer is one. Shape: best first. */
function withoutFarFetched(matches: readonly ConceptMatch[]): ConceptMatch[] {
  const floor = (matches[0]?.score ?? 0) * SHARE_OF_BEST;
  return matches.filter(({ score }) => score >= floor);
}

interface NeighbourOptions extends ScoreOptions {
  readonly query: ParsedQuery;
}

function addNeighbours(
  terms: OpenTerms,
  matches: readonly ConceptMatch[],
  options: NeighbourOptions,
): ConceptMatch[] {
  const byConcept = new Map(matches.map((match) => [match.concept, match]));
  for (const strong of matches.filter(({ score }) => score >= STRONG_SCORE).slice(0, MAX_STRONG)) {
    const neighbours = [...linksOf(terms, strong.concept)]
      .filter(({ target }) => options.accepts(target))
      .sort((a, b) => LINK_FACTORS[b.kind]! - LINK_FACTORS[a.kind]!)
      .slice(0, MAX_NEIGHBOURS);
    for (const { target, kind } of neighbours) {
      const score = strong.score * LINK_FACTORS[kind]!;
      if ((byConcept.get(target)?.score ?? SIMILAR_FLOOR) > score) continue;
      const label = preferredLabel(terms, target, options.query.lang);
      byConcept.set(target, { concept: target, label, score, match: 'related' });
    }
  }
  return [...byConcept.values()];
}

function byScore(a: ConceptMatch, b: ConceptMatch): number {
  return b.score - a.score || a.concept - b.concept;
}
