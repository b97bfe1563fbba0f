import { LRUCache } from 'lru-cache';
import { normalizeObjectAddress } from '#domain/learning-object';
import { openSuggestPhrases } from '#engine/terms/suggest/completions';
import type { OpenPhrase } from '#engine/terms/types';
import type { Encoder } from '#ports/encoder';
import type { TenantLayer } from '#ports/object-catalog';
import type { BaseCatalog, CatalogView, ViewOf } from '../catalog-view.ts';
import { toKnownObject } from '../record-cache.ts';
import { listSuggestPhrases } from '../versions/suggest-phrases.ts';
import type { VersionRecord, VersionSelection } from '../versions/version-objects.ts';
import { createLayerIndex, type LayeredObject, type LayerIndex } from './tenant-edits.ts';

/** The layers that a tenant's catalogue is made of, the lowest first. */
export interface CatalogLayers {
  readonly all: LayerIndex;
  readonly own: LayerIndex;
  /** What counts at an address; undefined where nothing was changed there. */
  findLayered(url: string): LayeredObject | undefined;
  /** What of each layer no other one lies over. */
  select(isWanted: (object: LayeredObject) => boolean): Pick<VersionSelection, 'without' | 'beside'>;
}

interface KeptView {
  readonly layers: CatalogLayers;
  readonly view: CatalogView;
}

export interface LayeredCatalog {
  readonly viewOf: ViewOf;
  layersOf(layer: TenantLayer): Promise<CatalogLayers>;
}

/** As many as are searched at about the same time: each holds a bit for each object, and its own objects. */
const MAX_LAYERS = 200;

/** Lays what was changed over one version of the catalogue: small indexes of the changed objects beside the big one, from which the
 *  objects that they replace are left out. A change costs as much as the object it is of.
 *  @param encoder gives them vectors; absent where objects are found by words alone */
export function createLayeredCatalog(base: BaseCatalog, encoder?: Encoder): LayeredCatalog {
  const layers = new LRUCache<string, LayerIndex>({ max: MAX_LAYERS });
  const views = new LRUCache<string, KeptView>({ max: MAX_LAYERS });
  const every = createLayerIndex(base, encoder);

  /** Views of tenants without changes are shared, so that theirs must never get any. */
  function findOwn({ tenantId, version }: TenantLayer['own']): LayerIndex {
    if (version === '') return createLayerIndex(base, encoder);
    const own = layers.get(tenantId) ?? createLayerIndex(base, encoder);
    layers.set(tenantId, own);
    return own;
  }

  async function layersOf(layer: TenantLayer): Promise<CatalogLayers> {
    // Whoever looks without what counts for all must not clear it for all others.
    const all = layer.all.version === '' ? createLayerIndex(base, encoder) : every;
    const own = findOwn(layer.own);
    const records = new Map<string, VersionRecord>();
    const asked = new Set<string>();
    // Others may bring the same layers to another state while records are waited for; nothing is waited for after the last look.
    for (;;) {
      const needed = [...all.listNeeded(layer.all, null), ...own.listNeeded(layer.own, all)];
      const missing = needed.filter((url) => !asked.has(url));
      if (missing.length === 0) {
        const before = all.version;
        all.update(layer.all, null, records);
        if (all.version === before) break;
        // What lies over it is then laid anew.
        continue;
      }
      for (const url of missing) asked.add(url);
      for (const [url, record] of await base.version.findRecords(missing)) records.set(url, record);
    }
    own.update(layer.own, all, records);
    return {
      all,
      own,
      findLayered(url) {
        const address = normalizeObjectAddress(url);
        return own.objects.get(address) ?? all.objects.get(address);
      },
      select: (isWanted) => selectLayers({ all, own }, isWanted),
    };
  }

  function makeView(layers: CatalogLayers): CatalogView {
    const { select, findLayered, all, own } = layers;
    const objects = base.version.view(select(({ hiddenFor }) => hiddenFor === null));
    const changed = new Map([...all.objects, ...own.objects]);
    let phrases: readonly OpenPhrase[] | undefined;
    const visible = [...changed.values()].filter(({ hiddenFor }) => hiddenFor === null);
    const added = visible.flatMap(({ record: { provider: id } }) => {
      const named = base.providers.has(id) ? undefined : (own.providers.get(id) ?? all.providers.get(id));
      return named === undefined ? [] : [[id, named] as const];
    });
    return {
      objects,
      async findObjects(urls) {
        const found = urls.map(findLayered);
        const unchanged = await base.findObjects(urls.filter((_, i) => found[i] === undefined));
        const next = unchanged.values();
        return found.map((own) => {
          if (own === undefined) return next.next().value ?? null;
          return own.hiddenFor === null ? toKnownObject(own.record, own.provider) : null;
        });
      },
      providers: added.length === 0 ? base.providers : new Map([...base.providers, ...added]),
      languages: new Set([...base.languages, ...visible.map(({ record }) => record.lang)]),
      listPhrases: () =>
        (phrases ??= [
          ...base.listPhrases(),
          ...openSuggestPhrases(visible.flatMap(({ record }) => listSuggestPhrases(record))),
        ]),
    };
  }

  return {
    layersOf,
    async viewOf(layer) {
      if (layer === undefined || layer.stamp === '') return base;
      const known = views.get(layer.stamp);
      // Somebody whose layers are older may have been here since.
      if (known?.layers.all.isAt(layer.all, null) && known.layers.own.isAt(layer.own, known.layers.all))
        return known.view;
      const made = await layersOf(layer);
      const view = makeView(made);
      views.set(layer.stamp, { layers: made, view });
      return view;
    },
  };
}

function selectLayers(
  { all, own }: { all: LayerIndex; own: LayerIndex },
  isWanted: (object: LayeredObject) => boolean,
): Pick<VersionSelection, 'without' | 'beside'> {
  const unwanted = ({ objects }: LayerIndex) =>
    [...objects.values()].filter((object) => !isWanted(object)).map(({ record }) => record.url);
  return {
    without: [...all.replaced, ...own.replaced],
    beside: [...all.index.select([...unwanted(all), ...own.covered]), ...own.index.select(unwanted(own))],
  };
}
