import type { LearningObject } from '#domain/learning-object';
import { type CheckedQuery, type HitChecks, levels } from '#domain/learning-object-query';
import { escapePattern, foldText } from '#domain/text';
import type { CallOptions } from '#ports/learning-service';
import type { SearchResult } from './results.ts';
import type { SearchLearningObjects } from './search.ts';

/** No service returns more objects at once. */
const PAGE_SIZE = 20;
const MAX_PAGES = 5;

/** Wraps a search so that the best 100 hits are checked one by one, as far as a page needs them.
 *  The total is an estimate unless all hits were checked. */
export const createCheckedSearch =
  (search: SearchLearningObjects) =>
  async ({ checks, ...query }: CheckedQuery, options?: CallOptions): Promise<SearchResult> => {
    const isWanted = checks === undefined ? null : createHitCheck(checks);
    if (isWanted === null) return search(query, options);
    const [start, end] = [query.page * query.max, (query.page + 1) * query.max];
    const passing: SearchResult['items'][number][] = [];
    let result: SearchResult;
    let read = 0;
    let pages = 0;
    do {
      result = await search({ ...query, max: PAGE_SIZE, page: pages }, options);
      pages++;
      read += result.items.length;
      passing.push(...result.items.filter(({ object }) => isWanted(object)));
    } while (result.hasMore && pages < MAX_PAGES && passing.length <= end);
    const share = read === 0 ? 0 : passing.length / read;
    return {
      ...result,
      items: passing.slice(start, end),
      page: query.page,
      itemsPerPage: query.max,
      totalItems: result.hasMore ? Math.max(passing.length, Math.round(result.totalItems * share)) : passing.length,
      isTotalExact: !result.hasMore && result.missing.length === 0,
      hasMore: passing.length > end,
      checked: { totalBefore: result.totalItems, lookedAt: result.hasMore && passing.length <= end ? read : null },
    };
  };

/** Returns whether an object passes the checks; null if there is nothing to check. */
function createHitCheck(checks: HitChecks): ((object: LearningObject) => boolean) | null {
  const excluded = checks.excluded.map(toWordsPattern);
  const required = checks.phrases.map(toWordsPattern);
  const { isMiddleLevelExcluded = false } = checks;
  if (excluded.length + required.length === 0 && !isMiddleLevelExcluded) return null;
  return ({ title, description, level }) => {
    const text = foldCheckedText(`${title}\n${description ?? ''}`);
    const hasWords = required.every((words) => words.test(text)) && !excluded.some((words) => words.test(text));
    return hasWords && (!isMiddleLevelExcluded || isOutsideMiddle(level));
  };
}

/** Returns false for an unknown level, which cannot be judged. */
const isOutsideMiddle = (level: number | undefined): boolean =>
  level !== undefined && (level <= levels.beginner.levelMax || level >= levels.advanced.levelMin);

/** Makes a pattern for whole words in this order, with blanks or dashes between them. */
function toWordsPattern(text: string): RegExp {
  const words = foldCheckedText(text).trim().split(/\s+/).map(escapePattern).join('[\\s\\p{Pd}]+');
  return new RegExp(`(?<![\\p{L}\\p{N}])${words}(?![\\p{L}\\p{N}])`, 'u');
}

const foldCheckedText = (text: string): string => foldText(text).replace(/[‘’]/g, "'");
