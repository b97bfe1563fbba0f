import type { LearningObject } from '#domain/learning-object';
import {
  createLearningObjectQuery,
  findLevelBounds,
  type LearningObjectQuery,
  type QueryFilter,
} from '#domain/learning-object-query';
import type { SearchDefaults } from '#domain/tenant';
import { escapePattern, foldText } from '#domain/text';
import type { Discovery } from '#services/searching/discovery';
import type { SearchResult } from '#services/searching/discovery/results';
import type { LearnChoices } from './choices.ts';
import type { SearchPlace } from './learn-state.ts';

export interface ResultPage extends SearchResult {
  /** Objects before wishes were applied; the same as `totalItems` where there are none. */
  readonly totalBefore: number;
  /** How many were checked for the wishes, where there are more; else null. */
  readonly lookedAt: number | null;
}

/** The most that a service gives at once. */
const PAGE_SIZE = 20;
const MAX_PAGES = 5;

/** One page of objects that also meet wishes that services do not support, such as words they must
 *  contain: of the best 100, read as far as needed. Then the total is a guess unless all were read.
 *  Errors: those of `Discovery`. */
export async function findPage(
  discovery: Pick<Discovery, 'searchLearningObjects'>,
  query: LearningObjectQuery,
  { choices, page }: SearchPlace,
): Promise<ResultPage> {
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
    totalItems: result.hasMore ? Math.max(wanted.length, Math.round(result.totalItems * share)) : wanted.length,
    isTotalExact: !result.hasMore && result.missing.length === 0,
    hasMore: wanted.length > end,
    totalBefore: result.totalItems,
    lookedAt: result.hasMore && wanted.length <= end ? read : null,
  };
}

/** Checks wishes that services do not support; null where there are none. */
function createWishCheck(choices: LearnChoices): ((object: LearningObject) => boolean) | null {
  const { excluded, phrases } = choices;
  const hasWords = excluded.length > 0 || phrases.length > 0 ? createWordCheck(choices) : null;
  const isGap = hasLevelGap(choices);
  if (hasWords === null && !isGap) return null;
  return (object) => (hasWords?.(object) ?? true) && (!isGap || isOneOf(choices.levels, object.level));
}

/** An object of unknown level is left out. */
function isOneOf(names: LearnChoices['levels'], level: number | undefined): boolean {
  if (level === undefined) return false;
  return names.map(findLevelBounds).some(({ min, max }) => level >= min && level <= max);
}

/** Whether the texts have each phrase and nothing excluded, as whole words. */
function createWordCheck({
  excluded,
  phrases,
}: Pick<LearnChoices, 'excluded' | 'phrases'>): (object: LearningObject) => boolean {
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

const fold = (text: string): string => foldText(text).replace(/[‘’]/g, "'");

/** The query for what was chosen, with the defaults of the tenant. A filter that was asked for is
 *  strict: objects of unknown value do not pass it; what is only preferred yields. */
export function toQuery(choices: LearnChoices, defaults: SearchDefaults, locale?: string): LearningObjectQuery {
  const { words, lang, types, blooms, providers, price, sort, itemsPerPage } = choices;
  const { minMinutes, maxMinutes } = choices;
  const chosen = { providers, lang, itemsPerPage, freeOnly: price === 'free' };
  const begun = createLearningObjectQuery(words, { ...defaults, ...chosen }, locale);
  return {
    ...begun,
    types,
    blooms,
    sort,
    ...(price === 'paid' && { free: false }),
    ...levelRange(choices),
    ...(minMinutes !== null && { learningTimeMin: minMinutes }),
    ...(maxMinutes !== null && { learningTimeMax: maxMinutes }),
    important: new Set([...begun.important, ...strictFilters(choices)]),
  };
}

function strictFilters(choices: LearnChoices): QueryFilter[] {
  const { lang, types, blooms, price, preferred } = choices;
  const asked: [QueryFilter, boolean][] = [
    ['lang', lang !== null && !preferred.includes('lang')],
    ['type', types.length > 0 && !preferred.includes('type')],
    ['bloom', blooms.length > 0],
    ['free', price !== null],
    ['level', isLevelAsked(choices)],
    ['learningTime', isLengthAsked(choices)],
  ];
  return asked.flatMap(([filter, isAsked]) => (isAsked ? [filter] : []));
}

export const isLevelAsked = ({ levels: names, preferred }: LearnChoices): boolean =>
  names.length > 0 && !preferred.includes('level');

export const isLengthAsked = ({ minMinutes, maxMinutes }: LearnChoices): boolean =>
  minMinutes !== null || maxMinutes !== null;

type Range = Pick<LearningObjectQuery, 'levelMin' | 'levelMax'>;

/** Whether a level between those chosen is left out: the one range of services includes it. */
export const hasLevelGap = ({ levels: names }: Pick<LearnChoices, 'levels'>): boolean =>
  names.includes('beginner') && names.includes('advanced') && !names.includes('intermediate');

function levelRange({ levels: names }: LearnChoices): Range {
  const ranges = names.map(findLevelBounds);
  if (ranges.length === 0) return {};
  const levelMin = Math.min(...ranges.map(({ min }) => min));
  const levelMax = Math.max(...ranges.map(({ max }) => max));
  return { ...(levelMin > -1 && { levelMin }), ...(levelMax < 1 && { levelMax }) };
}
