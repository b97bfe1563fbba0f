import type { Answered } from '../../domain/answer-source.ts';
import { isSpecified, type LearningObjectQuery } from '../../domain/learning-object-query.ts';
import type { SearchAnswer, SearchOptions } from '../../ports/learning-service.ts';
import type { TenantAnswers } from '../tenant-answers.ts';
import type { SearchResult } from './results.ts';

/** A search that is a single call; null where the service cannot do it as such. Its search of many is preferred, which
 *  also says what matched. In random order one provider is searched as several are: its pages would be shuffled one by one,
 *  and have to be remembered. */
export async function searchAtOnce(
  answers: TenantAnswers,
  query: LearningObjectQuery,
  options: SearchOptions,
): Promise<SearchResult | null> {
  const { value, source } = await answers.searchMany(query, options);
  if (value !== null) return toResult(query, { value, source });
  if (!isSpecified(query) || query.sort === 'random') return null;
  const result = toResult(query, await answers.searchProvider(query, options));
  // A service that promises more and gives nothing would be asked for ever.
  return { ...result, hasMore: result.hasMore && result.items.length > 0 };
}

function toResult(query: LearningObjectQuery, { value, source }: Answered<SearchAnswer>): SearchResult {
  const { requestId, quality, highlights, facets } = value;
  const [only, ...others] = query.providers;
  const providerId = only !== undefined && others.length === 0 ? only : null;
  return {
    requestId,
    items: value.content.map((object, index) => {
      const highlight = highlights?.[index];
      return { object, requestId, quality, providerId, source, ...(highlight && { highlight }) };
    }),
    page: query.page,
    itemsPerPage: query.max,
    totalItems: value.totalItems,
    isTotalExact: true,
    hasMore: value.hasMore,
    quality,
    source,
    missing: [],
    ...(facets && { facets }),
  };
}
