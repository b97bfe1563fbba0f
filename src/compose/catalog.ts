import { join } from 'node:path';
import { readStarterCatalog } from '#adapters/local/starter-catalog';
import { isBuiltIndexCurrent } from '#adapters/local/versions/prepare-index';
import type { OpenSearchIndex } from '#adapters/opensearch/opensearch-index';
import type { Config } from '#config';
import { projectRoot } from '#project-root';

/** Folder of the starter catalogue, which comes with the program. */
export const catalogDir = join(projectRoot, 'data');

export interface CatalogState {
  readonly objects: number;
  readonly providers: number;
  /** Concepts by the display name of their taxonomy. */
  readonly taxonomies: ReadonlyMap<string, number>;
  /** Whether the index that came with the build is of this catalogue and this code. */
  readonly isIndexCurrent: boolean;
}

/** The starter catalogue, read and checked in full. Errors: CATALOG_INVALID. */
export function examineCatalog(): CatalogState {
  const { objects, providers, concepts } = readStarterCatalog(catalogDir);
  const taxonomies = new Map<string, number>();
  for (const { source } of concepts) taxonomies.set(source, (taxonomies.get(source) ?? 0) + 1);
  return {
    objects: objects.length,
    providers: providers.length,
    taxonomies,
    isIndexCurrent: isBuiltIndexCurrent(catalogDir),
  };
}

/** Opens the OpenSearch cluster with the learning objects; null for the built-in engine. The
 *  adapter is loaded only where it is used. Errors: CONFIG_INVALID. */
export async function openCatalogStore({ catalog }: Pick<Config, 'catalog'>): Promise<OpenSearchIndex | null> {
  if (catalog === undefined) return null;
  const { openOpenSearchIndex } = await import('#adapters/opensearch/opensearch-index');
  const { caFile, apiKey, ...others } = catalog;
  return openOpenSearchIndex({
    ...others,
    ...(caFile !== undefined && { caFile }),
    ...(apiKey !== undefined && { apiKey }),
  });
}

/** Runs the work with the cluster open. */
export async function useCatalogStore<T>(
  config: Pick<Config, 'catalog'>,
  work: (store: OpenSearchIndex | undefined) => Promise<T>,
): Promise<T> {
  const store = await openCatalogStore(config);
  try {
    return await work(store ?? undefined);
  } finally {
    await store?.close();
  }
}
