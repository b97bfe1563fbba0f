import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeStoreContract } from '../../../contract/store/index.ts';
import { openTestStore } from '../../../helpers/test-store.ts';

describeStoreContract('SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'skilldock-test-'));
  const path = join(folder, 'skilldock.db');
  const store = openTestStore(path);
  return {
    store,
    openAnother: async () => openTestStore(path),
    async close() {
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
});
