import { growableUint32 } from '../../arrays.ts';
import { distinctTermsOf } from '../build-term-data/build-postings.ts';
import { leastShare } from './tag-weights.ts';
import type { CoverageTable, LabelTable, Vocabulary } from '../term-data.ts';

/** Fields of a record, in words of 32 bits from where it begins. All that the tagger asks of a label stands side by side,
 *  because its time goes to waiting for memory. */
export const recordFields = {
  label: 0,
  concept: 1,
  role: 2,
  termCount: 3,
  mass: 4,
  mayMiss: 5,
  stretchLength: 6,
  terms: 7,
} as const;
/** Words of 32 bits for each term of a record: its ordinal and its weight. */
export const WORDS_OF_TERM = 2;

type LabelRecords = Pick<CoverageTable, 'recordStart' | 'records'>;

/** Each label's distinct terms, rarest first, to see early that too little of a label can be in a text; what it is of; and,
 *  behind the terms, the stretch: its terms as it has them, one after the other.
 *  Units: weights and masses are floats in multiples of the idf of the language's rarest word. */
export function buildLabelRecords(labels: LabelTable, { idf, maxIdf }: Vocabulary): LabelRecords {
  const count = labels.conceptOf.length;
  const recordStart = new Uint32Array(count + 1);
  const records = growableUint32();
  for (let label = 0; label < count; label++) {
    const most = maxIdf[labels.langOf[label]!]!;
    const terms = distinctTermsOf(labels, label).sort((a, b) => idf[b]! - idf[a]!);
    const stretch = labels.terms.subarray(labels.termStart[label], labels.termStart[label + 1]);
    const mass = labels.mass[label]! / most;
    records.push(label);
    records.push(labels.conceptOf[label]!);
    records.push(labels.roleOf[label]!);
    records.push(terms.length);
    records.push(bitsOf(mass));
    records.push(bitsOf(Math.max(0, mass * (1 - leastShare(mass)))));
    records.push(stretch.length);
    for (const term of terms) {
      records.push(term);
      records.push(bitsOf(idf[term]! / most));
    }
    for (const term of stretch) records.push(term);
    recordStart[label + 1] = records.length;
  }
  return { recordStart, records: records.finish() };
}

/** The same memory, for the fields that are floats. */
export function floatsOf({ buffer, byteOffset, length }: Uint32Array): Float32Array {
  return new Float32Array(buffer, byteOffset, length);
}

const oneFloat = new Float32Array(1);
const itsBits = new Uint32Array(oneFloat.buffer);

function bitsOf(value: number): number {
  oneFloat[0] = value;
  return itsBits[0]!;
}
