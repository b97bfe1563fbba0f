import { afterAll, describe } from 'vitest';
import { type OpenSearchStore, openOpenSearchStore } from '../../../src/adapters/opensearch/objects-store.ts';
import { startOpenSearch } from '../../helpers/opensearch-node.ts';
import { keepObjectsIn } from '../local/services.ts';

const node = await startOpenSearch();

/** What the embedded catalogue has to give, the catalogue on OpenSearch has to give as well: the tests are the same files. */
describe.skipIf(node === null)('on OpenSearch', async () => {
  if (node === null) return;
  const stores = new Map<string, OpenSearchStore>();
  afterAll(() => Promise.all([...stores.values()].map((store) => store.close())));
  keepObjectsIn((catalogDir) => {
    const prefix = `${node.prefix}-${stores.size}`;
    const store =
      stores.get(catalogDir) ?? openOpenSearchStore({ nodes: [node.address], prefix, replicas: 0 });
    stores.set(catalogDir, store);
    return store;
  });
  await import('../local/search-learning-objects.test.ts');
  await import('../local/search-ranking.test.ts');
  await import('../local/search-filters.test.ts');
  await import('../local/search-details.test.ts');
  await import('../local/first-found.test.ts');
  await import('../local/corrected-words.test.ts');
  await import('../local/local-learning-service.test.ts');
  await import('../local/browsing/browse.test.ts');
});
