import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, mkdtempSync, openSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import Database from 'libsql';
import { AppError, hasErrorCode } from '#errors';
import { SCHEMA_VERSION, type StoreCollection, shortLivedRecords, storeCollections } from '#ports/store/store';
import {
  connectDatabase,
  createDatabaseUnavailableError,
  isDatabaseOutOfSpace,
  openDatabase,
  readDatabaseVersion,
} from './database.ts';
import { migrate } from './schema.ts';
import { longLivedTable, tableOf } from './table.ts';

/** Writes a backup for this user alone. Errors: BACKUP_FILE_EXISTS; STORE_UNAVAILABLE. */
export function backUp(databasePath: string, file: string): void {
  if (!existsSync(databasePath)) throw createDatabaseUnavailableError(databasePath, 'there is no such file');
  const database = openExistingDatabase(databasePath);
  try {
    writeBackupCopy(database, file);
  } finally {
    database.close();
  }
}

function openExistingDatabase(path: string): Database.Database {
  try {
    return new Database(path, { timeout: 5000 });
  } catch (cause) {
    throw createDatabaseUnavailableError(path, cause);
  }
}

interface Restoration {
  readonly counts: Readonly<Record<StoreCollection, number>>;
  /** Backup of the replaced content, beside the database; null if there was no database. */
  readonly replaced: string | null;
}

/** Not restored, as sessions and links that ended after the backup must not be valid again. */
const notRestored: ReadonlySet<StoreCollection> = new Set(['adminLinks', 'adminSessions']);

/** Replaces the content of the store by a backup of this or an older version, all at once; a
 *  running host sees it with its next call. Sessions and links of administrators end; short-lived
 *  records (rate windows, nonces, shared answers …) stay where their tenant exists. Meanwhile,
 *  other processes can read; a writer blocks, and is refused after five seconds. Errors:
 *  BACKUP_INVALID; STORE_UNAVAILABLE, also when the current database is damaged, as it cannot be
 *  backed up then: move it away first. After an error the store is unchanged. */
export function restoreBackup(databasePath: string, file: string, now: Date): Restoration {
  const replaced = existsSync(databasePath) ? chooseReplacedBackupPath(databasePath, now) : null;
  const copy = `${databasePath}.restoring-${randomUUID()}`;
  readBackupInto(file, copy);
  try {
    const database = openDatabase(databasePath);
    try {
      migrate(database);
      database.prepare('ATTACH ? AS backup').run(copy);
      return { counts: restoreContent(database, databasePath, replaced), replaced };
    } finally {
      database.close();
    }
  } catch (cause) {
    throw cause instanceof AppError ? cause : createDatabaseUnavailableError(databasePath, cause);
  } finally {
    removeReadBackup(copy);
  }
}

/** Restores a backup into a store that is removed again. Errors: those of `restoreBackup`. */
export function checkBackup(file: string, now: Date, place: string = tmpdir()): Restoration['counts'] {
  const folder = mkdtempSync(join(place, 'skilldock-check-'));
  try {
    return restoreBackup(join(folder, 'skilldock.db'), file, now).counts;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Chooses a name without colons, which have a meaning for `scp` and other systems. */
function chooseReplacedBackupPath(databasePath: string, now: Date): string {
  const time = now.toISOString().replaceAll(':', '-');
  return join(dirname(databasePath), `skilldock-before-restore-${time}.db`);
}

function restoreContent(
  database: Database.Database,
  databasePath: string,
  replaced: string | null,
): Restoration['counts'] {
  const replace = database.transaction(() => {
    // By another connection, as this one is in a transaction, which keeps all others from writing.
    if (replaced !== null) backUp(databasePath, replaced);
    // Short-lived records stay, and refer to tenants that are there again at the end.
    database.pragma('defer_foreign_keys = ON');
    for (const collection of storeCollections.toReversed()) {
      database.exec(`DELETE FROM main.${longLivedTable(collection).name}`);
    }
    const counts = storeCollections.map((collection) => [collection, restoreTable(database, collection)]);
    for (const { name, columns } of shortLivedRecords.map(tableOf)) {
      if (columns.some((column) => column.name === 'tenant_id'))
        database.exec(`DELETE FROM main.${name} WHERE tenant_id NOT IN (SELECT id FROM main.tenants)`);
    }
    return Object.fromEntries(counts) as Restoration['counts'];
  });
  try {
    return replace.immediate();
  } catch (error) {
    if (replaced !== null && !hasErrorCode(error, 'BACKUP_FILE_EXISTS')) rmSync(replaced, { force: true });
    throw error;
  }
}

function restoreTable(database: Database.Database, collection: StoreCollection): number {
  if (notRestored.has(collection)) return 0;
  const { name, all } = longLivedTable(collection);
  const list = all.join(', ');
  return database.prepare(`INSERT INTO main.${name} (${list}) SELECT ${list} FROM backup.${name}`).run().changes;
}

/** Checks the copy and brings it up to date. Errors: BACKUP_INVALID; STORE_UNAVAILABLE. */
function readBackupInto(backup: string, copy: string): void {
  const path = resolve(backup);
  try {
    checkAndCopyBackup(path, copy);
    bringBackupUpToDate(copy);
  } catch (cause) {
    const error = explainBackupError(cause, { path, copy });
    removeReadBackup(copy);
    throw error;
  }
}

function explainBackupError(cause: unknown, { path, copy }: Readonly<Record<'path' | 'copy', string>>): AppError {
  if (cause instanceof AppError) return cause;
  if (isDatabaseOutOfSpace(copy, cause)) return createDatabaseUnavailableError(copy, cause);
  const why = cause instanceof Error ? cause.message : `${cause}`;
  return new AppError(
    'BACKUP_INVALID',
    `The file ${path} cannot be restored (${why}). Nothing was changed. Give a file that this or an older version of Skilldock wrote as a backup.`,
    { cause },
  );
}

/** Removes a copy with the files that SQLite may have beside it. */
function removeReadBackup(path: string): void {
  for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
}

function checkAndCopyBackup(path: string, copy: string): void {
  // libsql would create a missing file.
  if (!statSync(path).isFile()) throw new Error('it is not a file');
  const database = new Database(path, { timeout: 5000 });
  try {
    const version = readDatabaseVersion(database);
    if (version > SCHEMA_VERSION) throw new Error('it was made by a newer version of Skilldock');
    // Any database of another program, and an empty file too, which is a database without tables.
    if (version === 0) throw new Error('it is not a database of Skilldock');
    refuseBackupCode(database);
    checkBackupIntegrity(database);
    writeBackupCopy(database, copy);
  } finally {
    database.close();
  }
}

/** Refuses views, triggers and virtual tables: an endless view would run while all is locked. */
function refuseBackupCode(database: Database.Database): void {
  const code = database.prepare(
    "SELECT name FROM sqlite_schema WHERE type IN ('view', 'trigger') OR sql LIKE 'CREATE V%'",
  );
  const [first] = code.all() as { name: string }[];
  if (first !== undefined) throw new Error(`it has ${first.name}, which is not in a backup of Skilldock`);
}

function checkBackupIntegrity(database: Database.Database): void {
  const [first] = database.prepare('PRAGMA integrity_check(1)').all() as { integrity_check: string }[];
  if (first?.integrity_check !== 'ok') throw new Error(`it is damaged: ${first?.integrity_check}`);
}

function bringBackupUpToDate(copy: string): void {
  const database = connectDatabase(copy);
  try {
    database.pragma('foreign_keys = ON');
    migrate(database);
    for (const { name, all } of storeCollections.map(longLivedTable)) {
      database.prepare(`SELECT ${all.join(', ')} FROM ${name}`);
    }
    const orphans = database.prepare('PRAGMA foreign_key_check').all();
    if (orphans.length > 0) throw new Error(`${orphans.length} of its records refer to one that is missing`);
  } finally {
    database.close();
  }
}

/** Writes the current content into a new file that only this user can read; other writers need not
 *  wait. The file is on the disk afterwards, or not there at all. Errors: BACKUP_FILE_EXISTS;
 *  STORE_UNAVAILABLE when it cannot be written. */
function writeBackupCopy(database: Database.Database, file: string): void {
  // Absolute, because SQLite takes a name that begins with `file:` for an address with options.
  const path = resolve(file);
  reserveBackupFile(path);
  try {
    database.prepare('VACUUM INTO ?').run(path);
    flushBackupFile(path);
    flushBackupFile(dirname(path));
  } catch (cause) {
    rmSync(path, { force: true });
    throw createUnwritableBackupError(path, cause);
  }
}

/** Creates an empty file for this user alone: SQLite would create it by the umask. */
function reserveBackupFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw createUnwritableBackupError(path, cause);
    throw new AppError(
      'BACKUP_FILE_EXISTS',
      `The file ${path} is there already, and a backup never overwrites one. Give another name, or move the file away.`,
      { cause },
    );
  }
}

export function flushBackupFile(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

export function createUnwritableBackupError(path: string, cause: unknown): AppError {
  const message = isDatabaseOutOfSpace(path, cause)
    ? `There is no space left for the backup ${path}. Make room on its disk, or name a file on another one.`
    : `The backup ${path} could not be written (${cause instanceof Error ? cause.message : cause}). Check that its folder is there and writable by this user, that the disk has room, and that the database is not damaged.`;
  return new AppError('STORE_UNAVAILABLE', message, { cause });
}
