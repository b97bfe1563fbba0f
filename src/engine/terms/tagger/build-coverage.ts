import { createGrowableUint32, groupByKey, sumValues } from '#engine/arrays';
import { addCount, getOrAdd } from '#engine/maps';
import { listTermsOfLabel } from '../build-term-data/build-terms.ts';
import type { ConceptTable, CoverageTable, LabelTable, Postings, Vocabulary } from '../term-data.ts';
import { labelRoles } from '../term-data.ts';
import { buildLabelRecords, recordFields, viewAsFloats, WORDS_OF_TERM } from './label-records.ts';
import { buildPairs, type LabelMasses, ROUNDING } from './pair-table.ts';
import { MAX_GUESSES_OF_WORD } from './tag-weights.ts';

interface CoverageInput {
  readonly labels: LabelTable;
  readonly vocabulary: Vocabulary;
  readonly concepts: ConceptTable;
}

type ReadMasses = (label: number) => LabelMasses;

/** Lists each label under the pairs of its terms that can be the two rarest in a text about it, and
 *  under single terms that are enough of it. A text finds its labels by the pairs of its words, so
 *  labels that share too little with it are not even read. Source: prefix filtering, Chaudhuri,
 *  Ganti & Kaushik 2006, section 4, with two terms in place of one. */
export function buildCoverage({ labels, vocabulary, concepts }: CoverageInput): CoverageTable {
  const records = buildLabelRecords(labels, vocabulary);
  const readMasses = createMassReader(records);
  const steadiness = measureSteadiness(concepts, labels, vocabulary.idf.length);
  const singles = buildSingles(readMasses, { labels, vocabulary, concepts });
  return {
    ...records,
    singles: { start: singles.start, records: singles.labels.map((label) => records.recordStart[label]!) },
    pairs: buildPairs(readMasses, records.recordStart),
    // The square root: the full steadiness finds the first tag more often, but loses others.
    steadyIdf: vocabulary.idf.map((weight, term) => weight * Math.sqrt(steadiness[term]!)),
  };
}

function createMassReader({ recordStart, records }: Pick<CoverageTable, 'recordStart' | 'records'>): ReadMasses {
  const floats = viewAsFloats(records);
  return (label) => {
    const at = recordStart[label]!;
    const mass = floats[at + recordFields.mass]!;
    const terms = Array.from({ length: records[at + recordFields.termCount]! }, (_, i) => {
      const place = at + recordFields.terms + i * WORDS_OF_TERM;
      return { term: records[place]!, weight: floats[place + 1]! };
    });
    return { terms, mass, needed: (mass - floats[at + recordFields.mayMiss]!) * (1 - ROUNDING) };
  };
}

/** Lists, for each term, the labels of only this term, and the shortest longer ones of each
 *  taxonomy for which it is enough; strongest first. */
function buildSingles(readMasses: ReadMasses, { labels, vocabulary: { idf }, concepts }: CoverageInput): Postings {
  const termOf = createGrowableUint32();
  const labelOf = createGrowableUint32();
  for (let label = 0; label < labels.conceptOf.length; label++) {
    const { terms, needed } = readMasses(label);
    for (const { term, weight } of terms) {
      if (weight < needed) continue;
      termOf.push(term);
      labelOf.push(label);
    }
  }
  const byTerm = groupByKey(termOf.finish(), idf.length, labelOf.finish());
  const start = new Uint32Array(idf.length + 1);
  const result = createGrowableUint32();
  for (let term = 0; term < idf.length; term++) {
    const countBySource = new Uint32Array(concepts.sources.length);
    const termLabels = byTerm.values.slice(byTerm.start[term], byTerm.start[term + 1]);
    for (const label of termLabels.sort((a, b) => labels.mass[a]! - labels.mass[b]! || a - b)) {
      const isWhole = readMasses(label).terms.length === 1;
      const source = concepts.sourceOf[labels.conceptOf[label]!]!;
      if (isWhole || ++countBySource[source]! <= MAX_GUESSES_OF_WORD) result.push(label);
    }
    start[term + 1] = result.length;
  }
  return { start, labels: result.finish() };
}

/** The Bayesian prior: each term starts with this many concepts of average steadiness. */
const PRIOR_CONCEPTS = 2;
/** If labels never share a word, the average is 0; without a floor, no term would have a weight. */
const MIN_AVERAGE = 0.01;

/** Measures how steadily terms stand for their concepts. If one label of a concept has a term,
 *  it is the share of its other labels in that language that have it too: `manage` is replaced
 *  by `oversee` and `handle`, while `budget` stays, so it is more specific, whatever their idf.
 *  Shape: by term, 0 to 1. */
export function measureSteadiness(
  { labelStart }: Pick<ConceptTable, 'labelStart'>,
  labels: LabelTable,
  termCount: number,
): Float32Array {
  const shares = new Float32Array(termCount);
  const repeatable = new Float32Array(termCount);
  for (let concept = 0; concept + 1 < labelStart.length; concept++) {
    for (const group of groupLabelsByLang(labels, labelStart[concept]!, labelStart[concept + 1]!).values()) {
      if (group.length < 2) continue;
      for (const [term, count] of countLabelsOfTerms(labels, group)) {
        shares[term]! += (count - 1) / (group.length - 1);
        repeatable[term]!++;
      }
    }
  }
  const average = Math.max(MIN_AVERAGE, sumValues(shares) / Math.max(1, sumValues(repeatable)));
  return shares.map((share, term) => (share + PRIOR_CONCEPTS * average) / (repeatable[term]! + PRIOR_CONCEPTS));
}

function groupLabelsByLang(labels: LabelTable, from: number, to: number): Map<number, number[]> {
  const byLang = new Map<number, number[]>();
  for (let label = from; label < to; label++) {
    // Variants of alternative labels count: without them the tagger is a little worse (DESIGN.md).
    if (labels.roleOf[label] === labelRoles.variant) continue;
    getOrAdd(byLang, labels.langOf[label]!, () => [] as number[]).push(label);
  }
  return byLang;
}

function countLabelsOfTerms(table: LabelTable, labels: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const label of labels) {
    for (const term of listTermsOfLabel(table, label)) addCount(counts, term);
  }
  return counts;
}
