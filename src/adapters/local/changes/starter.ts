import { normalizeObjectAddress } from '../../../domain/learning-object.ts';
import type { LearningObjectRecord, ProviderRecord } from '../../catalog/catalog-schema.ts';
import type { FoundTopics } from '../browsing/topics.ts';
import { createCatalogTopics } from '../build-version.ts';
import { readCatalog } from '../catalog.ts';

/** What the starter catalogue says to what is laid over a version. */
export interface Starter {
  readonly providers: readonly ProviderRecord[];
  /** Null where it has none at this address. */
  findObject(address: string): LearningObjectRecord | null;
  findTopics(record: LearningObjectRecord): FoundTopics;
}

/** Read when it is first asked for: some hosts never need it. Errors: CATALOG_INVALID. */
export function createStarterReader(catalogDir: string): () => Starter {
  let starter: Starter | undefined;
  return () => (starter ??= readStarter(catalogDir));
}

function readStarter(catalogDir: string): Starter {
  const catalog = readCatalog(catalogDir);
  const objects = new Map<string, LearningObjectRecord>();
  // Of those at one address the first counts, as in building.
  for (const record of catalog.objects.toReversed()) objects.set(normalizeObjectAddress(record.url), record);
  return {
    providers: catalog.providers,
    findObject: (address) => objects.get(address) ?? null,
    findTopics: createCatalogTopics(catalog).find,
  };
}
