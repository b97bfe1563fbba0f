import { findString } from '../string-table.ts';
import type { Source } from './posting-sources.ts';
import { documentFrequency, type Segment } from './segment.ts';

/** The posting list of a term.
 *  @param term its number in the segment */
export function termSource(
  segment: Segment,
  term: number,
  { weight, isExact }: Pick<Source, 'weight' | 'isExact'>,
): Source {
  const start = segment.postingStart[term]!;
  const end = start + documentFrequency(segment, term);
  return {
    docs: segment.postingDocs.subarray(start, end),
    impacts: segment.postingImpacts.subarray(start, end),
    weight,
    isExact,
  };
}

/** Texts whose places are remembered for each segment; they are forgotten together. */
const MAX_KNOWN = 50_000;
const knownTerms = new WeakMap<Segment, Map<string, number>>();

/** Number of a term in a segment, or -1. The phrases of taxonomies come again with every query that has their word, in
 *  every language, and most of their terms are nowhere. */
export function findTerm(segment: Segment, text: string): number {
  let known = knownTerms.get(segment);
  if (known === undefined || known.size >= MAX_KNOWN) {
    known = new Map();
    knownTerms.set(segment, known);
  }
  let term = known.get(text);
  if (term === undefined) {
    term = findString(segment.terms, text);
    known.set(text, term);
  }
  return term;
}
