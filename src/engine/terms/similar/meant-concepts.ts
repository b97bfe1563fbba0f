import { findNearestRows, measureCosines } from '../../vectors/scan.ts';
import type { LabelVectors } from '../../vectors/vectors.ts';
import { findConceptLabel, listConceptLabels, type OpenTerms } from '../concept-view.ts';
import { createLabelScopes, measureFarCosine, toNearness } from '../label-scopes.ts';
import { NONE } from '../term-data.ts';
import type { TermMeaning } from '../types.ts';
import type { ConceptMatch } from './score-concepts.ts';
import { EXACT_SCORE, LEAST_MEANT_NEARNESS, NEARNESS_SHARE } from './weights.ts';

/** Labels nearest to the keywords that bring their concepts. */
const NEAREST_LABELS = 300;

interface MeantQuery {
  readonly meaning: TermMeaning;
  /** Two-letter code; none where it is not clear. */
  readonly lang: string;
  /** Ordinal of the only taxonomy wanted; of any when absent. */
  readonly source?: number;
}

/** Joins concepts that are like the keywords by words with those that are near to them in meaning, in one score. */
export function createMeantJoin(terms: OpenTerms) {
  const { labels, vocabulary } = terms;
  const scopeOf = createLabelScopes(terms);

  const readOf = new WeakMap<LabelVectors, ReadonlySet<string>>();

  /** Languages in which a label has a vector; looked through once. */
  function listRead(vectors: LabelVectors): ReadonlySet<string> {
    const known = readOf.get(vectors);
    if (known !== undefined) return known;
    const found = new Set<number>();
    const { rowOf } = vectors;
    for (let label = 0; label < rowOf.length; label++)
      if (rowOf[label] !== NONE) found.add(labels.langOf[label]!);
    const langs = new Set(Array.from(found, (ordinal) => vocabulary.langs[ordinal] ?? ''));
    readOf.set(vectors, langs);
    return langs;
  }

  /** What a model makes of a language that no label has a vector in cannot be relied on. */
  function isRead({ meaning, lang }: MeantQuery): boolean {
    const read = listRead(meaning.labels);
    const wanted = lang === '' ? vocabulary.langs : vocabulary.langs.filter((code) => code === lang);
    return wanted.every((code) => read.has(code));
  }

  function findNear({ meaning, source }: MeantQuery): number[] {
    const scope = scopeOf(meaning.labels, source === undefined ? {} : { source });
    const [nearest] = findNearestRows(meaning.labels.rows, [meaning.vector], {
      max: NEAREST_LABELS,
      among: scope.rows,
    });
    return Array.from(nearest?.rows ?? []).flatMap((row) =>
      Array.from(scope.labelsOf(row), (label) => labels.conceptOf[label]!),
    );
  }

  /** By concept: the mean of how near its first label is, and its nearest. */
  function measureNearness({ meaning, lang }: MeantQuery, concepts: readonly number[]): Map<number, number> {
    const { rows, rowOf } = meaning.labels;
    const known = concepts.map((concept) => {
      const own = [findConceptLabel(terms, concept, lang), ...listConceptLabels(terms, concept)];
      return { concept, rows: own.map((label) => rowOf[label] ?? NONE).filter((row) => row !== NONE) };
    });
    const cosines = measureCosines(
      rows,
      [meaning.vector],
      Uint32Array.from(known.flatMap((one) => one.rows)),
    );
    const far = measureFarCosine(meaning.labels);
    let at = 0;
    return new Map(
      known.flatMap(({ concept, rows: { length } }): [number, number][] => {
        const own = cosines.subarray(at, at + length);
        at += length;
        return length === 0 ? [] : [[concept, toNearness((own[0]! + Math.max(...own)) / 2, far)]];
      }),
    );
  }

  /** Shape: in no order. What is called by the very words keeps its score. */
  return (matches: readonly ConceptMatch[], query: MeantQuery): ConceptMatch[] => {
    if (!isRead(query)) return [...matches];
    const byWords = new Set(matches.map(({ concept }) => concept));
    const nearness = measureNearness(query, [...new Set([...byWords, ...findNear(query)])]);
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
