import type { Bitset } from '#engine/bitset';
import type { StringTable } from '#engine/string-table';
import type { VectorRows } from '#engine/vectors/vectors';
import { type ValueField, valueFields } from '../types.ts';
import type { Combinations } from './combinations.ts';
import type { Ids } from './ids.ts';
import type { Postings } from './postings.ts';

/** Marks a word of the publisher field, which is matched whole and has a posting list of its own. */
export const PUBLISHER_MARK = '\u0001';

/** Marks the id of a topic, which has a posting list of its own too. */
export const TOPIC_MARK = '\u0002';

/** Stands for an unknown value among the values of a field; the mark alone stands for unknown publishers. */
export const UNKNOWN_VALUE = '';

/** Unknown age. */
export const NO_AGE = 255;

/** Facts about the documents, one array for each fact. NaN is unknown. */
export interface Columns {
  readonly level: Float32Array;
  readonly minutes: Float32Array;
  readonly popularity: Float32Array;
  readonly lat: Float32Array;
  readonly lon: Float32Array;
  /** NO_AGE is unknown. */
  readonly ageMin: Uint8Array;
  readonly ageMax: Uint8Array;
  /** 0 unknown, 1 free, 2 paid. */
  readonly free: Uint8Array;
  /** `hashString` of the id: finds a document and breaks ties the same way on every host. */
  readonly idHash: Uint32Array;
}

/** Words as people write them, and which terms they stand for. */
export interface Lexicon {
  /** Folded words, sorted. */
  readonly surfaces: StringTable;
  /** CSR: a word stands for at most one term per language. */
  readonly termStart: Uint32Array;
  readonly terms: Uint32Array;
  /** Deletion neighbourhood: sorted hashes of each word and of the word without each one of its letters, and the word each
   *  belongs to. */
  readonly typoHash: Uint32Array;
  readonly typoSurface: Uint32Array;
}

export interface ValueSets {
  readonly values: readonly string[];
  readonly sets: readonly Bitset[];
}

/** An immutable part of the index. Documents have ordinals from 0. */
export interface Segment {
  readonly count: number;
  /** Stems (and marked publisher words and topics), sorted. */
  readonly terms: StringTable;
  /** By term. */
  readonly postings: Postings;
  readonly lexicon: Lexicon;
  readonly columns: Columns;
  readonly ids: Ids;
  /** Ordinals by ascending idHash. */
  readonly idOrder: Uint32Array;
  readonly valueSets: Readonly<Record<ValueField, ValueSets>>;
  readonly combinations: Combinations;
  /** What the documents mean, a row each, or where they are elsewhere one for their mean; absent where none has a vector. */
  readonly vectors?: VectorRows;
  /** Of documents that another engine keeps: how many have each term is known here, and not which. Absent for one's own. */
  readonly isElsewhere?: true;
}

/** A segment and which of its documents are still there. */
export interface LiveSegment {
  readonly segment: Segment;
  readonly live: Bitset;
  readonly liveCount: number;
}

export function countSegmentDocuments(segment: Segment, term: number): number {
  const { listStart, chunkStart } = segment.postings;
  return chunkStart[listStart[term + 1]!]! - chunkStart[listStart[term]!]!;
}

/** The sets of all values, in the order in which combinations number them. */
export function listValueSets(valueSets: Segment['valueSets']): Bitset[] {
  return valueFields.flatMap((field) => valueSets[field].sets);
}
