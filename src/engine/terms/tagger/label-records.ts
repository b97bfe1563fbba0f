import { createGrowableUint32 } from '#engine/arrays';
import { listTermsOfLabel } from '../build-term-data/build-terms.ts';
import type { CoverageTable, LabelTable, Vocabulary } from '../term-data.ts';
import { findTagShare } from './tag-weights.ts';

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
  const records = createGrowableUint32();
  for (let label = 0; label < count; label++) {
    const most = maxIdf[labels.langOf[label]!]!;
    const terms = listTermsOfLabel(labels, label).sort((a, b) => idf[b]! - idf[a]!);
    const stretch = labels.terms.subarray(labels.termStart[label], labels.termStart[label + 1]);
    const mass = labels.mass[label]! / most;
    records.push(label);
    records.push(labels.conceptOf[label]!);
    records.push(labels.roleOf[label]!);
    records.push(terms.length);
    records.push(bitsOf(mass));
    records.push(bitsOf(Math.max(0, mass * (1 - findTagShare(mass)))));
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
export function viewLabelRecordFloats({ buffer, byteOffset, length }: Uint32Array): Float32Array {
  return new Float32Array(buffer, byteOffset, length);
}

const oneFloat = new Float32Array(1);
const itsBits = new Uint32Array(oneFloat.buffer);

function bitsOf(value: number): number {
  oneFloat[0] = value;
  return itsBits[0]!;
}

/** How much of a label a window has, by the label's record.
 *  @param isInWindow by term: 1 while it is there */
export function createLabelRecordMatcher(records: Uint32Array, isInWindow: Uint8Array) {
  const floats = viewLabelRecordFloats(records);

  /** Share of a label's idf mass in the window, or 0 when too little of it is there, or one word only. */
  function shareInWindow(record: number): number {
    const limit = floats[record + recordFields.mayMiss]!;
    let missing = 0;
    let termsFound = 0;
    let at = record + recordFields.terms;
    for (
      const end = at + records[record + recordFields.termCount]! * WORDS_OF_TERM;
      at < end;
      at += WORDS_OF_TERM
    ) {
      if (isInWindow[records[at]!] === 1) {
        termsFound++;
        continue;
      }
      missing += floats[at + 1]!;
      if (missing > limit) return 0;
    }
    return termsFound < 2 ? 0 : 1 - missing / floats[record + recordFields.mass]!;
  }

  /** Whether the label's stems stand in the window one after the other. */
  function isStretchOf(sequence: readonly number[], record: number): boolean {
    const from = record + recordFields.terms + records[record + recordFields.termCount]! * WORDS_OF_TERM;
    const length = records[record + recordFields.stretchLength]!;
    const first = records[from]!;
    for (let start = 0; start + length <= sequence.length; start++) {
      if (sequence[start] !== first) continue;
      let at = 1;
      while (at < length && sequence[start + at] === records[from + at]) at++;
      if (at === length) return true;
    }
    return false;
  }

  return { shareInWindow, isStretchOf };
}
