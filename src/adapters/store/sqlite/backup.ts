import { randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'libsql';
import { AppError } from '#errors';
import { type StoreCollection, storeCollections } from '#ports/store/store';
import { createDatabaseUnavailableError, openDatabase } from './database.ts';
import { longLivedTable } from './every-table.ts';
import { readBackupInto, removeReadBackup } from './read-backup.ts';
import { migrate } from './schema.ts';
import { writeCopy } from './write-copy.ts';

/** Writes a consistent copy of the store into a new file with mode 0600. The host may be running.
 *  Errors: BACKUP_FILE_EXISTS; STORE_UNAVAILABLE when there is no database, or one of the two files cannot be used. */
export function backUp(databasePath: string, file: string): void {
  if (!existsSync(databasePath)) throw createDatabaseUnavailableError(databasePath, 'there is no such file');
  const database = connect(databasePath, () => new Database(databasePath, { timeout: 5000 }));
  try {
    writeCopy(database, file);
  } finally {
    database.close();
  }
}

export interface Restoration {
  /** Records there are now. */
  readonly counts: Readonly<Record<StoreCollection, number>>;
  /** The backup of what was replaced, beside the database; null where there was no database. */
  readonly replaced: string | null;
}

/** Sessions and links that ended after the backup must not come back: people sign in again. */
const leftOut: ReadonlySet<StoreCollection> = new Set(['adminLinks', 'adminSessions']);

/** Puts the content of a backup, of this or an older version, in place of the present content, all at once; a running host
 *  sees it with its next call. Sessions and links of administrators end; rate windows, nonces and shared answers stay as they are. Until it is done, other processes can read; one
 *  that wants to write waits with everything it does, and is refused after five seconds.
 *  Errors: BACKUP_INVALID; STORE_UNAVAILABLE, also when the present database is damaged, as it cannot be kept then: move
 *  it away first. After an error the store is as it was. */
export function restoreBackup(databasePath: string, file: string, now: Date): Restoration {
  const replaced = existsSync(databasePath) ? keptPath(databasePath, now) : null;
  const copy = `${databasePath}.restoring-${randomUUID()}`;
  readBackupInto(file, copy);
  try {
    const database = connect(databasePath, () => openDatabase(databasePath));
    try {
      migrate(database);
      database.prepare('ATTACH ? AS backup').run(copy);
      return { counts: replaceContent(database, databasePath, replaced), replaced };
    } finally {
      database.close();
    }
  } catch (cause) {
    throw cause instanceof AppError ? cause : createDatabaseUnavailableError(databasePath, cause);
  } finally {
    removeReadBackup(copy);
  }
}

/** Without colons, which other systems and `scp` take for something else. */
function keptPath(databasePath: string, now: Date): string {
  const time = now.toISOString().replaceAll(':', '-');
  return join(dirname(databasePath), `skilldock-before-restore-${time}.db`);
}

function replaceContent(
  database: Database.Database,
  databasePath: string,
  replaced: string | null,
): Restoration['counts'] {
  const replace = database.transaction(() => {
    // By another connection, as this one is in a transaction. That keeps others from writing what would be neither in the copy
    // nor in the store.
    if (replaced !== null) backUp(databasePath, replaced);
    for (const collection of storeCollections.toReversed()) {
      database.exec(`DELETE FROM main.${longLivedTable(collection).name}`);
    }
    const counts = storeCollections.map((collection) => [collection, fill(database, collection)]);
    return Object.fromEntries(counts) as Restoration['counts'];
  });
  try {
    return replace.immediate();
  } catch (error) {
    if (replaced !== null && !isTaken(error)) rmSync(replaced, { force: true });
    throw error;
  }
}

function fill(database: Database.Database, collection: StoreCollection): number {
  if (leftOut.has(collection)) return 0;
  const { name, all } = longLivedTable(collection);
  const list = all.join(', ');
  return database.prepare(`INSERT INTO main.${name} (${list}) SELECT ${list} FROM backup.${name}`).run()
    .changes;
}

function isTaken(error: unknown): boolean {
  return error instanceof AppError && error.code === 'BACKUP_FILE_EXISTS';
}

function connect(path: string, open: () => Database.Database): Database.Database {
  try {
    return open();
  } catch (cause) {
    throw createDatabaseUnavailableError(path, cause);
  }
}
