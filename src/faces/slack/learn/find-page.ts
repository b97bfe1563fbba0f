import type { LearningObject } from '#domain/learning-object';
import { type LearningObjectQuery, levels } from '#domain/learning-object-query';
import { foldText } from '#domain/text';
import type { Discovery } from '#services/searching/discovery/discovery';
import type { SearchResult } from '#services/searching/discovery/results';
import type { LearnChoices } from './choices.ts';
import type { SearchPlace } from './learn-state.ts';
import { hasLevelGap } from './query.ts';

export interface FoundPage extends SearchResult {
  /** Objects found before wishes were applied; the same as `totalItems` where there are none. */
  readonly totalBefore: number;
  /** How many were checked for the wishes, where there are more; else null. */
  readonly lookedAt: number | null;
}

/** The most that a service gives at once. */
const PAGE_SIZE = 20;
const MAX_PAGES = 5;

/** One page of objects that also meet wishes that services do not support, such as words they must contain: from the best 100,
 *  read as far as needed. Then the total is a guess unless all were read. Errors: those of `Discovery`. */
export async function findPage(
  discovery: Pick<Discovery, 'searchLearningObjects'>,
  query: LearningObjectQuery,
  { choices, page }: SearchPlace,
): Promise<FoundPage> {
  const isWanted = createWishCheck(choices);
  if (isWanted === null) {
    const result = await discovery.searchLearningObjects({ ...query, page });
    return { ...result, totalBefore: result.totalItems, lookedAt: null };
  }
  const [start, end] = [page * query.max, (page + 1) * query.max];
  const wanted: SearchResult['items'][number][] = [];
  let result: SearchResult;
  let read = 0;
  let pages = 0;
  do {
    result = await discovery.searchLearningObjects({ ...query, max: PAGE_SIZE, page: pages });
    pages++;
    read += result.items.length;
    wanted.push(...result.items.filter(({ object }) => isWanted(object)));
  } while (result.hasMore && pages < MAX_PAGES && wanted.length <= end);
  const share = read === 0 ? 0 : wanted.length / read;
  return {
    ...result,
    items: wanted.slice(start, end),
    page,
    itemsPerPage: query.max,
    totalItems: result.hasMore
      ? Math.max(wanted.length, Math.round(result.totalItems * share))
      : wanted.length,
    isTotalExact: !result.hasMore && result.missing.length === 0,
    hasMore: wanted.length > end,
    totalBefore: result.totalItems,
    lookedAt: result.hasMore && wanted.length <= end ? read : null,
  };
}

type Check = (object: LearningObject) => boolean;

/** Checks wishes that services do not support; null where there are none. */
function createWishCheck(choices: LearnChoices): Check | null {
  const checks: Check[] = [];
  if (asksForWords(choices)) checks.push(createWordCheck(choices));
  if (hasLevelGap(choices)) checks.push(({ level }) => isOneOf(choices.levels, level));
  return checks.length === 0 ? null : (object) => checks.every((holds) => holds(object));
}

/** An unknown level cannot be judged. */
function isOneOf(names: LearnChoices['levels'], level: number | undefined): boolean {
  if (level === undefined) return false;
  return names.some((name) => {
    const { levelMin = -1, levelMax = 1 }: { levelMin?: number; levelMax?: number } = levels[name];
    return level >= levelMin && level <= levelMax;
  });
}

type Wanted = Pick<LearnChoices, 'excluded' | 'phrases'>;

/** Whether an object is to be looked at for its words: no service can be asked for that. */
const asksForWords = ({ excluded, phrases }: Wanted): boolean => excluded.length > 0 || phrases.length > 0;

/** Whether an object's title or description has each phrase and nothing that is not wanted, as whole words. */
function createWordCheck({ excluded, phrases }: Wanted): (object: LearningObject) => boolean {
  const [without, within] = [excluded.map(wholeWords), phrases.map(wholeWords)];
  return ({ title, description }) => {
    const text = fold(`${title}\n${description ?? ''}`);
    return within.every((words) => words.test(text)) && !without.some((words) => words.test(text));
  };
}

/** Whatever stands between its words: blanks, dashes. */
function wholeWords(text: string): RegExp {
  const words = fold(text).trim().split(/\s+/).map(escapePattern).join('[\\s\\p{Pd}]+');
  return new RegExp(`(?<![\\p{L}\\p{N}])${words}(?![\\p{L}\\p{N}])`, 'u');
}

const escapePattern = (word: string): string => word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

const fold = (text: string): string => foldText(text).replace(/[‘’]/g, "'");
