import type { Answered } from '#domain/answer';
import { normalizeObjectAddress } from '#domain/learning-object';
import { isSpecifiedLearningQuery, type LearningObjectQuery } from '#domain/learning-object-query';
import type { CallOptions, SearchAnswer } from '#ports/learning-service';
import type { TenantAnswers } from '../tenant-answers/tenant-answers.ts';
import { limitFoundTotal, toFoundObjects } from './found-objects.ts';
import type { SearchResult } from './results.ts';
import { MAX_DEPTH } from './search-cursor.ts';
import type { Deadline } from './signals.ts';

export interface SearchAtOnceOptions extends CallOptions {
  /** Deadline for what is only needed to check an answer. */
  readonly deadline: Deadline;
}

/** A search that is a single call; null where the service cannot do it as such. Its search of many is preferred, which
 *  also says what matched. In random order one provider is searched as several are: its pages would be shuffled one by one,
 *  and have to be remembered. The shortest first is ours alone. */
export async function searchAtOnce(
  answers: TenantAnswers,
  query: LearningObjectQuery,
  { deadline, ...options }: SearchAtOnceOptions,
): Promise<SearchResult | null> {
  const { value, source } = await answers.ask('searchMany', query, options);
  if (value !== null) return toResult(query, { value, source });
  if (!isSpecifiedLearningQuery(query) || query.sort !== 'popularity') return null;
  return searchOne(answers, query, { deadline, ...options });
}

/** A page of one provider, corrected: a service that promises more and gives nothing, or the same again, would be asked for
 *  ever. */
async function searchOne(
  answers: TenantAnswers,
  query: LearningObjectQuery,
  { deadline, ...options }: SearchAtOnceOptions,
): Promise<SearchResult> {
  const { page, max } = query;
  if (page * max >= MAX_DEPTH) {
    // What is known of the search is wanted all the same.
    const first = toResult(query, await answers.ask('searchProvider', { ...query, page: 0 }, options));
    return { ...first, items: [], hasMore: false };
  }
  // A reader who turns pages has just seen it, so it is in the cache and costs nothing.
  const before =
    page === 0 ? null : deadline.inTime(answers.ask('searchProvider', { ...query, page: page - 1 }, options));
  const result = toResult(query, await answers.ask('searchProvider', query, options));
  const previous = (await before)?.value.content ?? [];
  if (isRepeated(result, previous)) return endAfter(result, (page - 1) * max + previous.length);
  return { ...result, hasMore: result.hasMore && result.items.length > 0 && (page + 1) * max < MAX_DEPTH };
}

/** Whether everything was already on the page before. */
function isRepeated({ items }: SearchResult, previous: SearchAnswer['content']): boolean {
  const known = new Set(previous.map(({ url }) => normalizeObjectAddress(url)));
  return items.length > 0 && items.every(({ object }) => known.has(normalizeObjectAddress(object.url)));
}

function endAfter(result: SearchResult, totalItems: number): SearchResult {
  return { ...result, items: [], totalItems, isTotalExact: false, hasMore: false };
}

function toResult(query: LearningObjectQuery, answer: Answered<SearchAnswer>): SearchResult {
  const { requestId, hasMore, quality, corrected, wishes, facets } = answer.value;
  const [only, ...others] = query.providers;
  const providerId = only !== undefined && others.length === 0 ? only : null;
  const { totalItems, isTotalExact } = limitFoundTotal(answer.value.totalItems);
  return {
    requestId,
    items: toFoundObjects(answer, providerId),
    page: query.page,
    itemsPerPage: query.max,
    totalItems,
    isTotalExact: isTotalExact && (answer.value.isTotalExact ?? true),
    hasMore,
    quality,
    source: answer.source,
    missing: (answer.value.missing ?? []).map((each) => ({ ...each, code: null })),
    ...(corrected !== undefined && { corrected }),
    ...(wishes !== undefined && { wishes }),
    ...(facets && { facets }),
  };
}
