import { normalizeObjectAddress } from '#domain/learning-object';
import { objectFieldNames } from '#domain/object-fields';
import { type CatalogListRequest, type CatalogObject, MOST_TO_SORT } from '#ports/object-catalog';
import type { Page } from '#ports/store/record';
import type {
  FeedbackRecord,
  ImportRecord,
  LinkCheck,
  ObjectChange,
  PlacedCount,
  Store,
} from '#ports/store/store';
import {
  createObjectChanges,
  createUnknownError,
  type ObjectChanges,
  type ObjectChangesDeps,
} from './object-changes.ts';

/** By the last check of their addresses; `fine` is all that is neither. */
export const listedLinkStates = ['dead', 'unsure', 'fine'] as const;

export interface ObjectListRequest extends Omit<CatalogListRequest, 'among'> {
  readonly link: (typeof listedLinkStates)[number] | null;
}

export interface ListedObject extends CatalogObject {
  /** Null where it was never checked. */
  readonly check: LinkCheck | null;
}

/** Where a field of an object comes from. */
export type FieldSource =
  | { readonly kind: 'starter' }
  /** The record is null where the import is not known any more. */
  | { readonly kind: 'import'; readonly record: ImportRecord | null }
  | { readonly kind: 'change'; readonly change: ObjectChange };

/** All that a tenant's administrators may know of one object. */
export interface ObjectDetails {
  readonly object: CatalogObject;
  /** What was changed for the tenant, and for all; null where nothing was. */
  readonly changes: { readonly own: ObjectChange | null; readonly all: ObjectChange | null };
  readonly sources: ReadonlyMap<string, FieldSource>;
  readonly check: LinkCheck | null;
  /** In courses of the tenant; null where it is in none. */
  readonly placed: PlacedCount | null;
  /** The newest of the tenant's. */
  readonly feedback: Page<FeedbackRecord>;
}

/** The learning objects of our own catalogue, one by one, as a tenant has them. */
export interface Objects extends ObjectChanges {
  /** What is hidden is listed as well. */
  list(tenantId: string, request: ObjectListRequest): Promise<Page<ListedObject>>;
  /** Whether our own catalogue has it for the tenant. */
  isKnown(tenantId: string, url: string): Promise<boolean>;
  /** Errors: OBJECT_UNKNOWN. */
  getDetails(tenantId: string, url: string): Promise<ObjectDetails>;
  /** What was changed for the tenant of objects that our own catalogue does not have: its upstream finds them, or no import brings
   *  them any more. In the order of the addresses. */
  listOutside(tenantId: string): Promise<readonly ObjectChange[]>;
  /** Suggestions that wait, the oldest first. */
  listWaiting(tenantId: string): Promise<readonly ObjectChange[]>;
}

export interface ObjectsDeps extends ObjectChangesDeps {
  readonly store: Pick<Store, 'imports' | 'linkChecks' | 'placements' | 'feedback'>;
}

const MOST_SHOWN = 5;
const CHECKS = 1_000;

export function createObjects(deps: ObjectsDeps): Objects {
  const { catalog, layers, objectLayers, store } = deps;
  const { imports, linkChecks, placements, feedback } = store;

  async function findChecked(link: ObjectListRequest['link']): Promise<CatalogListRequest['among']> {
    if (link === null) return null;
    const states = link === 'fine' ? (['dead', 'unsure'] as const) : [link];
    const urls: string[] = [];
    for (const state of states) {
      for (let after: string | null = null; urls.length < MOST_TO_SORT; after = urls.at(-1) ?? null) {
        const checks = await linkChecks.readLinkChecks({ state, after, limit: CHECKS });
        urls.push(...checks.map(({ url }) => url));
        if (checks.length < CHECKS) break;
      }
    }
    return { urls, how: link === 'fine' ? 'without' : 'only' };
  }

  /** The import whose word counts for a record of the catalogue; null where it is gone. */
  async function findImport(url: string): Promise<ImportRecord | null> {
    const live = await imports.listLive();
    const numbers = new Map(live.map((each) => [each.number, each]));
    const datasets = [...new Set(live.map(({ dataset }) => dataset))];
    const parts = [{ kind: 'object', key: url, part: '' }] as const;
    const found = await Promise.all(datasets.map((dataset) => imports.findEntries(dataset, parts)));
    const [newest] = found
      .flat()
      .filter(({ state, importNumber }) => state === 'put' && numbers.has(importNumber))
      .sort((a, b) => b.importNumber - a.importNumber);
    const id = newest && numbers.get(newest.importNumber)?.id;
    return id === undefined ? null : imports.findImport(id);
  }

  async function findSources(object: CatalogObject, changes: ObjectDetails['changes']) {
    const base: FieldSource =
      object.origin === 'import'
        ? { kind: 'import', record: await findImport(object.url) }
        : { kind: 'starter' };
    const sourceOf = (name: (typeof objectFieldNames)[number]): FieldSource => {
      const change = [changes.own, changes.all].find((each) => each?.state.fields[name] !== undefined);
      return change ? { kind: 'change', change } : base;
    };
    return new Map(objectFieldNames.map((name) => [name, sourceOf(name)]));
  }

  return {
    ...createObjectChanges(deps),

    async list(tenantId, { link, ...request }) {
      const [layer, among] = await Promise.all([layers.layerOf(tenantId), findChecked(link)]);
      const { items, total } = await catalog.listObjects(layer, { ...request, among });
      const checks = await linkChecks.findLinkChecks(items.map(({ url }) => url));
      const byUrl = new Map(checks.map((check) => [check.url, check]));
      return { items: items.map((object) => ({ ...object, check: byUrl.get(object.url) ?? null })), total };
    },

    isKnown: async (tenantId, url) =>
      (await catalog.findObject(await layers.layerOf(tenantId), url)) !== null,

    async getDetails(tenantId, url) {
      const layer = await layers.layerOf(tenantId);
      const object = await catalog.findObject(layer, url);
      if (object === null) throw createUnknownError();
      const address = normalizeObjectAddress(url);
      const [own, all] = await Promise.all([
        objectLayers.findObjectChange(tenantId, address),
        objectLayers.findObjectChange(layer.all.tenantId, address),
      ]);
      const changes = { own, all };
      const [sources, [check], [placed], given] = await Promise.all([
        findSources(object, changes),
        linkChecks.findLinkChecks([object.url]),
        placements.countPlacedLinks([tenantId], [object.url]),
        feedback.listFeedback({
          ...{ scope: [tenantId], state: null, provider: null, received: { from: null, until: null } },
          ...{ search: object.url, sort: 'receivedAt', descending: true, page: 0, pageSize: MOST_SHOWN },
        }),
      ]);
      return { object, changes, sources, check: check ?? null, placed: placed ?? null, feedback: given };
    },

    async listOutside(tenantId) {
      const layer = await layers.layerOf(tenantId);
      const changes = [...layer.own.changes.values()];
      const found = await Promise.all(changes.map(({ url }) => catalog.findObject(layer, url)));
      return changes.filter((_, i) => found[i] === null);
    },

    listWaiting: (tenantId) => layers.listWaiting(tenantId),
  };
}
