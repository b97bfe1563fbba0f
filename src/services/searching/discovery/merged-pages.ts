import type { AnswerSource, Quality } from '#domain/answer';
import { AppError, isPassingError } from '#errors';
import { createLateError } from '../signals.ts';
import { fillPage, isEnoughReadForPage, type ReadingDeps } from './fill-page.ts';
import { createMergedPage, type MergedSearch, type Page } from './merged-search.ts';
import type { MissingProvider, SearchResult } from './results.ts';
import { pickOlderFoundSource, toCachedSource } from './results.ts';
import { type Cursor, isCursorAtDepth, MAX_DEPTH } from './search-cursor.ts';

/** The page with this number, filled with what has arrived by the deadline; null where the search does not reach it. */
export async function readPage(
  search: MergedSearch,
  wanted: number,
  deps: ReadingDeps,
): Promise<Page | null> {
  if (wanted * search.query.max >= MAX_DEPTH) {
    // The caller still wants what is known of the search.
    await reachPage(search, 0, deps);
    return null;
  }
  const page = await reachPage(search, wanted, deps);
  if (page !== null) page.isShown = true;
  return page;
}

/** Fills pages one after another, whichever is asked for, so that each object has one place. */
async function reachPage(search: MergedSearch, wanted: number, deps: ReadingDeps): Promise<Page | null> {
  const { pages, query } = search;
  for (let number = Math.max(0, pages.length - 1); number <= wanted; number++) {
    const page = pages[number] ?? createMergedPage(search);
    pages[number] = page;
    const isBehind = number < wanted;
    // A reader who has left a page would miss what is added to it now.
    if (isBehind && page.isShown) continue;
    await fillPage(search, page, deps);
    if (isBehind && page.items.length < query.max && !isEnoughReadForPage(search, page)) return null;
  }
  return pages[wanted] ?? null;
}

export interface ShownPage {
  /** From 0. */
  readonly number: number;
  /** Null where the search does not reach it. */
  readonly page: Page | null;
  readonly askedAt: Date;
}

/** What is known of a merged search, with one of its pages.
 *  Errors: where no provider has answered, that of the first one that finds fault with the request, or else of the first;
 *  UPSTREAM_TIMEOUT where all are late; PROVIDER_UNKNOWN of any provider that was asked for by its id. */
export function toMergedPageResult(search: MergedSearch, { number, page, askedAt }: ShownPage): SearchResult {
  refuseUnanswered(search);
  const missing = listMissing(search);
  const answered = search.cursors.find((cursor) => cursor.requestId !== null);
  return {
    requestId: page?.items[0]?.requestId ?? answered?.requestId ?? '',
    items: (page?.items ?? []).map((item) => ({ ...item, source: toCachedSource(item.source, askedAt) })),
    page: number,
    itemsPerPage: search.query.max,
    totalItems: search.cursors.reduce((sum, cursor) => sum + estimateTotal(cursor), 0),
    isTotalExact: missing.length === 0 && isCounted(search),
    hasMore: hasMoreAfter(search, number),
    quality: judgeQuality(search),
    source: toCachedSource(findLeastFreshSource(search), askedAt),
    ...(search.query.sort === 'shortest' && { isInOrder: false as const }),
    missing,
  };
}

function refuseUnanswered({ query, cursors }: MergedSearch): void {
  const errors = cursors.flatMap(({ failure }) => (failure === null ? [] : [failure.error]));
  const unknown = errors.find((error) => error instanceof AppError && error.code === 'PROVIDER_UNKNOWN');
  if (unknown !== undefined && query.providers.length > 0) throw unknown;
  if (cursors.some(({ pagesRead }) => pagesRead > 0)) return;
  throw errors.find((error) => !isPassingError(error)) ?? errors[0] ?? createLateError();
}

function listMissing({ cursors, notAsked }: MergedSearch): MissingProvider[] {
  const missing = cursors.map(toMissing).filter((each) => each !== null);
  return [...missing, ...notAsked.map((id): MissingProvider => ({ id, why: 'not-asked', code: null }))];
}

/** A failed provider counts as missing until it has answered, even while it is asked again. */
function toMissing({ id, failure, call }: Cursor): MissingProvider | null {
  if (failure !== null)
    return { id, why: 'failed', code: failure.error instanceof AppError ? failure.error.code : 'INTERNAL' };
  return call?.isLate === true ? { id, why: 'late', code: null } : null;
}

/** For a list that was read to its end, the rest is known. For any other, the provider's own count is the best guess. */
function estimateTotal(cursor: Cursor): number {
  const { objectsRead, objectsKept, totalItems } = cursor;
  if (cursor.hasEnded && !isCursorAtDepth(cursor)) return objectsKept;
  return Math.max(objectsKept, totalItems - (objectsRead - objectsKept));
}

function isCounted({ cursors, query }: MergedSearch): boolean {
  if (cursors.every((cursor) => cursor.hasEnded && !isCursorAtDepth(cursor))) return true;
  const [only, ...others] = cursors;
  if (only === undefined || others.length > 0) return false;
  const isFiltered = query.types.length > 0 || query.blooms.length > 0;
  return only.isTotalBelieved && !isFiltered && only.objectsRead === only.objectsKept;
}

function hasMoreAfter({ cursors, merge, pages, query }: MergedSearch, number: number): boolean {
  if ((number + 1) * query.max >= MAX_DEPTH) return false;
  const isShown = pages.slice(number + 1).some(({ items }) => items.length > 0);
  return isShown || merge.countLeft() > 0 || cursors.some(mayHaveMore);
}

/** The objects of a failed provider are not promised, unless it had more to give and failed only once. */
function mayHaveMore({ hasEnded, failure, pagesRead }: Cursor): boolean {
  return !hasEnded && (failure === null || (pagesRead > 0 && failure.times === 1));
}

/** What is added to a page counts too, whichever provider it comes from. */
function judgeQuality({ pages }: MergedSearch): Quality {
  const shown = pages.find(({ items }) => items.length > 0)?.items ?? [];
  if (shown.length === 0) return 'C00';
  return shown.every(({ quality }) => quality === 'A00') ? 'A00' : 'B00';
}

function findLeastFreshSource({ cursors }: MergedSearch): AnswerSource {
  return cursors.flatMap((cursor) => cursor.source ?? []).reduce(pickOlderFoundSource);
}
