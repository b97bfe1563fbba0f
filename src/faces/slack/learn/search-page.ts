import type { CheckedQuery, LearningObjectQuery, QueryFilter } from '#domain/learning-object-query';
import { createLearningObjectQuery, findLevelBounds, MAX_WORDS_LENGTH } from '#domain/learning-object-query';
import type { SearchDefaults } from '#domain/tenant';
import type { ObjectWords } from '#faces/object-view/facts';
import { writeAnswerNotices } from '#faces/search-view/answer-view';
import { isOnlyCloseResult } from '#faces/search-view/result-groups';
import { joinNames } from '#faces/words/i18n';
import type { Discovery } from '#services/searching/discovery';
import type { FilterToDrop, SearchResult } from '#services/searching/discovery/results';
import { actions, button, type KnownBlock, sectionBlock, smallText } from '../blocks/block-kit.ts';
import { LISTS_MS, type ShareTarget, type SlackContext } from '../listener.ts';
import { isDroppableChoice, type LearnChoices } from './choices.ts';
import type { LearnState, SearchedPage, SearchPlace, WayOut, WaysOutShown } from './learn-state.ts';

interface PageRequest extends SearchPlace, Pick<SearchedPage, 'series' | 'version'> {
  /** Notes that are shown beside those of the search itself. */
  readonly notes: readonly string[];
  readonly shareTo: ShareTarget | null;
}

/** Reads one page of a search, and ways out if nothing is found. Errors: those of `Discovery`. */
export async function readSearchPage(context: SlackContext, request: PageRequest): Promise<LearnState> {
  const { notes, shareTo, ...place } = request;
  const { discovery, insight, owner, tenants } = context;
  const { defaults } = await tenants.getTenant(owner.tenantId);
  const { locale } = await context.words();
  const query = toLearnQuery(place.choices, defaults, locale);
  const result = await discovery.searchLearningObjects({ ...query, page: place.page });
  if (place.page === 0) insight.noteSearch({ ...owner, words: query.keywords, result, isWatched: false });
  const { totalItems, isTotalExact, hasMore, quality, items } = result;
  const isEmpty = items.length === 0 && place.page === 0;
  const waysOut = isEmpty ? await findPageWaysOut(discovery, query, { result, choices: place.choices }) : null;
  const { providers } = result.missing.length > 0 ? await discovery.lists({ timeoutMs: LISTS_MS }) : { providers: [] };
  return {
    kind: 'learn',
    of: {
      kind: 'search',
      ...place,
      totalItems,
      isTotalExact,
      hasMore,
      waysOut,
      quality: isOnlyCloseResult({ page: place.page, items }) ? 'C00' : quality,
    },
    items: items.map(({ object, requestId, tier }) => ({ object, requestId, ...(tier && { tier }) })),
    notes: [
      ...notes,
      ...(await writeLimitNotes(result, place.choices, context)),
      ...writeAnswerNotices(result, providers, await context.words()),
    ],
    shareTo,
  };
}

/** Writes notes that say why more objects may fit than were found. */
async function writeLimitNotes(
  result: SearchResult,
  choices: LearnChoices,
  { words }: SlackContext,
): Promise<string[]> {
  const { items, checked } = result;
  const { t, locale } = await words();
  const names: string[] = [];
  if (isLevelAsked(choices)) names.push(t('slackLearn.known.level'));
  if (isLengthAsked(choices)) names.push(t('slackLearn.known.learningTime'));
  if (choices.price !== null) names.push(t('slackLearn.known.free'));
  return [
    ...(names.length > 0 && items.length > 0 ? [t('slackLearn.known.only', { facts: joinNames(names, locale) })] : []),
    ...(checked?.lookedAt ? [t('slackLearn.lookedAt', { number: checked.lookedAt })] : []),
  ];
}

/** Makes the query. Objects of unknown value do not pass chosen filters; preferred ones yield. */
function toLearnQuery(choices: LearnChoices, defaults: SearchDefaults, locale: string): CheckedQuery {
  const { words, lang, types, blooms, providers, price, sort, itemsPerPage } = choices;
  const { minMinutes, maxMinutes, has = [], since = null, excluded, phrases } = choices;
  const chosen = { providers, lang, itemsPerPage, freeOnly: price === 'free' };
  const query = createLearningObjectQuery(words, { ...defaults, ...chosen }, locale);
  return {
    ...query,
    types,
    blooms,
    sort,
    ...(price === 'paid' && { free: false }),
    ...(has.length > 0 && { has }),
    ...(since !== null && { newerThan: `${since}-01-01` }),
    ...findLevelRange(choices),
    ...(listWishes(choices).length > 0 && {
      checks: { excluded, phrases, isMiddleLevelExcluded: hasLevelGap(choices) },
    }),
    ...(minMinutes !== null && { learningTimeMin: minMinutes }),
    ...(maxMinutes !== null && { learningTimeMax: maxMinutes }),
    important: new Set([...query.important, ...listStrictFilters(choices)]),
  };
}

function listStrictFilters(choices: LearnChoices): QueryFilter[] {
  const { lang, types, blooms, price, preferred, has = [], since = null } = choices;
  const isStrict: Partial<Record<QueryFilter, boolean>> = {
    lang: lang !== null && !preferred.includes('lang'),
    type: types.length > 0 && !preferred.includes('type'),
    bloom: blooms.length > 0,
    free: price !== null,
    has: has.length > 0,
    newerThan: since !== null,
    level: isLevelAsked(choices),
    learningTime: isLengthAsked(choices),
  };
  return (Object.keys(isStrict) as QueryFilter[]).filter((name) => isStrict[name]);
}

const isLevelAsked = ({ levels: names, preferred }: LearnChoices): boolean =>
  names.length > 0 && !preferred.includes('level');

const isLengthAsked = ({ minMinutes, maxMinutes }: LearnChoices): boolean => minMinutes !== null || maxMinutes !== null;

/** Whether a level between those chosen is left out: the one range of services includes it. */
const hasLevelGap = ({ levels: names }: Pick<LearnChoices, 'levels'>): boolean =>
  names.includes('beginner') && names.includes('advanced') && !names.includes('intermediate');

function findLevelRange({ levels: names }: LearnChoices): Pick<LearningObjectQuery, 'levelMin' | 'levelMax'> {
  const ranges = names.map(findLevelBounds);
  if (ranges.length === 0) return {};
  const levelMin = Math.min(...ranges.map(({ min }) => min));
  const levelMax = Math.max(...ranges.map(({ max }) => max));
  return { ...(levelMin > -1 && { levelMin }), ...(levelMax < 1 && { levelMax }) };
}

const MAX_OTHER_WORDS = 8;

/** Finds words, and filters to drop, that lead to results. Errors: those of `Discovery`. */
async function findPageWaysOut(
  discovery: Discovery,
  query: LearningObjectQuery,
  { result, choices }: { readonly result: SearchResult; readonly choices: LearnChoices },
): Promise<WaysOutShown> {
  if ((result.checked?.totalBefore ?? 0) > 0)
    return { otherWords: [], filters: listWishesToDrop(result, choices), withoutFilters: null };
  const ways = await discovery.findWaysOut(query, { withSimilar: true });
  const { filters, totalWithoutFilters: totalItems, isTotalWithoutFiltersExact: isTotalExact } = ways;
  // Corrections of the words, then similar terms.
  const otherWords = [...ways.didYouMean, ...ways.similar]
    .map(({ keywords, keepsFilters }) => ({ words: keywords, keepsFilters }))
    .filter(({ words }) => words.length <= MAX_WORDS_LENGTH)
    .slice(0, MAX_OTHER_WORDS);
  // Dropping all filters helps where dropping one of them does not.
  const withoutFilters = filters.length === 0 && totalItems > 0 ? { totalItems, isTotalExact } : null;
  return { otherWords, filters, withoutFilters };
}

/** Lists wishes to drop. The number that a wish hides is exact if it is the only one. */
function listWishesToDrop({ checked, isTotalExact }: SearchResult, choices: LearnChoices): WayOut[] {
  const wishes = listWishes(choices);
  const isExact = isTotalExact && wishes.length === 1;
  return wishes.map((filter) => ({ filter, totalItems: checked?.totalBefore ?? 0, isTotalExact: isExact }));
}

/** Lists the wishes of a search that services do not support, to check the results for them. */
function listWishes(choices: LearnChoices): WayOut['filter'][] {
  const { phrases, excluded } = choices;
  return [
    ...(phrases.length > 0 ? ['phrases' as const] : []),
    ...(excluded.length > 0 ? ['excluded' as const] : []),
    ...(hasLevelGap(choices) ? ['level' as const] : []),
  ];
}

export function drawWaysOutBlocks(shown: WaysOutShown, token: string, words: ObjectWords): KnownBlock[] {
  const { otherWords, filters, withoutFilters } = shown;
  const { t } = words;
  const wordButtons = otherWords.map((suggestion, number) =>
    button({
      actionId: `learn_words_${number}`,
      text: suggestion.keepsFilters
        ? suggestion.words
        : t('slackLearn.wordsWithoutFilters', { words: suggestion.words }),
      value: `${token}:${number}`,
    }),
  );
  const dropButtons = [
    ...filters
      .filter(({ filter }) => isDroppableChoice(filter))
      .map((way) => drawDropButton({ ...way, name: way.filter }, token, words)),
    ...(withoutFilters === null ? [] : [drawDropButton({ ...withoutFilters, name: 'all' }, token, words)]),
  ];
  return [
    ...(wordButtons.length > 0 ? [sectionBlock(t('search.nothing.otherWords')), actions(wordButtons)] : []),
    ...(dropButtons.length > 0 ? [sectionBlock(t('search.nothing.wider')), actions(dropButtons)] : []),
    smallText(t('search.nothing.hint')),
    // The form begins with what was searched for.
    actions([
      button({ actionId: 'search_open', text: t('slackLearn.help.search'), value: token }),
      button({ actionId: 'learn_help', text: t('slackLearn.nothing.help') }),
    ]),
  ];
}

type FilterDrop = Pick<FilterToDrop, 'totalItems' | 'isTotalExact'> & { readonly name: string };

/** Draws a button that drops a filter, with the number of objects that are found then, if exact. */
function drawDropButton({ name, totalItems, isTotalExact }: FilterDrop, token: string, { t, locale }: ObjectWords) {
  const count = isTotalExact ? ` (${totalItems.toLocaleString(locale)})` : '';
  // The chips above have the same buttons; ids must be unique only within a row.
  const isOfWords = name === 'excluded' || name === 'phrases';
  const text = isOfWords ? t(`slackLearn.wider.${name}`) : t(`search.wider.${name}`);
  return button({ actionId: `learn_drop_${name}`, text: text + count, value: token });
}
