import { limitConcurrency } from '#domain/async/limit-concurrency';
import { normalizeObjectAddress } from '#domain/learning-object';
import type { LearningObjectQuery, QueryFilter } from '#domain/learning-object-query';
import type { CallOptions } from '#ports/learning-service';
import { dropQueryFilter, type FilterFit, judgeQueryFilter, listQueryFiltersLikeliestFirst } from '../query-filters.ts';
import { startDeadline } from '../signals.ts';
import type { LearningObjectHit, NearMisses, SearchResult } from './results.ts';
import type { SearchLearningObjects } from './search.ts';

type FinishedSearch = { readonly query: LearningObjectQuery; readonly result: SearchResult };

/** A result with as many objects needs no near misses. */
const ENOUGH = 5;
/** Limit of the objects, and of the filters that are tried. */
const MAX_ITEMS = 6;
const TIMEOUT_MS = 2_000;
const SEARCHES_AT_ONCE = 2;

/** Searches again without each filter, the one that most likely excludes something first. */
export async function findNearMisses(
  search: SearchLearningObjects,
  { query, result }: FinishedSearch,
  { signal }: CallOptions = {},
): Promise<readonly NearMisses[]> {
  const filters = listQueryFiltersLikeliestFirst(query).slice(0, MAX_ITEMS);
  if (query.page > 0 || result.hasMore || result.items.length >= ENOUGH || filters.length === 0) return [];
  const deadline = startDeadline(TIMEOUT_MS, signal);
  const queue = limitConcurrency({ running: SEARCHES_AT_ONCE });
  const searchWithout = (filter: QueryFilter) =>
    queue(async () => {
      const wider = { ...dropQueryFilter(query, filter), max: 2 * ENOUGH };
      return (await deadline.inTime(search(wider, { signal: deadline.signal })))?.items ?? [];
    });
  try {
    const candidates = await Promise.all(filters.map(searchWithout));
    return chooseNearMisses({ query, result }, filters, candidates);
  } finally {
    deadline.clear();
  }
}

/** Chooses each object once; of each filter, objects that fail it before those that do not say.
 *  @param candidates the hits without each filter */
function chooseNearMisses(
  { query, result }: FinishedSearch,
  filters: readonly QueryFilter[],
  candidates: readonly (readonly LearningObjectHit[])[],
): NearMisses[] {
  const shownAddresses = new Set(result.items.map(findHitAddress));
  const share = Math.floor(MAX_ITEMS / filters.length);
  return filters.flatMap((filter, i) => {
    const newHits = (candidates[i] ?? []).filter(
      (item) => item.tier !== 'close' && !shownAddresses.has(findHitAddress(item)),
    );
    const choose = (fit: FilterFit, max: number): NearMisses[] => {
      const items = newHits.filter(({ object }) => judgeQueryFilter(object, query, filter) === fit).slice(0, max);
      for (const item of items) shownAddresses.add(findHitAddress(item));
      return items.length === 0 ? [] : [{ filter, isCertain: fit === 'fails', items }];
    };
    const failing = choose('fails', share);
    return [...failing, ...choose('unknown', share - (failing[0]?.items.length ?? 0))];
  });
}

const findHitAddress = ({ object }: LearningObjectHit) => normalizeObjectAddress(object.url);
