import type { LearningObject } from '#domain/learning-object';
import { type CheckedQuery, type HitChecks, levels } from '#domain/learning-object-query';
import { escapePattern, foldText } from '#domain/text';
import type { CallOptions } from '#ports/learning-service';
import type { SearchResult } from './results.ts';
import type { SearchLearningObjects } from './search.ts';

/** The most that a service gives at once. */
const PAGE_SIZE = 20;
const MAX_PAGES = 5;

/** Checks the best 100 hits, as far as needed. The total is a guess unless all were read. */
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

/** Null if everything passes. */
function createHitCheck(checks: HitChecks): ((object: LearningObject) => boolean) | null {
  const [without, within] = [checks.excluded.map(listWholeWords), checks.phrases.map(listWholeWords)];
  const { isMiddleLevelExcluded = false } = checks;
  if (without.length + within.length === 0 && !isMiddleLevelExcluded) return null;
  return ({ title, description, level }) => {
    const text = foldCheckedWords(`${title}\n${description ?? ''}`);
    const hasWords = within.every((words) => words.test(text)) && !without.some((words) => words.test(text));
    return hasWords && (!isMiddleLevelExcluded || isOutsideMiddle(level));
  };
}

/** An unknown level cannot be judged. */
const isOutsideMiddle = (level: number | undefined): boolean =>
  level !== undefined && (level <= levels.beginner.levelMax || level >= levels.advanced.levelMin);

/** Whatever stands between its words: blanks, dashes. */
function listWholeWords(text: string): RegExp {
  const words = foldCheckedWords(text).trim().split(/\s+/).map(escapePattern).join('[\\s\\p{Pd}]+');
  return new RegExp(`(?<![\\p{L}\\p{N}])${words}(?![\\p{L}\\p{N}])`, 'u');
}

const foldCheckedWords = (text: string): string => foldText(text).replace(/[‘’]/g, "'");
