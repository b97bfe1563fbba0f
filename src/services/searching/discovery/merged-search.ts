import { finishInTime } from '#domain/async/deadline';
import type { RunLimited } from '#domain/async/limit-concurrency';
import type { LearningObjectQuery } from '#domain/learning-object-query';
import type { Deadline } from '../signals.ts';
import type { Candidate, Merge } from './merge.ts';
import { createMerge, findBestLeft, isListLeft, scoreMergedRank, takeMergeCandidate } from './merge.ts';
import type { Cursor, CursorCallDeps } from './provider-cursor.ts';
import { callNextPage, createCallWindow, createProviderCursor, MAX_DEPTH, readArrivedPage } from './provider-cursor.ts';
import type { LearningObjectHit } from './results.ts';

export interface MergedSearch {
  readonly query: LearningObjectQuery;
  readonly cursors: readonly Cursor[];
  readonly merge: Merge;
  /** As shown. Only the last one may still grow. */
  readonly pages: MergedPage[];
  /** Ids of the providers that are left out, as there are too many. */
  readonly notAsked: readonly string[];
  /** Runs the calls of all its requests in one window. */
  readonly runInWindow: RunLimited;
  /** Number of the present request. */
  turn: number;
  /** Whether the first page was shown without one of the providers. */
  isIncomplete: boolean;
}

export interface MergedPage {
  readonly items: LearningObjectHit[];
  /** How many of the items come from each provider, by its id. */
  readonly counts: Map<string, number>;
  isShown: boolean;
  /** Pages of each provider's list that had been read before this page, by its id. */
  readonly readBefore: ReadonlyMap<string, number>;
}

export function createMergedSearch(
  query: LearningObjectQuery,
  { ids, notAsked }: { readonly ids: readonly string[]; readonly notAsked: readonly string[] },
  runInWindow: RunLimited = createCallWindow(),
): MergedSearch {
  const merge = createMerge(ids, query.keywords);
  const cursors = merge.order.map(createProviderCursor);
  return { query, cursors, merge, pages: [], notAsked, runInWindow, turn: 0, isIncomplete: false };
}

export interface ReadingDeps {
  readonly deadline: Deadline;
  readonly calls: CursorCallDeps;
  readonly lateness: Lateness;
}

/** Which providers were late in other searches. */
export interface Lateness {
  /** Whether a provider was late recently. */
  isExpected(providerId: string): boolean;
  /** Remembers that a provider is late now. */
  note(providerId: string): void;
}

/** Filled with what has arrived by the deadline; null if the search has fewer pages. */
export async function readMergedPage(
  search: MergedSearch,
  number: number,
  deps: ReadingDeps,
): Promise<MergedPage | null> {
  if (number * search.query.max >= MAX_DEPTH) {
    // The caller still needs the totals of the search.
    await fillMergedPagesUpTo(search, 0, deps);
    return null;
  }
  const page = await fillMergedPagesUpTo(search, number, deps);
  if (page !== null) page.isShown = true;
  return page;
}

/** Fills pages one after another, whichever is asked for, so that each object has one place. */
async function fillMergedPagesUpTo(search: MergedSearch, last: number, deps: ReadingDeps): Promise<MergedPage | null> {
  const { pages, query, cursors } = search;
  for (let number = Math.max(0, pages.length - 1); number <= last; number++) {
    const page: MergedPage = pages[number] ?? {
      items: [],
      counts: new Map(),
      isShown: false,
      readBefore: new Map(cursors.map(({ id, pagesRead }) => [id, pagesRead])),
    };
    pages[number] = page;
    const isBefore = number < last;
    // A reader who has left a page would miss what is added to it now.
    if (isBefore && page.isShown) continue;
    await fillMergedPage(search, page, deps);
    if (isBefore && page.items.length < query.max && !staysShort(search, page)) return null;
  }
  return pages[last] ?? null;
}

/** Pages of a provider that are read for one page of the search, when filters leave too little. */
const MAX_FURTHER_PAGES = 5;
/** A provider that was late before may well answer at once. */
const GRACE_MS = 300;

/** Fills a page until nothing is left or the deadline is over. Every candidate arrives before the
 *  next object is chosen, so the order does not depend on speed, except for late providers. */
async function fillMergedPage(search: MergedSearch, page: MergedPage, { deadline, calls, lateness }: ReadingDeps) {
  const { cursors, merge, query } = search;
  for (;;) {
    for (const cursor of cursors) readArrivedPage(cursor, query, merge);
    if (page.items.length >= query.max) return;
    const next = chooseNextMergedHit(search, page);
    const needed = cursors.filter((cursor) => isNeeded(cursor, next, { search, page }));
    if (needed.length > 0 && !deadline.isOver) {
      for (const cursor of needed) if (cursor.call === null) callNextPage(cursor, query, calls);
      for (const { id, call } of needed) if (call !== null) call.isLate ||= lateness.isExpected(id);
      await waitForMergedCalls(needed, deadline, next === null && page.items.length === 0);
      if (deadline.isOver) noteLate(needed, lateness);
    } else if (next === null) return;
    else {
      takeMergeCandidate(merge, next.candidate);
      addToMergedPage(page, next.candidate);
    }
  }
}

/** Waits for all calls, but for late providers only a moment if there is anything to show. */
async function waitForMergedCalls(cursors: readonly Cursor[], deadline: Deadline, isPageEmpty: boolean): Promise<void> {
  const calls = cursors.flatMap(({ call }) => call ?? []);
  const prompt = calls.filter(({ isLate }) => !isLate);
  const all = Promise.all(calls.map(({ ended }) => ended));
  const ended: readonly Promise<unknown>[] =
    prompt.length === 0 && isPageEmpty ? [all] : [...prompt.map((call) => call.ended), finishInTime(all, GRACE_MS)];
  await deadline.inTime(Promise.all(ended));
}

function noteLate(cursors: readonly Cursor[], lateness: Lateness): void {
  for (const { id, call } of cursors) {
    if (call === null) continue;
    call.isLate = true;
    lateness.note(id);
  }
}

interface NextObject {
  readonly candidate: Candidate;
  /** Whether a provider may have more objects on the page. */
  readonly hasShareLeft: (providerId: string) => boolean;
  /** Whether its provider has had its share. */
  readonly isBeyondShare: boolean;
}

/** The best object that is left, preferring providers that have not had their share of the page. */
function chooseNextMergedHit(search: MergedSearch, page: MergedPage): NextObject | null {
  const { merge } = search;
  const share = measureShare(search, page);
  const hasShareLeft = (id: string) => countOnMergedPage(page, id) < share;
  const fair = findBestLeft(merge, hasShareLeft);
  const candidate = fair ?? findBestLeft(merge, () => true);
  return candidate && { candidate, hasShareLeft, isBeyondShare: fair === null };
}

function measureShare({ cursors, merge, query }: MergedSearch, page: MergedPage): number {
  const canStillGive = ({ hasEnded, failure, call }: Cursor) => !hasEnded && failure === null && call?.isLate !== true;
  const giving = cursors.filter(
    (cursor) => isListLeft(merge, cursor.id) || countOnMergedPage(page, cursor.id) > 0 || canStillGive(cursor),
  );
  return Math.ceil((2 * query.max) / (giving.length + 1));
}

const countOnMergedPage = ({ counts }: MergedPage, providerId: string): number => counts.get(providerId) ?? 0;

function addToMergedPage(page: MergedPage, { hit }: Candidate): void {
  page.items.push(hit);
  page.counts.set(hit.providerId, countOnMergedPage(page, hit.providerId) + 1);
}

/** Whether the next page of a list must arrive before the next object is chosen: its list has
 *  nothing left, and may go on with better objects. Late providers count only in the end. */
function isNeeded(
  cursor: Cursor,
  next: NextObject | null,
  { search, page }: { readonly search: MergedSearch; readonly page: MergedPage },
): boolean {
  if (!mayBeRead(cursor, search, page) || isListLeft(search.merge, cursor.id)) return false;
  if (next === null) return cursor.call?.isLate !== true || page.items.length === 0;
  if (cursor.call?.isLate === true || !next.hasShareLeft(cursor.id)) return false;
  const highest = scoreMergedRank(cursor.objectsRead + 1, cursor.quality ?? 'A00');
  return next.isBeyondShare || highest >= next.candidate.score;
}

/** A failed provider is asked again, but not within the same request. */
function mayBeRead(cursor: Cursor, { turn }: MergedSearch, page: MergedPage): boolean {
  return !cursor.hasEnded && cursor.failure?.turn !== turn && !hasReadEnough(cursor, page);
}

function hasReadEnough({ id, pagesRead }: Cursor, { readBefore }: MergedPage): boolean {
  return pagesRead >= Math.max(1, readBefore.get(id) ?? 0) + MAX_FURTHER_PAGES;
}

/** Whether enough was read for a page that is not full; the next page goes on from there. */
function staysShort(search: MergedSearch, page: MergedPage): boolean {
  const { cursors } = search;
  return (
    cursors.some((cursor) => !cursor.hasEnded && hasReadEnough(cursor, page)) &&
    !cursors.some((cursor) => mayBeRead(cursor, search, page))
  );
}
