import { normalizeObjectAddress } from '#domain/learning-object';
import { objectFieldNames } from '#domain/object-fields';
import { type CatalogListRequest, type CatalogObject, MAX_TO_SORT } from '#ports/object-catalog';
import type { Page } from '#ports/store/record';
import type { FeedbackRecord, ImportRecord, LinkCheck, ObjectChange, PlacedCount, Store } from '#ports/store/store';
import { readEveryLinkCheck } from '../every-record.ts';
import { createObjectChanges, createObjectUnknownError, type ObjectChangesDeps } from './object-changes.ts';

/** States of objects by the last check of their addresses; `fine` is neither dead nor unsure. */
export const listedLinkStates = ['dead', 'unsure', 'fine'] as const;

export interface ObjectListRequest extends Omit<CatalogListRequest, 'among'> {
  readonly link: (typeof listedLinkStates)[number] | null;
}

export interface ListedObject extends CatalogObject {
  /** Null if the address was never checked. */
  readonly check: LinkCheck | null;
}

/** The source of a field of an object. */
export type FieldSource =
  | { readonly kind: 'starter' }
  /** The record is null if the import is gone. */
  | { readonly kind: 'import'; readonly record: ImportRecord | null }
  | { readonly kind: 'change'; readonly change: ObjectChange };

/** What administrators of a tenant see of one object. */
export interface ObjectDetails {
  readonly object: CatalogObject;
  readonly changes: { readonly tenant: ObjectChange | null; readonly all: ObjectChange | null };
  readonly sources: ReadonlyMap<string, FieldSource>;
  readonly check: LinkCheck | null;
  /** Numbers of its links in courses of the tenant; null if there are none. */
  readonly placed: PlacedCount | null;
  /** The newest feedback from people of the tenant. */
  readonly feedback: Page<FeedbackRecord>;
}

export interface ObjectsDeps extends ObjectChangesDeps {
  readonly store: Pick<Store, 'imports' | 'linkChecks' | 'placements' | 'feedback'>;
}

const FEEDBACK_SHOWN = 5;

export function createObjects(deps: ObjectsDeps) {
  const { catalog, layers, store } = deps;
  return {
    ...createObjectChanges(deps),
    /** Lists objects, hidden ones as well. */
    async list(tenantId: string, { link, ...request }: ObjectListRequest): Promise<Page<ListedObject>> {
      const [layer, among] = await Promise.all([layers.layerOf(tenantId), findAddressesByLink(deps, link)]);
      const { items, total } = await catalog.listObjects(layer, { ...request, among });
      const checks = await store.linkChecks.findLinkChecks(items.map(({ url }) => url));
      const byUrl = new Map(checks.map((check) => [check.url, check]));
      return { items: items.map((object) => ({ ...object, check: byUrl.get(object.url) ?? null })), total };
    },
    async exists(tenantId: string, url: string): Promise<boolean> {
      return (await catalog.findObject(await layers.layerOf(tenantId), url)) !== null;
    },
    getDetails: (tenantId: string, url: string) => getObjectDetails(deps, tenantId, url),
    /** Lists changes of objects that the catalogue lacks: of an upstream, or a removed import. */
    async listOutside(tenantId: string): Promise<readonly ObjectChange[]> {
      const layer = await layers.layerOf(tenantId);
      const changes = [...layer.tenant.changes.values()];
      const objects = await Promise.all(changes.map(({ url }) => catalog.findObject(layer, url)));
      return changes.filter((_, index) => objects[index] === null);
    },
    /** Lists suggestions that wait for approval, the oldest first. */
    listWaiting: (tenantId: string) => layers.listWaiting(tenantId),
  };
}

async function findAddressesByLink(
  { store: { linkChecks } }: ObjectsDeps,
  link: ObjectListRequest['link'],
): Promise<CatalogListRequest['among']> {
  if (link === null) return null;
  const states = link === 'fine' ? (['dead', 'unsure'] as const) : [link];
  const urls: string[] = [];
  for (const state of states)
    for await (const checks of readEveryLinkCheck(linkChecks, state)) {
      if (urls.length >= MAX_TO_SORT) break;
      urls.push(...checks.map(({ url }) => url));
    }
  return { urls, how: link === 'fine' ? 'without' : 'only' };
}

async function getObjectDetails(deps: ObjectsDeps, tenantId: string, url: string): Promise<ObjectDetails> {
  const { layers, catalog, objectLayers } = deps;
  const { linkChecks, placements, feedback } = deps.store;
  const layer = await layers.layerOf(tenantId);
  const object = await catalog.findObject(layer, url);
  if (object === null) throw createObjectUnknownError();
  const address = normalizeObjectAddress(url);
  const [tenant, all] = await Promise.all([
    objectLayers.findObjectChange(tenantId, address),
    objectLayers.findObjectChange(layer.all.tenantId, address),
  ]);
  const changes = { tenant, all };
  const [sources, [check], [placed], newestFeedback] = await Promise.all([
    findObjectFieldSources(deps, object, changes),
    linkChecks.findLinkChecks([object.url]),
    placements.countPlacedLinks([tenantId], [object.url]),
    feedback.listFeedback({
      scope: [tenantId],
      state: null,
      provider: null,
      received: { from: null, until: null },
      search: object.url,
      sort: 'receivedAt',
      descending: true,
      page: 0,
      pageSize: FEEDBACK_SHOWN,
    }),
  ]);
  return { object, changes, sources, check: check ?? null, placed: placed ?? null, feedback: newestFeedback };
}

async function findObjectFieldSources(deps: ObjectsDeps, object: CatalogObject, changes: ObjectDetails['changes']) {
  const base: FieldSource =
    object.origin === 'import'
      ? { kind: 'import', record: await findObjectImport(deps, object.url) }
      : { kind: 'starter' };
  const sourceOf = (name: (typeof objectFieldNames)[number]): FieldSource => {
    const change = [changes.tenant, changes.all].find((candidate) => candidate?.state.fields[name] !== undefined);
    return change ? { kind: 'change', change } : base;
  };
  return new Map(objectFieldNames.map((name) => [name, sourceOf(name)]));
}

/** Returns the newest live import that has the object; null if it is gone. */
async function findObjectImport({ store: { imports } }: ObjectsDeps, url: string): Promise<ImportRecord | null> {
  const live = await imports.listLive();
  const byNumber = new Map(live.map((record) => [record.number, record]));
  const datasets = [...new Set(live.map(({ dataset }) => dataset))];
  const parts = [{ kind: 'object', key: url, part: '' }] as const;
  const entries = await Promise.all(datasets.map((dataset) => imports.findEntries(dataset, parts)));
  const [newest] = entries
    .flat()
    .filter(({ state, importNumber }) => state === 'put' && byNumber.has(importNumber))
    .sort((a, b) => b.importNumber - a.importNumber);
  const id = newest && byNumber.get(newest.importNumber)?.id;
  return id === undefined ? null : imports.findImport(id);
}
