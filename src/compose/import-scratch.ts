import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSqliteStore } from '../adapters/sqlite/sqlite-store.ts';
import type { ImportScratch } from '../services/imports/import-options.ts';

/** A store of its own in the folder for temporary files, so that a dry run reads sources of any size and writes nothing else.
 *  Errors: STORE_UNAVAILABLE. */
export async function openImportScratch(): Promise<ImportScratch> {
  const folder = await mkdtemp(join(tmpdir(), 'skilldock-import-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const store = createSqliteStore(join(folder, 'scratch.db'));
    return {
      entries: store.imports,
      async close() {
        await store.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
