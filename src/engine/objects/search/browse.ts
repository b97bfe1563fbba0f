import { type Bitset, createBitset, forEachBit, hasBit, setBit } from '#engine/bitset';
import { createTopK, type TopK } from '#engine/top-k';
import { readId } from '../segment/ids.ts';
import type { LiveSegment, Segment } from '../segment/segment.ts';
import type { ObjectAnswer, ObjectQuery, TopicCount } from '../types.ts';
import {
  addFacetCounts,
  addTopicCounts,
  createFacetCounts,
  createTally,
  type FacetCounts,
  NO_FIELD,
  SEVERAL_FIELDS,
} from './facets.ts';
import { compileFilters, findAboutTopics, isByValue, MEETS } from './filters.ts';
import { rankByLength } from './offer-hit.ts';

/** Instead of an unknown popularity: below most that are known. */
const UNKNOWN_POPULARITY = 0.2;
/** Each is more than all of what comes after it. */
const IN_FIRST_LANGUAGE = 2.02;
const ABOUT_TOPIC = 1.01;

/** All documents that meet every filter, whether it is strict or not: those in the first language, then the others; of each those that
 *  are about the topics themselves, and then the most popular; what is dead comes last. One look at each document. */
export function browseSegments(segments: readonly LiveSegment[], query: ObjectQuery): ObjectAnswer {
  const { offset, limit, details = false } = query;
  const top = createTopK(offset + limit);
  const facets = details ? createFacetCounts() : undefined;
  const topics = new Map<string, TopicCount>();
  let [base, total] = [0, 0];
  for (const live of segments) {
    const kept = findKept(live, query, facets);
    const preferred = findPreferred(live.segment, query);
    total += offerAll(live.segment, kept, { top, base, query, preferred });
    if (details) addTopicCounts(topics, live.segment, { documents: kept, preferred });
    base += live.segment.count;
  }
  const { items, ranks } = top.finish();
  const hits = Array.from(items.subarray(offset), (item, i) => {
    return {
      id: readDocumentId(segments, item),
      score: ranks[offset + i]!,
      tier: 'fitting' as const,
      unmet: [],
      complete: true,
    };
  });
  return {
    hits,
    total,
    fitting: total,
    exact: total > 0,
    ...(facets && { facets, topics, terms: new Set() }),
  };
}

function findKept(
  { segment, live }: LiveSegment,
  query: ObjectQuery,
  facets: FacetCounts | undefined,
): Bitset {
  // All filters exclude here.
  const filters = compileFilters(segment, query.filters).map((filter) => ({ ...filter, strict: true }));
  const others = filters.filter((filter) => !isByValue(filter));
  const tally = createTally(segment, filters.filter(isByValue));
  const kept = createBitset(segment.count);
  forEachBit(live, (doc) => {
    const combination = tally.of[doc]!;
    const by = tally.excludedBy[combination]! || tally.judge(doc);
    if (by === SEVERAL_FIELDS || !others.every((filter) => filter.judge(doc) === MEETS)) return;
    tally.counts[combination]!++;
    if (by === NO_FIELD) setBit(kept, doc);
  });
  if (facets) addFacetCounts(facets, segment, tally);
  return kept;
}

/** Documents in the preferred language; undefined where none is. */
function findPreferred({ count, valueSets }: Segment, { prefer }: ObjectQuery): Bitset | undefined {
  if (prefer === undefined) return undefined;
  return valueSets.lang.sets[valueSets.lang.values.indexOf(prefer)] ?? createBitset(count);
}

interface Offered {
  readonly top: TopK;
  readonly base: number;
  readonly query: ObjectQuery;
  readonly preferred: Bitset | undefined;
}

/** @returns how many there are */
function offerAll(segment: Segment, kept: Bitset, { top, base, query, preferred }: Offered): number {
  const { popularity, idHash } = segment.columns;
  const about = findAboutTopics(segment, query.filters.topic?.values ?? []);
  let count = 0;
  forEachBit(kept, (doc) => {
    const known = Number.isNaN(popularity[doc]!) ? UNKNOWN_POPULARITY : popularity[doc]!;
    const isFirst = preferred !== undefined && hasBit(preferred, doc);
    const first = isFirst ? IN_FIRST_LANGUAGE : 0;
    const own = hasBit(about, doc) ? ABOUT_TOPIC : 0;
    // What is dead is below zero, and stays there.
    const rank = known < 0 ? known : known + first + own;
    top.offer(
      query.sort === 'shortest' ? rankByLength(segment, doc, { isSpoken: isFirst, isFitting: true }) : rank,
      idHash[doc]!,
      base + doc,
    );
    count++;
  });
  return count;
}

/** @param item the ordinal of a document, counted over all segments */
export function readDocumentId(segments: readonly LiveSegment[], item: number): string {
  let doc = item;
  for (const { segment } of segments) {
    if (doc < segment.count) return readId(segment.ids, doc);
    doc -= segment.count;
  }
  throw new RangeError(`There is no document ${item}.`);
}
