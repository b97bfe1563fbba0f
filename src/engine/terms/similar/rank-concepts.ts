import { findConceptLabel, listLinks, type OpenTerms } from '../concept-view.ts';
import { listLabelReadings } from '../label-variants.ts';
import { linkKinds } from '../term-data.ts';
import { createMeantJoin } from './meant-concepts.ts';
import { createNearWords } from './near-words.ts';
import { parseQuery, type QueryRequest } from './parse-query.ts';
import { type ConceptMatch, createConceptScorer, type ScoreOptions } from './score-concepts.ts';
import { GRAMS_FLOOR, GRAMS_SHARE_OF_BEST, SHARE_OF_BEST, SIMILAR_FLOOR, STRONG_SCORE } from './weights.ts';

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

export interface RankRequest extends QueryRequest {
  /** Whether also by what the keywords mean. */
  readonly isMeant: boolean;
}

export type ConceptRanker = (request: RankRequest, options: ScoreOptions) => ConceptMatch[];

/** Concepts like the keywords, best first. */
export function createConceptRanker(terms: OpenTerms): ConceptRanker {
  const score = createConceptScorer(terms);
  const nearWords = createNearWords(terms);
  const joinMeant = terms.meaning && createMeantJoin(terms, terms.meaning);

  function scoreReading(request: QueryRequest, options: ScoreOptions): ConceptMatch[] {
    const query = parseQuery(terms, nearWords, request);
    return query.words.length === 0 ? [] : score(query, options);
  }

  return (request, options) => {
    const readings = listLabelReadings(request.keywords).map((keywords) =>
      scoreReading({ ...request, keywords }, options),
    );
    const matches = withoutFarFetched(bestOfReadings(readings).sort(byScore), options);
    const byWords = addNeighbours(terms, matches, { ...options, lang: request.lang });
    const { keywords, lang, isMeant } = request;
    const all = isMeant && joinMeant ? joinMeant(byWords, { ...options, keywords, lang }) : byWords;
    return all.filter(({ concept }) => options.accepts(concept)).sort(byScore);
  };
}

/** Each concept once, by the reading that matches it best. */
function bestOfReadings(readings: readonly (readonly ConceptMatch[])[]): ConceptMatch[] {
  const [only = [], ...others] = readings;
  if (others.length === 0) return [...only];
  const best = new Map<number, ConceptMatch>();
  for (const match of readings.flat()) {
    if ((best.get(match.concept)?.score ?? 0) < match.score) best.set(match.concept, match);
  }
  return [...best.values()];
}

/** Beside a good match, a label that shares only a word with the query is far-fetched: `Mechanical engineers` for a web
 *  designer, because a tool designer is one. Shape: best first. */
function withoutFarFetched(matches: readonly ConceptMatch[], { accepts }: ScoreOptions): ConceptMatch[] {
  const best = matches.find(({ concept }) => accepts(concept))?.score ?? 0;
  const floor = best * SHARE_OF_BEST;
  const gramsFloor = Math.max(GRAMS_FLOOR, best * GRAMS_SHARE_OF_BEST);
  return matches.filter(({ score, match }) => score >= (match === 'ngram' ? gramsFloor : floor));
}

interface NeighbourOptions extends ScoreOptions {
  readonly lang: string;
}

function addNeighbours(
  terms: OpenTerms,
  matches: readonly ConceptMatch[],
  options: NeighbourOptions,
): ConceptMatch[] {
  const byConcept = new Map(matches.map((match) => [match.concept, match]));
  for (const strong of matches.filter(({ score }) => score >= STRONG_SCORE).slice(0, MAX_STRONG)) {
    const neighbours = [...listLinks(terms, strong.concept)]
      .filter(({ target }) => options.accepts(target))
      .sort((a, b) => LINK_FACTORS[b.kind]! - LINK_FACTORS[a.kind]!)
      .slice(0, MAX_NEIGHBOURS);
    for (const { target, kind } of neighbours) {
      const score = strong.score * LINK_FACTORS[kind]!;
      if ((byConcept.get(target)?.score ?? SIMILAR_FLOOR) > score) continue;
      const label = findConceptLabel(terms, target, options.lang);
      byConcept.set(target, { concept: target, label, score, match: 'related' });
    }
  }
  return [...byConcept.values()];
}

function byScore(a: ConceptMatch, b: ConceptMatch): number {
  return b.score - a.score || a.concept - b.concept;
}
