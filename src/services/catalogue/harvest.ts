import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { normalizeObjectAddress } from '#domain/learning-object';
import { DEFAULT_TENANT } from '#domain/tenant';
import type { Clock } from '#ports/clock';
import type { ObjectCatalog, PublishedObject, TenantLayer } from '#ports/object-catalog';
import type { HarvestRecord, HarvestRepository, HarvestSelection } from '#ports/store/store';
import { inBatches } from '#services/host/every-item';
import { withoutTenantEdits } from './objects/object-changes.ts';
import type { ObjectLayers } from './objects/object-layers.ts';

export interface HarvestDeps {
  readonly harvest: HarvestRepository;
  readonly catalog: Pick<ObjectCatalog, 'readObjects'>;
  readonly layers: Pick<ObjectLayers, 'layerOf'>;
  /** Changes with the catalogue of the host, without changes by administrators. */
  catalogVersion(): string;
  listAddresses(): AsyncIterable<string>;
  readonly clock: Clock;
  onProblem(error: unknown): void;
}

export interface HarvestedItem {
  readonly record: HarvestRecord;
  readonly object: PublishedObject | null;
}

/** The objects that all tenants share, with the time of the last change, also of removed ones. */
export type Harvest = ReturnType<typeof createHarvest>;

const BATCH = 100;

export function createHarvest(deps: HarvestDeps) {
  const { harvest, catalog } = deps;
  let published = '';
  let publishing: Promise<void> | null = null;
  const closing = new AbortController();

  async function readState() {
    const layer = withoutTenantEdits(await deps.layers.layerOf(DEFAULT_TENANT));
    return { layer, version: `${deps.catalogVersion()} ${layer.stamp}` };
  }

  /** Notes what has changed since the last harvest. @returns what all tenants share */
  async function refresh(): Promise<TenantLayer> {
    const { layer, version } = await readState();
    if (version === published) return layer;
    publishing ??= publishIfNew(layer, version).finally(() => {
      publishing = null;
    });
    await publishing;
    return layer;
  }

  async function publishIfNew(layer: TenantLayer, version: string): Promise<void> {
    if ((await harvest.findHarvestVersion()) !== version)
      await publish({ ...deps, signal: closing.signal }, layer, version);
    published = version;
  }

  async function addObjects(records: readonly HarvestRecord[], layer: TenantLayer): Promise<readonly HarvestedItem[]> {
    const urls = records.filter(({ isDeleted }) => !isDeleted).map(({ url }) => url);
    const objects = await catalog.readObjects(layer, urls);
    return records.map((record) => ({ record, object: objects.get(record.url) ?? null }));
  }

  const readObject = async (layer: TenantLayer, url: string): Promise<PublishedObject | null> =>
    (await catalog.readObjects(layer, [url])).get(url) ?? null;

  return {
    /** By identifier, those after `after`, at most `limit`. */
    async list(selection: HarvestSelection, { after, limit }: { readonly after: string; readonly limit: number }) {
      const layer = await refresh();
      return addObjects(await harvest.readHarvest(after, limit, selection), layer);
    },
    async find(identifier: string): Promise<HarvestedItem | null> {
      const layer = await refresh();
      const records = identifier === '' ? [] : await harvest.findHarvest([identifier]);
      return (await addObjects(records, layer))[0] ?? null;
    },
    /** Does not wait until the changes of all objects are noted, which takes seconds. */
    async findObject(identifier: string): Promise<PublishedObject | null> {
      const { layer, version } = await readState();
      const [record] = identifier === '' ? [] : await harvest.findHarvest([identifier]);
      const object = record && !record.isDeleted ? await readObject(layer, record.url) : null;
      if (object !== null || version === published) return object;
      const url = await findAddress(deps, layer, identifier);
      refresh().catch((error) => {
        if (!closing.signal.aborted) deps.onProblem(error);
      });
      return url === null ? null : readObject(layer, url);
    },
    hasObject: async (url: string) => (await readObject((await readState()).layer, url)) !== null,
    count: (selection: HarvestSelection) => harvest.countHarvest(selection),
    async findEarliest(): Promise<Date> {
      await refresh();
      return (await harvest.findEarliestHarvest()) ?? deps.clock.now();
    },
    async close(): Promise<void> {
      closing.abort();
      await publishing?.catch(() => undefined);
    },
  };
}

/** The same for all spellings of an address. */
export function toHarvestIdentifier(url: string): string {
  return createHash('sha256').update(normalizeObjectAddress(url)).digest('base64url').slice(0, 22);
}

type PublishDeps = HarvestDeps & { readonly signal: AbortSignal };

async function publish(deps: PublishDeps, layer: TenantLayer, version: string): Promise<void> {
  const { harvest, clock, signal } = deps;
  const now = new Date(Math.floor(clock.now().getTime() / 1_000) * 1_000);
  const seen = new Set<string>();
  for await (const urls of inBatches(listAddresses(deps, layer), BATCH)) {
    // Requests go first: an embedded store never waits by itself.
    await setImmediate(undefined, { signal });
    const objects = [...(await deps.catalog.readObjects(layer, urls)).values()];
    const records = objects
      .map((published) => toRecord(published, now))
      .filter(({ identifier }) => !seen.has(identifier));
    const existing = new Map((await harvest.findHarvest(records.map(identify))).map((each) => [each.identifier, each]));
    for (const { identifier } of records) seen.add(identifier);
    const isChanged = ({ identifier, hash }: HarvestRecord) => {
      const before = existing.get(identifier);
      return before === undefined || before.isDeleted || before.hash !== hash;
    };
    await harvest.saveHarvest(records.filter(isChanged));
  }
  for (let after = '', isLast = false; !isLast; ) {
    const records = await harvest.readHarvest(after, BATCH);
    const gone = records.filter(({ identifier, isDeleted }) => !isDeleted && !seen.has(identifier));
    await harvest.saveHarvest(gone.map((record) => ({ ...record, isDeleted: true, changedAt: now })));
    isLast = records.length < BATCH;
    after = records.at(-1)?.identifier ?? '';
  }
  await harvest.saveHarvestVersion(version, now);
}

const identify = ({ identifier }: HarvestRecord) => identifier;

function toRecord(published: PublishedObject, changedAt: Date): HarvestRecord {
  const { url } = published.object;
  const hash = createHash('sha256').update(JSON.stringify(published)).digest('base64url');
  const { providerId } = published;
  return { identifier: toHarvestIdentifier(url), url, providerId, hash, changedAt, isDeleted: false };
}

async function findAddress(deps: HarvestDeps, layer: TenantLayer, identifier: string): Promise<string | null> {
  for await (const url of listAddresses(deps, layer)) if (toHarvestIdentifier(url) === identifier) return url;
  return null;
}

async function* listAddresses(deps: HarvestDeps, { all }: TenantLayer): AsyncGenerator<string> {
  yield* deps.listAddresses();
  for (const { url, state } of all.changes.values()) if (state.isAdded) yield url;
}
