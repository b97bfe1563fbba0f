import Database from 'libsql';
import { AppError } from '../../errors.ts';
import type { Store } from '../../ports/store.ts';
import { createApiKeyRepository } from './api-keys.ts';
import { createFeedbackRepository } from './feedback.ts';
import { migrate } from './migrations.ts';

/** The embedded store: one SQLite file with a write-ahead log, so that a command beside the running host can use it too.
 *  Errors: STORE_UNAVAILABLE when the file cannot be opened; every call of the store may reject with it. */
export function createSqliteStore(path: string): Store {
  const database = open(path);
  const explained = <T extends object>(repository: T) => explainFailures(repository, path);
  return {
    feedback: explained(createFeedbackRepository(database)),
    apiKeys: explained(createApiKeyRepository(database)),
    ...explained({
      async check() {
        database.prepare('SELECT 1').get();
      },
    }),
    async close() {
      database.close();
    },
  };
}

function open(path: string): Database.Database {
  let database: Database.Database | undefined;
  try {
    database = new Database(path, { timeout: 5000 });
    database.pragma('journal_mode = WAL');
    // FULL, not WAL's usual NORMAL: what was acknowledged must survive a power cut as well as a killed process.
    database.pragma('synchronous = FULL');
    database.pragma('foreign_keys = ON');
    migrate(database);
    return database;
  } catch (cause) {
    database?.close();
    throw unavailable(path, cause);
  }
}

/** The same repository, whose calls reject with STORE_UNAVAILABLE when the database is locked, full or damaged. */
function explainFailures<T extends object>(repository: T, path: string): T {
  const explained = Object.entries(repository).map(([name, call]) => [
    name,
    async (...args: unknown[]) => {
      try {
        return await call(...args);
      } catch (cause) {
        throw unavailable(path, cause);
      }
    },
  ]);
  return Object.fromEntries(explained) as T;
}

function unavailable(path: string, cause: unknown): AppError {
  return new AppError(
    'STORE_UNAVAILABLE',
    `The store ${path} cannot be used (${cause instanceof Error ? cause.message : cause}). Check that the file is readable and writable by this user and not damaged.`,
    { cause },
  );
}
