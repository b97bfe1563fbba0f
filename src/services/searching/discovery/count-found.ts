import { limitConcurrency } from '#domain/async/limit-concurrency';
import { type LearningObjectQuery, wishKinds } from '#domain/learning-object-query';
import { AppError, type ErrorCode } from '#errors';
import { makeSearchKey } from '../tenant-answers/search-key.ts';
import type { SearchResult } from './results.ts';
import type { SearchLearningObjects } from './search.ts';
import type { Deadline } from './signals.ts';

export interface FoundCount {
  readonly totalItems: number;
  readonly isTotalExact: boolean;
}

/** Whether what has all of the words is worth offering. */
export type IsGood = (asked: LearningObjectQuery, found: SearchResult) => boolean;

/** How much a search finds; nothing where that is not good, or it fails, is late, or is not asked any more. The same search is asked once. */
export type CountFound = (query: LearningObjectQuery) => Promise<FoundCount>;

export const NOTHING_FOUND: FoundCount = { totalItems: 0, isTotalExact: true };

/** Counts that run at the same time; the others wait their turn. */
const AT_ONCE = 2;
/** A service that answers so has enough to do; counts are only nice to have. */
const overloadCodes: ReadonlySet<ErrorCode | null> = new Set([
  'UPSTREAM_BUSY',
  'UPSTREAM_THROTTLED',
  'UPSTREAM_PAUSED',
] as const);

/** Counts until the deadline, or until the service has too much to do. Errors: the caller's reason for giving up. */
export function createFoundCounter(
  search: SearchLearningObjects,
  deadline: Deadline,
  isGood: IsGood,
): CountFound {
  const inTurn = limitConcurrency({ running: AT_ONCE });
  const counts = new Map<string, Promise<FoundCount>>();
  let isOverloaded = false;

  async function countOne(query: LearningObjectQuery): Promise<FoundCount> {
    if (isOverloaded || deadline.signal.aborted) return NOTHING_FOUND;
    try {
      const found = await search(query, { signal: deadline.signal });
      isOverloaded ||= found.missing.some(({ code }) => overloadCodes.has(code));
      // Some services say B00 of worse ones than the best, too: then what has all of the words is asked for.
      const isWhole = found.quality === 'A00' || query.model === 'strict' || found.items.length === 0;
      const whole = isWhole
        ? found
        : await search({ ...query, model: 'strict' }, { signal: deadline.signal });
      return isGood(query, whole) ? toCount(found) : NOTHING_FOUND;
    } catch (error) {
      isOverloaded ||= error instanceof AppError && overloadCodes.has(error.code);
      return NOTHING_FOUND;
    }
  }

  return async (changed) => {
    // What is only wished for is no reason against what fits.
    const query = { ...changed, page: 0, max: 1, without: wishKinds };
    const key = makeSearchKey(query, false);
    const count = counts.get(key) ?? inTurn(() => countOne(query));
    counts.set(key, count);
    return (await deadline.inTime(count)) ?? NOTHING_FOUND;
  };
}

/** Without items, the total counts only objects that our own filters refuse. */
function toCount({ items, totalItems, isTotalExact }: SearchResult): FoundCount {
  return items.length === 0 ? NOTHING_FOUND : { totalItems, isTotalExact };
}

/** For sorting: exact counts before estimates, then the highest first. */
export function compareFoundCounts(one: FoundCount, other: FoundCount): number {
  return Number(other.isTotalExact) - Number(one.isTotalExact) || other.totalItems - one.totalItems;
}
