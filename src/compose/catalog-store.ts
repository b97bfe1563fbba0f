import type { OpenSearchStore } from '#adapters/opensearch/objects-store';
import type { Config } from '#config';

/** What keeps the learning objects; null for our own engine. Loaded only where it is used. Errors: CONFIG_INVALID. */
export async function openCatalogStore({
  catalog,
}: Pick<Config, 'catalog'>): Promise<OpenSearchStore | null> {
  if (catalog === undefined) return null;
  const { openOpenSearchStore } = await import('#adapters/opensearch/objects-store');
  const { caFile, apiKey, ...others } = catalog;
  return openOpenSearchStore({
    ...others,
    ...(caFile !== undefined && { caFile }),
    ...(apiKey !== undefined && { apiKey }),
  });
}

/** For the time of some work. */
export async function useCatalogStore<T>(
  config: Pick<Config, 'catalog'>,
  work: (store: OpenSearchStore | undefined) => Promise<T>,
): Promise<T> {
  const store = await openCatalogStore(config);
  try {
    return await work(store ?? undefined);
  } finally {
    await store?.close();
  }
}
