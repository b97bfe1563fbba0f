import { normalizeObjectAddress } from '../../../domain/learning-object.ts';
import { createObjectIndex, type ObjectIndex } from '../../../engine/objects/object-index.ts';
import { buildVersionDocument } from '../build-version.ts';
import { selectOfOrigin, type VersionObjects, type VersionRecord } from '../version-objects.ts';
import type { LaidObject, VersionChanges } from './find-changes.ts';

/** So many are indexed before others get their turn. */
const AT_ONCE = 50;

/** An index of what changed, without a long pause. */
export async function indexVersionChanges({ objects }: VersionChanges): Promise<ObjectIndex> {
  const index = createObjectIndex();
  const laid = [...objects.values()].filter((object) => object !== null);
  for (let start = 0; start < laid.length; start += AT_ONCE) {
    const some = laid.slice(start, start + AT_ONCE);
    index.put(some.map(({ record, isDead, topics }) => buildVersionDocument(record, { isDead, ...topics })));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return index;
}

/** The objects of a version with changes laid over them: what is searched is what a build of both would have. */
export function layOverObjects(
  base: VersionObjects,
  { objects, replaced }: Pick<VersionChanges, 'objects' | 'replaced'>,
  index: Pick<ObjectIndex, 'select'>,
): VersionObjects {
  const laid = [...objects.values()].filter((object) => object !== null);
  const starter = laid.filter(({ isImported }) => !isImported).map(({ record }) => record.url);

  return {
    view(selection) {
      const without = [...selection.without];
      const own = selectOfOrigin(index, starter, { ...selection, without });
      return base.view({
        ...selection,
        without: [...without, ...replaced],
        beside: [...own, ...selection.beside],
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
