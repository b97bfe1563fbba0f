import { limitConcurrency } from '#domain/async/limit-concurrency';
import { normalizeObjectAddress } from '#domain/learning-object';
import type { LearningObjectQuery, QueryFilter } from '#domain/learning-object-query';
import type { CallOptions } from '#ports/learning-service';
import {
  dropQueryFilter,
  type Fit,
  judgeQueryFilter,
  listQueryFiltersLikeliestFirst,
} from '../query-filters.ts';
import { startDeadline } from '../signals.ts';
import type { AlmostFound, FoundObject, SearchResult } from './results.ts';
import type { SearchLearningObjects } from './search.ts';

interface NearSearch {
  readonly query: LearningObjectQuery;
  readonly found: SearchResult;
}

/** From so many on, what fits is enough. */
const ENOUGH = 5;
/** Objects in all; and no more filters than these are left out in turn. */
const MAX_ITEMS = 6;
const TIMEOUT_MS = 2_000;
const AT_ONCE = 2;

/** Searches once more without each filter in turn, the likeliest to keep things out first, and keeps what fits all the others. */
export async function findAlmost(
  search: SearchLearningObjects,
  { query, found }: NearSearch,
  { signal }: CallOptions = {},
): Promise<readonly AlmostFound[]> {
  const filters = listQueryFiltersLikeliestFirst(query).slice(0, MAX_ITEMS);
  if (query.page > 0 || found.hasMore || found.items.length >= ENOUGH || filters.length === 0) return [];
  const deadline = startDeadline(TIMEOUT_MS, signal);
  const inTurn = limitConcurrency({ running: AT_ONCE });
  const searchWithout = (filter: QueryFilter) =>
    inTurn(async () => {
      const near = search(
        { ...dropQueryFilter(query, filter), max: 2 * ENOUGH },
        { signal: deadline.signal },
      );
      return (await deadline.inTime(near))?.items ?? [];
    });
  try {
    const near = await Promise.all(filters.map(searchWithout));
    return chooseAlmost({ query, found }, filters, near);
  } finally {
    deadline.clear();
  }
}

/** Each object once, and of each filter what does not fit before what does not say. */
function chooseAlmost(
  { query, found }: NearSearch,
  filters: readonly QueryFilter[],
  near: readonly (readonly FoundObject[])[],
): AlmostFound[] {
  const shown = new Set(found.items.map(addressOf));
  const share = Math.floor(MAX_ITEMS / filters.length);
  return filters.flatMap((filter, index) => {
    const others = (near[index] ?? []).filter((item) => item.tier !== 'close' && !shown.has(addressOf(item)));
    const take = (fit: Fit, most: number) => {
      const items = others
        .filter(({ object }) => judgeQueryFilter(object, query, filter) === fit)
        .slice(0, most);
      for (const item of items) shown.add(addressOf(item));
      return items.length === 0 ? [] : [{ filter, isKnown: fit === 'fails', items }];
    };
    const failing = take('fails', share);
    return [...failing, ...take('unknown', share - (failing[0]?.items.length ?? 0))];
  });
}

const addressOf = ({ object }: FoundObject) => normalizeObjectAddress(object.url);
