import type { SearchAnswer } from '../../ports/learning-service.ts';
import type { SearchResult } from '../discovery.ts';

/** A merged search as the wire has it: the request id of the best object's search stands for all of it, and those of the
 *  others go along where they differ. */
export function toSearchAnswer(result: SearchResult): SearchAnswer {
  const { requestId, items, page, itemsPerPage, totalItems, isTotalExact } = result;
  const { hasMore, quality, corrected, facets } = result;
  const missing = result.missing.map(({ id, why }) => ({ id, why }));
  const requestIds = items.map((item) => item.requestId);
  const highlights = items.flatMap(({ highlight }) => highlight ?? []);
  return {
    requestId,
    content: items.map(({ object }) => object),
    page,
    itemsPerPage,
    totalItems,
    ...(!isTotalExact && { isTotalExact }),
    hasMore,
    quality,
    ...(missing.length > 0 && { missing }),
    ...(corrected !== undefined && { corrected }),
    ...(facets !== undefined && { facets }),
    ...(highlights.length > 0 && highlights.length === items.length && { highlights }),
    ...(requestIds.some((id) => id !== requestId) && { requestIds }),
  };
}
