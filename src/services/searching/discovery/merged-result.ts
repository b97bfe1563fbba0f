import type { Quality } from '#domain/answer';
import { AppError, hasErrorCode, isPassingError } from '#errors';
import { createLateError } from '../signals.ts';
import type { MergedPage, MergedSearch } from './merged-search.ts';
import { type Cursor, isCursorAtMaxDepth, MAX_DEPTH } from './provider-cursor.ts';
import { type MissingProvider, pickOlderSource, type SearchResult, toCachedSource } from './results.ts';

/** Writes a page as the result of a search. Errors if no provider has answered: the first error
 *  that the request caused, else the first one; UPSTREAM_TIMEOUT if all are late. In any case:
 *  PROVIDER_UNKNOWN of a provider that the query names. */
export function toMergedResult(
  search: MergedSearch,
  { number, page, askedAt }: { readonly number: number; readonly page: MergedPage | null; readonly askedAt: Date },
): SearchResult {
  refuseUnansweredResult(search);
  const missing = listMissingProviders(search);
  const answered = search.cursors.find((cursor) => cursor.requestId !== null);
  return {
    requestId: page?.items[0]?.requestId ?? answered?.requestId ?? '',
    items: (page?.items ?? []).map((item) => ({ ...item, source: toCachedSource(item.source, askedAt) })),
    page: number,
    itemsPerPage: search.query.max,
    totalItems: search.cursors.reduce((sum, cursor) => sum + estimateMergedTotal(cursor), 0),
    isTotalExact: missing.length === 0 && isMergedTotalCertain(search),
    hasMore: hasMoreAfter(search, number),
    quality: judgeMergedQuality(search),
    source: toCachedSource(search.cursors.flatMap(({ source }) => source ?? []).reduce(pickOlderSource), askedAt),
    ...(['shortest', 'newest'].includes(search.query.sort) && { isInOrder: false as const }),
    missing,
  };
}

function refuseUnansweredResult({ query, cursors }: MergedSearch): void {
  const errors = cursors.flatMap(({ failure }) => (failure === null ? [] : [failure.error]));
  const unknown = errors.find((error) => hasErrorCode(error, 'PROVIDER_UNKNOWN'));
  if (unknown !== undefined && query.providers.length > 0) throw unknown;
  if (cursors.some(({ pagesRead }) => pagesRead > 0)) return;
  throw errors.find((error) => !isPassingError(error)) ?? errors[0] ?? createLateError();
}

function listMissingProviders({ cursors, notAsked }: MergedSearch): MissingProvider[] {
  const missing = cursors.map(toMissingProvider).filter((each) => each !== null);
  return [...missing, ...notAsked.map((id): MissingProvider => ({ id, why: 'not-asked', code: null }))];
}

/** Returns null unless a provider is late or has failed, also while it is asked again. */
function toMissingProvider({ id, failure, call }: Cursor): MissingProvider | null {
  if (failure !== null)
    return { id, why: 'failed', code: failure.error instanceof AppError ? failure.error.code : 'INTERNAL' };
  return call?.isLate === true ? { id, why: 'late', code: null } : null;
}

/** Counts a list that was read to its end; estimates others by the provider's count. */
function estimateMergedTotal(cursor: Cursor): number {
  const { objectsRead, cachedObjectCount, totalItems } = cursor;
  if (cursor.hasEnded && !isCursorAtMaxDepth(cursor)) return cachedObjectCount;
  return Math.max(cachedObjectCount, totalItems - (objectsRead - cachedObjectCount));
}

/** Returns whether the total is exact: all lists were read to their ends, or the only provider
 *  counts the same objects as this host, which has filtered none out. */
function isMergedTotalCertain({ cursors, query }: MergedSearch): boolean {
  if (cursors.every((cursor) => cursor.hasEnded && !isCursorAtMaxDepth(cursor))) return true;
  const [only] = cursors;
  if (only === undefined || cursors.length > 1) return false;
  const { types, blooms, has = [], newerThan } = query;
  const isFiltered = [types, blooms, has].some((values) => values.length > 0) || newerThan !== undefined;
  return only.isTotalPlausible && !isFiltered && only.objectsRead === only.cachedObjectCount;
}

function hasMoreAfter({ cursors, merge, pages, query }: MergedSearch, number: number): boolean {
  if ((number + 1) * query.max >= MAX_DEPTH) return false;
  const isFilled = pages.slice(number + 1).some(({ items }) => items.length > 0);
  return isFilled || merge.left.size > 0 || cursors.some(mayHaveMoreResults);
}

/** Counts a failed provider only if it has answered before and failed once. */
function mayHaveMoreResults({ hasEnded, failure, pagesRead }: Cursor): boolean {
  return !hasEnded && (failure === null || (pagesRead > 0 && failure.times === 1));
}

/** Judges the first page with items, including those that are added to it later. */
function judgeMergedQuality({ pages }: MergedSearch): Quality {
  const items = pages.find((page) => page.items.length > 0)?.items ?? [];
  if (items.length === 0) return 'C00';
  return items.every(({ quality }) => quality === 'A00') ? 'A00' : 'B00';
}
