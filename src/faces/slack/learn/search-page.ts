import { readAnswerNotices } from '#faces/search-view/answer-view';
import { isOnlyClose } from '#faces/search-view/result-groups';
import type { SearchResult } from '#services/searching/discovery/results';
import { LISTS_MS, type ShareTarget, type SlackContext } from '../listener.ts';
import type { LearnChoices } from './choices.ts';
import type { LearnState, SearchedPage, SearchPlace } from './learn-state.ts';
import { isLengthAsked, isLevelAsked, toQuery } from './to-query.ts';
import { findWaysOut } from './ways-out.ts';

export interface PageRequest extends SearchPlace, Pick<SearchedPage, 'series' | 'version'> {
  /** Shown beside the notes of the search itself. */
  readonly notes: readonly string[];
  readonly shareTo: ShareTarget | null;
}

/** One page, and ways out where there is nothing at all. Errors: those of `Discovery`. */
export async function searchPage(
  context: SlackContext,
  { notes, shareTo, ...place }: PageRequest,
): Promise<LearnState> {
  const { discovery, insight, owner, tenants } = context;
  const { defaults } = await tenants.getTenant(owner.tenantId);
  const { locale } = await context.words();
  const query = toQuery(place.choices, defaults, locale);
  const result = await discovery.searchLearningObjects({ ...query, page: place.page });
  if (place.page === 0) insight.noteSearch({ ...owner, words: query.keywords, found: result, isWatched: false });
  const { totalItems, isTotalExact, hasMore, quality, items } = result;
  const isNothing = items.length === 0 && place.page === 0;
  const waysOut = isNothing ? await findWaysOut(discovery, query, { result, choices: place.choices }) : null;
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
      quality: isOnlyClose({ page: place.page, items }) ? 'C00' : quality,
    },
    items: items.map(({ object, requestId, tier }) => ({ object, requestId, ...(tier && { tier }) })),
    notes: [
      ...notes,
      ...(await limitNotes(result, place.choices, context)),
      ...readAnswerNotices(result, providers, await context.words()),
    ],
    shareTo,
  };
}

/** Why there may be more that fits. */
async function limitNotes(
  { items, checked }: SearchResult,
  choices: LearnChoices,
  { words }: SlackContext,
): Promise<string[]> {
  const { t, locale } = await words();
  const flags = {
    level: isLevelAsked(choices),
    learningTime: isLengthAsked(choices),
    free: choices.price !== null,
  };
  const names = Object.entries(flags).flatMap(([name, isAsked]) => (isAsked ? [t(`slackLearn.known.${name}`)] : []));
  const facts = new Intl.ListFormat(locale).format(names);
  return [
    ...(names.length > 0 && items.length > 0 ? [t('slackLearn.known.only', { facts })] : []),
    ...(checked?.lookedAt ? [t('slackLearn.lookedAt', { number: checked.lookedAt })] : []),
  ];
}
