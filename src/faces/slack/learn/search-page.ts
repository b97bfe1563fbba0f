import type { LearningObjectQuery } from '../../../domain/learning-object-query.ts';
import type { Discovery, SearchResult, WaysOut } from '../../../services/discovery/discovery.ts';
import { readNotices } from '../../object-view/notices.ts';
import type { SlackFaceDeps } from '../deps.ts';
import type { SlackContext } from '../listener.ts';
import { LISTS_MS, MAX_WORDS_LENGTH } from '../request-limits.ts';
import type { ShareTarget } from '../share/share-target.ts';
import type { LearnChoices } from './choices.ts';
import { type FoundPage, findPage } from './find-page.ts';
import { hasLevelGap, isLengthAsked, isLevelAsked, toQuery } from './query.ts';
import type { LearnState, OtherWords, SearchedPage, SearchPlace, WayOut, WaysOutShown } from './state.ts';

export interface PageRequest extends SearchPlace, Pick<SearchedPage, 'series' | 'version'> {
  /** To say beside what the search itself gives. */
  readonly notes: readonly string[];
  readonly shareTo: ShareTarget | null;
}

const MAX_OTHER_WORDS = 8;

/** One page, and ways out where there is nothing at all. Errors: those of `Discovery`. */
export async function searchPage(
  { tenants }: Pick<SlackFaceDeps, 'tenants'>,
  context: SlackContext,
  { notes, shareTo, ...place }: PageRequest,
): Promise<LearnState> {
  const { discovery, owner } = context;
  const { defaults } = await tenants.getTenant(owner.tenantId);
  const query = toQuery(place.choices, defaults);
  const found = await findPage(discovery, query, place);
  const { totalItems, isTotalExact, hasMore, quality, items } = found;
  const isNothing = items.length === 0 && place.page === 0;
  const waysOut = isNothing ? await findWaysOut(discovery, query, { found, choices: place.choices }) : null;
  return {
    kind: 'learn',
    of: { kind: 'search', ...place, totalItems, isTotalExact, hasMore, quality, waysOut },
    items: items.map(({ object, requestId }) => ({ object, requestId })),
    notes: [
      ...notes,
      ...(await limitNotes(found, place.choices, context)),
      ...(await noticesOf(found, context)),
    ],
    shareTo,
  };
}

/** Why there may be more that fits. */
async function limitNotes(
  { items, lookedAt }: FoundPage,
  choices: LearnChoices,
  { words }: SlackContext,
): Promise<string[]> {
  const { t, locale } = await words();
  const asked = {
    level: isLevelAsked(choices),
    learningTime: isLengthAsked(choices),
    free: choices.price !== null,
  };
  const known = Object.entries(asked).flatMap(([name, isAsked]) =>
    isAsked ? [t(`slackLearn.known.${name}`)] : [],
  );
  const facts = new Intl.ListFormat(locale).format(known);
  return [
    ...(known.length > 0 && items.length > 0 ? [t('slackLearn.known.only', { facts })] : []),
    ...(lookedAt === null ? [] : [t('slackLearn.lookedAt', { number: lookedAt })]),
  ];
}

async function noticesOf(result: SearchResult, { discovery, words }: SlackContext): Promise<string[]> {
  const lists = result.missing.length > 0 ? await discovery.lists({ timeoutMs: LISTS_MS }) : null;
  return readNotices(result, lists?.providers ?? [], await words());
}

async function findWaysOut(
  discovery: Discovery,
  query: LearningObjectQuery,
  { found, choices }: { readonly found: FoundPage; readonly choices: LearnChoices },
): Promise<WaysOutShown> {
  if (found.totalBefore > 0)
    return { otherWords: [], filters: waysWithoutWishes(found, choices), withoutFilters: null };
  const ways = await discovery.findWaysOut(query, { withSimilar: true });
  return { otherWords: otherWordsOf(ways), filters: ways.filters, withoutFilters: withoutFiltersOf(ways) };
}

/** Something is found, but for what no service could be asked for. What finds how much is known where it is only one of them. */
function waysWithoutWishes({ totalBefore, isTotalExact }: FoundPage, choices: LearnChoices): WayOut[] {
  const asked: WayOut['filter'][] = (['phrases', 'excluded'] as const).filter(
    (name) => choices[name].length > 0,
  );
  if (hasLevelGap(choices)) asked.push('level');
  const isKnown = isTotalExact && asked.length === 1;
  return asked.map((filter) => ({ filter, totalItems: totalBefore, isTotalExact: isKnown }));
}

/** What may have been meant, then terms that are like it. */
function otherWordsOf({ didYouMean, similar }: WaysOut): readonly OtherWords[] {
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
