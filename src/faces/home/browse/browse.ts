import type { Request, Response } from 'express';
import { MAX_PAGE } from '#domain/learning-object-query';
import { toWaysOutView } from '#faces/search-view/answer-view';
import { toFiltersView } from '#faces/search-view/filters';
import type { ResultGroup } from '#faces/search-view/result-groups';
import { dropSearchChoices, emptyForm, type SearchForm, toBrowseRequest } from '#faces/search-view/search-form';
import type { SkillView } from '#faces/search-view/topics-view';
import { nameTopic, toTopicFieldViews, toTopicSkillViews, writeTopicCount } from '#faces/search-view/topics-view';
import { readStrictQuery } from '#faces/strict-paths';
import { views } from '#faces/views';
import type { Browsed, UsedOrder } from '#services/searching/browsing';
import { linkSkillPage } from '../../object-view/skill-address.ts';
import type { HomeFaceDeps } from '../deps.ts';
import type { Reader } from '../page-model.ts';
import { type HomePages, type HomeRoute, readReader, sendPage, sendPrepared } from '../pages.ts';
import { writeFeedAddress } from '../published/feeds.ts';
import { explainWrongChoice, readResultCards } from '../results-model.ts';
import {
  homeDefaults,
  ITEMS_PER_PAGE,
  readBrowseAddress,
  searchAddressWriter,
  writeAddress,
  writeBrowseAddress,
} from '../search-address.ts';
import { readOverviewModel } from './overview-model.ts';

/** The catalogue by topic, provider and use in courses. Every page has a permanent address. */
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
      : await readBrowseUsed(pages, order, form.page, reader);
  // The service behind this host can only be searched, with the same choices.
  if (model === null) return response.redirect(`${writeAddress(form)}#search`);
  const { pages: count } = model.results;
  // From an old or edited link: there are fewer objects now.
  if (count > 0 && form.page >= count) return response.redirect(model.addressOf({ page: count - 1 }));
  if (!model.isKnown) response.status(404);
  sendPage(
    response,
    views.render('browse-list', { ...reader, ...model, feed: writeFeedAddress(pages, model.addressOf({})) }),
  );
}

const LISTS_MS = 1_500;
/** The results begin on the first screen. */
const FIRST_SKILLS = 10;

/** For `views/browse-list.eta`; null if the service can only be searched for words. */
async function readBrowseListModel(deps: HomeFaceDeps, form: SearchForm, reader: Reader) {
  const { discovery, browsing } = deps;
  const { t, locale, signal } = reader;
  const request = toBrowseRequest(form, homeDefaults, locale);
  let problem: string | null = null;
  const explain = (error: unknown): undefined => {
    problem = explainWrongChoice(error, reader);
  };
  const [result, levelCounts, lists] = await Promise.all([
    browsing.browse(request, { signal }).catch(explain),
    browsing.countLevels(request, { signal }).catch(explain),
    discovery.lists({ signal, timeoutMs: LISTS_MS }),
  ]);
  if (result === null) return null;
  const filters = toFiltersView(lists, {
    t,
    locale,
    form,
    defaults: homeDefaults,
    counts: { ...result?.facets, level: levelCounts ?? new Map<string, number>() },
  });
  const chosen = filters.selects
    .filter(({ name }) => name !== 'sort')
    .flatMap(({ choices }) => choices.filter(({ isChosen }) => isChosen));
  // Where the filters leave nothing, the topics are still ways on, without them.
  const plain: SearchForm = { ...emptyForm, topic: form.topic };
  const isEmptied = !result?.totalItems && filters.inUse > 0;
  const [wider, toDrop] = isEmptied
    ? await Promise.all([
        browsing.browse(toBrowseRequest(plain, homeDefaults, locale), { signal }),
        result === undefined ? [] : browsing.findFiltersToDrop(request, { signal }),
      ])
    : [null, []];
  const around = wider ?? result;
  return {
    form,
    filters,
    ...toBrowseTopicModel(around, wider ? plain : form, reader),
    title: [
      ...(around?.within ?? []).toReversed().map((topic) => nameTopic(topic, locale)),
      ...chosen.map(({ name }) => name),
    ].join(' · '),
    count: result ? writeTopicCount(result, request.query, reader) : '',
    results: toBrowsePage(await readResultCards(deps, result?.items ?? [], reader), form.page, result?.totalItems ?? 0),
    waysOut:
      wider && wider.totalItems > 0
        ? toWaysOutView({ ...noWords, filters: toDrop, totalWithoutFilters: wider.totalItems }, reader)
        : null,
    addressOf: (changes: Partial<SearchForm>) => writeBrowseAddress(form, changes),
    addressWithout: (fields: string) => writeBrowseAddress(dropSearchChoices(form, fields)),
    aboutHref: linkSkillPage(deps, around?.within.at(-1)?.kind === 'skill' ? around.within.at(-1)?.id : undefined),
    allHref: writeBrowseAddress(emptyForm),
    resetHref: writeBrowseAddress(plain),
    problem,
    isKnown: result !== undefined && result.within.length === form.topic.length,
  };
}

const noWords = { didYouMean: [], similar: [], isTotalWithoutFiltersExact: true };

function toBrowseTopicModel(result: Browsed | undefined, form: SearchForm, { locale }: Reader) {
  const within = result?.within ?? [];
  const topics = result?.topics ?? [];
  const field = within.findLast(({ kind }) => kind === 'field');
  const broad = field?.within[0];
  const fields = toTopicFieldViews(topics, locale);
  const skills = within.filter(({ kind }) => kind === 'skill').map(({ id }) => id);
  const toTopicPath = (topic: { readonly id: string; readonly name: string }) => ({
    name: topic.name,
    href: writeBrowseAddress(emptyForm, { topic: [topic.id] }),
  });
  const moreSkills = toTopicSkillViews(
    topics.filter(({ id }) => !skills.includes(id)),
    { locale, field: field?.id },
  );
  const writeFieldAddress = searchAddressWriter((id) => writeBrowseAddress(form, { topic: [id, ...skills] }));
  const writeSkillAddress = searchAddressWriter((id) => writeBrowseAddress(form, { topic: [...form.topic, id] }));
  return {
    path: [
      ...fields.filter(({ id }) => id === broad).map(toTopicPath),
      ...within.slice(0, -1).map((topic) => toTopicPath({ id: topic.id, name: nameTopic(topic, locale) })),
    ],
    narrower: (field === undefined
      ? form.topic.length === 0
        ? fields
        : []
      : (fields.find(({ id }) => id === field.id)?.narrower ?? [])
    ).map((each) => ({ ...each, href: writeFieldAddress(each.id) })),
    skills: toBrowseSkillChips(
      moreSkills.map((each) => ({ ...each, href: writeSkillAddress(each.id) })),
      locale,
    ),
  };
}

/** The first ones, and the rest on demand; other languages apart, unless nothing else is there. */
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

async function readBrowseUsed(deps: HomeFaceDeps, order: UsedOrder, page: number, reader: Reader) {
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
