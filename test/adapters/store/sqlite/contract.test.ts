import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSqliteStore } from '../../../../src/adapters/store/sqlite/sqlite-store.ts';
import { describeStoreContract } from '../../../contract/store/index.ts';

describeStoreContract('SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'skilldock-test-'));
  const path = join(folder, 'skilldock.db');
  const store = createSqliteStore(path);
  return {
    store,
    openAnother: async () => createSqliteStore(path),
    async close() {
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
});
