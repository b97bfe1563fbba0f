import { type Bitset, createBitset } from '#engine/bitset';
import { hashString } from '#engine/hash';
import { createTopK } from '#engine/top-k';
import { type InterpretedQuery, interpretQuery } from '../query/interpret-query.ts';
import type { Group } from '../query/plan-query.ts';
import { findDocumentTopics, type LiveSegment } from '../segment/segment.ts';
import type { ObjectAnswer, ObjectQuery } from '../types.ts';
import { LEAST_EVIDENCE, meaningWeights, SCORE_STEPS } from '../weights.ts';
import type { Accumulator } from './accumulator.ts';
import { findAlikeDocuments } from './alike.ts';
import { toObjectAnswer } from './answer.ts';
import { browseSegments } from './browse.ts';
import { createFacetCounts } from './facets.ts';
import { compileFilters } from './filters.ts';
import { measureMeaning, type QueryMeaning, type SegmentMeaning } from './meaning.ts';
import {
  allFit,
  createCoverage,
  createFitting,
  type Job,
  type Part,
  weighSearchJobGroups,
} from './search-job.ts';
import { searchPart } from './search-part.ts';

/** Search several segments as one index.
 *  @param accumulator room to compute in
 *  Source: term-at-a-time scoring, Turtle & Flood 1995, with filters as bitsets before it and as factors after it. */
export function searchSegments(
  segments: readonly LiveSegment[],
  query: ObjectQuery,
  accumulator: Accumulator,
): ObjectAnswer {
  const { likeTo, offset, limit } = query;
  if (likeTo !== undefined)
    return findAlikeDocuments(segments, {
      likeTo: { topics: findDocumentTopics(segments, likeTo.id).topics, ...likeTo },
      ...{ offset, limit },
    });
  if (query.isBrowsing) return browseSegments(segments, query);
  const { job, parts, corrections } = prepareSearch(segments, query);
  searchParts(parts, job, accumulator);
  return { ...toObjectAnswer(parts, job), ...(job.total > 0 && corrections.size > 0 && { corrections }) };
}

export interface PreparedSearch {
  readonly job: Job;
  /** By segment. */
  readonly parts: readonly Part[];
  /** Undefined where words alone decide. */
  readonly meant: QueryMeaning | undefined;
  readonly corrections: ReadonlyMap<string, string>;
}

/** Find out what the words of a query mean, and where they are. */
export function prepareSearch(segments: readonly LiveSegment[], query: ObjectQuery): PreparedSearch {
  const understood = interpretQuery(segments, query);
  const meant = measureMeaning(segments, query, understood);
  const job = createJob(segments, query, understood);
  const parts = createParts(segments, job, meant?.bySegment);
  return { job, parts, meant, corrections: understood.corrections };
}

/** Search all but what is elsewhere. */
export function searchParts(parts: readonly Part[], job: Job, accumulator: Accumulator): void {
  for (const part of parts) {
    const isHopeless =
      job.query.model === 'strict' && part.sources.slice(0, job.required).some((own) => own.length === 0);
    if (!isHopeless && !part.live.segment.isExternal) searchPart(part, job, accumulator);
  }
}

function createJob(
  segments: readonly LiveSegment[],
  query: ObjectQuery,
  { groups, found, lang, truncated }: InterpretedQuery,
): Job {
  const documents = segments.reduce((sum, { liveCount }) => sum + liveCount, 0);
  const isRequest = (g: number) => Number(groups[g]!.isRequest);
  const order = [...found.keys()].sort(
    (a, b) => isRequest(a) - isRequest(b) || found[a]!.frequency - found[b]!.frequency,
  );
  const required = groups.filter((group) => !group.isRequest).length;
  const idfs = weighSearchJobGroups(
    order.map((g) => found[g]!.frequency),
    documents,
    required,
  );
  const full = 255 * SCORE_STEPS * idfs.slice(0, required).reduce((sum, idf) => sum + idf, 0);
  const phrases = listPhrases(order.map((g) => groups[g]!));
  const coverageOf = createCoverage(idfs, { required, phrases });
  return {
    query,
    truncated,
    groups: order.map((g) => groups[g]!),
    found: order.map((g) => found[g]!),
    idfs,
    required,
    leastScore: LEAST_EVIDENCE * full,
    ...{ coverageOf, phrases },
    ...(query.model === 'strict' ? allFit : createFitting(full, { count: idfs.length, phrases, coverageOf })),
    lang,
    // Where no word is known, meaning alone decides.
    meaningScore: meaningWeights.order * (full || 255 * SCORE_STEPS),
    seed: hashString(query.seed ?? ''),
    facets: query.details ? createFacetCounts() : undefined,
    top: createTopK(query.offset + query.limit),
    total: 0,
    fitting: 0,
  };
}

/** As sets of groups: bit g for group g. */
function listPhrases(groups: readonly Group[]): number[] {
  const sets = new Map<string, number>();
  for (const [g, { phrase }] of groups.entries())
    if (phrase !== null) sets.set(`${phrase}`, (sets.get(`${phrase}`) ?? 0) | (1 << g));
  return [...sets.values()];
}

function createParts(
  segments: readonly LiveSegment[],
  { found, query, lang }: Job,
  meaning: readonly SegmentMeaning[] | undefined,
): Part[] {
  let base = 0;
  // Whoever chose a language wants nothing else first.
  const first = query.filters.lang === undefined ? lang : null;
  return segments.map((live, p) => {
    const filters = live.segment.isExternal ? [] : compileFilters(live.segment, query.filters);
    const sources = found.map((group) => group.sources[p]!);
    const part = {
      live,
      filters,
      sources,
      base,
      ...(first !== null && !live.segment.isExternal && { inLanguage: findInLanguage(live, first) }),
      ...(meaning !== undefined && { meaning: meaning[p]! }),
    };
    base += live.segment.count;
    return part;
  });
}

function findInLanguage({ segment }: LiveSegment, lang: string): Bitset {
  const { values, sets } = segment.valueSets.lang;
  return sets[values.indexOf(lang)] ?? createBitset(segment.count);
}
