import { hashString } from '#engine/hash';
import { createTopK } from '#engine/top-k';
import { type InterpretedQuery, interpretQuery } from '../query/interpret-query.ts';
import type { Group } from '../query/plan-query.ts';
import { findSegmentTopics, type LiveSegment } from '../segment/segment.ts';
import type { ObjectAnswer, ObjectQuery } from '../types.ts';
import { ENOUGH_FITTING, LARGE, MIN_EVIDENCE, meaningWeights, SCORE_STEPS } from '../weights.ts';
import type { Accumulator } from './accumulator.ts';
import { findAlikeDocuments } from './alike.ts';
import { documentFacts, listRankedHits, toObjectAnswer } from './answer.ts';
import { ARRANGED, arrangeHits } from './arrange-hits.ts';
import { browseSegments } from './browse.ts';
import { createFacetCounts } from './facets.ts';
import { compileFilters, selectByValues } from './filters.ts';
import { measureMeaning, type SegmentMeaning } from './meaning.ts';
import type { Job, Part } from './search-job.ts';
import { createJobCoverage, createJobThresholds, strictThresholds, weighJobGroups } from './search-job.ts';
import { countPartFacets, searchPartByMeaning, searchPartByWords } from './search-part.ts';

export interface SearchTools {
  /** The working memory, which one search after another uses. */
  readonly accumulator: Accumulator;
  /** Interprets queries with a cache; absent if the segments change. */
  readonly interpret?: (query: ObjectQuery) => InterpretedQuery;
}

/** Searches several segments as one index.
 *  Source: term-at-a-time scoring, Turtle & Flood 1995, with filters as bitsets before it and as
 *  factors after it. */
export function searchSegments(
  segments: readonly LiveSegment[],
  query: ObjectQuery,
  { accumulator, interpret }: SearchTools,
): ObjectAnswer {
  const { likeTo, offset, limit } = query;
  if (likeTo !== undefined)
    return findAlikeDocuments(segments, {
      likeTo: { topics: findSegmentTopics(segments, likeTo.id).topics, ...likeTo },
      offset,
      limit,
    });
  if (query.isBrowsing) return browseSegments(segments, query);
  const { job, parts, corrections } = prepareSearch(segments, query, interpret?.(query));
  searchParts(parts, job, accumulator);
  const ranked = listRankedHits(parts, job);
  const arranged =
    query.sort === 'popularity' ? arrangeHits(ranked, { filters: query.filters, facts: documentFacts }) : ranked;
  return { ...toObjectAnswer(parts, job, arranged), ...(job.total > 0 && corrections.size > 0 && { corrections }) };
}

/** Interprets a query, and plans its search in each segment. */
export function prepareSearch(
  segments: readonly LiveSegment[],
  query: ObjectQuery,
  interpretation = interpretQuery(segments, query),
) {
  const meaning = measureMeaning(segments, query, interpretation);
  const job = createSearchJob(segments, query, interpretation);
  const parts = createSearchParts(segments, job, meaning?.bySegment);
  return { job, parts, meaning, corrections: interpretation.corrections };
}

/** Searches all parts except external ones: by words, then by meaning where that pays. */
export function searchParts(parts: readonly Part[], job: Job, accumulator: Accumulator): void {
  // In the strict model, a segment without one of the required words has no match.
  const lacksWord = ({ sources }: Part) => sources.slice(0, job.required).some(({ length }) => length === 0);
  const local = parts.filter(
    (part) => !part.live.segment.isExternal && !(job.query.model === 'strict' && lacksWord(part)),
  );
  const tasks = local.map((part) => searchPartByWords(part, job, accumulator));
  if (!job.isLarge || job.fitting < ENOUGH_FITTING) for (const task of tasks) searchPartByMeaning(task);
  for (const task of tasks) countPartFacets(task);
}

function createSearchJob(segments: readonly LiveSegment[], query: ObjectQuery, interpreted: InterpretedQuery): Job {
  const { groups, matches, lang, truncated } = interpreted;
  const documents = segments.reduce((sum, { liveCount }) => sum + liveCount, 0);
  const isOptional = (g: number) => Number(groups[g]!.share < 1);
  const order = [...matches.keys()].sort(
    (a, b) => isOptional(a) - isOptional(b) || matches[a]!.frequency - matches[b]!.frequency,
  );
  const required = groups.filter(({ share }) => share === 1).length;
  const idfs = weighJobGroups(
    order.map((g) => matches[g]!.frequency),
    documents,
    order.map((g) => groups[g]!.share),
  );
  const full = 255 * SCORE_STEPS * idfs.slice(0, required).reduce((sum, idf) => sum + idf, 0);
  const phrases = listPhraseSets(order.map((g) => groups[g]!));
  const coverageOf = createJobCoverage(idfs, { required, phrases });
  return {
    query,
    truncated,
    groups: order.map((g) => groups[g]!),
    matches: order.map((g) => matches[g]!),
    idfs,
    required,
    leastScore: MIN_EVIDENCE * full,
    ...(query.looseFrom !== undefined && { looseScore: query.looseFrom * full }),
    coverageOf,
    phrases,
    ...(query.model === 'strict'
      ? strictThresholds
      : createJobThresholds(full, { count: idfs.length, phrases, coverageOf })),
    lang,
    isLarge: documents > LARGE,
    meaningScore: meaningWeights.order * (full || 255 * SCORE_STEPS),
    seed: hashString(query.seed ?? ''),
    facets: query.details ? createFacetCounts() : undefined,
    top: createTopK(Math.max(query.sort === 'popularity' ? ARRANGED : 0, query.offset + query.limit)),
    total: 0,
    fitting: 0,
  };
}

/** Lists the sets of groups that a taxonomy names together, with a bit for each group. */
function listPhraseSets(groups: readonly Group[]): number[] {
  const sets = new Map<string, number>();
  for (const [g, { phrase }] of groups.entries())
    if (phrase !== null) sets.set(`${phrase}`, (sets.get(`${phrase}`) ?? 0) | (1 << g));
  return [...sets.values()];
}

function createSearchParts(
  segments: readonly LiveSegment[],
  { matches, query, lang }: Job,
  meaning: readonly SegmentMeaning[] | undefined,
): Part[] {
  let base = 0;
  // A filter on the language replaces the preference.
  const preferred = query.instruction ?? (query.filters.lang === undefined ? lang : null);
  return segments.map((live, p) => {
    const filters = live.segment.isExternal ? [] : compileFilters(live.segment, query.filters);
    const sources = matches.map((group) => group.sources[p]!);
    const part = {
      live,
      filters,
      sources,
      base,
      ...(preferred !== null &&
        !live.segment.isExternal && { inLanguage: selectByValues(live.segment, 'lang', [preferred]) }),
      ...(meaning !== undefined && { meaning: meaning[p]! }),
    };
    base += live.segment.count;
    return part;
  });
}
