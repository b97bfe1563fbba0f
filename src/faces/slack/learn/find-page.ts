import type { LearningObjectQuery } from '../../../domain/learning-object-query.ts';
import type { Discovery, SearchResult } from '../../../services/discovery/discovery.ts';
import type { SearchPlace } from './state.ts';
import { createWishCheck } from './wishes.ts';

export interface FoundPage extends SearchResult {
  /** Objects that were found before wishes decided; the same as `totalItems` where there are none. */
  readonly totalBefore: number;
  /** How many were looked at for what is wished where there are more; else null. */
  readonly lookedAt: number | null;
}

/** The most that a service gives at once. */
const PAGE_SIZE = 20;
const MAX_PAGES = 5;

/** One page of those objects that are also what no service can be asked for, as words that must be in them: of the best 100,
 *  read as far as it takes. Then the total is a guess unless all were read. Errors: those of `Discovery`. */
export async function findPage(
  discovery: Pick<Discovery, 'searchLearningObjects'>,
  query: LearningObjectQuery,
  { choices, page }: SearchPlace,
): Promise<FoundPage> {
  const isWanted = createWishCheck(choices);
  if (isWanted === null) {
    const result = await discovery.searchLearningObjects({ ...query, page });
    return { ...result, totalBefore: result.totalItems, lookedAt: null };
  }
  const [start, end] = [page * query.max, (page + 1) * query.max];
  const wanted: SearchResult['items'][number][] = [];
  let result: SearchResult;
  let read = 0;
  let pages = 0;
  do {
    result = await discovery.searchLearningObjects({ ...query, max: PAGE_SIZE, page: pages });
    pages++;
    read += result.items.length;
    wanted.push(...result.items.filter(({ object }) => isWanted(object)));
  } while (result.hasMore && pages < MAX_PAGES && wanted.length <= end);
  const share = read === 0 ? 0 : wanted.length / read;
  return {
    ...result,
    items: wanted.slice(start, end),
    page,
    itemsPerPage: query.max,
    totalItems: result.hasMore
      ? Math.max(wanted.length, Math.round(result.totalItems * share))
      : wanted.length,
    isTotalExact: !result.hasMore && result.missing.length === 0,
    hasMore: wanted.length > end,
    totalBefore: result.totalItems,
    lookedAt: result.hasMore && wanted.length <= end ? read : null,
  };
}
