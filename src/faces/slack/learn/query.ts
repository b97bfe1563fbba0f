import {
  createLearningObjectQuery,
  type LearningObjectQuery,
  levels,
  type QueryFilter,
} from '#domain/learning-object-query';
import type { SearchDefaults } from '#domain/tenant';
import type { LearnChoices } from './choices.ts';

/** Starts from the defaults of the tenant. A filter that was asked for is strict: objects of unknown value do not pass it;
 *  what is only preferred yields. */
export function toQuery(
  choices: LearnChoices,
  defaults: SearchDefaults,
  locale?: string,
): LearningObjectQuery {
  const { words, lang, types, blooms, providers, price, sort, itemsPerPage } = choices;
  const chosen = { providers, lang, itemsPerPage, freeOnly: price === 'free' };
  const begun = createLearningObjectQuery(words, { ...defaults, ...chosen }, locale);
  return {
    ...begun,
    types,
    blooms,
    sort,
    ...(price === 'paid' && { free: false }),
    ...levelRange(choices),
    ...minuteRange(choices),
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

/** Whether a level between those chosen is left out: services take one range only, which would include it. */
export const hasLevelGap = ({ levels: names }: Pick<LearnChoices, 'levels'>): boolean =>
  names.includes('beginner') && names.includes('advanced') && !names.includes('intermediate');

function levelRange({ levels: names }: LearnChoices): Range {
  const ranges: Range[] = names.map((name) => levels[name]);
  if (ranges.length === 0) return {};
  const mins = ranges.map(({ levelMin }) => levelMin ?? -1);
  const maxs = ranges.map(({ levelMax }) => levelMax ?? 1);
  const [levelMin, levelMax] = [Math.min(...mins), Math.max(...maxs)];
  return { ...(levelMin > -1 && { levelMin }), ...(levelMax < 1 && { levelMax }) };
}

function minuteRange({ minMinutes, maxMinutes }: LearnChoices) {
  return {
    ...(minMinutes !== null && { learningTimeMin: minMinutes }),
    ...(maxMinutes !== null && { learningTimeMax: maxMinutes }),
  };
}
