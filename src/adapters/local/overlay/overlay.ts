import { normalizeObjectAddress } from '#domain/learning-object';
import { createObjectIndex, type ObjectIndexStats } from '#engine/objects/object-index';
import { type LiveSegment, selectSegments } from '#engine/objects/segment/segment';
import type { Encoder } from '#ports/encoder';
import { buildVersionDocument } from '../versions/build-version.ts';
import { selectOfOrigin, type VersionObjects, type VersionRecord } from '../versions/version-objects.ts';
import type { LaidObject, VersionChanges } from './import-changes.ts';

/** Of the objects that are laid over one version: what stays the same from one change to the next is not indexed again. */
export interface LaidIndex {
  /** Makes it hold these and nothing else, without a long pause.
   *  @returns what is searched, which later changes leave as it is */
  hold(objects: VersionChanges['objects']): Promise<LaidSegments>;
}

export interface LaidSegments {
  readonly parts: readonly LiveSegment[];
  readonly stats: ObjectIndexStats;
}

/** So many are indexed before others get their turn. */
const AT_ONCE = 50;

/** @param encoder gives objects vectors; absent where they are found by words alone */
export function createLaidIndex(encoder?: Encoder): LaidIndex {
  const index = createObjectIndex();
  const held = new Map<string, LaidObject>();
  return {
    async hold(objects) {
      const wanted = listLaid(objects);
      const urls = new Set(wanted.map(({ record }) => record.url));
      const gone = [...held.keys()].filter((url) => !urls.has(url));
      index.remove(gone);
      for (const url of gone) held.delete(url);
      const others = wanted.filter((object) => held.get(object.record.url) !== object);
      for (let start = 0; start < others.length; start += AT_ONCE) {
        for (const object of others.slice(start, start + AT_ONCE)) {
          const { record, isDead, topics } = object;
          index.put([buildVersionDocument(record, { isDead, ...topics }, encoder)]);
          held.set(record.url, object);
        }
        index.select([]);
        await new Promise((resolve) => setImmediate(resolve));
      }
      const parts = index.select([]).map((part) => ({ ...part, live: part.live.slice() }));
      return { parts, stats: index.stats() };
    },
  };
}

function listLaid(objects: VersionChanges['objects']): LaidObject[] {
  return [...objects.values()].filter((object) => object !== null);
}

/** The objects of a version with changes laid over them: what is searched is what a build of both would have. */
export function layOverObjects(
  base: VersionObjects,
  { objects, replaced }: Pick<VersionChanges, 'objects' | 'replaced'>,
  { parts }: Pick<LaidSegments, 'parts'>,
): VersionObjects {
  const starter = listLaid(objects)
    .filter(({ isImported }) => !isImported)
    .map(({ record }) => record.url);
  const hidden = [...replaced.values()].map(({ record }) => record.url);
  const own = { select: (without: Iterable<string>) => selectSegments(parts, without, 'without') };

  return {
    view(selection) {
      const without = [...selection.without];
      const laid = selectOfOrigin(own, starter, { ...selection, without });
      return base.view({
        ...selection,
        without: [...without, ...hidden],
        beside: [...laid, ...selection.beside],
      });
    },
    async findRecords(urls) {
      const found = urls.map((url) => objects.get(normalizeObjectAddress(url)));
      const unchanged = await base.findRecords(urls.filter((_, i) => found[i] === undefined));
      const own = urls.flatMap((url, i) => {
        const object = found[i];
        return object ? [[url, toVersionRecord(object)] as const] : [];
      });
      return new Map([...unchanged, ...own]);
    },
  };
}

function toVersionRecord({ topics, ...known }: LaidObject): VersionRecord {
  return { ...known, findTopics: () => topics };
}
