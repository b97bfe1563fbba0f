import type { AnswerSource, Quality } from '../../domain/answer.ts';
import { AppError, isPassingError } from '../../errors.ts';
import { fillPage, isReadOut, type ReadingDeps } from './fill-page.ts';
import { ageSource, pickLeastFresh } from './found-objects.ts';
import { createMergedPage, type MergedSearch, type Page } from './merged-search.ts';
import type { MissingProvider, SearchResult } from './results.ts';
import { type Cursor, isCursorAtDepth, MAX_DEPTH } from './search-cursor.ts';
import { createLateError } from './signals.ts';

/** The page of this number, filled as far as what is there by the deadline goes; null where it does not come that far. */
export async function readPage(
  search: MergedSearch,
  wanted: number,
  deps: ReadingDeps,
): Promise<Page | null> {
  if (wanted * search.query.max >= MAX_DEPTH) {
    // What is known of the search is wanted all the same.
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
    // A reader who goes on from a page must not miss what would be added to it now.
    if (isBehind && page.isShown) continue;
    await fillPage(search, page, deps);
    if (isBehind && page.items.length < query.max && !isReadOut(search, page)) return null;
  }
  return pages[wanted] ?? null;
}

export interface ShownPage {
  /** From 0. */
  readonly number: number;
  /** Null where the search does not come that far. */
  readonly page: Page | null;
  readonly askedAt: Date;
}

/** What is known of a merged search, with one of its pages.
 *  Errors: where none of the providers has answered, of the first that finds fault with the request, or else of the first;
 *  UPSTREAM_TIMEOUT where they are all late; PROVIDER_UNKNOWN of any provider that was asked for by its id. */
export function toMergedSearchResult(
  search: MergedSearch,
  { number, page, askedAt }: ShownPage,
): SearchResult {
  refuseUnanswered(search);
  const missing = listMissing(search);
  const answered = search.cursors.find((cursor) => cursor.requestId !== null);
  return {
    requestId: page?.items[0]?.requestId ?? answered?.requestId ?? '',
    items: (page?.items ?? []).map((item) => ({ ...item, source: ageSource(item.source, askedAt) })),
    page: number,
    itemsPerPage: search.query.max,
    totalItems: search.cursors.reduce((sum, cursor) => sum + estimateTotal(cursor), 0),
    isTotalExact: missing.length === 0 && isCounted(search),
    hasMore: hasMoreAfter(search, number),
    quality: judgeQuality(search),
    source: ageSource(findLeastFreshSource(search), askedAt),
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

/** What failed is missing until it has answered, also while it is asked again. */
function toMissing({ id, failure, call }: Cursor): MissingProvider | null {
  if (failure !== null)
    return { id, why: 'failed', code: failure.error instanceof AppError ? failure.error.code : 'INTERNAL' };
  return call?.isLate === true ? { id, why: 'late', code: null } : null;
}

/** Of a list that was read to its end, what is left of it is known. Of another, its own count is the best guess. */
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

/** A provider that failed is not promised, but for one that had more to give and failed only once. */
function mayHaveMore({ hasEnded, failure, pagesRead }: Cursor): boolean {
  return !hasEnded && (failure === null || (pagesRead > 0 && failure.times === 1));
}

/** What is added to a page counts as well, whichever provider it comes from. */
function judgeQuality({ pages }: MergedSearch): Quality {
  const shown = pages.find(({ items }) => items.length > 0)?.items ?? [];
  if (shown.length === 0) return 'C00';
  return shown.every(({ quality }) => quality === 'A00') ? 'A00' : 'B00';
}

function findLeastFreshSource({ cursors }: MergedSearch): AnswerSource {
  return cursors.flatMap((cursor) => cursor.source ?? []).reduce(pickLeastFresh);
}
