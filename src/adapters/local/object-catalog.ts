import { toLearningMinutes } from '#domain/learning-object';
import { foldText } from '#domain/text';
import type { ObjectFilters } from '#engine/objects/types';
import {
  type CatalogListRequest,
  type CatalogObject,
  MOST_TO_SORT,
  type ObjectCatalog,
  type TenantLayer,
} from '#ports/object-catalog';
import type { BaseCatalog } from './catalog-view.ts';
import type { CatalogLayers, LayeredCatalog } from './overlay/tenant-catalogs.ts';
import { type LayeredObject, toUnchangedObject } from './overlay/tenant-edits.ts';

export interface ObjectCatalogDeps {
  readonly base: BaseCatalog;
  readonly layered: Pick<LayeredCatalog, 'layersOf'>;
}

/** A version of the catalogue for those who look after it. */
export function createObjectCatalog({ base, layered }: ObjectCatalogDeps): ObjectCatalog {
  async function findIn(layers: CatalogLayers, urls: readonly string[]): Promise<CatalogObject[]> {
    const records = await base.version.findRecords(
      urls.filter((url) => layers.findLayered(url) === undefined),
    );
    return urls.flatMap((url) => {
      const known = records.get(url);
      const found = layers.findLayered(url) ?? (known && toUnchangedObject(base, known));
      return found === undefined ? [] : [toCatalogObject(found)];
    });
  }

  async function list(layers: CatalogLayers, request: CatalogListRequest) {
    const { search, sort, page, pageSize, origin, among } = request;
    const selected = layers.select((object) => isOfOrigin(object, origin));
    const view = base.version.view({ ...selected, origin, among });
    const isWhole = sort === 'title';
    const [offset, limit] = isWhole ? [0, MOST_TO_SORT] : [page * pageSize, pageSize];
    const filters = toFilters(request);
    if (search !== '') {
      const { hits, total } = await view.search({
        ...{ keywords: search, model: 'extended', sort: 'popularity', isLoose: true, filters },
        ...(sort === 'best' ? { offset, limit } : { offset: 0, limit: MOST_TO_SORT }),
      });
      return { ids: hits.map(({ id }) => id), total, isWhole: sort !== 'best' };
    }
    return {
      ...(await view.list({ filters, sort: isListSort(sort) ? sort : 'popularity', offset, limit })),
      isWhole,
    };
  }

  return {
    findObject: async (layer, url) => (await findIn(await layered.layersOf(layer), [url]))[0] ?? null,
    async listObjects(layer: TenantLayer, request) {
      const layers = await layered.layersOf(layer);
      const { page, pageSize, sort } = request;
      const { ids, total, isWhole } = await list(layers, request);
      const objects = await findIn(layers, ids);
      const start = page * pageSize;
      const items = isWhole ? sortObjects(objects, sort).slice(start, start + pageSize) : objects;
      return { items, total: isWhole ? Math.min(total, MOST_TO_SORT) : total };
    },
  };
}

function isOfOrigin(object: LayeredObject, origin: CatalogListRequest['origin']): boolean {
  if (origin === null) return true;
  if (origin === 'edited') return object.isEdited;
  return origin === 'hidden' ? object.hiddenFor !== null : object.origin === origin;
}

function isListSort(sort: CatalogListRequest['sort']): sort is 'shortest' | 'longest' {
  return sort === 'shortest' || sort === 'longest';
}

function toFilters({ provider, type, lang }: CatalogListRequest): ObjectFilters {
  return {
    ...(provider !== null && { provider: { values: [provider], strict: true } }),
    ...(type !== null && { type: { values: [type], strict: true } }),
    ...(lang !== null && { lang: { values: [lang], strict: true } }),
  };
}

function sortObjects(
  objects: readonly CatalogObject[],
  sort: CatalogListRequest['sort'],
): readonly CatalogObject[] {
  if (sort === 'title') {
    const keyed = objects.map((object) => ({ object, key: foldText(object.fields.title) }));
    return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ object }) => object);
  }
  const sign = sort === 'shortest' ? 1 : -1;
  const rank = ({ fields }: CatalogObject) =>
    fields.minutes === null ? Number.POSITIVE_INFINITY : sign * fields.minutes;
  return objects.toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)));
}

function toCatalogObject(object: LayeredObject): CatalogObject {
  const { record, provider, origin, isEdited, hiddenFor } = object;
  const { url, title, description, type, bloom, lang, keywords, publisher, author } = record;
  return {
    ...{ url, providerId: record.provider, origin, isEdited, hiddenFor },
    fields: {
      ...{ title, description, provider, type, bloom, lang, keywords, publisher, author },
      level: record.level ?? null,
      minutes: toLearningMinutes(record.learningTime) ?? null,
      free: record.free ?? null,
      picture: record.picture ?? null,
    },
  };
}
