import type { Request, Response } from 'express';
import { MAX_PAGE } from '#domain/learning-object-query';
import { toWaysOutView } from '#faces/search-view/answer-view';
import { toFiltersView } from '#faces/search-view/filters';
import type { ResultGroup } from '#faces/search-view/result-groups';
import { dropSearchChoices, emptyForm, type SearchForm, toBrowseRequest } from '#faces/search-view/search-form';
import type { SkillView } from '#faces/search-view/topics-view';
import { nameTopic, toTopicWays, writeTopicCount } from '#faces/search-view/topics-view';
import { readStrictQuery } from '#faces/strict-paths';
import { views } from '#faces/views';
import type { BrowseRequest } from '#ports/learning-service';
import type { Browsed, Browsing, UsedOrder } from '#services/searching/browsing';
import { linkSkillPage } from '../../object-view/skill-address.ts';
import type { HomeFaceDeps } from '../deps.ts';
import { type HomePages, type HomeRoute, type Reader, readReader, sendPage, sendPrepared } from '../pages.ts';
import { writeFeedAddress } from '../published/feeds-and-opensearch.ts';
import { explainWrongChoice, readResultCards } from '../results-model.ts';
import {
  createAddressWriter,
  homeDefaults,
  ITEMS_PER_PAGE,
  LISTS_MS,
  readBrowseAddress,
  writeAddress,
  writeBrowseAddress,
} from '../search-address.ts';
import { readOverviewModel } from './overview-model.ts';

/** Shows the catalogue by topic, provider and use in courses. Pages have permanent addresses. */
export const browseRoutes: readonly HomeRoute[] = [{ method: 'get', path: '/browse', handle: showBrowsePage }];

async function showBrowsePage(request: Request, response: Response, pages: HomePages): Promise<void> {
  await pages.limitSearches(request);
  const renderOverview = async (reader: Reader) => {
    const { isWhole, ...model } = await readOverviewModel(pages, reader);
    return { html: views.render('browse', { ...reader, ...model }), isWhole };
  };
  if (request.originalUrl === '/browse') return sendPrepared(request, response, pages, renderOverview);
  const reader = readReader(request, response, pages);
  const query = readStrictQuery(request);
  if (query.size === 0) return sendPage(response, (await renderOverview(reader)).html);
  const form = readBrowseAddress(query);
  const order = (['most', 'newest'] as const).find((name) => name === query.get('used'));
  const model =
    order === undefined
      ? await readBrowseListModel(pages, form, reader)
      : await readUsedListModel(pages, order, form.page, reader);
  // An upstream that cannot be browsed can be searched, with the same choices.
  if (model === null) return response.redirect(`${writeAddress(form)}#search`);
  const { pages: count } = model.results;
  // The page of an old or edited link may not exist any more.
  if (count > 0 && form.page >= count) return response.redirect(model.addressOf({ page: count - 1 }));
  if (!model.isKnown) response.status(404);
  sendPage(
    response,
    views.render('browse-list', { ...reader, ...model, feed: writeFeedAddress(pages, model.addressOf({})) }),
  );
}

/** So few skills that the results begin on the first screen. */
const FIRST_SKILLS = 10;

/** Reads the model of `views/browse-list.eta`; null if the upstream can only be searched. */
async function readBrowseListModel(deps: HomeFaceDeps, form: SearchForm, reader: Reader) {
  const { discovery, browsing } = deps;
  const { t, locale, signal } = reader;
  const request = toBrowseRequest(form, homeDefaults, locale);
  const [{ result, levelCounts, problem }, lists] = await Promise.all([
    browseWithLevels(browsing, request, reader),
    discovery.lists({ signal, timeoutMs: LISTS_MS }),
  ]);
  if (result === null) return null;
  const counts = { ...result?.facets, level: levelCounts };
  const filters = toFiltersView(lists, { t, locale, form, defaults: homeDefaults, counts });
  const chosen = filters.selects
    .filter(({ name }) => name !== 'sort')
    .flatMap(({ choices }) => choices.filter(({ isChosen }) => isChosen));
  const unfiltered: SearchForm = { ...emptyForm, topic: form.topic };
  const isEmptied = !result?.totalItems && filters.inUse > 0;
  const [wider, filtersToDrop] = isEmptied
    ? await Promise.all([
        browsing.browse(toBrowseRequest(unfiltered, homeDefaults, locale), { signal }),
        result === undefined ? [] : browsing.findFiltersToDrop(request, { signal }),
      ])
    : [null, []];
  // Where the filters leave nothing, the page shows the topics without filters.
  const topicResult = wider ?? result;
  const within = topicResult?.within ?? [];
  const innermost = within.at(-1);
  const names = [...within.toReversed().map((topic) => nameTopic(topic, locale)), ...chosen.map(({ name }) => name)];
  return {
    form,
    filters,
    ...toBrowseTopicModel(topicResult, wider ? unfiltered : form, reader),
    title: names.join(' · '),
    count: result ? writeTopicCount(result, request.query, reader) : '',
    results: toBrowsePage(await readResultCards(deps, result?.items ?? [], reader), form.page, result?.totalItems ?? 0),
    waysOut:
      wider && wider.totalItems > 0
        ? toWaysOutView({ ...noWords, filters: filtersToDrop, totalWithoutFilters: wider.totalItems }, reader)
        : null,
    addressOf: (changes: Partial<SearchForm>) => writeBrowseAddress(form, changes),
    addressWithout: (fields: string) => writeBrowseAddress(dropSearchChoices(form, fields)),
    aboutHref: innermost?.kind === 'skill' ? linkSkillPage(deps, innermost.id) : null,
    allHref: writeBrowseAddress(emptyForm),
    resetHref: writeBrowseAddress(unfiltered),
    problem,
    isKnown: result !== undefined && result.within.length === form.topic.length,
  };
}

/** Browses, and counts the objects of each level; `problem` explains an unknown choice. */
async function browseWithLevels(browsing: Browsing, request: BrowseRequest, reader: Reader) {
  const { signal } = reader;
  try {
    const [result, levelCounts] = await Promise.all([
      browsing.browse(request, { signal }),
      browsing.countLevels(request, { signal }),
    ]);
    return { result, levelCounts, problem: null };
  } catch (error) {
    return { result: undefined, levelCounts: new Map<string, number>(), problem: explainWrongChoice(error, reader) };
  }
}

/** Browsing has no words that could be replaced. */
const noWords = { didYouMean: [], similar: [], isTotalWithoutFiltersExact: true };

function toBrowseTopicModel(result: Browsed | undefined, form: SearchForm, { locale }: Reader) {
  const { within, topics } = result ?? { within: [], topics: [] };
  const { broader, narrower, skills, skillIds } = toTopicWays({ within, topics }, { locale });
  const isTopicUnknown = within.length === 0 && form.topic.length > 0;
  const writeFieldAddress = createAddressWriter((id) => writeBrowseAddress(form, { topic: [id, ...skillIds] }));
  const writeSkillAddress = createAddressWriter((id) => writeBrowseAddress(form, { topic: [...form.topic, id] }));
  return {
    path: broader.map(({ id, name }) => ({ name, href: writeBrowseAddress(emptyForm, { topic: [id] }) })),
    narrower: isTopicUnknown ? [] : narrower.map((view) => ({ ...view, href: writeFieldAddress(view.id) })),
    skills: toBrowseSkillChips(
      skills.map((view) => ({ ...view, href: writeSkillAddress(view.id) })),
      locale,
    ),
  };
}

/** Groups skills: the first ones, the rest, and those of other languages, unless all are. */
function toBrowseSkillChips<Chip extends SkillView>(chips: readonly Chip[], locale: string) {
  const spoken = chips.filter(({ isSpoken }) => isSpoken);
  const main = spoken.length > 0 ? spoken : chips;
  return {
    total: chips.length.toLocaleString(locale),
    first: main.slice(0, FIRST_SKILLS),
    rest: main.slice(FIRST_SKILLS),
    foreign: chips.slice(main.length),
  };
}

function toBrowsePage<Item>(items: readonly Item[], page: number, total: number) {
  const groups: readonly ResultGroup<Item>[] = items.length === 0 ? [] : [{ line: null, items }];
  const pages = Math.min(Math.ceil(total / ITEMS_PER_PAGE), MAX_PAGE + 1);
  return { groups, isTotalExact: true, first: page * ITEMS_PER_PAGE + 1, pages };
}

/** Reads the model of `views/browse-list.eta` for objects that courses use. */
async function readUsedListModel(deps: HomeFaceDeps, order: UsedOrder, page: number, reader: Reader) {
  const used = await deps.browsing.listUsed(order);
  const first = page * ITEMS_PER_PAGE;
  return {
    form: { ...emptyForm, page },
    filters: null,
    path: [],
    narrower: [],
    skills: { first: [] },
    title: reader.t(`browse.used.${order}`),
    count: reader.t('browse.count', { count: used.length, total: used.length.toLocaleString(reader.locale) }),
    waysOut: null,
    results: toBrowsePage(
      await readResultCards(deps, used.slice(first, first + ITEMS_PER_PAGE), reader),
      page,
      used.length,
    ),
    addressOf: ({ page: next = 0 }: Partial<SearchForm>) => `/browse?used=${order}${next > 0 ? `&page=${next}` : ''}`,
    allHref: writeBrowseAddress(emptyForm),
    isKnown: true,
  };
}
