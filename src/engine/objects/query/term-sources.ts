import { hasBit } from '#engine/bitset';
import { getOrAdd } from '#engine/maps';
import { findString, readString } from '#engine/string-table';
import { findTermsOfWord } from '../segment/lexicon.ts';
import { countPostings, countPostingsIn, forEachPosting, openPostings, type PostingList } from '../segment/postings.ts';
import { countSegmentDocuments, type LiveSegment, type Segment } from '../segment/segment.ts';
import { TOPICAL_IMPACT, TOPICAL_SHARE } from '../weights.ts';

/** A posting list that counts as a match of a word. */
export interface Source extends PostingList {
  /** The weight of such a match, 0 to 1. */
  readonly weight: number;
  /** Tells that the match is the word, another form or a synonym, and not a guess. */
  readonly isExact: boolean;
  /** In external segments: the lists of each word of a phrase; the source is the rarest word's. */
  readonly phrase?: readonly (readonly Source[])[];
}

/** @param term its number in the segment */
export function openTermSource(segment: Segment, term: number, source: Pick<Source, 'weight' | 'isExact'>): Source {
  const { weight, isExact } = source;
  const { postings, firstChunk, endChunk } = openPostings(segment.postings, term);
  return { postings, firstChunk, endChunk, weight, isExact };
}

/** At this number of terms, a cache of a segment is cleared. */
const MAX_CACHED_TERMS = 50_000;
const termCache = new WeakMap<Segment, Map<string, number>>();

/** Finds the number of a term, or -1, with a cache, as phrases of a taxonomy come again with every
 *  query for their word. */
export function findTerm(segment: Segment, text: string): number {
  let cache = termCache.get(segment);
  if (cache === undefined || cache.size >= MAX_CACHED_TERMS) {
    cache = new Map();
    termCache.set(segment, cache);
  }
  // Each word asks a dozen times, and `getOrAdd` serves maps of all kinds, which is slower.
  let term = cache.get(text);
  if (term === undefined) {
    term = findString(segment.terms, text);
    cache.set(text, term);
  }
  return term;
}

/** Finds, by segment, the terms of a word as it is spelled. */
export type Speller = (word: string) => readonly Uint32Array[];

export function createTermSpeller(segments: readonly Segment[]): Speller {
  const cache = new Map<string, readonly Uint32Array[]>();
  return (word) => getOrAdd(cache, word, () => segments.map(({ lexicon }) => findTermsOfWord(lexicon, word)));
}

export type SourcesBySegment = readonly (readonly Source[])[];

/** Finds, by segment, the terms with these names, and those of the word as it is spelled.
 *  @param spelled by segment, the terms of the word as it is spelled */
export function findExactTerms(
  segments: readonly Segment[],
  named: readonly string[],
  spelled: readonly Uint32Array[],
): Set<number>[] {
  const terms = segments.map((segment, s) => addNamedTerms(segment, named, new Set(spelled[s])));
  return spreadTermsOverSegments(segments, terms);
}

export function findNamedTerms(segments: readonly Segment[], names: readonly string[]): Set<number>[] {
  return segments.map((segment) => addNamedTerms(segment, names, new Set()));
}

function addNamedTerms(segment: Segment, names: readonly string[], terms: Set<number>): Set<number> {
  for (const name of names) {
    const term = findTerm(segment, name);
    if (term >= 0) terms.add(term);
  }
  return terms;
}

export function openTermSources(
  segments: readonly Segment[],
  terms: readonly ReadonlySet<number>[],
  weight: number,
  isExact: boolean,
): Source[][] {
  return segments.map((segment, s) =>
    Array.from(terms[s]!, (term) => openTermSource(segment, term, { weight, isExact })),
  );
}

/** Finds the terms of one segment in all of them: a segment may have the stem of a word without the
 *  spelling that leads to it. */
export function spreadTermsOverSegments(segments: readonly Segment[], terms: readonly Set<number>[]): Set<number>[] {
  if (segments.length === 1) return [...terms];
  const texts = new Set(
    segments.flatMap((segment, s) => [...terms[s]!].map((term) => readString(segment.terms, term))),
  );
  return segments.map(
    (segment) => new Set([...texts].map((text) => findString(segment.terms, text)).filter((term) => term >= 0)),
  );
}

/** Counts the live documents with a term; 0 if no document has the word as a form of the term. */
export function countTermDocuments(
  parts: readonly LiveSegment[],
  text: string,
  spelled: readonly Uint32Array[],
): number {
  let count = 0;
  let isSpelled = false;
  for (const [p, part] of parts.entries()) {
    const term = findTerm(part.segment, text);
    if (term < 0) continue;
    isSpelled ||= spelled[p]!.includes(term);
    count += countLiveDocuments(part, openPostings(part.segment.postings, term));
  }
  return isSpelled ? count : 0;
}

/** Counts the live documents of sources; a document in two sources counts twice. */
export function countSourceDocuments(parts: readonly LiveSegment[], sources: SourcesBySegment): number {
  let count = 0;
  for (const [p, part] of parts.entries()) for (const source of sources[p]!) count += countLiveDocuments(part, source);
  return count;
}

export function countLiveDocuments({ segment, live, liveCount }: LiveSegment, list: PostingList): number {
  return liveCount === segment.count ? countPostings(list) : countPostingsIn(list, live);
}

const topicalCache = new WeakMap<Segment, Map<number, number>>();

/** Counts the live documents with a term in their title or keywords; cached by segment. */
function countTopicalDocuments(part: LiveSegment, term: number): number {
  const { segment, live, liveCount } = part;
  // Of an external segment, the impact of a term is this share of its documents.
  if (segment.isExternal) return (segment.postings.impacts[term]! / 255) * countSegmentDocuments(segment, term);
  const isWhole = liveCount === segment.count;
  const cache = getOrAdd(topicalCache, segment, () => new Map<number, number>());
  const cached = isWhole ? cache.get(term) : undefined;
  if (cached !== undefined) return cached;
  let count = 0;
  forEachPosting(openPostings(segment.postings, term), (doc, impact) => {
    if (impact >= TOPICAL_IMPACT && (isWhole || hasBit(live, doc))) count++;
  });
  if (cache.size >= MAX_CACHED_TERMS) cache.clear();
  if (isWhole) cache.set(term, count);
  return count;
}

/** Tells whether most documents with these terms have them in the description alone. */
export function areSeldomTopical(parts: readonly LiveSegment[], terms: readonly ReadonlySet<number>[]): boolean {
  let total = 0;
  let topical = 0;
  for (const [p, part] of parts.entries()) {
    for (const term of terms[p]!) {
      total += countLiveDocuments(part, openPostings(part.segment.postings, term));
      topical += countTopicalDocuments(part, term);
    }
  }
  return topical < TOPICAL_SHARE * total;
}
