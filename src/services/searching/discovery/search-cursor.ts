import type { Answered, AnswerSource, Quality } from '#domain/answer';
import { normalizeObjectAddress } from '#domain/learning-object';
import type { LearningObjectQuery } from '#domain/learning-object-query';
import type { CallOptions, SearchAnswer } from '#ports/learning-service';
import { fitsQueryFilters, PAGE_SIZE, toProviderQuery } from '../query-filters.ts';
import type { Merge, RankedObject } from './merge.ts';
import { estimateBytesOfObjects, limitFoundTotal, pickOlderFoundSource, toFoundObjects } from './results.ts';

/** Nobody reads further, and every page costs a call to every provider. */
export const MAX_DEPTH = 500;

/** How far one provider's list has been read. */
export interface Cursor {
  readonly id: string;
  /** Pages read so far, which is also the number of the next one. */
  pagesRead: number;
  /** Objects read so far, filtered out or not. */
  objectsRead: number;
  /** How many of them no other list had before and no filter held back. */
  objectsKept: number;
  /** About how much memory what was read and may be shown takes. */
  bytesKept: number;
  /** The provider's total, limited to what can be true. */
  totalItems: number;
  isTotalBelieved: boolean;
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
  /** A page that arrived and is not read yet. */
  arrived: Answered<SearchAnswer> | null;
  /** The error of the last call, if it failed. */
  failure: Failure | null;
}

export interface Call {
  /** Never fails. */
  readonly ended: Promise<void>;
  /** Whether a caller stopped waiting for it because the time was over. */
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
    bytesKept: 0,
    totalItems: 0,
    isTotalBelieved: true,
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
}

/** Asks for the next page. The answer stays in the cursor, whether or not anyone waits for it. */
export function callNextCursorPage(cursor: Cursor, query: LearningObjectQuery, deps: CursorCallDeps): void {
  const controller = new AbortController();
  const settle = (change: () => void) => {
    // The outcome of a call that was given up does not matter.
    if (cursor.call !== call) return;
    cursor.call = null;
    change();
  };
  const fail = (error: unknown) => {
    cursor.failure = { error, turn: deps.turn(), times: (cursor.failure?.times ?? 0) + 1 };
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
export function readArrivedCursorPage(cursor: Cursor, query: LearningObjectQuery, merge: Merge): void {
  const { arrived } = cursor;
  if (arrived === null) return;
  const { value, source } = arrived;
  const found = value.quality === 'C00' ? [] : rankNew(cursor, arrived);
  cursor.arrived = null;
  cursor.failure = null;
  cursor.pagesRead++;
  cursor.objectsRead += value.content.length;
  const fitting = found.filter(({ found: { object } }) => fitsQueryFilters(object, query));
  cursor.objectsKept += merge.add(fitting);
  cursor.bytesKept += estimateKeptBytes(found, fitting);
  const { totalItems, isTotalExact } = limitFoundTotal(value.totalItems);
  cursor.totalItems = totalItems;
  cursor.isTotalBelieved = isTotalExact;
  cursor.quality ??= value.quality;
  cursor.requestId ??= value.requestId;
  cursor.source = cursor.source === null ? source : pickOlderFoundSource(cursor.source, source);
  cursor.hasEnded = !value.hasMore || found.length === 0 || isCursorAtDepth(cursor);
}

/** Of what was read only the address stays where our own filters held it back. */
function estimateKeptBytes(read: readonly RankedObject[], kept: readonly RankedObject[]): number {
  const addresses = read.map(({ address }) => address);
  const objects = kept.map(({ found: { object, highlight } }) => [object, highlight]);
  return estimateBytesOfObjects(addresses) + estimateBytesOfObjects(objects);
}

export function isCursorAtDepth({ pagesRead }: Cursor): boolean {
  return pagesRead * PAGE_SIZE >= MAX_DEPTH;
}

function rankNew(cursor: Cursor, answer: Answered<SearchAnswer>): RankedObject[] {
  const ranked = toFoundObjects(answer, cursor.id).map((found, index) => {
    const address = normalizeObjectAddress(found.object.url);
    return { found, address, rank: cursor.objectsRead + index + 1 };
  });
  return ranked.filter(({ address }) => {
    const isNew = !cursor.seen.has(address);
    cursor.seen.add(address);
    return isNew;
  });
}
