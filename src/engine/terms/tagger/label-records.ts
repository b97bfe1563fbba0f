import { createGrowableUint32 } from '#engine/arrays';
import { listTermsOfLabel } from '../build-term-data/build-terms.ts';
import type { LabelTable, Vocabulary } from '../term-data.ts';
import { findNeededShare } from './tag-weights.ts';

/** The offsets of the fields of a record, in words of 32 bits. All facts of a label are side by
 *  side, as the tagger spends most of its time waiting for memory. */
export const recordFields = {
  label: 0,
  concept: 1,
  role: 2,
  termCount: 3,
  mass: 4,
  mayMiss: 5,
  rowLength: 6,
  terms: 7,
} as const;
/** Words of 32 bits for each term of a record: its ordinal and its weight. */
export const WORDS_OF_TERM = 2;

/** Writes for each label its facts, its distinct terms with their weights, and all its terms in
 *  order. Distinct terms are rarest first, so that most labels are rejected early. Units:
 *  weights and masses are multiples of the idf of the language's rarest word. */
export function buildLabelRecords(labels: LabelTable, { idf, maxIdf }: Vocabulary) {
  const count = labels.conceptOf.length;
  const recordStart = new Uint32Array(count + 1);
  const records = createGrowableUint32();
  for (let label = 0; label < count; label++) {
    const max = maxIdf[labels.langOf[label]!]!;
    const terms = listTermsOfLabel(labels, label).sort((a, b) => idf[b]! - idf[a]!);
    const row = labels.terms.subarray(labels.termStart[label], labels.termStart[label + 1]);
    const mass = labels.mass[label]! / max;
    records.push(label);
    records.push(labels.conceptOf[label]!);
    records.push(labels.roleOf[label]!);
    records.push(terms.length);
    records.push(toBits(mass));
    records.push(toBits(Math.max(0, mass * (1 - findNeededShare(mass)))));
    records.push(row.length);
    for (const term of terms) {
      records.push(term);
      records.push(toBits(idf[term]! / max));
    }
    for (const term of row) records.push(term);
    recordStart[label + 1] = records.length;
  }
  return { recordStart, records: records.finish() };
}

export function viewAsFloats({ buffer, byteOffset, length }: Uint32Array): Float32Array {
  return new Float32Array(buffer, byteOffset, length);
}

const oneFloat = new Float32Array(1);
const bitsOfFloat = new Uint32Array(oneFloat.buffer);

/** Returns the bits of a float of 32 bits, which are stored among integers. */
function toBits(value: number): number {
  oneFloat[0] = value;
  return bitsOfFloat[0]!;
}

/** Creates closures over the arrays, which take two thirds of the time of functions that are passed
 *  them.
 *  @param isInWindow by term: 1 while it is in the window; bytes stay in the processor's cache */
export function createRecordMatcher(records: Uint32Array, isInWindow: Uint8Array) {
  const floats = viewAsFloats(records);
  return {
    /** Returns the share of a label's idf mass in the window; 0 if too little, or one word only. */
    findShareInWindow(record: number): number {
      const limit = floats[record + recordFields.mayMiss]!;
      let missing = 0;
      let matched = 0;
      let at = record + recordFields.terms;
      const end = at + records[record + recordFields.termCount]! * WORDS_OF_TERM;
      for (; at < end; at += WORDS_OF_TERM) {
        if (isInWindow[records[at]!] === 1) {
          matched++;
          continue;
        }
        missing += floats[at + 1]!;
        if (missing > limit) return 0;
      }
      return matched < 2 ? 0 : 1 - missing / floats[record + recordFields.mass]!;
    },
    /** Tells whether a sequence has all terms of a label in a row. */
    isLabelInRow(sequence: readonly number[], record: number): boolean {
      const from = record + recordFields.terms + records[record + recordFields.termCount]! * WORDS_OF_TERM;
      const length = records[record + recordFields.rowLength]!;
      const first = records[from]!;
      for (let start = 0; start + length <= sequence.length; start++) {
        if (sequence[start] !== first) continue;
        let at = 1;
        while (at < length && sequence[start + at] === records[from + at]) at++;
        if (at === length) return true;
      }
      return false;
    },
  };
}
