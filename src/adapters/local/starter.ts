import type { LearningObjectRecord, ProviderRecord } from '#adapters/catalog/catalog-schema';
import { normalizeObjectAddress } from '#domain/learning-object';
import {
  readCatalogConcepts,
  readCatalogFields,
  readCatalogObjects,
  readCatalogProviders,
} from './starter-catalog.ts';
import type { FoundTopics, Topics } from './topics/topics.ts';
import { createCatalogTopics } from './versions/build-version.ts';

/** What the starter catalogue says to what is laid over a version. Each part is read when it is first asked for: many hosts never need
 *  it. Errors: CATALOG_INVALID. */
export interface Starter {
  listProviders(): readonly ProviderRecord[];
  /** Null where it has none at this address. */
  findObject(address: string): LearningObjectRecord | null;
  findTopics(record: LearningObjectRecord): FoundTopics;
  /** Reads what the first small import would have to wait for. */
  prepare(): void;
}

export function createStarterReader(catalogDir: string): Starter {
  let objects: ReadonlyMap<string, LearningObjectRecord> | undefined;
  let topics: Topics | undefined;
  const openTopics = () =>
    (topics ??= createCatalogTopics({
      concepts: readCatalogConcepts(catalogDir),
      fields: readCatalogFields(catalogDir),
    }));
  return {
    listProviders: () => readCatalogProviders(catalogDir),
    findObject(address) {
      // Of those at one address the first counts, as in building.
      objects ??= new Map(
        readCatalogObjects(catalogDir)
          .toReversed()
          .map((record) => [normalizeObjectAddress(record.url), record]),
      );
      return objects.get(address) ?? null;
    },
    findTopics: (record) => openTopics().find(record),
    prepare: () => void openTopics(),
  };
}
