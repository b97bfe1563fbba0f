import { growableUint32 } from '../../arrays.ts';
import { buildPairs, type LabelMasses, ROUNDING } from './pair-table.ts';
import { collectPostings } from '../build-term-data/build-postings.ts';
import { buildLabelRecords, floatsOf, recordFields, WORDS_OF_TERM } from './label-records.ts';
import { measureSteadiness } from './measure-steadiness.ts';
import { MAX_GUESSES_OF_WORD } from './tag-weights.ts';
import type { ConceptTable, CoverageTable, LabelTable, Postings, Vocabulary } from '../term-data.ts';

interface CoverageInput {
  readonly labels: LabelTable;
  readonly vocabulary: Vocabulary;
  readonly concepts: ConceptTable;
}

type MassesOf = (label: number) => LabelMasses;

/** Each label under the pairs of its terms that can be the two rarest which a text about it has, and under the single
 *  terms that are enough of it. So a text finds its labels by looking up the pairs of its words: what shares but one word
 *  with it, or two that say too little, is not even read.
 *  Source: prefix filtering, Chaudhuri, Ganti & Kaushik 2006, section 4, with two terms in place of one. */
export function buildCoverage({ labels, vocabulary, concepts }: CoverageInput): CoverageTable {
  const records = buildLabelRecords(labels, vocabulary);
  const massesOf = createRecordReader(records);
  const steadiness = measureSteadiness(concepts, labels, vocabulary.idf.length);
  return {
    ...records,
    singles: toRecords(buildSingles(massesOf, { labels, vocabulary, concepts }), records),
    pairs: buildPairs(massesOf, records.recordStart),
    // The root: whole steadiness found the first tag more often, but lost others.
    steadyIdf: vocabulary.idf.map((weight, term) => weight * Math.sqrt(steadiness[term]!)),
  };
}

function createRecordReader({
  recordStart,
  records,
}: Pick<CoverageTable, 'recordStart' | 'records'>): MassesOf {
  const floats = floatsOf(records);
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

/** Labels by where their records begin, which saves a look. */
function toRecords({ start, labels }: Postings, { recordStart }: Pick<CoverageTable, 'recordStart'>) {
  return { start, records: labels.map((label) => recordStart[label]!) };
}

/** Of the labels that one term is enough of, those that are that term, and the shortest others of each taxonomy; the
 *  strongest first. */
function buildSingles(
  massesOf: MassesOf,
  { labels, vocabulary: { idf }, concepts }: CoverageInput,
): Postings {
  const all = collectPostings(labels, idf.length, (label) => {
    const { terms, needed } = massesOf(label);
    return terms.filter(({ weight }) => weight >= needed).map(({ term }) => term);
  });
  const start = new Uint32Array(idf.length + 1);
  const kept = growableUint32();
  for (let term = 0; term < idf.length; term++) {
    const ofSource = new Uint32Array(concepts.sources.length);
    const found = all.labels.subarray(all.start[term], all.start[term + 1]);
    for (const label of found.slice().sort((a, b) => labels.mass[a]! - labels.mass[b]! || a - b)) {
      const isWhole = massesOf(label).terms.length === 1;
      const source = concepts.sourceOf[labels.conceptOf[label]!]!;
      if (isWhole || ++ofSource[source]! <= MAX_GUESSES_OF_WORD) kept.push(label);
    }
    start[term + 1] = kept.length;
  }
  return { start, labels: kept.finish() };
}
