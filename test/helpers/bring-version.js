// Brings the objects of a catalogue to the OpenSearch that is given. Run by test/adapters/opensearch/bringing.test.ts, which kills
// it; the built program is used, as on a real host.
import { join } from 'node:path';
import { checkKeptVersion } from '../../dist/src/adapters/local/versions/check-version.js';
import { openOpenSearchStore } from '../../dist/src/adapters/opensearch/objects-store.js';
import { openStoreAt } from '../../dist/src/compose/open-store.js';
import { createImportedCatalog } from '../../dist/src/services/catalogue/imported-catalog.js';

const [catalogDir = '', dataDir = '', place = ''] = process.argv.slice(2);
const store = await openStoreAt(`sqlite:${join(dataDir, 'skilldock.db')}`, { mustExist: true });
const { address, ...options } = JSON.parse(place);
const elsewhere = openOpenSearchStore({ nodes: [address], replicas: 0, ...options });
const imported = createImportedCatalog(store);
process.stdout.write(JSON.stringify(await checkKeptVersion({ catalogDir, dataDir, imported, elsewhere })));
await elsewhere.close();
await store.close();
