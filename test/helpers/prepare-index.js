// Prepares the index of what is in the store of the data folder that is given. Run by test/two-catalogues.test.ts, which kills
// it; the built program is used, as on a real host.
import { join, resolve } from 'node:path';
import { prepareIndex } from '../../dist/src/adapters/local/versions/prepare-index.js';
import { openStoreAt } from '../../dist/src/compose/open-store.js';
import { createImportedCatalog } from '../../dist/src/services/catalogue/imported-catalog.js';

const [dataDir = ''] = process.argv.slice(2);
const store = await openStoreAt(`sqlite:${join(dataDir, 'skilldock.db')}`, { mustExist: true });
await prepareIndex({ catalogDir: resolve('data'), dataDir, imported: createImportedCatalog(store) });
await store.close();
