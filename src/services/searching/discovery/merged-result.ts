import type { Quality } from '#domain/answer';
import { AppError, hasErrorCode, isPassingError } from '#errors';
import { createSignalLateError } from '../signals.ts';
import type { MergedPage, MergedSearch } from './merged-search.ts';
import { type Cursor, isCursorAtMaxDepth, MAX_DEPTH } from './provider-cursor.ts';
import { type MissingProvider, pickOlderSource, type SearchResult, toCachedSource } from './results.ts';

export interface NumberedPage {
  /** From 0. */
  readonly number: number;
  /** Null if the search has fewer pages. */
  readonly page: MergedPage | null;
  readonly askedAt: Date;
}

/** Errors if no provider has answered: the first one that is the request's fault, or else the
 *  first; UPSTREAM_TIMEOUT if all are late; PROVIDER_UNKNOWN of any provider asked by its id. */
export function toMergedResult(search: MergedSearch, { number, page, askedAt }: NumberedPage): SearchResult {
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
  throw errors.find((error) => !isPassingError(error)) ?? errors[0] ?? createSignalLateError();
}

function listMissingProviders({ cursors, notAsked }: MergedSearch): MissingProvider[] {
  const missing = cursors.map(toMissingProvider).filter((each) => each !== null);
  return [...missing, ...notAsked.map((id): MissingProvider => ({ id, why: 'not-asked', code: null }))];
}

/** A failed provider counts as missing until it has answered, even while it is asked again. */
function toMissingProvider({ id, failure, call }: Cursor): MissingProvider | null {
  if (failure !== null)
    return { id, why: 'failed', code: failure.error instanceof AppError ? failure.error.code : 'INTERNAL' };
  return call?.isLate === true ? { id, why: 'late', code: null } : null;
}

/** Exact for a list that was read to its end; else the provider's own count is the best guess. */
function estimateMergedTotal(cursor: Cursor): number {
  const { objectsRead, cachedObjectCount, totalItems } = cursor;
  if (cursor.hasEnded && !isCursorAtMaxDepth(cursor)) return cachedObjectCount;
  return Math.max(cachedObjectCount, totalItems - (objectsRead - cachedObjectCount));
}

/** Of lists that were read to their ends; or the count of the only provider, where it is of the
 *  same objects that were read: nothing was filtered out here. */
function isMergedTotalCertain({ cursors, query }: MergedSearch): boolean {
  if (cursors.every((cursor) => cursor.hasEnded && !isCursorAtMaxDepth(cursor))) return true;
  const [only, ...others] = cursors;
  if (only === undefined || others.length > 0) return false;
  const { types, blooms, has = [], newerThan } = query;
  const isFiltered = [types, blooms, has].some((values) => values.length > 0) || newerThan !== undefined;
  return only.isTotalPlausible && !isFiltered && only.objectsRead === only.cachedObjectCount;
}

function hasMoreAfter({ cursors, merge, pages, query }: MergedSearch, number: number): boolean {
  if ((number + 1) * query.max >= MAX_DEPTH) return false;
  const isFilled = pages.slice(number + 1).some(({ items }) => items.length > 0);
  return isFilled || merge.left.size > 0 || cursors.some(mayHaveMoreResults);
}

/** A failed provider counts only if it had more to give and has failed once. */
function mayHaveMoreResults({ hasEnded, failure, pagesRead }: Cursor): boolean {
  return !hasEnded && (failure === null || (pagesRead > 0 && failure.times === 1));
}

/** Of the first page with items, including those that are added to it later. */
function judgeMergedQuality({ pages }: MergedSearch): Quality {
  const items = pages.find((page) => page.items.length > 0)?.items ?? [];
  if (items.length === 0) return 'C00';
  return items.every(({ quality }) => quality === 'A00') ? 'A00' : 'B00';
}
