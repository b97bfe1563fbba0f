import { type Bitset, hasBit } from '#engine/bitset';
import { findStringRange, readString } from '#engine/string-table';
import { forEachPosting, openList } from '../segment/postings.ts';
import { type Segment, TOPIC_MARK, UNKNOWN_VALUE } from '../segment/segment.ts';
import { type TopicCount, type ValueField, valueFields } from '../types.ts';
import { type CompiledFilter, MEETS } from './filters.ts';

/** Counts, over all segments, how many matches each value of each field would leave if its own filter were set aside. */
export type FacetCounts = Readonly<Record<ValueField, Map<string, number>>>;

export function createFacetCounts(): FacetCounts {
  return { provider: new Map(), type: new Map(), bloom: new Map(), lang: new Map() };
}

/** Which of the filters by value exclude a document. */
export const NO_FIELD = 1;
export const SEVERAL_FIELDS = 2;
/** Only that of the first field; the next number stands for the next field. */
const ONE_FIELD = 3;

/** What the filters by value say of a segment's documents, found out once for each combination of values, and how many of them
 *  were counted for the facets. */
export interface Tally {
  /** Combination of each document. */
  readonly of: Segment['combinations']['of'];
  /** Documents counted, by combination. */
  readonly counts: Uint32Array;
  /** NO_FIELD, SEVERAL_FIELDS, or the number of one; 0 before the first document of the combination. */
  readonly excludedBy: Uint8Array;
  /** What filters that are not strict leave of the relevance. */
  readonly factors: Float64Array;
  /** Judge the combination of a document; gives what excludes it. */
  judge(doc: number): number;
}

/** @param filters those by value, in the order of `valueFields` */
export function createTally({ combinations }: Segment, filters: readonly CompiledFilter[]): Tally {
  const size = combinations.start.length - 1;
  const excludedBy = new Uint8Array(size);
  const factors = new Float64Array(size);
  return {
    of: combinations.of,
    counts: new Uint32Array(size),
    excludedBy,
    factors,
    judge(doc) {
      let [factor, by] = [1, NO_FIELD];
      for (const filter of filters) {
        const verdict = filter.judge(doc);
        if (verdict === MEETS) continue;
        if (!filter.strict) factor *= filter.factors[verdict];
        else if (by !== NO_FIELD) by = SEVERAL_FIELDS;
        else by = ONE_FIELD + valueFields.indexOf(filter.name as ValueField);
      }
      const combination = combinations.of[doc]!;
      factors[combination] = factor;
      excludedBy[combination] = by;
      return by;
    },
  };
}

/** Add what was counted: for each of the values where no filter excludes the documents, or that of the value's own field alone. */
export function addFacetCounts(
  facets: FacetCounts,
  { valueSets, combinations: { start, values } }: Segment,
  { counts, excludedBy }: Tally,
): void {
  const fields = valueFields.flatMap((field, f) => valueSets[field].values.map(() => ONE_FIELD + f));
  const sums = new Uint32Array(fields.length);
  for (let c = 0; c < counts.length; c++) {
    if (counts[c] === 0) continue;
    for (let i = start[c]!; i < start[c + 1]!; i++) {
      const value = values[i]!;
      if (excludedBy[c] === NO_FIELD || excludedBy[c] === fields[value]) sums[value]! += counts[c]!;
    }
  }
  let v = 0;
  for (const field of valueFields) {
    const known = facets[field];
    for (const value of valueSets[field].values) {
      const count = sums[v++]!;
      if (count > 0 && value !== UNKNOWN_VALUE) known.set(value, (known.get(value) ?? 0) + count);
    }
  }
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
  const { terms, postings } = segment;
  const [first, end] = findStringRange(terms, TOPIC_MARK);
  for (let term = first; term < end; term++) {
    let [all, spoken] = [0, 0];
    forEachPosting(openList(postings, term), (doc) => {
      if (!hasBit(documents, doc)) return;
      all++;
      if (hasBit(preferred, doc)) spoken++;
    });
    if (all === 0) continue;
    const topic = readString(terms, term).slice(TOPIC_MARK.length);
    const known = counts.get(topic);
    counts.set(topic, { all: all + (known?.all ?? 0), preferred: spoken + (known?.preferred ?? 0) });
  }
}
