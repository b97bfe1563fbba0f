import {
  type CheckedQuery,
  createLearningObjectQuery,
  findLevelBounds,
  type LearningObjectQuery,
  type QueryFilter,
} from '#domain/learning-object-query';
import type { SearchDefaults } from '#domain/tenant';
import type { LearnChoices } from './choices.ts';

/** A chosen filter is strict: objects of unknown value do not pass it; a preferred one yields. */
export function toQuery(choices: LearnChoices, defaults: SearchDefaults, locale?: string): CheckedQuery {
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
    ...hitChecks(choices),
    ...(minMinutes !== null && { learningTimeMin: minMinutes }),
    ...(maxMinutes !== null && { learningTimeMax: maxMinutes }),
    important: new Set([...begun.important, ...strictFilters(choices)]),
  };
}

/** Wishes that services do not support. */
function hitChecks(choices: LearnChoices): Pick<CheckedQuery, 'checks'> {
  const { excluded, phrases } = choices;
  const isMiddleLevelExcluded = hasLevelGap(choices);
  return excluded.length + phrases.length > 0 || isMiddleLevelExcluded
    ? { checks: { excluded, phrases, isMiddleLevelExcluded } }
    : {};
}

function strictFilters(choices: LearnChoices): QueryFilter[] {
  const { lang, types, blooms, price, preferred } = choices;
  const entries: [QueryFilter, boolean][] = [
    ['lang', lang !== null && !preferred.includes('lang')],
    ['type', types.length > 0 && !preferred.includes('type')],
    ['bloom', blooms.length > 0],
    ['free', price !== null],
    ['level', isLevelAsked(choices)],
    ['learningTime', isLengthAsked(choices)],
  ];
  return entries.flatMap(([filter, isAsked]) => (isAsked ? [filter] : []));
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
