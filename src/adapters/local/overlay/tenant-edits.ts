import {
  type LearningObjectRecord,
  learningObjectRecord,
  type ProviderRecord,
} from '#adapters/catalog/catalog-schema';
import { toObjectProvider } from '#adapters/catalog/object-parts';
import { OTHER_FIELD } from '#domain/catalog';
import { type ObjectEdits, toLearningTime } from '#domain/object-fields';
import { foldText } from '#domain/text';
import { createObjectIndex, type ObjectIndex } from '#engine/objects/object-index';
import type { Encoder } from '#ports/encoder';
import type { CatalogObject, ObjectLayer } from '#ports/object-catalog';
import { EVERY_TENANT, type ObjectChange } from '#ports/store/object-layers';
import type { BaseCatalog } from '../catalog-view.ts';
import { buildVersionDocument } from '../versions/build-version.ts';
import type { KnownRecord } from '../versions/records-file.ts';
import type { VersionRecords } from '../versions/version-objects.ts';

/** An object of which something was changed, as it counts. */
export interface LayeredObject extends Pick<CatalogObject, 'origin' | 'isEdited' | 'hiddenFor'> {
  readonly record: LearningObjectRecord;
  /** Name of its provider. */
  readonly provider: string;
  readonly isDead: boolean;
}

/** The changed objects of one layer. */
export interface LayerIndex {
  /** Of the layer, as it was taken over last. */
  readonly version: string;
  readonly index: ObjectIndex;
  /** By address. */
  readonly objects: ReadonlyMap<string, LayeredObject>;
  /** Providers that are, or were, named in it, by their ids. */
  readonly providers: ReadonlyMap<string, ProviderRecord>;
  /** Ids of the catalogue's objects that it lies over. */
  readonly replaced: ReadonlySet<string>;
  /** Ids of the objects of the layer below that it lies over. */
  readonly covered: ReadonlySet<string>;
  /** Whether exactly these were taken over last. */
  isAt(layer: ObjectLayer, below: LayerIndex | null): boolean;
  /** Addresses of the catalogue's objects that an update has to know. */
  listNeeded(layer: ObjectLayer, below: LayerIndex | null): readonly string[];
  /** Takes over what is other than the last time.
   *  @param records at least what is needed */
  update(layer: ObjectLayer, below: LayerIndex | null, records: VersionRecords): void;
}

/** Nobody has estimated how popular an added object is: a little above the middle, as it was wanted. */
const ADDED_POPULARITY = 0.6;
const ofOtherField = { topics: [OTHER_FIELD], widerTopics: [] };

/** @param encoder gives objects vectors; absent where they are found by words alone */
export function createLayerIndex(base: Pick<BaseCatalog, 'providers'>, encoder?: Encoder): LayerIndex {
  const index = createObjectIndex();
  const objects = new Map<string, LayeredObject>();
  const providers = new Map<string, ProviderRecord>();
  const [replaced, covered] = [new Set<string>(), new Set<string>()];
  const known = new Map<string, ObjectChange>();
  const findProvider = createProviderFinder(base);
  let seen = { version: '', below: '' };

  function put(change: ObjectChange, below: LayerIndex | null, records: VersionRecords): void {
    const lower = below?.objects.get(change.address);
    const own = records.get(change.url);
    if (own !== undefined) replaced.add(own.record.url);
    if (lower !== undefined) covered.add(lower.record.url);
    const under: LayeredObject | undefined = lower ?? (own && toUnchangedObject(base, own));
    const found = layOver(change, under);
    if (found === null) return;
    objects.set(change.address, found);
    // What it is about is found when an index is built; of what is added here only, nobody has found it.
    const topics = own?.findTopics() ?? ofOtherField;
    index.put([buildVersionDocument(found.record, { isDead: found.isDead, ...topics }, encoder)]);
  }

  /** Null where it is of something that is no longer in the catalogue. */
  function layOver(change: ObjectChange, under: LayeredObject | undefined): LayeredObject | null {
    const { isAdded, isHidden, fields } = change.state;
    const named = fields.provider === undefined ? null : findProvider(fields.provider, change.url);
    const before = isAdded ? { url: change.url, popularity: ADDED_POPULARITY } : under?.record;
    if (before === undefined) return null;
    // An edit that does not fit what is imported by now is left out.
    const record = editRecord(before, fields, named?.id) ?? (isAdded ? undefined : under?.record);
    if (record === undefined) return null;
    if (named !== null) providers.set(named.id, named);
    const scope = change.tenantId === EVERY_TENANT ? 'all' : 'tenant';
    return {
      record,
      provider: named?.name ?? under?.provider ?? record.provider,
      isDead: under?.isDead ?? false,
      origin: isAdded ? 'added' : (under?.origin ?? 'added'),
      isEdited: (under?.isEdited ?? false) || (!isAdded && Object.keys(fields).length > 0),
      hiddenFor: under?.hiddenFor ?? (isHidden ? scope : null),
    };
  }

  function clear(): void {
    index.remove([...objects.values()].map(({ record }) => record.url));
    for (const kept of [objects, providers, replaced, covered, known]) kept.clear();
  }

  const isNews = ({ address, version }: ObjectChange) => known.get(address)?.version !== version;

  /** What is below changes seldom: then everything is laid over it anew. */
  const isOther = ({ changes }: ObjectLayer, below: LayerIndex | null) =>
    seen.below !== (below?.version ?? '') || [...known.keys()].some((address) => !changes.has(address));

  const isAt = ({ version }: ObjectLayer, below: LayerIndex | null) =>
    seen.version === version && seen.below === (below?.version ?? '');

  return {
    index,
    objects,
    providers,
    replaced,
    covered,
    get version() {
      return seen.version;
    },
    isAt,
    listNeeded(layer, below) {
      if (isAt(layer, below)) return [];
      const changes = [...layer.changes.values()];
      return (isOther(layer, below) ? changes : changes.filter(isNews)).map(({ url }) => url);
    },
    update(layer, below, records) {
      if (isAt(layer, below)) return;
      if (isOther(layer, below)) clear();
      for (const [address, change] of layer.changes) {
        if (!isNews(change)) continue;
        const before = objects.get(address);
        if (before !== undefined) index.remove([before.record.url]);
        objects.delete(address);
        known.set(address, change);
        put(change, below, records);
      }
      seen = { version: layer.version, below: below?.version ?? '' };
    },
  };
}

/** As it was found; nobody has changed it. */
export function toUnchangedObject(
  { providers }: Pick<BaseCatalog, 'providers'>,
  { record, isImported, isDead }: KnownRecord,
): LayeredObject {
  const provider = providers.get(record.provider)?.name ?? record.provider;
  const origin = isImported ? 'import' : 'starter';
  return { record, provider, isDead, origin, isEdited: false, hiddenFor: null };
}

/** The texts as they were typed. Undefined where it makes no record. */
function editRecord(
  before: Partial<LearningObjectRecord>,
  edits: ObjectEdits,
  provider: string | undefined,
): LearningObjectRecord | undefined {
  const { provider: _name, minutes, level, free, picture, ...texts } = edits;
  const learningTime = typeof minutes === 'number' ? toLearningTime(minutes) : minutes;
  const optional = { learningTime, level, free, picture, provider };
  const said = Object.entries({ ...before, ...texts, ...dropUndefined(optional) });
  // Null takes away what was known.
  return learningObjectRecord.safeParse(Object.fromEntries(said.filter(([, value]) => value !== null))).data;
}

function dropUndefined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Finds a provider of the catalogue by its name, or makes one up. */
function createProviderFinder(base: Pick<BaseCatalog, 'providers'>) {
  let ids: Map<string, ProviderRecord> | undefined;
  return (name: string, url: string): ProviderRecord => {
    ids ??= new Map(Array.from(base.providers.values(), (record) => [foldText(record.name), record]));
    const made = toObjectProvider(name, undefined, url);
    return ids.get(foldText(name)) ?? base.providers.get(made.id) ?? made;
  };
}
