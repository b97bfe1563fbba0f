import { findNearestRows, measureCosines } from '#engine/vectors/scan';
import { findConceptLabel, listConceptLabels, type OpenTerms } from '../concept-view.ts';
import type { TermMeaning } from '../label-meaning.ts';
import { NONE } from '../term-data.ts';
import type { ConceptMatch } from './score-concepts.ts';
import { EXACT_SCORE, LEAST_MEANT_NEARNESS, NEARNESS_SHARE } from './weights.ts';

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
export function createMeantJoin(terms: OpenTerms, { rows, rowOf, langs, encoder, scopeOf }: TermMeaning) {
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
