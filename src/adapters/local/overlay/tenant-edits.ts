import { LRUCache } from 'lru-cache';
import { type LearningObjectRecord, learningObjectRecord, type ProviderRecord } from '#adapters/catalog/catalog-schema';
import { toObjectProvider } from '#adapters/catalog/object-record';
import { OTHER_FIELD } from '#domain/catalog';
import { normalizeObjectAddress } from '#domain/learning-object';
import { type ObjectEdits, toLearningTime } from '#domain/object-fields';
import { omitUndefined } from '#domain/omit-undefined';
import { foldText } from '#domain/text';
import { openPhrases } from '#engine/terms/suggest/completions';
import type { OpenPhrase } from '#engine/terms/types';
import type { Encoder } from '#ports/encoder';
import type { ObjectLayer, TenantLayer } from '#ports/object-catalog';
import { EVERY_TENANT, type ObjectChange } from '#ports/store/object-layers';
import { type CatalogView, nameProvider, toAnswerObject, type ViewOf } from '../catalog-view.ts';
import { listObjectPhrases } from '../versions/build-version.ts';
import type { VersionObject, VersionObjects } from '../versions/version-objects.ts';
import type { OverlayEntries, OverlayEntry, OverlayIndex } from './overlay.ts';
import { createOverlayIndex, overlayObjects } from './overlay.ts';

/** Each tenant takes a bit for each object, and its edited objects. */
const MAX_TENANTS = 200;

/** Applies the edits of administrators to the catalogue; each costs as much as its object.
 *  @param encoder absent if objects are found by words alone */
export function createTenantViews(base: CatalogView, encoder?: Encoder): ViewOf {
  const findProvider = createTenantProviderFinder(base.providers);
  const createLayer = (): AppliedLayer => {
    return { index: createOverlayIndex(encoder), findProvider, lowerVersion: '', edits: new Map() };
  };
  const forAll = createLayer();
  const byTenant = new LRUCache<string, AppliedLayer>({ max: MAX_TENANTS });
  const views = new LRUCache<string, Promise<CatalogView>>({ max: MAX_TENANTS });

  async function openTenantView({ all, tenant }: TenantLayer): Promise<CatalogView> {
    const common = await applyTenantLayer(forAll, all, { objects: base.objects, version: '' });
    const layer = byTenant.get(tenant.tenantId) ?? createLayer();
    if (tenant.version !== '') byTenant.set(tenant.tenantId, layer);
    const lower = { objects: common.objects, version: all.version };
    const { objects, entries } = await applyTenantLayer(layer, tenant, lower);
    return createTenantView(base, objects, new Map([...common.entries, ...entries]));
  }

  return async (layer) => {
    if (layer === undefined || layer.stamp === '') return base;
    const cached = views.get(layer.stamp);
    if (cached !== undefined) return cached;
    const view = openTenantView(layer);
    views.set(layer.stamp, view);
    view.catch(() => views.delete(layer.stamp));
    return view;
  };
}

/** A layer with its changed objects, cached so that only new changes cost something. */
interface AppliedLayer {
  readonly index: OverlayIndex;
  readonly findProvider: ProviderFinder;
  /** The version of the lower layer, on which `edits` are based. */
  lowerVersion: string;
  edits: ReadonlyMap<string, AppliedEdit>;
}

interface AppliedEdit {
  readonly version: ObjectChange['version'];
  /** Null if the object is no longer in the catalogue. */
  readonly entry: OverlayEntry | null;
}

type LowerLayer = { readonly objects: VersionObjects; readonly version: string };

async function applyTenantLayer(applied: AppliedLayer, layer: ObjectLayer, lower: LowerLayer) {
  if (layer.version === '') return { objects: lower.objects, entries: new Map<string, OverlayEntry>() };
  const existing = applied.lowerVersion === lower.version ? applied.edits : new Map<string, AppliedEdit>();
  const isNew = ({ address, version }: ObjectChange) => existing.get(address)?.version !== version;
  const newChanges = [...layer.changes.values()].filter(isNew);
  const baseObjects = await lower.objects.find(newChanges.map(({ url }) => url));
  const edits = new Map(existing);
  for (const address of existing.keys()) if (!layer.changes.has(address)) edits.delete(address);
  for (const change of newChanges) {
    const { address, url, version } = change;
    const base = baseObjects.get(url) ?? null;
    const object = applyTenantEdit(base, change, applied.findProvider);
    edits.set(address, { version, entry: object && { base, object } });
  }
  applied.lowerVersion = lower.version;
  applied.edits = edits;
  const entries = new Map<string, OverlayEntry>();
  for (const [address, { entry }] of edits) if (entry !== null) entries.set(address, entry);
  const overlay = await applied.index.update(entries);
  return { objects: overlayObjects(lower.objects, overlay), entries };
}

/** An added object is a little more popular than the middle, as somebody wanted it. */
const ADDED_POPULARITY = 0.6;
const otherField = { topics: [OTHER_FIELD], widerTopics: [] };

/** @returns the changed object; null if it is no longer in the catalogue */
function applyTenantEdit(
  base: VersionObject | null,
  { tenantId, url, state: { isAdded, isHidden, fields } }: ObjectChange,
  findProvider: ProviderFinder,
): VersionObject | null {
  const provider = fields.provider === undefined ? undefined : findProvider(fields.provider, url);
  const original = isAdded ? { url, popularity: ADDED_POPULARITY } : base?.record;
  if (original === undefined) return null;
  // Ignores edits that no longer fit the imported record.
  const record = editTenantRecord(original, fields, provider?.id) ?? (isAdded ? undefined : base?.record);
  if (record === undefined) return null;
  const scope = tenantId === EVERY_TENANT ? 'all' : 'tenant';
  return {
    record,
    typedProvider: provider ?? base?.typedProvider,
    isDead: base?.isDead ?? false,
    origin: isAdded ? 'added' : (base?.origin ?? 'added'),
    isEdited: (base?.isEdited ?? false) || (!isAdded && Object.keys(fields).length > 0),
    hiddenFor: base?.hiddenFor ?? (isHidden ? scope : null),
    // The build of a version finds topics, so an object that only this layer has gets none.
    findTopics: base?.findTopics ?? (() => otherField),
    findField: base?.findField ?? (() => undefined),
  };
}

/** @returns the record with the edits; undefined if it is invalid */
function editTenantRecord(
  original: Partial<LearningObjectRecord>,
  edits: ObjectEdits,
  provider: string | undefined,
): LearningObjectRecord | undefined {
  const { provider: _name, minutes, level, free, picture, ...texts } = edits;
  const learningTime = typeof minutes === 'number' ? toLearningTime(minutes) : minutes;
  const changed = omitUndefined({ learningTime, level, free, picture, provider });
  const fields = Object.entries({ ...original, ...texts, ...changed });
  // Null removes the value of a field.
  return learningObjectRecord.safeParse(Object.fromEntries(fields.filter(([, value]) => value !== null))).data;
}

type ProviderFinder = (name: string, url: string) => ProviderRecord;

function createTenantProviderFinder(providers: ReadonlyMap<string, ProviderRecord>): ProviderFinder {
  let byName: Map<string, ProviderRecord> | undefined;
  return (name, url) => {
    byName ??= new Map(Array.from(providers.values(), (record) => [foldText(record.name), record]));
    const created = toObjectProvider(name, undefined, url);
    return byName.get(foldText(name)) ?? providers.get(created.id) ?? created;
  };
}

function createTenantView(base: CatalogView, objects: VersionObjects, entries: OverlayEntries): CatalogView {
  const visible = [...entries.values()].flatMap(({ object }) => (object?.hiddenFor === null ? [object] : []));
  const added = visible.flatMap(({ typedProvider }) => typedProvider ?? []);
  const newProviders = added.filter(({ id }) => !base.providers.has(id));
  let phrases: readonly OpenPhrase[] | undefined;
  return {
    objects,
    visible: objects.view({ which: 'visible' }),
    async findObjects(urls) {
      const unchanged = urls.filter((url) => !entries.has(normalizeObjectAddress(url)));
      const baseObjects = await base.findObjects(unchanged);
      const baseObjectOf = new Map(unchanged.map((url, i) => [url, baseObjects[i] ?? null]));
      return urls.map((url) => {
        const object = entries.get(normalizeObjectAddress(url))?.object;
        if (object === undefined) return baseObjectOf.get(url) ?? null;
        if (object === null || object.hiddenFor !== null) return null;
        return toAnswerObject(object.record, nameProvider(object, base.providers), object.findField());
      });
    },
    providers:
      newProviders.length === 0
        ? base.providers
        : new Map([...base.providers, ...newProviders.map((record) => [record.id, record] as const)]),
    languages: new Set([...base.languages, ...visible.map(({ record }) => record.lang)]),
    listPhrases: () =>
      (phrases ??= [...base.listPhrases(), ...openPhrases(visible.flatMap(({ record }) => listObjectPhrases(record)))]),
  };
}
