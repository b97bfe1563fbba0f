import type { Answered, AnswerSource } from '../../domain/answer-source.ts';
import type { LearningObjectQuery } from '../../domain/learning-object-query.ts';
import { objectAddress } from '../../domain/object-address.ts';
import type { Quality } from '../../domain/quality.ts';
import type { CallOptions, SearchAnswer } from '../../ports/learning-service.ts';
import { leastFresh } from './freshness.ts';
import type { Merge, RankedObject } from './merge.ts';
import { fitsOwnFilters, PAGE_SIZE, toProviderQuery } from './search-filters.ts';

/** Nobody reads on for longer, and every page further costs a call of every provider. */
export const MAX_DEPTH = 500;

/** How far one provider's list has been read. */
export interface Cursor {
  readonly id: string;
  /** How many pages, which is the number of the next one too. */
  pagesRead: number;
  /** How many objects, whatever became of them. */
  objectsRead: number;
  /** How many of them no other list had before and no filter held back. */
  objectsKept: number;
  /** What the provider says it has. */
  totalItems: number;
  hasEnded: boolean;
  /** Of the list as a whole, which is that of its first page; null before. */
  quality: Quality | null;
  /** Of the search of its first page; null before. */
  requestId: string | null;
  /** Of the least fresh page; null before the first. */
  source: AnswerSource | null;
  /** What was read, so that a service that repeats itself is noticed. */
  readonly seen: Set<string>;
  call: Call | null;
  /** Came, and is not read yet. */
  arrived: Answered<SearchAnswer> | null;
  /** Of the last call, where that failed. */
  failure: Failure | null;
}

export interface Call {
  /** Never fails. */
  readonly ended: Promise<void>;
  /** Whether somebody stopped waiting for it, because his time was over. */
  isLate: boolean;
  abort(reason: unknown): void;
}

export interface Failure {
  readonly error: unknown;
  /** The request during which it happened. */
  readonly turn: number;
  /** How many calls failed one after another. */
  readonly times: number;
}

export function createCursor(id: string): Cursor {
  return {
    id,
    pagesRead: 0,
    objectsRead: 0,
    objectsKept: 0,
    totalItems: 0,
    hasEnded: false,
    quality: null,
    requestId: null,
    source: null,
    seen: new Set(),
    call: null,
    arrived: null,
    failure: null,
  };
}

export interface CursorCallDeps {
  search(query: LearningObjectQuery, options: CallOptions): Promise<Answered<SearchAnswer>>;
  /** The present request of the session. */
  turn(): number;
  onProblem(error: unknown): void;
}

/** Asks for the next page. The answer stays in the cursor, whoever waits for it. */
export function callNextPage(cursor: Cursor, query: LearningObjectQuery, deps: CursorCallDeps): void {
  const controller = new AbortController();
  const settle = (change: () => void) => {
    // Of a call that was given up nothing is wanted.
    if (cursor.call !== call) return;
    cursor.call = null;
    change();
  };
  const fail = (error: unknown) => {
    cursor.failure = { error, turn: deps.turn(), times: (cursor.failure?.times ?? 0) + 1 };
    deps.onProblem(error);
  };
  const asked = deps.search(toProviderQuery(query, cursor.id, cursor.pagesRead), {
    signal: controller.signal,
  });
  const call: Call = {
    ended: asked.then(
      (answer) => settle(() => (cursor.arrived = answer)),
      (error: unknown) => settle(() => fail(error)),
    ),
    isLate: false,
    abort(reason) {
      cursor.call = null;
      controller.abort(reason);
    },
  };
  cursor.call = call;
}

/** Reads the page that came, if one did. A list ends where its service says so, where a page has nothing new, which is how
 *  services that do not count are noticed, and where nobody reads on. */
export function readArrived(cursor: Cursor, query: LearningObjectQuery, merge: Merge): void {
  const { arrived } = cursor;
  if (arrived === null) return;
  const { value, source } = arrived;
  const found = value.quality === 'C00' ? [] : rankNew(cursor, arrived);
  cursor.arrived = null;
  cursor.failure = null;
  cursor.pagesRead++;
  cursor.objectsRead += value.content.length;
  cursor.objectsKept += merge.add(found.filter(({ found: { object } }) => fitsOwnFilters(object, query)));
  cursor.totalItems = value.totalItems;
  cursor.quality ??= value.quality;
  cursor.requestId ??= value.requestId;
  cursor.source = cursor.source === null ? source : leastFresh(cursor.source, source);
  cursor.hasEnded = !value.hasMore || found.length === 0 || isAtDepth(cursor);
}

export function isAtDepth({ pagesRead }: Cursor): boolean {
  return pagesRead * PAGE_SIZE >= MAX_DEPTH;
}

function rankNew(cursor: Cursor, { value, source }: Answered<SearchAnswer>): RankedObject[] {
  const { requestId, quality } = value;
  const ranked = value.content.map((object, index) => {
    const highlight = value.highlights?.[index];
    const details = { requestId, quality, providerId: cursor.id, source, ...(highlight && { highlight }) };
    return { found: { object, ...details }, rank: cursor.objectsRead + index + 1 };
  });
  return ranked.filter(({ found }) => {
    const address = objectAddress(found.object.url);
    const isNew = !cursor.seen.has(address);
    cursor.seen.add(address);
    return isNew;
  });
}
