import { createHash } from 'node:crypto';
import type { LearningObjectRecord, ProviderRecord } from '#adapters/catalog/catalog-schema';
import { OTHER_FIELD } from '#domain/catalog';
import type { ObjectIndex } from '#engine/objects/object-index';
import { createObjectView, type ObjectSearch } from '#engine/objects/object-view';
import { type LiveSegment, selectSegments } from '#engine/objects/segment/segment';
import type { CatalogListRequest, CatalogObject } from '#ports/object-catalog';
import type { ObjectTopics } from '../topics/topics.ts';
import type { StoredRecord } from './records-file.ts';

export interface VersionObject extends Pick<CatalogObject, 'origin' | 'isEdited' | 'hiddenFor'> {
  readonly record: LearningObjectRecord;
  readonly isDead: boolean;
  /** The provider that an administrator entered; absent if the provider is not edited. */
  readonly typedProvider?: ProviderRecord | undefined;
  findTopics(): ObjectTopics;
  /** Finds the code of the broad field of ISCED-F. */
  findField(): string | undefined;
}

export interface VersionObjects {
  view(selection: ObjectSelection): ObjectSearch;
  /** Finds objects by the given spellings of their addresses, without missing ones. */
  find(urls: readonly string[]): Promise<ReadonlyMap<string, VersionObject>>;
}

/** Searches find the `visible` objects; `all` are these and the hidden ones. */
type ObjectChoice = 'visible' | 'all' | NonNullable<CatalogListRequest['origin']>;

export interface ObjectSelection {
  readonly which: ObjectChoice;
  readonly without?: readonly string[];
  /** Objects of overlays, which are searched together with the selected ones. */
  readonly beside?: readonly LiveSegment[];
  /** Restricts the selected objects and those of overlays. */
  readonly among?: CatalogListRequest['among'];
}

export function isSelectedObject({ hiddenFor, isEdited, origin }: VersionObject, which: ObjectChoice): boolean {
  if (which === 'all') return true;
  if (which === 'visible') return hiddenFor === null;
  if (which === 'hidden') return hiddenFor !== null;
  return which === 'edited' ? isEdited : origin === which;
}

/** @returns the code of the broad field of ISCED-F; undefined for OTHER_FIELD */
export const findBroadField = ({ topics: [first = ''] }: ObjectTopics): string | undefined =>
  /^\d\d$/.test(first) && first !== OTHER_FIELD ? first : undefined;

export function toVersionObject(
  { record, isImported, isDead }: StoredRecord,
  findTopics: VersionObject['findTopics'],
  findField = () => findBroadField(findTopics()),
): VersionObject {
  const origin = isImported ? 'import' : 'starter';
  return { record, isDead, origin, isEdited: false, hiddenFor: null, findTopics, findField };
}

interface EmbeddedObjectsOptions {
  readonly index: Pick<ObjectIndex, 'select' | 'findTopics'>;
  findRecord(url: string): StoredRecord | null;
  readonly starterIds: readonly string[];
}

export function createEmbeddedObjects(options: EmbeddedObjectsOptions): VersionObjects {
  const { index, findRecord } = options;
  return {
    view(selection) {
      const { beside = [], among = null } = selection;
      const parts = [...selectByOrigin(options, selection), ...beside];
      return createObjectView(among === null ? parts : selectSegments(parts, among.urls, among.how));
    },
    find: async (urls) =>
      new Map(
        urls.flatMap((url) => {
          const stored = findRecord(url);
          if (stored === null) return [];
          const findTopics = () => index.findTopics(stored.record.url);
          return [[url, toVersionObject(stored, findTopics, () => stored.field)] as const];
        }),
      ),
  };
}

function selectByOrigin(
  { index, starterIds }: EmbeddedObjectsOptions,
  { which, without = [] }: ObjectSelection,
): readonly LiveSegment[] {
  if (which === 'visible' || which === 'all') return index.select(without);
  if (which === 'starter') return selectSegments(index.select(without), starterIds, 'only');
  return which === 'import' ? selectSegments(index.select(without), starterIds, 'without') : [];
}

/** A search engine outside this process that stores the objects of versions, such as OpenSearch. */
export interface ExternalIndex {
  /** Tells whether it has all objects of this version. Errors: CATALOG_UNAVAILABLE. */
  hasVersion(name: string, documents: number): Promise<boolean>;
  /** Selects the version if it is complete. @returns whether it is. Errors: CATALOG_UNAVAILABLE. */
  select(name: string, documents: number): Promise<boolean>;
  /** Sends all objects of a version, checks that they arrived, and makes the version the current
   *  one. It may be repeated, and run on several hosts at once. Errors: CATALOG_UNAVAILABLE, those
   *  of reading the file; the signal's reason. */
  fill(version: ExternalVersion, signal: AbortSignal): Promise<void>;
  /** Compares the stored objects with a version. @returns a sentence about what differs, or null
   *  Errors: CATALOG_UNAVAILABLE. */
  examine(version: Omit<ExternalVersion, 'path'>): Promise<string | null>;
  /** Removes the objects of a version. Errors: CATALOG_UNAVAILABLE. */
  drop(name: string): Promise<void>;
  /** Opens a version. Until its objects have been sent, searches reject with
   *  CATALOG_UNAVAILABLE. */
  open(name: string, words: LiveSegment): VersionObjects;
}

export interface ExternalVersion {
  readonly name: string;
  /** The file of documents that `createDocumentsWriter` wrote. */
  readonly path: string;
  readonly words: LiveSegment;
}

/** Returns the base of version keys: a version for an external index has other files.
 *  @param fingerprint that of the starter catalogue */
export function fingerprintVersionBase(fingerprint: string, external: ExternalIndex | undefined): string {
  if (external === undefined) return fingerprint;
  return createHash('sha256').update(`${fingerprint} elsewhere`).digest('hex');
}
