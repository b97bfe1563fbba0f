import { bisect } from '#engine/arrays';
import { type Bitset, clearBit, createBitset, hasBit, setBit } from '#engine/bitset';
import { hashString } from '#engine/hash';
import { findStringRange, readString, type StringTable } from '#engine/string-table';
import type { TypoTable } from '#engine/text/typo-table';
import type { VectorRows } from '#engine/vectors/vector-rows';
import { type ObjectDocument, type ValueField, valueFields } from '../types.ts';
import { DIRECT_TOPIC_IMPACT } from '../weights.ts';
import { type Ids, readId } from './ids.ts';
import { findPostingImpact, openPostings, type Postings } from './postings.ts';

/** The first letter of the terms of publisher words, which the `publisher` filter looks up. */
export const PUBLISHER_MARK = '\u0001';

/** The first letter of the terms of topic ids. */
export const TOPIC_MARK = '\u0002';

/** Stands for an unknown value of a field and, after a mark, for unknown publishers. */
export const UNKNOWN_VALUE = '';

/** Stands for an unknown end of an age range. */
export const NO_AGE = 255;

/** The facts of documents, an array for each. NaN means unknown. */
export interface Columns {
  readonly level: Float32Array;
  readonly minutes: Float32Array;
  readonly popularity: Float32Array;
  readonly lat: Float32Array;
  readonly lon: Float32Array;
  readonly ageMin: Uint8Array;
  readonly ageMax: Uint8Array;
  /** 0 means unknown, 1 free, 2 paid. */
  readonly free: Uint8Array;
  /** Bit m stands for `documentMarks[m]`. */
  readonly marks: Uint8Array;
  readonly day: Float32Array;
  /** The `hashString` of the id, which finds documents, and breaks ties alike on every host. */
  readonly idHash: Uint32Array;
}

/** The words of documents as they are spelled, and the typo table of them. */
export interface Lexicon extends TypoTable {
  /** The folded words, sorted. */
  readonly surfaces: StringTable;
  /** CSR by word: its terms, at most one for each language and one as a name. */
  readonly termStart: Uint32Array;
  readonly terms: Uint32Array;
}

/** The values of a field by their first document, each with the set of its documents. */
export type ValueSets = { readonly values: readonly string[]; readonly sets: readonly Bitset[] };

/** Documents with the same provider, types, Bloom objectives and language share a combination of
 *  values. There are few, so filters and facets are computed once for each. */
export interface Combinations {
  /** The combination of each document. */
  readonly of: Uint16Array | Uint32Array;
  /** CSR: the values of each combination, numbered through all fields. */
  readonly start: Uint32Array;
  readonly values: Uint32Array;
}

/** An immutable part of the index. Documents have ordinals from 0. */
export interface Segment {
  readonly count: number;
  /** The terms, sorted: stems, and marked publisher words and topics. */
  readonly terms: StringTable;
  readonly postings: Postings;
  readonly lexicon: Lexicon;
  readonly columns: Columns;
  readonly ids: Ids;
  /** The ordinals of the documents by ascending idHash. */
  readonly idOrder: Uint32Array;
  readonly valueSets: Readonly<Record<ValueField, ValueSets>>;
  readonly combinations: Combinations;
  /** A row for each document; in an external segment, their mean. Absent without vectors. */
  readonly vectors?: VectorRows;
  /** Set if another engine stores the documents; here are only their numbers. */
  readonly isExternal?: true;
}

/** A segment and the set of its documents that were not removed. */
export interface LiveSegment {
  readonly segment: Segment;
  readonly live: Bitset;
  readonly liveCount: number;
}

/** Counts the documents with a term, including removed ones. */
export function countSegmentDocuments(segment: Segment, term: number): number {
  const { listStart, chunkStart } = segment.postings;
  return chunkStart[listStart[term + 1]!]! - chunkStart[listStart[term]!]!;
}

/** Lists the sets of all values in the order in which combinations number the values. */
export function listSegmentValueSets(valueSets: Segment['valueSets']): Bitset[] {
  return valueFields.flatMap((field) => valueSets[field].sets);
}

/** Reads the value of a document in a field that has one for each. */
export function readDocumentValue(
  { combinations: { of, start, values }, valueSets }: Segment,
  field: 'provider' | 'lang',
  doc: number,
): string {
  let first = 0;
  for (let f = 0; valueFields[f] !== field; f++) first += valueSets[valueFields[f]!].values.length;
  const fieldValues = valueSets[field].values;
  let at = start[of[doc]!]!;
  while (values[at]! < first || values[at]! >= first + fieldValues.length) at++;
  return fieldValues[values[at]! - first]!;
}

/** Copies segments with only the documents that have these ids, or without them. */
export function selectSegments(
  segments: readonly LiveSegment[],
  ids: Iterable<string>,
  how: 'only' | 'without',
): LiveSegment[] {
  const idList = [...ids];
  return segments.map((part) => {
    const { segment, live, liveCount } = part;
    const named = idList.map((id) => findSegmentDocument(segment, id)).filter((doc) => doc >= 0 && hasBit(live, doc));
    const docs = new Set(named);
    if (how === 'without' && docs.size === 0) return { ...part };
    const selected = how === 'only' ? createBitset(segment.count) : live.slice();
    for (const doc of docs) (how === 'only' ? setBit : clearBit)(selected, doc);
    return { segment, live: selected, liveCount: how === 'only' ? docs.size : liveCount - docs.size };
  });
}

/** Finds the topics of a document, and the wider ones; none if there is no such document. */
export function findSegmentTopics(
  segments: readonly LiveSegment[],
  id: string,
): Required<Pick<ObjectDocument, 'topics' | 'widerTopics'>> {
  const topics: string[] = [];
  const widerTopics: string[] = [];
  for (const { segment, live } of segments) {
    const doc = findSegmentDocument(segment, id);
    if (doc < 0 || !hasBit(live, doc)) continue;
    const [first, end] = findStringRange(segment.terms, TOPIC_MARK);
    for (let term = first; term < end; term++) {
      const impact = findPostingImpact(openPostings(segment.postings, term), doc);
      if (impact === 0) continue;
      const topic = readString(segment.terms, term).slice(TOPIC_MARK.length);
      (impact >= DIRECT_TOPIC_IMPACT ? topics : widerTopics).push(topic);
    }
  }
  return { topics, widerTopics };
}

/** @returns the ordinal of the document with an id, or -1 */
export function findSegmentDocument({ idOrder, columns: { idHash }, ids }: Segment, id: string): number {
  const hash = hashString(id);
  // Lone surrogates are stored as U+FFFD.
  const stored = id.toWellFormed();
  let place = bisect(0, idOrder.length, (at) => idHash[idOrder[at]!]! < hash);
  for (; place < idOrder.length && idHash[idOrder[place]!] === hash; place++) {
    if (readId(ids, idOrder[place]!) === stored) return idOrder[place]!;
  }
  return -1;
}
