import { LRUCache } from 'lru-cache';
import type { Topic } from '#domain/catalog';
import type { ObjectAnswer, TopicCount } from '#engine/objects/types';
import type { BrowseAnswer, BrowseRequest, CountedTopic, Facets } from '#ports/learning-service';
import type { CatalogView } from './catalog-view.ts';
import type { Geocoder, Place } from './gazetteer.ts';
import { buildObjectFilters, findObjectFilterPlace } from './object-filters.ts';
import type { RequestIds } from './request-ids.ts';

export interface BrowseDeps {
  /** All that there are. */
  readonly topics: readonly Topic[];
  readonly requestIds: RequestIds;
  readonly geocoder: Geocoder;
}

/** An answer holds ids and some hundred counts. */
const MAX_ANSWERS = 500;

const noFacets: Facets = { provider: new Map(), type: new Map(), bloom: new Map(), lang: new Map() };

export type Browse = (
  request: BrowseRequest,
  view: Pick<CatalogView, 'objects' | 'findObjects'>,
) => Promise<BrowseAnswer>;

/** Browse one version of the catalogue, as a tenant finds it. An answer is kept: it cannot grow old, and the first pages are those
 *  that most look at. Errors: PLACE_UNKNOWN. */
export function createBrowse({ topics, requestIds, geocoder }: BrowseDeps): Browse {
  const topicOf = new Map(topics.map((topic) => [topic.id, topic]));
  /** By what is searched: tenants without changes share it. */
  const answers = new WeakMap<object, LRUCache<string, ObjectAnswer>>();

  async function find(request: BrowseRequest, objects: CatalogView['objects']): Promise<ObjectAnswer> {
    const kept = answers.get(objects) ?? new LRUCache<string, ObjectAnswer>({ max: MAX_ANSWERS });
    answers.set(objects, kept);
    const key = JSON.stringify([request, [...request.query.important].sort()]);
    const cached = kept.get(key);
    if (cached !== undefined) return cached;
    const answer = await objects.search(
      toEngineQuery(request, await findObjectFilterPlace(request.query, geocoder)),
    );
    kept.set(key, answer);
    return answer;
  }

  return async (request, { objects, findObjects }) => {
    const { page, max } = request.query;
    const { hits, total, topics: counts, facets } = await find(request, objects);
    const records = await findObjects(hits.map(({ id }) => id));
    const content = records.flatMap((record) => record?.object ?? []);
    return {
      requestId: requestIds.issue(content),
      content,
      page,
      itemsPerPage: max,
      totalItems: total,
      hasMore: (page + 1) * max < total,
      quality: total > 0 ? 'A00' : 'C00',
      within: request.topics.flatMap((id) => topicOf.get(id) ?? []),
      topics: countTopics(counts ?? new Map(), topicOf),
      facets: facets ?? noFacets,
    };
  };
}

function toEngineQuery({ query, topics, isForTotal = false }: BrowseRequest, place: Place | null) {
  const prefer = query.lang ?? query.prefer;
  return {
    keywords: '',
    isBrowsing: true,
    model: query.model,
    sort: query.sort,
    filters: {
      ...buildObjectFilters(query, { place, yielded: [] }),
      ...(topics.length > 0 && { topic: { values: topics, strict: true } }),
    },
    ...(prefer !== undefined && { prefer }),
    offset: query.page * query.max,
    limit: query.max,
    details: !isForTotal,
  };
}

function countTopics(
  counts: ReadonlyMap<string, TopicCount>,
  topicOf: ReadonlyMap<string, Topic>,
): readonly CountedTopic[] {
  return [...counts]
    .flatMap(([id, { all, preferred }]) => {
      const topic = topicOf.get(id);
      return topic === undefined ? [] : [{ ...topic, objects: all, preferred }];
    })
    .sort((a, b) => b.preferred - a.preferred || b.objects - a.objects || (a.id < b.id ? -1 : 1));
}
