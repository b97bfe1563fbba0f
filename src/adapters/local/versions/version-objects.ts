import type { ObjectIndex } from '#engine/objects/object-index';
import { createObjectView, type ObjectSearch } from '#engine/objects/object-view';
import { type LiveSegment, selectSegments } from '#engine/objects/segment/segment';
import type { ObjectDocument } from '#engine/objects/types';
import type { CatalogListRequest } from '#ports/object-catalog';
import type { KnownRecord } from './records-file.ts';

/** An object of a version, as nobody changed it. */
export type VersionRecord = KnownRecord & {
  findTopics(): Required<Pick<ObjectDocument, 'topics' | 'widerTopics'>>;
};

/** By the addresses that were asked for, however they are spelt; what is not there has none. */
export type VersionRecords = ReadonlyMap<string, VersionRecord>;

/** The objects of one version of the catalogue: in an index of our own, or in one elsewhere. */
export interface VersionObjects {
  /** Searches what is selected of them, with small indexes beside it. */
  view(selection: VersionSelection): ObjectSearch;
  findRecords(urls: readonly string[]): Promise<VersionRecords>;
}

export interface VersionSelection {
  /** Ids that are left out. */
  readonly without: Iterable<string>;
  readonly beside: readonly LiveSegment[];
  /** Null for all; one that a version has none of leaves what is beside it. */
  readonly origin?: CatalogListRequest['origin'];
  /** Of both. */
  readonly among?: CatalogListRequest['among'];
}

export interface OwnObjectsDeps {
  readonly index: Pick<ObjectIndex, 'select' | 'findTopics'>;
  /** Null where there is none, or where it cannot be read. */
  findRecord(url: string): KnownRecord | null;
  /** Addresses of the objects that come from the starter catalogue. */
  readonly starter: readonly string[];
}

/** In our own index. */
export function createOwnObjects({ index, findRecord, starter }: OwnObjectsDeps): VersionObjects {
  return {
    view(selection) {
      const { beside, among = null } = selection;
      const parts = [...selectOfOrigin(index, starter, selection), ...beside];
      return createObjectView(among === null ? parts : selectSegments(parts, among.urls, among.how));
    },
    findRecords: async (urls) =>
      new Map(
        urls.flatMap((url) => {
          const known = findRecord(url);
          if (known === null) return [];
          return [[url, { ...known, findTopics: () => index.findTopics(known.record.url) }] as const];
        }),
      ),
  };
}

/** What is selected of an index.
 *  @param starter ids of those that come from the starter catalogue */
export function selectOfOrigin(
  index: Pick<ObjectIndex, 'select'>,
  starter: readonly string[],
  { without, origin = null }: Pick<VersionSelection, 'without' | 'origin'>,
): readonly LiveSegment[] {
  if (origin !== null && origin !== 'starter' && origin !== 'import') return [];
  const parts = index.select(without);
  return origin === null ? parts : selectSegments(parts, starter, origin === 'starter' ? 'only' : 'without');
}
