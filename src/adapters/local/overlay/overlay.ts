import { limitConcurrency } from '#domain/async/limit-concurrency';
import { normalizeObjectAddress } from '#domain/learning-object';
import { createObjectIndex, type ObjectIndex, type ObjectIndexStats } from '#engine/objects/object-index';
import type { LiveSegment } from '#engine/objects/segment/segment';
import { selectSegments } from '#engine/objects/segment/segment';
import type { Encoder } from '#ports/encoder';
import { toIndexDocument } from '../versions/build-version.ts';
import { isSelected, type VersionObject, type VersionObjects } from '../versions/version-objects.ts';

/** A changed address: the object of the base there, and the object that replaces it. Null for
 *  none. */
export interface OverlayEntry {
  readonly base: VersionObject | null;
  readonly object: VersionObject | null;
}

/** The changed addresses, as `normalizeObjectAddress` writes them. */
export type OverlayEntries = ReadonlyMap<string, OverlayEntry>;

/** Changed objects with their index. Immutable. */
export interface Overlay {
  readonly entries: OverlayEntries;
  readonly segments: readonly LiveSegment[];
}

/** The objects of a base with an overlay: a search of it equals a search of one index of both. The
 *  overlay of imports lies over a version as it was built; the overlay of what administrators
 *  changed for all tenants lies over that, and the one of a tenant over both. */
export function overlayObjects(base: VersionObjects, { entries, segments }: Overlay): VersionObjects {
  const changed = [...entries.values()];
  const replaced = changed.flatMap((entry) => entry.base?.record.url ?? []);
  return {
    view(selection) {
      const { which, without = [], beside = [] } = selection;
      const unwanted = changed.flatMap(({ object }) =>
        object === null || isSelected(object, which) ? [] : [object.record.url],
      );
      const selected = selectSegments(segments, [...without, ...unwanted], 'without');
      return base.view({
        ...selection,
        without: [...without, ...replaced],
        beside: [...selected.filter(({ liveCount }) => liveCount > 0), ...beside],
      });
    },
    async find(urls) {
      const changes = urls.map((url) => entries.get(normalizeObjectAddress(url)));
      const unchanged = await base.find(urls.filter((_, i) => changes[i] === undefined));
      const objects = urls.flatMap((url, i) => {
        const object = changes[i]?.object ?? null;
        return object === null ? [] : [[url, object] as const];
      });
      return new Map([...unchanged, ...objects]);
    },
  };
}

export interface OverlayIndex {
  /** Indexes the objects that are new since the last update, a few at a time, and removes those
   *  that are gone. An object is new if it is not the same JavaScript object. */
  update(entries: OverlayEntries): Promise<Overlay>;
  stats(): ObjectIndexStats;
}

/** @param encoder gives objects vectors; absent where they are found by words alone */
export function createOverlayIndex(encoder?: Encoder): OverlayIndex {
  const state: IndexState = { index: createObjectIndex(), indexed: new Map(), encoder };
  const runInTurn = limitConcurrency({ running: 1 });
  return {
    update: (entries) => runInTurn(() => updateIndex(state, entries)),
    stats: () => state.index.stats(),
  };
}

interface IndexState {
  readonly index: ObjectIndex;
  /** By id. */
  readonly indexed: Map<string, VersionObject>;
  readonly encoder: Encoder | undefined;
}

/** Objects that are indexed before requests are answered again. */
const BATCH = 50;

async function updateIndex(state: IndexState, entries: OverlayEntries): Promise<Overlay> {
  const { index, indexed, encoder } = state;
  const wanted = new Map<string, VersionObject>();
  for (const { object } of entries.values()) if (object !== null) wanted.set(object.record.url, object);
  const gone = [...indexed.keys()].filter((id) => !wanted.has(id));
  index.remove(gone);
  for (const id of gone) indexed.delete(id);
  const added = [...wanted.values()].filter((object) => indexed.get(object.record.url) !== object);
  for (let start = 0; start < added.length; start += BATCH) {
    for (const object of added.slice(start, start + BATCH)) {
      const { record, isDead } = object;
      index.put([toIndexDocument(record, { isDead, ...object.findTopics() }, encoder)]);
      indexed.set(record.url, object);
    }
    index.select([]);
    await new Promise((resolve) => setImmediate(resolve));
  }
  // Later updates change the sets of live documents.
  const segments = index.select([]).map((part) => ({ ...part, live: part.live.slice() }));
  return { entries, segments };
}
