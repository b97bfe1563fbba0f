import { limitConcurrency } from '#domain/async/limit-concurrency';
import { normalizeObjectAddress } from '#domain/learning-object';
import { createObjectIndex, type ObjectIndex, type ObjectIndexStats } from '#engine/objects/object-index';
import { type LiveSegment, selectSegments } from '#engine/objects/segment/segment';
import type { Encoder } from '#ports/encoder';
import { toObjectDocument } from '../versions/build-version.ts';
import { isSelectedObject, type VersionObject, type VersionObjects } from '../versions/version-objects.ts';

/** An object of the base at a changed address, and its replacement; null means no object. */
export interface OverlayEntry {
  readonly base: VersionObject | null;
  readonly object: VersionObject | null;
}

/** Changed objects by normalized address. */
export type OverlayEntries = ReadonlyMap<string, OverlayEntry>;

/** Changed objects with their index. Immutable. */
export interface Overlay {
  readonly entries: OverlayEntries;
  readonly segments: readonly LiveSegment[];
}

/** Puts an overlay on top of objects: a search of the result equals a search of one index of both.
 *  The overlay of imports applies to a version without overlays; changes by administrators for all
 *  tenants apply to the result, and those of a tenant to both. */
export function overlayObjects(base: VersionObjects, { entries, segments }: Overlay): VersionObjects {
  const changed = [...entries.values()];
  const replaced = changed.flatMap((entry) => entry.base?.record.url ?? []);
  return {
    view(selection) {
      const { which, without = [], beside = [] } = selection;
      const unwanted = changed.flatMap(({ object }) =>
        object === null || isSelectedObject(object, which) ? [] : [object.record.url],
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

export type OverlayIndex = ReturnType<typeof createOverlayIndex>;

/** @param encoder absent if objects are found by words alone */
export function createOverlayIndex(encoder?: Encoder) {
  const state: IndexState = { index: createObjectIndex(), indexed: new Map(), encoder };
  const runInTurn = limitConcurrency({ running: 1 });
  return {
    /** Indexes new objects (by JavaScript identity), a few at a time, and drops missing ones. */
    update: (entries: OverlayEntries): Promise<Overlay> => runInTurn(() => updateOverlayIndex(state, entries)),
    stats: (): ObjectIndexStats => state.index.stats(),
  };
}

interface IndexState {
  readonly index: ObjectIndex;
  readonly indexed: Map<string, VersionObject>;
  readonly encoder: Encoder | undefined;
}

/** Objects to index before other requests are answered. */
const BATCH = 50;

async function updateOverlayIndex(state: IndexState, entries: OverlayEntries): Promise<Overlay> {
  const { index, indexed, encoder } = state;
  const objects = new Map<string, VersionObject>();
  for (const { object } of entries.values()) if (object !== null) objects.set(object.record.url, object);
  const removed = [...indexed.keys()].filter((id) => !objects.has(id));
  index.remove(removed);
  for (const id of removed) indexed.delete(id);
  const added = [...objects.values()].filter((object) => indexed.get(object.record.url) !== object);
  for (let start = 0; start < added.length; start += BATCH) {
    for (const object of added.slice(start, start + BATCH)) {
      const { record, isDead } = object;
      index.put([toObjectDocument(record, { isDead, ...object.findTopics() }, encoder)]);
      indexed.set(record.url, object);
    }
    index.select([]);
    await new Promise((resolve) => setImmediate(resolve));
  }
  // Copied, because later updates change the sets.
  const segments = index.select([]).map((part) => ({ ...part, live: part.live.slice() }));
  return { entries, segments };
}
