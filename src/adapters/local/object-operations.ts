import { LRUCache } from 'lru-cache';
import type { Topic } from '#domain/catalog';
import type { LearningObject } from '#domain/learning-object';
import type { LearningObjectQuery } from '#domain/learning-object-query';
import { getOrAdd } from '#engine/maps';
import type { ObjectAnswer, ObjectQuery, TopicCount } from '#engine/objects/types';
import type { TermIndex } from '#engine/terms/types';
import { findMatches } from '#engine/text/term';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { Encoder } from '#ports/encoder';
import type {
  AlikeAnswer,
  BrowseAnswer,
  BrowseRequest,
  CallOptions,
  CountedTopic,
  Facets,
  SearchAnswer,
} from '#ports/learning-service';
import type { AnswerObject, CatalogView, ViewOf } from './catalog-view.ts';
import type { Geocoder, Place } from './gazetteer.ts';
import { buildObjectFilters, getFilterPlace } from './object-filters.ts';
import type { RequestIds } from './request-ids.ts';
import { cacheSearches, correctKeywords, searchLearningObjects } from './search-learning-objects.ts';

export interface ObjectStateOptions {
  readonly viewOf: ViewOf;
  readonly terms: TermIndex;
  readonly topics: readonly Topic[];
  readonly geocoder: Geocoder;
  readonly requestIds: RequestIds;
  readonly clock: Clock;
  /** Without an encoder, objects are found by words alone. */
  readonly encoder?: Encoder | undefined;
}

export type ObjectState = ReturnType<typeof createObjectState>;

type TopicCounts = ReadonlyMap<string, TopicCount>;

/** Creates what the operations on objects of one catalogue version share. */
export function createObjectState(options: ObjectStateOptions) {
  const { viewOf, terms, topics, geocoder, requestIds, clock, encoder } = options;
  const expand = (words: readonly string[], lang: string | undefined) => terms.expansionsOf(words, lang);
  const deps = { geocoder, clock, expand, ...(encoder && { meaning: encoder }) };
  return {
    viewOf,
    terms,
    geocoder,
    requestIds,
    search: cacheSearches(clock, async (query, { withDetails = false, layer }) => {
      const { visible } = await viewOf(layer);
      return searchLearningObjects(query, { ...deps, objects: visible, withDetails });
    }),
    topicsById: new Map(topics.map((topic) => [topic.id, topic])),
    /** Cached answers by the browsed set of objects, which tenants without changes share. */
    browsed: new WeakMap<object, LRUCache<string, ObjectAnswer>>(),
    /** Cached lists, as that of all objects has thousands of topics to sort. */
    countedTopics: new LRUCache<TopicCounts, readonly CountedTopic[]>({ max: MAX_COUNTED_TOPICS }),
  };
}

/** Answers both `searchProvider` and `searchMany`. Errors: PROVIDER_UNKNOWN, PLACE_UNKNOWN. */
export async function searchObjects(
  { viewOf, search, requestIds }: ObjectState,
  query: LearningObjectQuery,
  options: CallOptions,
): Promise<SearchAnswer> {
  const view = await viewOf(options.layer);
  refuseUnknownProvider(query, view);
  const { answer, quality, wishes } = await search(query, options);
  const objects = await view.findObjects(answer.hits.map(({ id }) => id));
  const hits = answer.hits.flatMap(({ tier }, i) => {
    const object = objects[i];
    return object ? [{ ...object, tier }] : [];
  });
  const content = hits.map(({ object }) => object);
  const tiers = hits.map(({ tier }) => tier);
  return {
    ...toAnswerPage(requestIds.issue(content, options.tenantId), content, { ...query, total: answer.total }),
    quality,
    ...(wishes.length > 0 && { wishes }),
    ...(tiers.some((tier) => tier !== 'fitting') && { tiers }),
    ...describeObjectMatches(query, answer, hits),
  };
}

function toAnswerPage(
  requestId: string,
  content: readonly LearningObject[],
  { page, max, total }: { readonly page: number; readonly max: number; readonly total: number },
) {
  return { requestId, content, page, itemsPerPage: max, totalItems: total, hasMore: (page + 1) * max < total };
}

function describeObjectMatches(
  { keywords }: LearningObjectQuery,
  { corrections, facets, terms }: ObjectAnswer,
  hits: readonly AnswerObject[],
): Pick<SearchAnswer, 'corrected' | 'facets' | 'highlights'> {
  const listTexts = () => hits.flatMap(({ object }) => [object.title, object.description ?? '']);
  return {
    ...(corrections && { corrected: correctKeywords(keywords, corrections, listTexts()) }),
    ...(facets && { facets }),
    ...(terms && {
      highlights: hits.map(({ texts: { title, description, lang } }) => ({
        title: findMatches(title, lang, terms),
        description: findMatches(description, lang, terms),
      })),
    }),
  };
}

/** Cached answers for each set of objects; an answer has ids and some hundred counts. */
const MAX_BROWSED = 500;
const MAX_COUNTED_TOPICS = 30;

const noTopics: TopicCounts = new Map();
const noFacets: Facets = { provider: new Map(), type: new Map(), bloom: new Map(), lang: new Map() };

/** Errors: PLACE_UNKNOWN, PROVIDER_UNKNOWN. */
export async function browseObjects(
  state: ObjectState,
  request: BrowseRequest,
  { layer, tenantId }: CallOptions,
): Promise<BrowseAnswer> {
  const { viewOf, requestIds, topicsById } = state;
  const view = await viewOf(layer);
  refuseUnknownProvider(request.query, view);
  const { hits, total, topics = noTopics, facets = noFacets } = await findBrowsedPage(state, request, view);
  const objects = await view.findObjects(hits.map(({ id }) => id));
  const content = objects.flatMap((result) => result?.object ?? []);
  return {
    ...toAnswerPage(requestIds.issue(content, tenantId), content, { ...request.query, total }),
    quality: total > 0 ? 'A00' : 'C00',
    within: request.topics.flatMap((id) => topicsById.get(id) ?? []),
    topics: countObjectTopics(state, topics),
    facets,
  };
}

async function findBrowsedPage(
  { browsed, geocoder }: ObjectState,
  request: BrowseRequest,
  { visible }: CatalogView,
): Promise<ObjectAnswer> {
  const answers = getOrAdd(browsed, visible, () => new LRUCache<string, ObjectAnswer>({ max: MAX_BROWSED }));
  // JSON writes the set as an empty object.
  const key = JSON.stringify([request, [...request.query.important].sort()]);
  const cached = answers.get(key);
  if (cached !== undefined) return cached;
  const place = await getFilterPlace(request.query, geocoder);
  const answer = await visible.search(toObjectBrowseQuery(request, place));
  answers.set(key, answer);
  return answer;
}

function toObjectBrowseQuery({ query, topics, isForTotal = false }: BrowseRequest, place: Place | null): ObjectQuery {
  const prefer = query.lang ?? query.prefer;
  return {
    keywords: '',
    isBrowsing: true,
    model: query.model,
    sort: query.sort,
    filters: {
      ...buildObjectFilters(query, place),
      ...(topics.length > 0 && { topic: { values: topics, strict: true } }),
    },
    ...(prefer !== undefined && { prefer }),
    offset: query.page * query.max,
    limit: query.max,
    details: !isForTotal,
  };
}

function countObjectTopics({ countedTopics, topicsById }: ObjectState, counts: TopicCounts): readonly CountedTopic[] {
  return getOrAdd<TopicCounts, readonly CountedTopic[]>(countedTopics, counts, () =>
    [...counts]
      .flatMap(([id, { all, preferred }]) => {
        const topic = topicsById.get(id);
        return topic === undefined ? [] : [{ ...topic, objects: all, preferred }];
      })
      .sort((a, b) => b.preferred - a.preferred || b.objects - a.objects || (a.id < b.id ? -1 : 1)),
  );
}

const MAX_ALIKE = 100;

/** Finds objects that resemble one, which need not be in the catalogue. */
export async function findAlikeObjects(
  { viewOf, requestIds }: ObjectState,
  { url, title, description = '', lang = '' }: LearningObject,
  { layer, tenantId }: CallOptions,
): Promise<AlikeAnswer> {
  const { visible, findObjects } = await viewOf(layer);
  const [existing] = await findObjects([url]);
  const texts = existing?.texts ?? { title, description, lang, keywords: [] };
  const { hits, total } = await visible.search({
    likeTo: { id: url, ...texts },
    offset: 0,
    limit: MAX_ALIKE,
    keywords: '',
    model: 'extended',
    sort: 'popularity',
    filters: {},
  });
  const objects = await findObjects(hits.map(({ id }) => id));
  const alike = hits.flatMap(({ score }, i) => {
    const { object } = objects[i] ?? {};
    return object === undefined ? [] : [{ object, likeness: score }];
  });
  const content = alike.map(({ object }) => object);
  return {
    ...toAnswerPage(requestIds.issue(content, tenantId), content, { page: 0, max: MAX_ALIKE, total }),
    likeness: alike.map(({ likeness }) => likeness),
    quality: total > 0 ? 'B00' : 'C00',
  };
}

function refuseUnknownProvider(query: LearningObjectQuery, { providers }: Pick<CatalogView, 'providers'>): void {
  const unknownId = query.providers.find((id) => !providers.has(id));
  if (unknownId === undefined) return;
  throw new AppError(
    'PROVIDER_UNKNOWN',
    `There is no provider "${unknownId}". Take an id from the list at /learningobject/v2/provider.`,
    { data: { provider: unknownId } },
  );
}
