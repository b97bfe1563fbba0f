import { distinctTerms } from './build-terms.ts';
import type { LabelTable, Postings } from '../term-data.ts';

/** A label's distinct terms in the order in which they first stand. */
export function distinctTermsOf({ terms, termStart }: LabelTable, label: number): number[] {
  return distinctTerms(terms.subarray(termStart[label], termStart[label + 1]));
}

/** Each term's labels, ascending, of the terms that are given for each label. */
export function collectPostings(
  labels: LabelTable,
  termCount: number,
  termsOf: (label: number) => Iterable<number>,
): Postings {
  const count = labels.conceptOf.length;
  const start = new Uint32Array(termCount + 1);
  for (let label = 0; label < count; label++) for (const term of termsOf(label)) start[term + 1]!++;
  for (let term = 0; term < termCount; term++) start[term + 1]! += start[term]!;
  const next = start.slice();
  const postings = new Uint32Array(start[termCount]!);
  for (let label = 0; label < count; label++) {
    for (const term of termsOf(label)) postings[next[term]!++] = label;
  }
  return { start, labels: postings };
}
