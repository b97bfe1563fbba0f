import { findString, readString } from '#engine/string-table';
import { findTermsOfWord } from '../segment/lexicon.ts';
import { countPostings, countPostingsIn, openList, type PostingList } from '../segment/postings.ts';
import type { LiveSegment, Segment } from '../segment/segment.ts';

/** Documents of one segment that have a word in some form. */
export interface Source extends PostingList {
  /** What a match of this kind is worth, 0 to 1. */
  readonly weight: number;
  /** Found as it was asked, in another form, or by a synonym; not by a guess. */
  readonly isExact: boolean;
  /** Of documents elsewhere: the lists of each word of a phrase, one of which the documents are in. What is counted is then that of
   *  its rarest word. */
  readonly phrase?: readonly (readonly Source[])[];
}

/** The posting list of a term.
 *  @param term its number in the segment */
export function openSource(
  segment: Segment,
  term: number,
  { weight, isExact }: Pick<Source, 'weight' | 'isExact'>,
): Source {
  const { listStart } = segment.postings;
  return {
    postings: segment.postings,
    firstChunk: listStart[term]!,
    endChunk: listStart[term + 1]!,
    weight,
    isExact,
  };
}

/** Texts whose places are remembered for each segment; they are forgotten together. */
const MAX_KNOWN = 50_000;
const knownTerms = new WeakMap<Segment, Map<string, number>>();

/** Number of a term in a segment, or -1. The phrases of taxonomies come again with every query that has their word, in every
 *  language, and most of their terms are in no document. */
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

/** Gives the terms of a word as it is spelled, by segment; each word is looked up once. */
export type Speller = (word: string) => readonly Uint32Array[];

export function createSpeller(segments: readonly Segment[]): Speller {
  const known = new Map<string, readonly Uint32Array[]>();
  return (word) => {
    let terms = known.get(word);
    if (terms === undefined) {
      terms = segments.map(({ lexicon }) => findTermsOfWord(lexicon, word));
      known.set(word, terms);
    }
    return terms;
  };
}

export type SourcesBySegment = readonly (readonly Source[])[];

/** Terms of a word in the languages asked for, and those it is the spelling of in any other.
 *  @param spelled by segment, the terms of the word as it is spelled */
export function findExactSourceTerms(
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
  return spreadTermsOverSegments(segments, terms);
}

/** Terms that go by one of these names, by segment. */
export function findNamedSourceTerms(segments: readonly Segment[], names: readonly string[]): Set<number>[] {
  return segments.map(
    (segment) => new Set(names.map((name) => findTerm(segment, name)).filter((term) => term >= 0)),
  );
}

export function openTermSources(
  segments: readonly Segment[],
  terms: readonly ReadonlySet<number>[],
  weight: number,
  isExact: boolean,
): Source[][] {
  return segments.map((segment, s) =>
    Array.from(terms[s]!, (term) => openSource(segment, term, { weight, isExact })),
  );
}

/** Terms that any segment names, in every segment that has them: one may have the stem of a word but not its spelling. */
export function spreadTermsOverSegments(
  segments: readonly Segment[],
  terms: readonly Set<number>[],
): Set<number>[] {
  if (segments.length === 1) return [...terms];
  const texts = new Set(
    segments.flatMap((segment, s) => [...terms[s]!].map((term) => readString(segment.terms, term))),
  );
  return segments.map(
    (segment) =>
      new Set([...texts].map((text) => findString(segment.terms, text)).filter((term) => term >= 0)),
  );
}

/** Number of live documents with a term; 0 where none has the word as a form of it. */
export function countTermDocuments(
  parts: readonly LiveSegment[],
  text: string,
  spelled: readonly Uint32Array[],
): number {
  const terms = parts.map(({ segment }) => findTerm(segment, text));
  if (!spelled.some((own, p) => own.includes(terms[p]!))) return 0;
  return parts.reduce(
    (sum, part, p) =>
      terms[p]! < 0 ? sum : sum + countLive(part, openList(part.segment.postings, terms[p]!)),
    0,
  );
}

/** Number of live documents in the sources, counted once per source. */
export function countSourceDocuments(parts: readonly LiveSegment[], sources: SourcesBySegment): number {
  let count = 0;
  for (const [p, part] of parts.entries()) for (const source of sources[p]!) count += countLive(part, source);
  return count;
}

/** Number of live documents in a list. */
export function countLive({ segment, live, liveCount }: LiveSegment, list: PostingList): number {
  return liveCount === segment.count ? countPostings(list) : countPostingsIn(list, live);
}
