import Database from 'libsql';
import { AppError } from '../../errors.ts';
import type { Store } from '../../ports/store.ts';
import { createApiKeyRepository } from './api-keys.ts';
import { createFeedbackRepository } from './feedback.ts';
import { migrate } from './migrations.ts';

/** The embedded store: one SQLite file with a write-ahead log, so that a command beside the running host can use it too.
 *  Errors: STORE_UNAVAILABLE when the file cannot be opened. */
export function createSqliteStore(path: string): Store {
  const database = open(path);
  return {
    feedback: createFeedbackRepository(database),
    apiKeys: createApiKeyRepository(database),
    async check() {
      try {
        database.prepare('SELECT 1').get();
      } catch (cause) {
        throw unavailable(path, cause);
      }
    },
    async close() {
      database.close();
    },
  };
}

function open(path: string): Database.Database {
  try {
    const database = new Database(path, { timeout: 5000 });
    database.pragma('journal_mode = WAL');
    // FULL, not WAL's usual NORMAL: what was acknowledged must survive a power cut as well as a killed process.
    database.pragma('synchronous = FULL');
    database.pragma('foreign_keys = ON');
    migrate(database);
    return database;
  } catch (cause) {
    throw unavailable(path, cause);
  }
}

function unavailable(path: string, cause: unknown): AppError {
  return new AppError(
    'STORE_UNAVAILABLE',
    `The store ${path} cannot be used (${cause instanceof Error ? cause.message : cause}). Check that the file is readable and writable by this user and not damaged.`,
    { cause },
  );
}
