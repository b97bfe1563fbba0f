import type { Answered, AnswerSource, Quality } from '#domain/answer';
import { finishInTime } from '#domain/async/deadline';
import { limitConcurrency, type RunLimited } from '#domain/async/limit-concurrency';
import { normalizeObjectAddress } from '#domain/learning-object';
import type { LearningObjectQuery } from '#domain/learning-object-query';
import { AppError, findErrorCode, isPassingError } from '#errors';
import type { CallOptions, SearchAnswer } from '#ports/learning-service';
import { fitsQueryFilters, PAGE_SIZE, toProviderQuery } from '../query-filters.ts';
import { type Merge, mergeObjects, type RankedObject } from './merge.ts';
import { limitTotal, pickOlderSource, toObjectHits } from './results.ts';

/** Objects that a search reads of a provider at most: each page costs a call to every provider. */
export const MAX_DEPTH = 500;

export interface Cursor {
  readonly id: string;
  /** Also the number of the next page. */
  pagesRead: number;
  /** Objects read, filtered out or not. */
  objectsRead: number;
  /** Objects read that are new to all lists and pass the filters. */
  cachedObjectCount: number;
  /** Approximate memory of those objects. */
  cachedBytes: number;
  /** Total that the provider states, limited by `limitTotal`. */
  totalItems: number;
  isTotalPlausible: boolean;
  hasEnded: boolean;
  /** Quality of the first page; null before it. */
  quality: Quality | null;
  /** Request ID of the first page; null before it. */
  requestId: string | null;
  /** Source of the least fresh page; null before the first page. */
  source: AnswerSource | null;
  /** Addresses that were read: a page without new ones ends the list. */
  readonly seen: Set<string>;
  call: CursorCall | null;
  arrived: Answered<SearchAnswer> | null;
  /** Failure of the last call with the number of its request, and how many calls have failed in a
   *  row; null if it succeeded. */
  failure: { readonly error: unknown; readonly turn: number; readonly times: number } | null;
}

interface CursorCall {
  /** Never rejects. */
  readonly ended: Promise<void>;
  /** Whether a caller stopped waiting for it because the time was over. */
  isLate: boolean;
  abort(reason: unknown): void;
}

export function createProviderCursor(id: string): Cursor {
  return {
    id,
    pagesRead: 0,
    objectsRead: 0,
    cachedObjectCount: 0,
    cachedBytes: 0,
    totalItems: 0,
    isTotalPlausible: true,
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
  /** Returns the number of the present request. */
  turn(): number;
}

/** Asks for the next page. The answer is stored in the cursor even if nobody waits for it. */
export function callNextPage(cursor: Cursor, query: LearningObjectQuery, deps: CursorCallDeps): void {
  const controller = new AbortController();
  const settle = (change: () => void) => {
    // The outcome of an aborted call does not matter.
    if (cursor.call !== call) return;
    cursor.call = null;
    change();
  };
  const fail = (error: unknown) => {
    cursor.failure = { error, turn: deps.turn(), times: (cursor.failure?.times ?? 0) + 1 };
  };
  const pageQuery = toProviderQuery(query, cursor.id, cursor.pagesRead);
  const call: CursorCall = {
    ended: deps.search(pageQuery, { signal: controller.signal }).then(
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

/** Merges a page. One without new objects ends the list: some providers ignore page numbers. */
export function readArrivedPage(cursor: Cursor, query: LearningObjectQuery, merge: Merge): void {
  const { arrived } = cursor;
  if (arrived === null) return;
  const { value, source } = arrived;
  const newObjects = value.quality === 'C00' ? [] : rankNewProviderObjects(cursor, arrived);
  const fitting = newObjects.filter(({ hit }) => fitsQueryFilters(hit.object, query));
  const { totalItems, isTotalExact } = limitTotal(value.totalItems);
  cursor.arrived = null;
  cursor.failure = null;
  cursor.pagesRead++;
  cursor.objectsRead += value.content.length;
  cursor.cachedObjectCount += mergeObjects(merge, fitting);
  cursor.cachedBytes += estimateCachedBytes(newObjects, fitting);
  cursor.totalItems = totalItems;
  cursor.isTotalPlausible = isTotalExact;
  cursor.quality ??= value.quality;
  cursor.requestId ??= value.requestId;
  cursor.source = cursor.source === null ? source : pickOlderSource(cursor.source, source);
  cursor.hasEnded = !value.hasMore || newObjects.length === 0 || isCursorAtMaxDepth(cursor);
}

function rankNewProviderObjects(cursor: Cursor, answer: Answered<SearchAnswer>): RankedObject[] {
  const ranked = toObjectHits(answer, cursor.id).map((result, i) => {
    const address = normalizeObjectAddress(result.object.url);
    return { hit: result, address, rank: cursor.objectsRead + i + 1 };
  });
  return ranked.filter(({ address }) => {
    const isNew = !cursor.seen.has(address);
    cursor.seen.add(address);
    return isNew;
  });
}

export const isCursorAtMaxDepth = ({ pagesRead }: Cursor): boolean => pagesRead * PAGE_SIZE >= MAX_DEPTH;

/** Estimates the memory of a page: of objects that the filters refuse, only addresses are kept. */
function estimateCachedBytes(read: readonly RankedObject[], cached: readonly RankedObject[]): number {
  const addresses = read.map(({ address }) => address);
  const objects = cached.map(({ hit: { object, highlight } }) => [object, highlight]);
  return estimateBytes(addresses) + estimateBytes(objects);
}

/** Memory of an object, or of a text besides its letters. */
const BYTES_PER_VALUE = 64;
/** Memory of a cursor, with the error that it may hold. */
const BYTES_PER_CURSOR = 4_000;

/** Estimates the memory of plain data: two bytes a letter, and a fixed amount for each value. */
export function estimateBytes(value: unknown): number {
  if (typeof value === 'string') return BYTES_PER_VALUE + 2 * value.length;
  if (typeof value !== 'object' || value === null) return BYTES_PER_VALUE;
  return Object.values(value).reduce<number>((sum, field) => sum + estimateBytes(field), BYTES_PER_VALUE);
}

/** Estimates the memory of a search: of objects in its lists, and of pages not merged yet. */
export function estimateSearchBytes(cursors: readonly Pick<Cursor, 'cachedBytes' | 'arrived'>[]): number {
  let bytes = 0;
  for (const { cachedBytes, arrived } of cursors) {
    bytes += BYTES_PER_CURSOR + cachedBytes;
    if (arrived !== null) bytes += estimateBytes(arrived.value.content) + estimateBytes(arrived.value.highlights);
  }
  return bytes;
}

interface CallWindowOptions {
  /** Calls under way that may still answer soon; 8 by default. */
  readonly places?: number;
  /** Milliseconds after which a call gives its place to the next one; 500 by default. */
  readonly patienceMs?: number;
  /** Calls under way in all; 20 by default. */
  readonly maxUnderWay?: number;
}

/** Runs the calls of one search a few at a time; calls that hang do not keep others waiting. */
export function createCallWindow(options: CallWindowOptions = {}): RunLimited {
  const { places = 8, patienceMs = 500, maxUnderWay = 20 } = options;
  const underWay = limitConcurrency({ running: maxUnderWay });
  const inPlace = limitConcurrency({ running: places });
  return (job) =>
    underWay(async () => {
      let ended!: ReturnType<typeof job>;
      await inPlace(() => {
        ended = job();
        return finishInTime(ended, patienceMs);
      });
      return ended;
    });
}

/** Runs a call of a search, and passes on its outcome. */
type WatchCall = <T>(call: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/** Reports failures, without those of the request and aborted calls, as one problem when the last
 *  call has ended: if a service fails, the calls for all of its providers do. */
export function createProviderFailureReport(onProblem: (error: unknown) => void): WatchCall {
  let underWay = 0;
  let failures: unknown[] = [];

  function endCalls(): void {
    underWay--;
    if (underWay > 0 || failures.length === 0) return;
    const reported = failures;
    failures = [];
    onProblem(combineFailures(reported));
  }

  return async (call, signal) => {
    underWay++;
    try {
      return await call();
    } catch (error) {
      const isProblem = isPassingError(error) || !(error instanceof AppError);
      if (signal?.aborted !== true && isProblem) failures.push(error);
      throw error;
    } finally {
      endCalls();
    }
  };
}

function combineFailures(failures: readonly unknown[]): unknown {
  const [first] = failures;
  if (failures.length === 1) return first;
  const counts = new Map<string, number>();
  for (const failure of failures) counts.set(findErrorCode(failure), (counts.get(findErrorCode(failure)) ?? 0) + 1);
  const list = Array.from(counts, ([code, count]) => `${code} ${count} times`).join(', ');
  return new AppError(
    findErrorCode(first),
    `${failures.length} calls for providers failed in one search: ${list}. The cause is the first of them.`,
    { cause: first },
  );
}
