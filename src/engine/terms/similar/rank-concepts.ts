import { findNearestRows, measureCosines } from '#engine/vectors/scan';
import { findConceptLabel, listConceptLabels, listConceptLinks, type OpenTerms } from '../concept-view.ts';
import type { TermMeaning } from '../label-meaning.ts';
import { listLabelReadings } from '../label-variants.ts';
import { linkKinds, NONE } from '../term-data.ts';
import { openNearWords } from './near-words.ts';
import { parseQuery, type QueryRequest } from './parse-query.ts';
import { type ConceptMatch, createConceptScorer, type ScoreOptions } from './score-concepts.ts';
import * as weights from './weights.ts';

/** The share of a match's score that a linked concept gets, by the kind of the link. */
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
/** Maximum number of matches whose neighbours are added, and of neighbours of each. */
const MAX_STRONG = 5;
const MAX_NEIGHBOURS = 24;
type RankRequest = QueryRequest & { readonly usesMeaning: boolean };
export type ConceptRanker = (request: RankRequest, options: ScoreOptions) => ConceptMatch[];

/** Creates a function that ranks the concepts which match keywords, best first. */
export function createConceptRanker(terms: OpenTerms): ConceptRanker {
  const score = createConceptScorer(terms);
  const nearWords = openNearWords(terms);
  const joinByMeaning = terms.meaning && createMeaningJoin(terms, terms.meaning);

  function scoreReading(request: QueryRequest, options: ScoreOptions): ConceptMatch[] {
    const query = parseQuery(terms, nearWords, request);
    return query.words.length === 0 ? [] : score(query, options);
  }

  return (request, options) => {
    const readings = listLabelReadings(request.keywords).map((keywords) =>
      scoreReading({ ...request, keywords }, options),
    );
    const matches = dropFarFetched(mergeConceptReadings(readings).sort(compareByScore), options);
    const byWords = addNeighbours(terms, matches, { accepts: options.accepts, lang: request.lang });
    const { keywords, lang, usesMeaning } = request;
    const joined = usesMeaning && joinByMeaning ? joinByMeaning(byWords, { ...options, keywords, lang }) : byWords;
    return joined.filter(({ concept }) => options.accepts(concept)).sort(compareByScore);
  };
}

/** Returns each concept once, with its best score over all readings. */
function mergeConceptReadings(readings: readonly (readonly ConceptMatch[])[]): ConceptMatch[] {
  const best = new Map<number, ConceptMatch>();
  for (const match of readings.flat()) {
    if ((best.get(match.concept)?.score ?? 0) < match.score) best.set(match.concept, match);
  }
  return [...best.values()];
}

/** Drops weak matches beside a good one: `Mechanical engineers` for a web designer, because a tool
 *  designer is one. @param matches best first */
function dropFarFetched(matches: readonly ConceptMatch[], { accepts }: ScoreOptions): ConceptMatch[] {
  const best = matches.find(({ concept }) => accepts(concept))?.score ?? 0;
  const floor = best * weights.SHARE_OF_BEST;
  const gramsFloor = Math.max(weights.GRAMS_FLOOR, best * weights.GRAMS_SHARE_OF_BEST);
  return matches.filter(({ score, match }) => score >= (match === 'ngram' ? gramsFloor : floor));
}

function addNeighbours(
  terms: OpenTerms,
  matches: readonly ConceptMatch[],
  options: Pick<ScoreOptions, 'accepts'> & { readonly lang: string },
): ConceptMatch[] {
  const byConcept = new Map(matches.map((match) => [match.concept, match]));
  for (const strong of matches.filter(({ score }) => score >= weights.STRONG_SCORE).slice(0, MAX_STRONG)) {
    const neighbours = [...listConceptLinks(terms, strong.concept)]
      .filter(({ target }) => options.accepts(target))
      .sort((a, b) => LINK_FACTORS[b.kind]! - LINK_FACTORS[a.kind]!)
      .slice(0, MAX_NEIGHBOURS);
    for (const { target, kind } of neighbours) {
      const score = strong.score * LINK_FACTORS[kind]!;
      if ((byConcept.get(target)?.score ?? weights.SIMILAR_FLOOR) > score) continue;
      const label = findConceptLabel(terms, target, options.lang);
      byConcept.set(target, { concept: target, label, score, match: 'related' });
    }
  }
  return [...byConcept.values()];
}

const compareByScore = (a: ConceptMatch, b: ConceptMatch): number => b.score - a.score || a.concept - b.concept;

/** The nearest labels whose concepts are added. */
const NEAREST_LABELS = 300;

interface MeaningQuery {
  readonly keywords: string;
  /** Two-letter code; empty if it is unclear. */
  readonly lang: string;
  /** Ordinal of the only accepted taxonomy; any if absent. */
  readonly source?: number;
}

/** Creates a function that scores matches by words and nearness in meaning together, and adds near
 *  concepts. An exact match keeps its score. The result is not sorted. */
function createMeaningJoin(terms: OpenTerms, { rows, rowOf, langs, encoder, scopeOf }: TermMeaning) {
  const { labels, vocabulary } = terms;

  /** Tells whether labels in the language have vectors; in others the encoder is unreliable. */
  function canEncode(lang: string): boolean {
    const codes = lang === '' ? vocabulary.langs : vocabulary.langs.filter((code) => code === lang);
    return codes.every((code) => langs.has(code));
  }

  function findNear(vector: Float32Array, { source }: MeaningQuery): number[] {
    const scope = scopeOf(source === undefined ? {} : { source });
    const nearest = findNearestRows(rows, vector, { max: NEAREST_LABELS, among: scope.rows });
    return Array.from(nearest.rows).flatMap((row) =>
      Array.from(scope.labelsOf(row), (label) => labels.conceptOf[label]!),
    );
  }

  /** Measures, by concept, the mean nearness of its shown label and its nearest label. */
  function measureNearness(vector: Float32Array, lang: string, concepts: readonly number[]): Map<number, number> {
    const candidates = concepts.map((concept) => {
      const shownFirst = [findConceptLabel(terms, concept, lang), ...listConceptLabels(terms, concept)];
      return { concept, rows: shownFirst.map((label) => rowOf[label] ?? NONE).filter((row) => row !== NONE) };
    });
    const compared = Uint32Array.from(candidates.flatMap((candidate) => candidate.rows));
    const cosines = measureCosines(rows, [vector], compared);
    const nearness = new Map<number, number>();
    let at = 0;
    for (const { concept, rows: conceptRows } of candidates) {
      const conceptCosines = cosines.subarray(at, at + conceptRows.length);
      at += conceptRows.length;
      if (conceptRows.length > 0) nearness.set(concept, (conceptCosines[0]! + Math.max(...conceptCosines)) / 2);
    }
    return nearness;
  }

  return (matches: readonly ConceptMatch[], query: MeaningQuery): ConceptMatch[] => {
    if (!canEncode(query.lang)) return [...matches];
    const vector = encoder.encode(query.keywords);
    const byWords = new Set(matches.map(({ concept }) => concept));
    const candidates = new Set([...byWords, ...findNear(vector, query)]);
    const nearness = measureNearness(vector, query.lang, [...candidates]);
    const joined = matches.map((match) => {
      const near = nearness.get(match.concept);
      if (near === undefined || match.score === weights.EXACT_SCORE) return match;
      return {
        ...match,
        score: match.score * (1 - weights.NEARNESS_SHARE) + Math.max(0, near) * weights.NEARNESS_SHARE,
      };
    });
    const added = [...nearness]
      .filter(([concept, near]) => near >= weights.MIN_NEARNESS && !byWords.has(concept))
      .map(([concept, near]): ConceptMatch => {
        const label = findConceptLabel(terms, concept, query.lang);
        return { concept, label, score: near * weights.NEARNESS_SHARE, match: 'meaning' };
      });
    return [...joined, ...added];
  };
}
