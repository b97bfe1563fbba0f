import { join } from 'node:path';
import Database from 'libsql';
import { onTestFinished } from 'vitest';
import { createSqliteStore } from '../../../../src/adapters/store/sqlite/sqlite-store.ts';
import type { Store } from '../../../../src/ports/store/store.ts';
import { makeTempDir } from '../../../helpers/temp-dir.ts';

/** In a folder that is gone when the test is over. */
export const newPath = (): string => join(makeTempDir(), 'skilldock.db');

export function openStore(path = newPath()): Store {
  const store = createSqliteStore(path);
  onTestFinished(() => store.close());
  return store;
}

export function openRaw(path: string): Database.Database {
  const database = new Database(path);
  onTestFinished(() => {
    database.close();
  });
  return database;
}
