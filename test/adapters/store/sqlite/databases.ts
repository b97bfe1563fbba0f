import { join } from 'node:path';
import Database from 'libsql';
import { onTestFinished } from 'vitest';
import type { Store } from '../../../../src/ports/store/store.ts';
import { makeTempDir } from '../../../helpers/temp-dir.ts';
import { openTestStore } from '../../../helpers/test-store.ts';

/** In a folder that is gone when the test is over. */
export const newPath = (): string => join(makeTempDir(), 'skilldock.db');

export function openStore(path = newPath()): Store {
  const store = openTestStore(path);
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
