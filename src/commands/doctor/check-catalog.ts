import { useCatalogStore } from '#compose/catalog';
import type { Config } from '#config';
import { type Finding, fault, ok, toFaultFinding } from './finding.ts';

const NAME = 'objects';

/** Whether what keeps the learning objects can be used; nothing where that is our own engine. */
export async function checkCatalogStore(config: Config): Promise<readonly Finding[]> {
  if (config.catalog === undefined) return [];
  const { nodes } = config.catalog;
  try {
    return await useCatalogStore(config, async (store) => {
      const state = await store?.describe();
      if (state === undefined) return [];
      const found = `OpenSearch ${state.version} at ${nodes.join(', ')}, ${state.health}, ${state.documents} documents`;
      const advice = 'See which shards are not assigned, and why: GET /_cluster/allocation/explain.';
      return [state.health === 'red' ? fault(NAME, found, advice) : ok(NAME, found)];
    });
  } catch (error) {
    return [toFaultFinding(NAME, error)];
  }
}
