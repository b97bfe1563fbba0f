import { type LearningObjectQuery, MAX_WORDS_LENGTH } from '#domain/learning-object-query';
import type { ObjectWords } from '#faces/object-view/facts';
import type { Discovery } from '#services/searching/discovery';
import type { FilterToDrop, SearchResult, WaysOut } from '#services/searching/discovery/results';
import { actions, button, type KnownBlock, section, smallText } from '../blocks/block-kit.ts';
import { isDroppable, type LearnChoices } from './choices.ts';

import type { WayOut, WaysOutShown } from './learn-state.ts';
import { hasLevelGap } from './to-query.ts';

const MAX_OTHER_WORDS = 8;

/** Other words, and filters to drop, that would find something. Errors: those of `Discovery`. */
export async function findWaysOut(
  discovery: Discovery,
  query: LearningObjectQuery,
  { result, choices }: { readonly result: SearchResult; readonly choices: LearnChoices },
): Promise<WaysOutShown> {
  if ((result.checked?.totalBefore ?? 0) > 0)
    return { otherWords: [], filters: waysWithoutWishes(result, choices), withoutFilters: null };
  const ways = await discovery.findWaysOut(query, { withSimilar: true });
  return { otherWords: otherWordsOf(ways), filters: ways.filters, withoutFilters: withoutFiltersOf(ways) };
}

/** For wishes that services do not support. The number that a wish hides is exact if alone. */
function waysWithoutWishes({ checked, isTotalExact }: SearchResult, choices: LearnChoices): WayOut[] {
  const wishes: WayOut['filter'][] = (['phrases', 'excluded'] as const).filter((name) => choices[name].length > 0);
  if (hasLevelGap(choices)) wishes.push('level');
  const isExact = isTotalExact && wishes.length === 1;
  return wishes.map((filter) => ({ filter, totalItems: checked?.totalBefore ?? 0, isTotalExact: isExact }));
}

/** Corrections of the words, then similar terms. */
function otherWordsOf({ didYouMean, similar }: WaysOut): WaysOutShown['otherWords'] {
  return [...didYouMean, ...similar]
    .map(({ keywords, keepsFilters }) => ({ words: keywords, keepsFilters }))
    .filter(({ words }) => words.length <= MAX_WORDS_LENGTH)
    .slice(0, MAX_OTHER_WORDS);
}

/** Where no single filter is to blame. */
const withoutFiltersOf = ({ filters, totalWithoutFilters, isTotalWithoutFiltersExact }: WaysOut) =>
  filters.length === 0 && totalWithoutFilters > 0
    ? { totalItems: totalWithoutFilters, isTotalExact: isTotalWithoutFiltersExact }
    : null;

export function drawWaysOutBlocks(
  { otherWords, filters, withoutFilters }: WaysOutShown,
  token: string,
  words: ObjectWords,
): KnownBlock[] {
  const { t } = words;
  const others = otherWords.map((other, number) =>
    button({
      actionId: `learn_words_${number}`,
      text: other.keepsFilters ? other.words : t('slackLearn.wordsWithoutFilters', { words: other.words }),
      value: `${token}:${number}`,
    }),
  );
  const wider = [
    ...filters
      .filter(({ filter }) => isDroppable(filter))
      .map((way) => dropButton({ ...way, name: way.filter }, token, words)),
    ...(withoutFilters === null ? [] : [dropButton({ ...withoutFilters, name: 'all' }, token, words)]),
  ];
  return [
    ...(others.length > 0 ? [section(t('search.nothing.otherWords')), actions(others)] : []),
    ...(wider.length > 0 ? [section(t('search.nothing.wider')), actions(wider)] : []),
    smallText(t('search.nothing.hint')),
    // The form begins with what was searched for.
    actions([
      button({ actionId: 'search_open', text: t('slackLearn.help.search'), value: token }),
      button({ actionId: 'learn_help', text: t('slackLearn.nothing.help') }),
    ]),
  ];
}

type Way = Pick<FilterToDrop, 'totalItems' | 'isTotalExact'> & { readonly name: string };

/** Says how many objects it finds, if that is exact. */
function dropButton({ name, totalItems, isTotalExact }: Way, token: string, { t, locale }: ObjectWords) {
  const howMuch = isTotalExact ? ` (${totalItems.toLocaleString(locale)})` : '';
  // The chips above have the same buttons; ids must be unique only within a row.
  const isOfWords = name === 'excluded' || name === 'phrases';
  const text = isOfWords ? t(`slackLearn.wider.${name}`) : t(`search.wider.${name}`);
  return button({ actionId: `learn_drop_${name}`, text: text + howMuch, value: token });
}
