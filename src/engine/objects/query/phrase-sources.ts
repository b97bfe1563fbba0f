import { sumValues } from '#engine/arrays';
import { getOrAdd } from '#engine/maps';
import { countPostings, createPostingReader, listPostingDocuments, makePostingList } from '../segment/postings.ts';
import type { Segment } from '../segment/segment.ts';
import type { Alternative, Phrases, PhraseWord } from './expand-words.ts';
import { findExactTerms, findTerm, openTermSource, type Source, type Speller } from './term-sources.ts';

/** Finds, by segment, the sources of documents with any of the phrases. */
type FindPhrases = (lists: readonly Phrases[], isExact: boolean) => readonly (readonly Source[])[];

export function createPhraseFinder(segments: readonly Segment[], spell: Speller): FindPhrases {
  const termCache = new Map<PhraseWord, readonly ReadonlySet<number>[]>();
  function findTerms(word: PhraseWord): readonly ReadonlySet<number>[] {
    const terms = findExactTerms(segments, word.terms, spell(word.word));
    if (word.stem !== undefined)
      for (const [s, segment] of segments.entries()) terms[s]!.delete(findTerm(segment, word.stem));
    return terms;
  }
  const termsOf = (word: PhraseWord) => getOrAdd(termCache, word, () => findTerms(word));
  return (lists, isExact) =>
    segments.map((segment, s) => {
      const find = (phrases: Phrases) =>
        phrases.map((phrase) => findPhraseSources(segment, phrase, { isExact, termsOf: (word) => termsOf(word)[s]! }));
      return lists.flatMap((phrases) => findCachedPhraseSources(segments, s, { phrases, isExact, find }));
    });
}

/** At this number of postings, of 3 bytes each, the cache of a segment is cleared. */
const MAX_POSTINGS = 2 ** 20;

/** Cached sources in a segment. They depend on the other segments of the search, as a word that is
 *  spelled in one may have its stem in another. They live as long as the phrase objects. */
interface SourceCache {
  readonly segments: readonly Segment[];
  readonly exact: WeakMap<Phrases, readonly Source[]>;
  readonly guessed: WeakMap<Phrases, readonly Source[]>;
  postings: number;
}

/** Caches by segment, and by the last segment of the search, which is that of a tenant. */
const caches = new WeakMap<Segment, WeakMap<Segment, SourceCache>>();

function findCachedPhraseSources(segments: readonly Segment[], s: number, request: CacheRequest): readonly Source[] {
  const { phrases, isExact, find } = request;
  const cache = openPhraseCache(segments, s);
  return getOrAdd(isExact ? cache.exact : cache.guessed, phrases, () => {
    const byPhrase = find(phrases);
    for (const [i, { words }] of phrases.entries()) {
      // The list of a single word belongs to the segment; external segments have no postings.
      if (words.length > 1 && !segments[s]!.isExternal) cache.postings += countAllPostings(byPhrase[i]!);
    }
    return byPhrase.flat();
  });
}

interface CacheRequest {
  readonly phrases: Phrases;
  readonly isExact: boolean;
  find(phrases: Phrases): readonly (readonly Source[])[];
}

function openPhraseCache(segments: readonly Segment[], s: number): SourceCache {
  const last = segments.at(-1)!;
  const byLast = getOrAdd(caches, segments[s]!, () => new WeakMap<Segment, SourceCache>());
  const existing = byLast.get(last);
  const isSame =
    existing?.segments.length === segments.length && existing.segments.every((segment, i) => segment === segments[i]);
  if (existing !== undefined && isSame && existing.postings < MAX_POSTINGS) return existing;
  const cache = { segments, exact: new WeakMap(), guessed: new WeakMap(), postings: 0 };
  byLast.set(last, cache);
  return cache;
}

function findPhraseSources(
  segment: Segment,
  { words, weight }: Alternative,
  { isExact, termsOf }: { readonly isExact: boolean; termsOf(word: PhraseWord): ReadonlySet<number> },
): readonly Source[] {
  const lists: Source[][] = [];
  for (const word of words) {
    const terms = [...termsOf(word)];
    // Most phrases have a word that is in no document; skip their other words.
    if (terms.length === 0) return [];
    lists.push(terms.map((term) => openTermSource(segment, term, { weight, isExact })));
  }
  if (segment.isExternal && lists.length > 1)
    return [{ ...[...lists].sort((a, b) => countAllPostings(a) - countAllPostings(b))[0]![0]!, phrase: lists }];
  return intersectPhraseSources(lists);
}

/** The documents that have all words so far, ascending, and the least impact of these words. */
interface Candidates {
  readonly docs: Uint32Array;
  readonly impacts: Uint8Array;
  readonly count: number;
}

/** Finds the documents with every word of a phrase. Their impact is the least of the words', of the
 *  best alternative of each: words in different fields are mostly no phrase.
 *  @param lists by word: the sources of its alternative forms */
function intersectPhraseSources(lists: readonly (readonly Source[])[]): readonly Source[] {
  // The rarest word first, as most of its documents lack the next word.
  const [rarest = [], ...commoner] = [...lists].sort((a, b) => countAllPostings(a) - countAllPostings(b));
  if (rarest.length === 0 || commoner.length === 0) return rarest;
  const docs = listDocuments(rarest);
  const impacts = new Uint8Array(docs.length).fill(255);
  let count = keepMatchingCandidates(rarest, { docs, impacts, count: docs.length });
  for (const word of commoner) {
    if (count > 0) count = keepMatchingCandidates(word, { docs, impacts, count });
  }
  if (count === 0) return [];
  return [{ ...rarest[0]!, ...makePostingList(docs.subarray(0, count), impacts.slice(0, count)) }];
}

/** Lowers each candidate's impact to a word's best alternative, and drops those without one.
 *  @returns the number of remaining candidates */
function keepMatchingCandidates(alternatives: readonly Source[], { docs, impacts, count }: Candidates): number {
  const best = new Uint8Array(count);
  for (const source of alternatives) {
    const findImpact = createPostingReader(source);
    for (let i = 0; i < count; i++) best[i] = Math.max(best[i]!, findImpact(docs[i]!));
  }
  let target = 0;
  for (let i = 0; i < count; i++) {
    if (best[i] === 0) continue;
    docs[target] = docs[i]!;
    impacts[target++] = Math.min(impacts[i]!, best[i]!);
  }
  return target;
}

const listDocuments = (sources: readonly Source[]): Uint32Array =>
  sources.map(listPostingDocuments).reduce(mergeAscending);

/** Merges ascending numbers, each of which is then there once. */
function mergeAscending(left: Uint32Array, right: Uint32Array): Uint32Array {
  const merged = new Uint32Array(left.length + right.length);
  let count = 0;
  let i = 0;
  let j = 0;
  while (i < left.length && j < right.length) {
    const a = left[i]!;
    const b = right[j]!;
    merged[count++] = a < b ? a : b;
    if (a <= b) i++;
    if (b <= a) j++;
  }
  while (i < left.length) merged[count++] = left[i++]!;
  while (j < right.length) merged[count++] = right[j++]!;
  return merged.subarray(0, count);
}

function countAllPostings(sources: readonly Source[]): number {
  return sumValues(sources.map(countPostings));
}
