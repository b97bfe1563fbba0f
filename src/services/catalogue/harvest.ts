import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { hashObjectAddress } from '#domain/learning-object';
import { DEFAULT_TENANT } from '#domain/tenant';
import type { Clock } from '#ports/clock';
import type { ObjectCatalog, PublishedObject, TenantLayer } from '#ports/object-catalog';
import type { HarvestRecord, HarvestSelection, Store } from '#ports/store/store';
import { inBatches } from '#services/host/every-item';
import { repeatWork } from '#services/host/repeated-work';
import { withoutTenantEdits } from './objects/object-changes.ts';
import type { ObjectLayers } from './objects/object-layers.ts';

export interface HarvestDeps extends Pick<Store, 'harvest'> {
  readonly catalog: Pick<ObjectCatalog, 'readObjects'>;
  readonly layers: Pick<ObjectLayers, 'layerOf'>;
  /** Returns a text that changes with the catalogue of the host, but not with edits. */
  catalogVersion(): string;
  listAddresses(): AsyncIterable<string>;
  readonly clock: Clock;
  onProblem(error: unknown): void;
}

export interface HarvestedItem {
  readonly record: HarvestRecord;
  readonly object: PublishedObject | null;
}

/** What a reader may see: the shared records, some of which are replaced by those of a tenant. */
interface HarvestView {
  readonly layer: TenantLayer;
  /** Records of the tenant; `shared` is the record that all other readers see, if there is one. */
  readonly changes: readonly { readonly record: HarvestRecord; readonly shared: HarvestRecord | null }[];
}

const BATCH = 100;
/** Limit of the cached views, which have up to 5,000 records each. */
const MAX_VIEWS = 20;
const NOTE_INTERVAL_MS = 30_000;
/** Pause after an answer, so that it is sent before changes are noted. */
const ANSWER_MS = 1_000;

interface HarvestState extends HarvestDeps {
  readonly views: LRUCache<string, Promise<HarvestView>>;
  readonly closing: AbortController;
  published: string;
  publishing: Promise<void> | null;
}

export type Harvest = ReturnType<typeof createHarvest>;
export type HarvestReader = ReturnType<Harvest['ofTenant']>;

/** The objects that all tenants share, with the time of the last change, also of removed objects. A
 *  tenant sees them with what it added, edited and hid. */
export function createHarvest(deps: HarvestDeps) {
  const views = new LRUCache<string, Promise<HarvestView>>({ max: MAX_VIEWS });
  const state: HarvestState = { ...deps, views, closing: new AbortController(), published: '', publishing: null };
  const ofTenant = (tenantId: string | null) => ({
    /** Lists items after the identifier `after`, in the order of identifiers, at most `limit`. */
    list: (selection: HarvestSelection, page: HarvestPage) => listHarvestItems(state, tenantId, selection, page),
    find: (identifier: string) => findHarvestItem(state, tenantId, identifier),
    count: (selection: HarvestSelection) => countHarvestRecords(state, tenantId, selection),
    /** Finds an object. It does not wait until the changes of all objects are noted, which takes
     *  seconds: until then, the object is looked for among the addresses. */
    findObject: (identifier: string) => findHarvestObject(state, tenantId, identifier),
    findEarliest: () => findEarliestInHarvest(state, tenantId),
  });
  const noting = repeatWork({
    everyMs: NOTE_INTERVAL_MS,
    run: () => noteHarvestChanges(state),
    onProblem: deps.onProblem,
  });
  return {
    ...ofTenant(null),
    /** Notes changes of the catalogue every half minute, so that hardly a request has to wait. */
    start: noting.start,
    /** Reads what a tenant sees, for those only who have its key, or administer it. */
    ofTenant,
    hasObject: async (url: string) =>
      (await readHarvestObject(state, (await readHarvestVersion(state)).layer, url)) !== null,
    async close(): Promise<void> {
      state.closing.abort();
      await noting.stop();
      await state.publishing?.catch(() => undefined);
    },
  };
}

async function readHarvestVersion({ layers, catalogVersion }: HarvestState) {
  const layer = withoutTenantEdits(await layers.layerOf(DEFAULT_TENANT));
  return { layer, version: `${catalogVersion()} ${layer.stamp}` };
}

/** Notes what has changed since the last harvest. @returns the layer that all tenants share */
async function refreshHarvestLayer(state: HarvestState): Promise<TenantLayer> {
  const { layer, version } = await readHarvestVersion(state);
  if (version === state.published) return layer;
  const publishIfNew = async () => {
    if ((await state.harvest.findHarvestVersion()) !== version) await publishHarvestLayer(state, layer, version);
    state.published = version;
  };
  state.publishing ??= publishIfNew().finally(() => {
    state.publishing = null;
  });
  await state.publishing;
  return layer;
}

const noteHarvestChanges = (state: HarvestState) =>
  refreshHarvestLayer(state).catch((error) => {
    if (!state.closing.signal.aborted) state.onProblem(error);
  });

/** @param tenantId null for the view that everybody may read */
async function openHarvestView(state: HarvestState, tenantId: string | null): Promise<HarvestView> {
  const layer = await refreshHarvestLayer(state);
  if (tenantId === null) return { layer, changes: [] };
  const ofTenant = await state.layers.layerOf(tenantId);
  const key = JSON.stringify([tenantId, state.published, ofTenant.stamp]);
  const view = state.views.get(key) ?? readHarvestTenantView(state, ofTenant);
  state.views.set(key, view);
  view.catch(() => state.views.delete(key));
  return view;
}

async function addHarvestObjects({ catalog }: HarvestState, records: readonly HarvestRecord[], layer: TenantLayer) {
  const urls = records.filter(({ isDeleted }) => !isDeleted).map(({ url }) => url);
  const objects = await catalog.readObjects(layer, urls);
  return records.map((record): HarvestedItem => ({ record, object: objects.get(record.url) ?? null }));
}

const readHarvestObject = async ({ catalog }: HarvestState, layer: TenantLayer, url: string) =>
  (await catalog.readObjects(layer, [url])).get(url) ?? null;

type HarvestPage = { readonly after: string; readonly limit: number };

async function listHarvestItems(
  state: HarvestState,
  tenantId: string | null,
  selection: HarvestSelection,
  { after, limit }: HarvestPage,
) {
  const { layer, changes } = await openHarvestView(state, tenantId);
  const changed = new Set(changes.map(({ record }) => record.identifier));
  const records = changes
    .map(({ record }) => record)
    .filter((record) => record.identifier > after && isSelected(record, selection));
  for (let from = after, remaining = limit; remaining > 0; ) {
    const batch = await state.harvest.readHarvest(from, limit, selection);
    const shared = batch.filter(({ identifier }) => !changed.has(identifier));
    records.push(...shared);
    remaining = batch.length < limit ? 0 : remaining - shared.length;
    from = batch.at(-1)?.identifier ?? from;
  }
  records.sort((a, b) => (a.identifier < b.identifier ? -1 : 1));
  return addHarvestObjects(state, records.slice(0, limit), layer);
}

async function findHarvestItem(state: HarvestState, tenantId: string | null, identifier: string) {
  const { layer, changes } = await openHarvestView(state, tenantId);
  const change = changes.find(({ record }) => record.identifier === identifier);
  const shared = change || identifier === '' ? [] : await state.harvest.findHarvest([identifier]);
  return (await addHarvestObjects(state, change ? [change.record] : shared, layer))[0] ?? null;
}

async function countHarvestRecords(state: HarvestState, tenantId: string | null, selection: HarvestSelection) {
  const { changes } = await openHarvestView(state, tenantId);
  const countOf = (records: readonly (HarvestRecord | null)[]) =>
    records.filter((record) => record !== null && isSelected(record, selection)).length;
  const replaced = countOf(changes.map(({ shared }) => shared));
  return (await state.harvest.countHarvest(selection)) - replaced + countOf(changes.map(({ record }) => record));
}

async function findHarvestObject(state: HarvestState, tenantId: string | null, identifier: string) {
  const { layer: shared, version } = await readHarvestVersion(state);
  const layer = tenantId === null ? shared : await state.layers.layerOf(tenantId);
  for (const { url } of layer.tenant.changes.values())
    if (hashObjectAddress(url) === identifier) return readHarvestObject(state, layer, url);
  const [record] = identifier === '' ? [] : await state.harvest.findHarvest([identifier]);
  const object = record && !record.isDeleted ? await readHarvestObject(state, layer, record.url) : null;
  if (object !== null || version === state.published) return object;
  const url = await findHarvestAddress(state, layer, identifier);
  // Noting changes would delay the answer.
  setTimeout(noteHarvestChanges, ANSWER_MS, state).unref();
  return url === null ? null : readHarvestObject(state, layer, url);
}

async function findEarliestInHarvest(state: HarvestState, tenantId: string | null): Promise<Date> {
  const { changes } = await openHarvestView(state, tenantId);
  const earliest = (await state.harvest.findEarliestHarvest()) ?? state.clock.now();
  return new Date(Math.min(earliest.getTime(), ...changes.map(({ record }) => record.changedAt.getTime())));
}

/** Selects records like the store. */
const isSelected = ({ providerId, changedAt }: HarvestRecord, selection: HarvestSelection) =>
  (selection.providerId === null || selection.providerId === providerId) &&
  (selection.from === null || changedAt >= selection.from) &&
  (selection.until === null || changedAt < selection.until);

/** Reads the view of a tenant, for which objects that it hides are deleted. */
async function readHarvestTenantView({ harvest, catalog }: HarvestDeps, layer: TenantLayer): Promise<HarvestView> {
  const changes: HarvestView['changes'][number][] = [];
  for await (const batch of inBatches(layer.tenant.changes.values(), BATCH)) {
    const [objects, records] = await Promise.all([
      catalog.readObjects(
        layer,
        batch.map(({ url }) => url),
      ),
      harvest.findHarvest(batch.map(({ url }) => hashObjectAddress(url))),
    ]);
    const shared = new Map(records.map((record) => [record.identifier, record]));
    for (const { url, state, changedAt } of batch) {
      const identifier = hashObjectAddress(url);
      const before = shared.get(identifier) ?? null;
      if (before === null && !state.isAdded) continue;
      const object = objects.get(url);
      const record = {
        identifier,
        url,
        hash: '',
        isDeleted: object === undefined,
        providerId: object?.providerId ?? before?.providerId ?? '',
        changedAt: toWholeSecond(new Date(Math.max(changedAt.getTime(), before?.changedAt.getTime() ?? 0))),
      };
      changes.push({ record, shared: before });
    }
  }
  return { layer, changes };
}

const toWholeSecond = (time: Date): Date => new Date(Math.floor(time.getTime() / 1_000) * 1_000);

async function publishHarvestLayer(state: HarvestState, layer: TenantLayer, version: string): Promise<void> {
  const { harvest, catalog, clock, closing } = state;
  const now = toWholeSecond(clock.now());
  const seen = new Set<string>();
  for await (const urls of inBatches(listHarvestAddresses(state, layer), BATCH)) {
    // Requests are answered in between: an embedded store never waits by itself.
    await setImmediate(undefined, { signal: closing.signal });
    const objects = [...(await catalog.readObjects(layer, urls)).values()];
    const records = objects
      .map((published) => toHarvestRecord(published, now))
      .filter(({ identifier }) => !seen.has(identifier));
    const identifiers = records.map(({ identifier }) => identifier);
    await setImmediate();
    const existing = new Map((await harvest.findHarvest(identifiers)).map((record) => [record.identifier, record]));
    for (const identifier of identifiers) seen.add(identifier);
    const isChanged = ({ identifier, hash }: HarvestRecord) => {
      const before = existing.get(identifier);
      return before === undefined || before.isDeleted || before.hash !== hash;
    };
    await harvest.saveHarvest(records.filter(isChanged));
  }
  for (let after = '', isLast = false; !isLast; ) {
    const records = await harvest.readHarvest(after, BATCH);
    const missing = records.filter(({ identifier, isDeleted }) => !isDeleted && !seen.has(identifier));
    await harvest.saveHarvest(missing.map((record) => ({ ...record, isDeleted: true, changedAt: now })));
    isLast = records.length < BATCH;
    after = records.at(-1)?.identifier ?? '';
  }
  await harvest.saveHarvestVersion(version, now);
}

function toHarvestRecord(published: PublishedObject, changedAt: Date): HarvestRecord {
  const { url } = published.object;
  const hash = createHash('sha256').update(JSON.stringify(published)).digest('base64url');
  const { providerId } = published;
  return { identifier: hashObjectAddress(url), url, providerId, hash, changedAt, isDeleted: false };
}

async function findHarvestAddress(deps: HarvestDeps, layer: TenantLayer, identifier: string): Promise<string | null> {
  for await (const url of listHarvestAddresses(deps, layer)) if (hashObjectAddress(url) === identifier) return url;
  return null;
}

async function* listHarvestAddresses(deps: HarvestDeps, { all }: TenantLayer): AsyncGenerator<string> {
  yield* deps.listAddresses();
  for (const { url, state } of all.changes.values()) if (state.isAdded) yield url;
}
