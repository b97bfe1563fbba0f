import { countPostings, createPostingReader, listDocuments, makeList } from '../segment/postings.ts';
import type { Segment } from '../segment/segment.ts';
import type { Alternative, Phrases, PhraseWord } from './expand-words.ts';
import { findExactSourceTerms, openSource, type Source, type Speller } from './term-sources.ts';

/** Finds, by segment, the documents with any of the phrases. */
type FindPhrases = (lists: readonly Phrases[], isExact: boolean) => readonly (readonly Source[])[];

export function createPhraseFinder(segments: readonly Segment[], spell: Speller): FindPhrases {
  const known = new Map<PhraseWord, readonly ReadonlySet<number>[]>();
  function findTerms(word: PhraseWord): readonly ReadonlySet<number>[] {
    const terms = known.get(word) ?? findExactSourceTerms(segments, word.terms, spell(word.word));
    known.set(word, terms);
    return terms;
  }
  return (lists, isExact) =>
    segments.map((segment, s) => {
      const find = (phrases: Phrases) =>
        phrases.map((phrase) =>
          phraseSources(segment, phrase, { isExact, termsOf: (word) => findTerms(word)[s]! }),
        );
      return lists.flatMap((phrases) => rememberedSources(segments, s, { phrases, isExact, find }));
    });
}

/** Postings remembered for each segment, 3 bytes each; beyond that, all are forgotten together. */
const MAX_POSTINGS = 2 ** 20;

/** What was found in a segment beside others: neither changes, but what one spells may be found in another. Kept as long as somebody
 *  holds the phrases. */
interface Remembered {
  readonly segments: readonly Segment[];
  readonly exact: WeakMap<Phrases, readonly Source[]>;
  readonly guessed: WeakMap<Phrases, readonly Source[]>;
  postings: number;
}

/** By segment, and by the last of those that it is searched with: that of a tenant. */
const remembered = new WeakMap<Segment, WeakMap<Segment, Remembered>>();

/** The phrases of taxonomies come again with every query that has their word, in every language, and most are in no document. */
function rememberedSources(
  segments: readonly Segment[],
  s: number,
  { phrases, isExact, find }: Finding,
): readonly Source[] {
  const room = roomOf(segments, s);
  const known = isExact ? room.exact : room.guessed;
  let sources = known.get(phrases);
  if (sources === undefined) {
    const found = find(phrases);
    for (const [i, { words }] of phrases.entries()) {
      // Lists of one word are the segment's own, and those of documents elsewhere are only counted.
      if (words.length > 1 && !segments[s]!.isExternal) room.postings += sizeOf(found[i]!);
    }
    sources = found.flat();
    known.set(phrases, sources);
  }
  return sources;
}

interface Finding {
  readonly phrases: Phrases;
  readonly isExact: boolean;
  find(phrases: Phrases): readonly (readonly Source[])[];
}

function roomOf(segments: readonly Segment[], s: number): Remembered {
  const last = segments.at(-1)!;
  const rooms = remembered.get(segments[s]!) ?? new WeakMap<Segment, Remembered>();
  remembered.set(segments[s]!, rooms);
  let room = rooms.get(last);
  const isOfThese =
    room?.segments.length === segments.length && room.segments.every((own, i) => own === segments[i]);
  if (room === undefined || !isOfThese || room.postings >= MAX_POSTINGS) {
    room = { segments, exact: new WeakMap(), guessed: new WeakMap(), postings: 0 };
    rooms.set(last, room);
  }
  return room;
}

/** Documents that have every word of a phrase; a phrase of one word is its posting lists as they are. */
function phraseSources(
  segment: Segment,
  { words, weight }: Alternative,
  { isExact, termsOf }: { readonly isExact: boolean; termsOf(word: PhraseWord): ReadonlySet<number> },
): readonly Source[] {
  const lists: Source[][] = [];
  for (const word of words) {
    const terms = [...termsOf(word)];
    // Most phrases have a word that is in no document: then their other words need not be looked for.
    if (terms.length === 0) return [];
    lists.push(terms.map((term) => openSource(segment, term, { weight, isExact })));
  }
  if (segment.isExternal && lists.length > 1)
    return [{ ...[...lists].sort((a, b) => sizeOf(a) - sizeOf(b))[0]![0]!, phrase: lists }];
  return intersectSources(lists);
}

/** Documents that have all words so far, ascending, and the worth of these words together. */
interface Candidates {
  readonly docs: Uint32Array;
  readonly sums: Uint16Array;
  readonly count: number;
}

/** The documents that are in every one of several lists of alternatives, worth the mean of the best of each list.
 *  @param lists by word of a phrase, where each alternative form of the word is */
function intersectSources(lists: readonly (readonly Source[])[]): readonly Source[] {
  // The rarest first: most of its documents fail at the next word already.
  const [rarest = [], ...others] = [...lists].sort((a, b) => sizeOf(a) - sizeOf(b));
  if (rarest.length === 0 || others.length === 0) return rarest;
  const docs = docsOf(rarest);
  const sums = new Uint16Array(docs.length);
  let count = addBest(rarest, { docs, sums, count: docs.length });
  for (const word of others) {
    if (count > 0) count = addBest(word, { docs, sums, count });
  }
  if (count === 0) return [];
  const impacts = Uint8Array.from(sums.subarray(0, count), (sum) => Math.round(sum / lists.length));
  return [{ ...rarest[0]!, ...makeList(docs.subarray(0, count), impacts) }];
}

/** Add the best of a word's alternatives to each candidate; those without any are dropped.
 *  @return how many are left */
function addBest(alternatives: readonly Source[], candidates: Candidates): number {
  const { docs, sums, count } = candidates;
  const best = new Uint8Array(count);
  for (const source of alternatives) takeBest(source, candidates, best);
  let left = 0;
  for (let i = 0; i < count; i++) {
    if (best[i] === 0) continue;
    docs[left] = docs[i]!;
    sums[left++] = sums[i]! + best[i]!;
  }
  return left;
}

function takeBest(source: Source, { docs, count }: Candidates, best: Uint8Array): void {
  const read = createPostingReader(source);
  for (let i = 0; i < count; i++) best[i] = Math.max(best[i]!, read(docs[i]!));
}

/** Each document once, ascending; an array of its own. */
function docsOf(sources: readonly Source[]): Uint32Array {
  return sources.map(listDocuments).reduce(mergeDocs);
}

/** Documents of either of two ascending lists, each once. */
function mergeDocs(one: Uint32Array, other: Uint32Array): Uint32Array {
  const all = new Uint32Array(one.length + other.length);
  let count = 0;
  let i = 0;
  let j = 0;
  while (i < one.length && j < other.length) {
    const [a, b] = [one[i]!, other[j]!];
    all[count++] = a < b ? a : b;
    if (a <= b) i++;
    if (b <= a) j++;
  }
  while (i < one.length) all[count++] = one[i++]!;
  while (j < other.length) all[count++] = other[j++]!;
  return all.subarray(0, count);
}

function sizeOf(sources: readonly Source[]): number {
  return sources.reduce((sum, source) => sum + countPostings(source), 0);
}
