import { LRUCache } from 'lru-cache';
import { normalizeObjectAddress } from '../../domain/learning-object.ts';
import { createObjectView } from '../../engine/objects/object-view.ts';
import type { LiveSegment } from '../../engine/objects/segment/segment.ts';
import type { ObjectVectors } from '../../engine/objects/types.ts';
import { openPhrases } from '../../engine/terms/suggest/complete-phrases.ts';
import type { OpenPhrase } from '../../engine/terms/types.ts';
import type { TenantLayer } from '../../ports/object-catalog.ts';
import { listSuggestPhrases } from './build-version.ts';
import type { BaseCatalog, CatalogView, ViewOf } from './catalog-view.ts';
import { createLayerIndex, type LayeredObject, type LayerIndex } from './layer-index.ts';
import { textOfObject } from './meaning/version-texts.ts';
import type { SelectVectors } from './meaning/version-vectors.ts';
import { toKnownObject } from './record-cache.ts';

/** The layers that a tenant's catalogue is made of, the lowest first. */
export interface CatalogLayers {
  readonly all: LayerIndex;
  readonly own: LayerIndex;
  /** What counts at an address; undefined where nothing was changed there. */
  findLayered(url: string): LayeredObject | undefined;
  /** What of each layer no other one lies over: that of the catalogue first. */
  select(isWanted: (object: LayeredObject) => boolean): readonly (readonly LiveSegment[])[];
}

interface KeptView {
  readonly layers: CatalogLayers;
  readonly view: CatalogView;
}

export interface LayeredCatalog {
  readonly viewOf: ViewOf;
  layersOf(layer: TenantLayer): CatalogLayers;
}

export interface LayeredCatalogDeps {
  /** Told of the texts of changed objects: they need vectors of their own. */
  wantVectors?(texts: readonly string[]): void;
}

/** As many as are searched at about the same time: each holds a bit for each object, and its own objects. */
const MAX_LAYERS = 200;

/** Lays what was changed over one version of the catalogue: small indexes of the changed objects beside the big one, from which the
 *  objects that they replace are left out. A change costs as much as the object it is of. */
export function createLayeredCatalog(
  base: BaseCatalog,
  { wantVectors }: LayeredCatalogDeps = {},
): LayeredCatalog {
  const layers = new LRUCache<string, LayerIndex>({ max: MAX_LAYERS });
  const views = new LRUCache<string, KeptView>({ max: MAX_LAYERS });
  const every = createLayerIndex(base);

  /** Views of tenants without changes are shared, so that theirs must never get any. */
  function findOwn({ tenantId, version }: TenantLayer['own']): LayerIndex {
    if (version === '') return createLayerIndex(base);
    const own = layers.get(tenantId) ?? createLayerIndex(base);
    layers.set(tenantId, own);
    return own;
  }

  function layersOf(layer: TenantLayer): CatalogLayers {
    // Whoever looks without what counts for all must not clear it for all others.
    const all = layer.all.version === '' ? createLayerIndex(base) : every;
    all.update(layer.all, null);
    const own = findOwn(layer.own);
    own.update(layer.own, all);
    return {
      all,
      own,
      findLayered(url) {
        const address = normalizeObjectAddress(url);
        return own.objects.get(address) ?? all.objects.get(address);
      },
      select: (isWanted) => selectLayers({ base, all, own }, isWanted),
    };
  }

  function makeView(layers: CatalogLayers): CatalogView {
    const { select, findLayered, all, own } = layers;
    const objects = createObjectView(select(({ hiddenFor }) => hiddenFor === null).flat());
    const changed = new Map([...all.objects, ...own.objects]);
    let phrases: readonly OpenPhrase[] | undefined;
    const visible = [...changed.values()].filter(({ hiddenFor }) => hiddenFor === null);
    const added = visible.flatMap(({ record: { provider: id } }) => {
      const named = base.providers.has(id) ? undefined : (own.providers.get(id) ?? all.providers.get(id));
      return named === undefined ? [] : [[id, named] as const];
    });
    const texts = new Map(visible.map(({ record }) => [record.url, textOfObject(record)]));
    wantVectors?.([...texts.values()]);
    return {
      objects,
      selectVectors: selectLayeredVectors(texts),
      findObject(url) {
        const found = findLayered(url);
        if (found === undefined) return base.findObject(url);
        return found.hiddenFor === null ? toKnownObject(found.record, found.provider) : null;
      },
      providers: added.length === 0 ? base.providers : new Map([...base.providers, ...added]),
      languages: new Set([...base.languages, ...visible.map(({ record }) => record.lang)]),
      listPhrases: () =>
        (phrases ??= openPhrases(visible.flatMap(({ record }) => listSuggestPhrases(record)))),
    };
  }

  return {
    layersOf,
    viewOf(layer) {
      if (layer === undefined || layer.stamp === '') return base;
      const known = views.get(layer.stamp);
      // Somebody whose layers are older may have been here since.
      if (known?.layers.all.isAt(layer.all, null) && known.layers.own.isAt(layer.own, known.layers.all))
        return known.view;
      const made = layersOf(layer);
      const view = makeView(made);
      views.set(layer.stamp, { layers: made, view });
      return view;
    },
  };
}

function selectLayers(
  { base, all, own }: { base: BaseCatalog; all: LayerIndex; own: LayerIndex },
  isWanted: (object: LayeredObject) => boolean,
): readonly (readonly LiveSegment[])[] {
  const unwanted = ({ objects }: LayerIndex) =>
    [...objects.values()].filter((object) => !isWanted(object)).map(({ record }) => record.url);
  return [
    base.objects.select([...all.replaced, ...own.replaced]),
    all.index.select([...unwanted(all), ...own.covered]),
    own.index.select(unwanted(own)),
  ];
}

/** Those of the version, but for objects that were changed or added: theirs are found by their texts.
 *  @param texts by id */
function selectLayeredVectors(texts: ReadonlyMap<string, string>): SelectVectors {
  const selected = new WeakMap<object, ObjectVectors>();
  return (vectors) => {
    const known = selected.get(vectors);
    if (known !== undefined) return known;
    const { objects, rowOfText } = vectors;
    const rows = new Map(Array.from(texts, ([id, text]) => [id, rowOfText(text)]));
    const made: ObjectVectors = { rows: objects.rows, rowOf: (id) => rows.get(id) ?? objects.rowOf(id) };
    selected.set(vectors, made);
    return made;
  };
}
