import { afterAll, describe } from 'vitest';
import { type OpenSearchIndex, openOpenSearchIndex } from '../../../src/adapters/opensearch/opensearch-index.ts';
import { draw } from '../../helpers/draw.ts';
import { startOpenSearch } from '../../helpers/opensearch-node.ts';
import { keepObjectsIn } from '../local/services.ts';

const node = await startOpenSearch();

/** Files that test the embedded catalogue. */
const suites = [
  'search-learning-objects',
  'search-ranking',
  'search-filters',
  'search-details',
  'first-found',
  'corrected-words',
  'local-learning-service',
  'browse',
];

/** What the embedded catalogue has to give, the catalogue on OpenSearch has to give as well. */
describe.skipIf(node === null)('on OpenSearch', async () => {
  if (node === null) return;
  const stores = new Map<string, OpenSearchIndex>();
  afterAll(async () => {
    // The next file of tests may share what this one has loaded.
    keepObjectsIn(null);
    await Promise.all([...stores.values()].map((store) => store.close()));
  });
  keepObjectsIn((catalogDir) => {
    const prefix = `${node.prefix}-${stores.size}`;
    const store = stores.get(catalogDir) ?? openOpenSearchIndex({ nodes: [node.address], prefix, replicas: 0 });
    stores.set(catalogDir, store);
    return store;
  });
  for (const name of draw(suites, 'suites of the catalogue on OpenSearch', 3)) {
    // By a name of its own, or tests that were loaded for their own file would not be there a
    // second time.
    await import(`${new URL(`../local/${name}.test.ts`, import.meta.url).pathname}?on=opensearch`);
  }
});
