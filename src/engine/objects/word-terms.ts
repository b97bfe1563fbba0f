import { type Bitset, hasBit } from '../bitset.ts';
import { shareTerms } from './guess-words.ts';
import type { LiveSegment } from './merge-segments.ts';
import type { Source } from './posting-sources.ts';
import type { Segment } from './segment.ts';
import { findTerm, termSource } from './term-source.ts';

export type SourcesBySegment = readonly (readonly Source[])[];

/** Terms of a word in the languages asked for, and those it is the spelling of in any other.
 *  @param spelled by segment, the terms of the word as it is spelled */
export function exactTerms(
  segments: readonly Segment[],
  named: readonly string[],
  spelled: readonly Uint32Array[],
): Set<number>[] {
  const terms = segments.map((segment, s) => {
    const own = new Set(spelled[s]);
    for (const text of named) {
      const term = findTerm(segment, text);
      if (term >= 0) own.add(term);
    }
    return own;
  });
  return shareTerms(segments, terms);
}

/** Terms that go by one of these names, by segment. */
export function termsNamed(segments: readonly Segment[], names: readonly string[]): Set<number>[] {
  return segments.map(
    (segment) => new Set(names.map((name) => findTerm(segment, name)).filter((term) => term >= 0)),
  );
}

export function sourcesOf(
  segments: readonly Segment[],
  terms: readonly ReadonlySet<number>[],
  weight: number,
  isExact: boolean,
): Source[][] {
  return segments.map((segment, s) =>
    Array.from(terms[s]!, (term) => termSource(segment, term, { weight, isExact })),
  );
}

/** Live documents with a term, where the word was written as a form of it. */
export function countWritten(
  parts: readonly LiveSegment[],
  text: string,
  spelled: readonly Uint32Array[],
): number {
  const terms = parts.map(({ segment }) => findTerm(segment, text));
  if (!spelled.some((own, p) => own.includes(terms[p]!))) return 0;
  const sources = parts.map(({ segment }, p) =>
    terms[p]! < 0 ? [] : [termSource(segment, terms[p]!, { weight: 1, isExact: true })],
  );
  return countLive(parts, sources);
}

/** Live documents that the sources speak of, once per source. */
export function countLive(parts: readonly LiveSegment[], sources: SourcesBySegment): number {
  let count = 0;
  for (const [p, { segment, live, liveCount }] of parts.entries()) {
    for (const { docs } of sources[p]!)
      count += liveCount === segment.count ? docs.length : countIn(docs, live);
  }
  return count;
}

function countIn(docs: Uint32Array, live: Bitset): number {
  let count = 0;
  for (let i = 0; i < docs.length; i++) if (hasBit(live, docs[i]!)) count++;
  return count;
}
