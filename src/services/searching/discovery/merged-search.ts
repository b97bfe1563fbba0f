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
  /** The pages as shown. Only the last one may still grow. */
  readonly pages: MergedPage[];
  /** IDs of the providers that are not asked, as there are too many. */
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
  /** Number of items by the ID of their provider. */
  readonly counts: Map<string, number>;
  isShown: boolean;
  /** Number of pages read of each provider's list before this page, by the ID of the provider. */
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

interface ReadingDeps {
  readonly deadline: Deadline;
  readonly calls: CursorCallDeps;
  readonly lateness: Lateness;
}

/** Which providers were late in other searches. */
export interface Lateness {
  /** Returns whether a provider was late recently. */
  isExpected(providerId: string): boolean;
  /** Remembers that a provider is late now. */
  note(providerId: string): void;
}

/** Returns a page with the objects that arrived by the deadline; null if there are fewer pages. */
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

/** Limit of the pages of a provider that are read for one page of the search. */
const MAX_FURTHER_PAGES = 5;
/** How long providers that were late before are waited for. */
const GRACE_MS = 300;

/** Fills a page until nothing is left or the deadline is over. Every candidate arrives before the
 *  next object is chosen, so the order does not depend on speed, except for late providers. */
async function fillMergedPage(search: MergedSearch, page: MergedPage, { deadline, calls, lateness }: ReadingDeps) {
  const { cursors, merge, query } = search;
  for (;;) {
    for (const cursor of cursors) readArrivedPage(cursor, query, merge);
    if (page.items.length >= query.max) return;
    const next = chooseNextCandidate(search, page);
    const needed = cursors.filter((cursor) => isNeeded(cursor, next, { search, page }));
    if (needed.length > 0 && !deadline.isOver) {
      for (const cursor of needed) if (cursor.call === null) callNextPage(cursor, query, calls);
      for (const { id, call } of needed) if (call !== null) call.isLate ||= lateness.isExpected(id);
      await waitForCalls(needed, deadline, next === null && page.items.length === 0);
      if (deadline.isOver) noteLate(needed, lateness);
      continue;
    }
    if (next === null) return;
    takeMergeCandidate(merge, next.candidate);
    addToMergedPage(page, next.candidate);
  }
}

/** Waits for all calls, but only a moment for late providers if there is anything to show. */
async function waitForCalls(cursors: readonly Cursor[], deadline: Deadline, isPageEmpty: boolean): Promise<void> {
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

interface NextCandidate {
  readonly candidate: Candidate;
  /** Whether a provider may have more objects on the page. */
  readonly hasShareLeft: (providerId: string) => boolean;
  /** Whether its provider has had its share of the page. */
  readonly isBeyondShare: boolean;
}

/** Chooses the best remaining object, preferring providers that have not had their share. */
function chooseNextCandidate(search: MergedSearch, page: MergedPage): NextCandidate | null {
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

/** Returns whether more of a list must arrive before the next object is chosen: the list is used
 *  up, and may go on with better objects. Late providers count only if nothing else remains. */
function isNeeded(
  cursor: Cursor,
  next: NextCandidate | null,
  { search, page }: { readonly search: MergedSearch; readonly page: MergedPage },
): boolean {
  if (!mayBeRead(cursor, search, page) || isListLeft(search.merge, cursor.id)) return false;
  if (next === null) return cursor.call?.isLate !== true || page.items.length === 0;
  if (cursor.call?.isLate === true || !next.hasShareLeft(cursor.id)) return false;
  const highest = scoreMergedRank(cursor.objectsRead + 1, cursor.quality ?? 'A00');
  return next.isBeyondShare || highest >= next.candidate.score;
}

/** Returns whether a list may be read on; after a failure, only by another request. */
function mayBeRead(cursor: Cursor, { turn }: MergedSearch, page: MergedPage): boolean {
  return !cursor.hasEnded && cursor.failure?.turn !== turn && !hasReadEnough(cursor, page);
}

function hasReadEnough({ id, pagesRead }: Cursor, { readBefore }: MergedPage): boolean {
  return pagesRead >= Math.max(1, readBefore.get(id) ?? 0) + MAX_FURTHER_PAGES;
}

/** Returns whether a page stays short as enough was read; the next page goes on there. */
function staysShort(search: MergedSearch, page: MergedPage): boolean {
  const { cursors } = search;
  return (
    cursors.some((cursor) => !cursor.hasEnded && hasReadEnough(cursor, page)) &&
    !cursors.some((cursor) => mayBeRead(cursor, search, page))
  );
}
