// Brings the objects of a catalogue to the OpenSearch that is given. Run by test/adapters/opensearch/bringing.test.ts, which kills
// it; the built program is used, as on a real host.
import { join } from 'node:path';
import { checkExternalIndex } from '../../dist/src/adapters/local/versions/prepare-index.js';
import { openOpenSearchIndex } from '../../dist/src/adapters/opensearch/opensearch-index.js';
import { openStoreAt } from '../../dist/src/compose/open-store.js';
import { createImportedCatalog } from '../../dist/src/services/catalogue/imported-catalog.js';

const [catalogDir = '', dataDir = '', place = ''] = process.argv.slice(2);
const store = await openStoreAt(`sqlite:${join(dataDir, 'skilldock.db')}`, { mustExist: true });
const { address, ...options } = JSON.parse(place);
const external = openOpenSearchIndex({ nodes: [address], replicas: 0, ...options });
const imported = createImportedCatalog(store);
process.stdout.write(JSON.stringify(await checkExternalIndex({ catalogDir, dataDir, imported, external })));
await external.close();
await store.close();
