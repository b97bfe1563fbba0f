import { finishInTime } from '#domain/async/deadline';
import type { Deadline } from '../signals.ts';
import { type Candidate, scoreMergedRank } from './merge.ts';
import type { MergedSearch, Page } from './merged-search.ts';
import {
  type Cursor,
  type CursorCallDeps,
  callNextCursorPage,
  readArrivedCursorPage,
} from './search-cursor.ts';

export interface ReadingDeps {
  readonly deadline: Deadline;
  readonly calls: CursorCallDeps;
  readonly lateness: Lateness;
}

/** What is known of providers from other searches. */
export interface Lateness {
  /** Whether a provider was late recently. */
  isExpected(providerId: string): boolean;
  /** A provider is late now. */
  note(providerId: string): void;
}

/** Pages of a provider's list that are read for one page of ours, when filters leave too little of the present one. */
const FURTHER_PAGES = 5;

/** A provider that was late before may well answer at once. */
const GRACE_MS = 300;

/** Adds objects to a page until it is full, nothing is left, or the deadline is over. Every candidate has arrived before the next
 *  one is chosen, so the order does not depend on who answers first, except for late providers. */
export async function fillPage(
  search: MergedSearch,
  page: Page,
  { deadline, calls, lateness }: ReadingDeps,
): Promise<void> {
  const { cursors, merge, query } = search;
  for (;;) {
    for (const cursor of cursors) readArrivedCursorPage(cursor, query, merge);
    if (page.items.length >= query.max) return;
    const next = chooseNext(search, page);
    const lacking = cursors.filter((cursor) => isLacking(cursor, next, { search, page }));
    if (lacking.length > 0 && !deadline.isOver) {
      for (const cursor of lacking) if (cursor.call === null) callNextCursorPage(cursor, query, calls);
      for (const { id, call } of lacking) if (call !== null) call.isLate ||= lateness.isExpected(id);
      await waitFor(lacking, deadline, next === null && page.items.length === 0);
      if (deadline.isOver) noteLate(lacking, lateness);
    } else if (next === null) return;
    else {
      merge.take(next.candidate);
      addToPage(page, next.candidate);
    }
  }
}

/** Waits for all of them, but for known late ones only a moment longer than for the others where anything can be shown without
 *  them. */
async function waitFor(cursors: readonly Cursor[], deadline: Deadline, isEmpty: boolean): Promise<void> {
  const calls = cursors.flatMap(({ call }) => call ?? []);
  const prompt = calls.filter(({ isLate }) => !isLate);
  const all = Promise.all(calls.map(({ ended }) => ended));
  const ended: readonly Promise<unknown>[] =
    prompt.length === 0 && isEmpty
      ? [all]
      : [...prompt.map((call) => call.ended), finishInTime(all, GRACE_MS)];
  await deadline.inTime(Promise.all(ended));
}

function noteLate(cursors: readonly Cursor[], lateness: Lateness): void {
  for (const { id, call } of cursors) {
    if (call === null) continue;
    call.isLate = true;
    lateness.note(id);
  }
}

interface Next {
  readonly candidate: Candidate;
  /** The best object of the providers that may have more on the page; null where none is left. */
  readonly hasShare: (providerId: string) => boolean;
  readonly isBeyondShare: boolean;
}

/** The best object that is left, preferring providers that have not had their share of the page. */
function chooseNext(search: MergedSearch, page: Page): Next | null {
  const { merge } = search;
  const share = measureShare(search, page);
  const hasShare = (id: string) => countShown(page, id) < share;
  const fair = merge.findBest(hasShare);
  const candidate = fair ?? merge.findBest(() => true);
  return candidate && { candidate, hasShare, isBeyondShare: fair === null };
}

/** Twice an equal share, were there one provider more: 7 of 10 objects where there are two, 5 where there are three. */
function measureShare({ cursors, merge, query }: MergedSearch, page: Page): number {
  const giving = cursors.filter(
    (cursor) => merge.hasOf(cursor.id) || countShown(page, cursor.id) > 0 || mayGive(cursor),
  );
  return Math.ceil((2 * query.max) / (giving.length + 1));
}

function mayGive({ hasEnded, failure, call }: Cursor): boolean {
  return !hasEnded && failure === null && call?.isLate !== true;
}

function countShown({ counts }: Page, providerId: string): number {
  return counts.get(providerId) ?? 0;
}

function addToPage(page: Page, { found }: Candidate): void {
  page.items.push(found);
  page.counts.set(found.providerId, countShown(page, found.providerId) + 1);
}

/** Whether the next page of a list has to be there before the next object can be chosen: nothing of the list is left, and
 *  what follows may come before that object. A provider that was late once is waited for again only where there is nothing else. */
function isLacking(
  cursor: Cursor,
  next: Next | null,
  { search, page }: { readonly search: MergedSearch; readonly page: Page },
): boolean {
  if (!mayBeRead(cursor, search, page) || search.merge.hasOf(cursor.id)) return false;
  if (next === null) return cursor.call?.isLate !== true || page.items.length === 0;
  if (cursor.call?.isLate === true || !next.hasShare(cursor.id)) return false;
  const highest = scoreMergedRank(cursor.objectsRead + 1, cursor.quality ?? 'A00');
  return next.isBeyondShare || highest >= next.candidate.score;
}

/** A failed provider is asked again, but not within the same request. */
function mayBeRead(cursor: Cursor, { turn }: MergedSearch, page: Page): boolean {
  return !cursor.hasEnded && cursor.failure?.turn !== turn && !hasReadEnough(cursor, page);
}

function hasReadEnough({ id, pagesRead }: Cursor, { readBefore }: Page): boolean {
  return pagesRead >= Math.max(1, readBefore.get(id) ?? 0) + FURTHER_PAGES;
}

/** Whether a page stays short, because enough was read for it; the next one goes on from there. */
export function isEnoughReadForPage(search: MergedSearch, page: Page): boolean {
  const { cursors } = search;
  return (
    cursors.some((cursor) => !cursor.hasEnded && hasReadEnough(cursor, page)) &&
    !cursors.some((cursor) => mayBeRead(cursor, search, page))
  );
}
