import { type Bitset, createBitset, forEachBit, hasBit, setBit } from '#engine/bitset';
import { createTopK, type TopK } from '#engine/top-k';
import { readId } from '../segment/ids.ts';
import { type LiveSegment, readDocumentValue, type Segment } from '../segment/segment.ts';
import type { ObjectAnswer, ObjectHit, ObjectQuery, TopicCount } from '../types.ts';
import type { FacetCounts } from './facets.ts';
import {
  addFacetCounts,
  addTopicFacetCounts,
  createFacetCounts,
  createFacetTally,
  NO_FIELD,
  SEVERAL_FIELDS,
} from './facets.ts';
import { compileFilters, isByValue, MEETS, selectByTopics, selectByValues } from './filters.ts';
import { rankHitBySort } from './offer-hit.ts';

/** Replaces an unknown popularity; most known ones are higher. */
const UNKNOWN_POPULARITY = 0.2;
/** What is added to the popularity; each outweighs everything after it. */
const IN_PREFERRED_LANGUAGE = 2.02;
const ABOUT_TOPIC = 1.01;

/** Finds all documents that meet every filter: first those in the preferred language, then those
 *  about the filtered topics themselves, then the most popular; dead ones come last. */
export function browseSegments(segments: readonly LiveSegment[], query: ObjectQuery): ObjectAnswer {
  const { offset, limit, details = false } = query;
  const top = createTopK(offset + limit);
  const facets = details ? createFacetCounts() : undefined;
  const topics = new Map<string, TopicCount>();
  let base = 0;
  let total = 0;
  for (const live of segments) {
    const documents = filterDocuments(live, query, facets);
    const preferred = query.prefer === undefined ? undefined : selectByValues(live.segment, 'lang', [query.prefer]);
    total += offerBrowsedDocuments(live.segment, documents, { top, base, query, preferred });
    if (details) addTopicFacetCounts(topics, live.segment, { documents, preferred });
    base += live.segment.count;
  }
  return {
    hits: readBrowsedHits(segments, top, offset, true),
    total,
    fitting: total,
    exact: total > 0,
    ...(facets && { facets, topics, terms: new Set() }),
  };
}

function filterDocuments({ segment, live }: LiveSegment, query: ObjectQuery, facets: FacetCounts | undefined): Bitset {
  const filters = compileFilters(segment, query.filters).map((filter) => ({ ...filter, strict: true }));
  const columnFilters = filters.filter((filter) => !isByValue(filter));
  const tally = createFacetTally(segment, filters.filter(isByValue));
  const documents = createBitset(segment.count);
  forEachBit(live, (doc) => {
    const combination = tally.of[doc]!;
    const by = tally.excludedBy[combination]! || tally.judge(doc);
    if (by === SEVERAL_FIELDS || !columnFilters.every((filter) => filter.judge(doc) === MEETS)) return;
    tally.counts[combination]!++;
    if (by === NO_FIELD) setBit(documents, doc);
  });
  if (facets) addFacetCounts(facets, segment, tally);
  return documents;
}

interface Listing {
  readonly top: TopK;
  readonly base: number;
  readonly query: ObjectQuery;
  readonly preferred: Bitset | undefined;
}

function offerBrowsedDocuments(segment: Segment, documents: Bitset, { top, base, query, preferred }: Listing): number {
  const { popularity, idHash } = segment.columns;
  const aboutTopic = selectByTopics(segment, query.filters.topic?.values ?? []);
  let count = 0;
  forEachBit(documents, (doc) => {
    const value = Number.isNaN(popularity[doc]!) ? UNKNOWN_POPULARITY : popularity[doc]!;
    const isPreferred = preferred !== undefined && hasBit(preferred, doc);
    const lift = (isPreferred ? IN_PREFERRED_LANGUAGE : 0) + (hasBit(aboutTopic, doc) ? ABOUT_TOPIC : 0);
    // The popularity of a dead document is negative, and is not lifted.
    const rank = value < 0 ? value : value + lift;
    top.offer(
      query.sort === 'shortest' || query.sort === 'newest'
        ? rankHitBySort(segment, doc, { sort: query.sort, isInLanguage: isPreferred, isFitting: true })
        : rank,
      idHash[doc]!,
      base + doc,
    );
    count++;
  });
  return count;
}

/** Reads the hits of a page, which all fit. @param complete whether they have all words */
export function readBrowsedHits(
  segments: readonly LiveSegment[],
  top: TopK,
  offset: number,
  complete: boolean,
): ObjectHit[] {
  const { items, ranks } = top.finish();
  return Array.from(items.subarray(offset), (item, i) => {
    const score = ranks[offset + i]!;
    return { ...readBrowsedDocument(segments, item), score, tier: 'fitting', unmet: [], complete };
  });
}

/** @param item the ordinal of a document, counted over all segments */
export function readBrowsedDocument(
  segments: readonly LiveSegment[],
  item: number,
): Pick<ObjectHit, 'id' | 'lang' | 'provider' | 'likeness'> {
  let doc = item;
  for (const { segment } of segments) {
    if (doc < segment.count) {
      const lang = readDocumentValue(segment, 'lang', doc);
      const provider = readDocumentValue(segment, 'provider', doc);
      return { id: readId(segment.ids, doc), lang, provider, likeness: 0 };
    }
    doc -= segment.count;
  }
  throw new RangeError(`There is no document ${item}.`);
}
