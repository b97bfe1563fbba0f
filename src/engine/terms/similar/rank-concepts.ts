import { findNearestRows, measureCosines } from '#engine/vectors/scan';
import { findConceptLabel, listConceptLabels, listLinks, type OpenTerms } from '../concept-view.ts';
import type { TermMeaning } from '../label-meaning.ts';
import { listLabelReadings } from '../label-variants.ts';
import { linkKinds, NONE } from '../term-data.ts';
import { createNearWords } from './near-words.ts';
import { parseQuery, type QueryRequest } from './parse-query.ts';
import { type ConceptMatch, createConceptScorer, type ScoreOptions } from './score-concepts.ts';
import {
  EXACT_SCORE,
  GRAMS_FLOOR,
  GRAMS_SHARE_OF_BEST,
  LEAST_MEANT_NEARNESS,
  NEARNESS_SHARE,
  SHARE_OF_BEST,
  SIMILAR_FLOOR,
  STRONG_SCORE,
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

interface RankRequest extends QueryRequest {
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

/** Labels nearest to the keywords that bring their concepts. */
const NEAREST_LABELS = 300;

interface MeantQuery {
  readonly keywords: string;
  /** Two-letter code; none where it is not clear. */
  readonly lang: string;
  /** Ordinal of the only taxonomy wanted; of any when absent. */
  readonly source?: number;
}

/** Joins concepts that are like the keywords by words with those that are near to them in meaning, in one score. */
function createMeantJoin(terms: OpenTerms, { rows, rowOf, langs, encoder, scopeOf }: TermMeaning) {
  const { labels, vocabulary } = terms;

  /** What an encoder makes of a language that no label has a vector in cannot be relied on. */
  function isRead(lang: string): boolean {
    const wanted = lang === '' ? vocabulary.langs : vocabulary.langs.filter((code) => code === lang);
    return wanted.every((code) => langs.has(code));
  }

  function findNear(vector: Float32Array, { source }: MeantQuery): number[] {
    const scope = scopeOf(source === undefined ? {} : { source });
    const [nearest] = findNearestRows(rows, [vector], { max: NEAREST_LABELS, among: scope.rows });
    return Array.from(nearest?.rows ?? []).flatMap((row) =>
      Array.from(scope.labelsOf(row), (label) => labels.conceptOf[label]!),
    );
  }

  /** By concept: the mean of how near its first label is, and its nearest. */
  function measureNearness(
    vector: Float32Array,
    lang: string,
    concepts: readonly number[],
  ): Map<number, number> {
    const known = concepts.map((concept) => {
      const own = [findConceptLabel(terms, concept, lang), ...listConceptLabels(terms, concept)];
      return { concept, rows: own.map((label) => rowOf[label] ?? NONE).filter((row) => row !== NONE) };
    });
    const cosines = measureCosines(rows, [vector], Uint32Array.from(known.flatMap((one) => one.rows)));
    let at = 0;
    return new Map(
      known.flatMap(({ concept, rows: { length } }): [number, number][] => {
        const own = cosines.subarray(at, at + length);
        at += length;
        return length === 0 ? [] : [[concept, (own[0]! + Math.max(...own)) / 2]];
      }),
    );
  }

  /** Shape: in no order. What is called by the very words keeps its score. */
  return (matches: readonly ConceptMatch[], query: MeantQuery): ConceptMatch[] => {
    if (!isRead(query.lang)) return [...matches];
    const vector = encoder.encode(query.keywords);
    const byWords = new Set(matches.map(({ concept }) => concept));
    const found = new Set([...byWords, ...findNear(vector, query)]);
    const nearness = measureNearness(vector, query.lang, [...found]);
    const joined = matches.map((match) => {
      const near = nearness.get(match.concept);
      if (near === undefined || match.score === EXACT_SCORE) return match;
      return { ...match, score: match.score * (1 - NEARNESS_SHARE) + Math.max(0, near) * NEARNESS_SHARE };
    });
    const added = [...nearness]
      .filter(([concept, near]) => near >= LEAST_MEANT_NEARNESS && !byWords.has(concept))
      .map(([concept, near]): ConceptMatch => {
        const label = findConceptLabel(terms, concept, query.lang);
        return { concept, label, score: near * NEARNESS_SHARE, match: 'meaning' };
      });
    return [...joined, ...added];
  };
}
