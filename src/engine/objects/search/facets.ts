import { type Bitset, hasBit } from '#engine/bitset';
import { addCount } from '#engine/maps';
import { findStringRange, readString } from '#engine/string-table';
import { forEachPosting, openPostings } from '../segment/postings.ts';
import { type Segment, TOPIC_MARK, UNKNOWN_VALUE } from '../segment/segment.ts';
import { type TopicCount, type ValueField, valueFields } from '../types.ts';
import { type CompiledFilter, MEETS } from './filters.ts';

/** The number of matches without the filter on the field, by field and value. */
export type FacetCounts = Readonly<Record<ValueField, Map<string, number>>>;

export function createFacetCounts(): FacetCounts {
  return { provider: new Map(), type: new Map(), bloom: new Map(), lang: new Map() };
}

/** Tell which strict filters by value exclude a document: none, several, or one. */
export const NO_FIELD = 1;
export const SEVERAL_FIELDS = 2;
/** Excluded only by the first field; the next number stands for the next field. */
const ONE_FIELD = 3;

export type Tally = ReturnType<typeof createFacetTally>;

/** Judges each combination of values once. @param filters in the order of `valueFields` */
export function createFacetTally({ combinations }: Segment, filters: readonly CompiledFilter[]) {
  const size = combinations.start.length - 1;
  const excludedBy = new Uint8Array(size);
  const factors = new Float64Array(size);
  return {
    /** By document: its combination. */
    of: combinations.of,
    /** By combination: the number of counted documents. */
    counts: new Uint32Array(size),
    /** By combination: NO_FIELD, SEVERAL_FIELDS, or the number of one field; 0 until `judge`. */
    excludedBy,
    /** By combination: the factor of relevance of the filters that are not strict. */
    factors,
    /** Judges the combination of a document; returns its `excludedBy`. */
    judge(doc: number): number {
      let factor = 1;
      let by = NO_FIELD;
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

/** Adds the counts of a tally. A document counts for a value if at most the filter of the
 *  value's field excludes it. */
export function addFacetCounts(facets: FacetCounts, segment: Segment, { counts, excludedBy }: Tally): void {
  const { valueSets, combinations } = segment;
  const { start, values } = combinations;
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
    const totals = facets[field];
    for (const value of valueSets[field].values) {
      const count = sums[v++]!;
      if (count > 0 && value !== UNKNOWN_VALUE) addCount(totals, value, count);
    }
  }
}

/** Adds the number of documents of each topic.
 *  @param preferred those in the preferred language; absent if none is preferred */
export function addTopicFacetCounts(
  counts: Map<string, TopicCount>,
  segment: Segment,
  { documents, preferred = documents }: { readonly documents: Bitset; readonly preferred: Bitset | undefined },
): void {
  const { terms, postings } = segment;
  const [first, end] = findStringRange(terms, TOPIC_MARK);
  for (let term = first; term < end; term++) {
    let all = 0;
    let inPreferred = 0;
    forEachPosting(openPostings(postings, term), (doc) => {
      if (!hasBit(documents, doc)) return;
      all++;
      if (hasBit(preferred, doc)) inPreferred++;
    });
    if (all === 0) continue;
    const topic = readString(terms, term).slice(TOPIC_MARK.length);
    const before = counts.get(topic) ?? { all: 0, preferred: 0 };
    counts.set(topic, { all: all + before.all, preferred: inPreferred + before.preferred });
  }
}
