import { type Bitset, countBits, createBitset, hasBit, setBit } from '../../bitset.ts';
import { findStringRange, readString } from '../../string-table.ts';
import { type Segment, TOPIC_MARK, UNKNOWN_VALUE } from '../segment/segment.ts';
import { type FilterName, type TopicCount, type ValueField, valueFields } from '../types.ts';

/** Counts, over all segments, how many matches each value of each field would leave if its own filter were set aside. */
export interface FacetCounter {
  readonly counts: Readonly<Record<ValueField, Map<string, number>>>;
  begin(segment: Segment): SegmentFacets;
}

export interface SegmentFacets {
  /** A document that all filters keep, or all but the one named. */
  add(doc: number, excludedBy: FilterName | undefined): void;
  end(): void;
}

export function createFacetCounter(): FacetCounter {
  const counts = byField(() => new Map<string, number>());
  return {
    counts,
    begin(segment) {
      const kept = createBitset(segment.count);
      // Made only for fields whose filter excludes something; most queries have one such field or none.
      const excluded: Partial<Record<FilterName, Bitset>> = {};
      return {
        add(doc, excludedBy) {
          if (excludedBy === undefined) setBit(kept, doc);
          else {
            excluded[excludedBy] ??= createBitset(segment.count);
            setBit(excluded[excludedBy]!, doc);
          }
        },
        end() {
          const keptWords = wordsOf(kept);
          for (const field of valueFields) {
            const own = excluded[field];
            addCounts(counts[field], segment, field, own === undefined ? keptWords : wordsOf(kept, own));
          }
        },
      };
    },
  };
}

/** The words of a bitset (or of two together) that are not empty, and where they stand. */
interface SparseWords {
  readonly places: Uint32Array;
  readonly words: Uint32Array;
}

function wordsOf(bits: Bitset, others?: Bitset): SparseWords {
  const places = new Uint32Array(bits.length);
  const words = new Uint32Array(bits.length);
  let size = 0;
  for (let i = 0; i < bits.length; i++) {
    const word = others === undefined ? bits[i]! : bits[i]! | others[i]!;
    if (word === 0) continue;
    places[size] = i;
    words[size++] = word;
  }
  return { places: places.subarray(0, size), words: words.subarray(0, size) };
}

function addCounts(
  counts: Map<string, number>,
  segment: Segment,
  field: ValueField,
  matches: SparseWords,
): void {
  const { values, sets } = segment.valueSets[field];
  for (const [v, value] of values.entries()) {
    if (value === UNKNOWN_VALUE) continue;
    const count = countIn(sets[v]!, matches);
    if (count > 0) counts.set(value, (counts.get(value) ?? 0) + count);
  }
}

function countIn(set: Bitset, { places, words }: SparseWords): number {
  let count = 0;
  for (let i = 0; i < places.length; i++) {
    const shared = set[places[i]!]! & words[i]!;
    if (shared !== 0) count += countBits(shared);
  }
  return count;
}

function byField<T>(make: () => T): Record<ValueField, T> {
  return Object.fromEntries(valueFields.map((field) => [field, make()])) as Record<ValueField, T>;
}

/** Adds how many of the documents have each topic.
 *  @param preferred those in the preferred language; absent where none is */
export function addTopicCounts(
  counts: Map<string, TopicCount>,
  segment: Segment,
  {
    documents,
    preferred = documents,
  }: { readonly documents: Bitset; readonly preferred: Bitset | undefined },
): void {
  const { terms, postingStart, postingDocs } = segment;
  const [first, end] = findStringRange(terms, TOPIC_MARK);
  for (let term = first; term < end; term++) {
    let [all, spoken] = [0, 0];
    for (let i = postingStart[term]!; i < postingStart[term + 1]!; i++) {
      const doc = postingDocs[i]!;
      if (!hasBit(documents, doc)) continue;
      all++;
      if (hasBit(preferred, doc)) spoken++;
    }
    if (all === 0) continue;
    const topic = readString(terms, term).slice(TOPIC_MARK.length);
    const known = counts.get(topic);
    counts.set(topic, { all: all + (known?.all ?? 0), preferred: spoken + (known?.preferred ?? 0) });
  }
}
