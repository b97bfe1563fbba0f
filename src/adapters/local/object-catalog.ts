import { toLearningMinutes } from '#domain/learning-object';
import { pickFacts } from '#domain/object-facts';
import { omitUndefined } from '#domain/omit-undefined';
import { foldText } from '#domain/text';
import type { CatalogListRequest, CatalogObject, ObjectCatalog, PublishedObject } from '#ports/object-catalog';
import { MAX_TO_SORT } from '#ports/object-catalog';
import { type CatalogView, nameProvider, toAnswerObject, type ViewOf } from './catalog-view.ts';
import type { VersionObject } from './versions/version-objects.ts';

export function createObjectCatalog(viewOf: ViewOf): ObjectCatalog {
  return {
    findObject: async (layer, url) => (await findCatalogObjects(await viewOf(layer), [url]))[0] ?? null,
    async readObjects(layer, urls) {
      const { objects, providers } = await viewOf(layer);
      const visible = [...(await objects.find(urls))].filter(([, { hiddenFor }]) => hiddenFor === null);
      return new Map(
        visible.map(([url, object]) => [url, toPublishedCatalogObject(object, nameProvider(object, providers))]),
      );
    },
    async listObjects(layer, request) {
      const view = await viewOf(layer);
      const { page, pageSize, sort } = request;
      const { ids, total, isSorted } = await listCatalogIds(view, request);
      const objects = await findCatalogObjects(view, ids);
      if (isSorted) return { items: objects, total };
      const start = page * pageSize;
      const items = sortObjects(objects, sort).slice(start, start + pageSize);
      return { items, total: Math.min(total, MAX_TO_SORT) };
    },
  };
}

/** @returns the ids of a page; if the index cannot sort as requested, of up to MAX_TO_SORT objects,
 *  and `isSorted` is false */
async function listCatalogIds({ objects }: CatalogView, request: CatalogListRequest) {
  const { search, sort, page, pageSize, origin, among, provider, type, lang } = request;
  const view = objects.view({ which: origin ?? 'all', among });
  const toFilter = (value: string | null) => (value === null ? undefined : { values: [value], strict: true });
  const filters = omitUndefined({ provider: toFilter(provider), type: toFilter(type), lang: toFilter(lang) });
  const isSorted = sort === 'best' || (search === '' && sort !== 'title');
  const range = isSorted ? { offset: page * pageSize, limit: pageSize } : { offset: 0, limit: MAX_TO_SORT };
  if (search === '') {
    const order = sort === 'shortest' || sort === 'longest' ? sort : 'popularity';
    return { ...(await view.list({ filters, sort: order, ...range })), isSorted };
  }
  const query = { keywords: search, model: 'extended', sort: 'popularity', looseFrom: 0 } as const;
  const { hits, total } = await view.search({ ...query, filters, ...range });
  return { ids: hits.map(({ id }) => id), total, isSorted };
}

async function findCatalogObjects(view: CatalogView, urls: readonly string[]): Promise<CatalogObject[]> {
  const { objects, providers } = view;
  const objectsByUrl = await objects.find(urls);
  return urls.flatMap((url) => {
    const object = objectsByUrl.get(url);
    return object === undefined ? [] : [toCatalogObject(object, nameProvider(object, providers))];
  });
}

function sortObjects(objects: readonly CatalogObject[], sort: CatalogListRequest['sort']): readonly CatalogObject[] {
  if (sort === 'title') {
    const keyed = objects.map((object) => ({ object, key: foldText(object.fields.title) }));
    return keyed.sort((a, b) => Number(a.key > b.key) - Number(a.key < b.key)).map(({ object }) => object);
  }
  const sign = sort === 'shortest' ? 1 : -1;
  const rank = ({ fields }: CatalogObject) =>
    fields.minutes === null ? Number.POSITIVE_INFINITY : sign * fields.minutes;
  return objects.toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)));
}

function toPublishedCatalogObject({ record, findField }: VersionObject, provider: string): PublishedObject {
  const { keywords, age, location } = record;
  const { object, providerId } = toAnswerObject(record, provider, findField());
  return { object, providerId, keywords, ...(age && { age }), ...(location && { location }) };
}

function toCatalogObject(object: VersionObject, provider: string): CatalogObject {
  const { record, origin, isEdited, hiddenFor } = object;
  const { url, title, description, type, bloom, lang, keywords, publisher, author } = record;
  return {
    url,
    providerId: record.provider,
    field: object.findField(),
    origin,
    isEdited,
    hiddenFor,
    fields: {
      title,
      description,
      provider,
      type,
      bloom,
      lang,
      keywords,
      publisher,
      author,
      level: record.level ?? null,
      minutes: toLearningMinutes(record.learningTime) ?? null,
      free: record.free ?? null,
      picture: record.picture ?? null,
      ...pickFacts(record),
    },
  };
}
