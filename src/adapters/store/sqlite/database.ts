import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import { LRUCache } from 'lru-cache';
import { AppError, isDiskFullError } from '#errors';
import { storeRecords } from '#ports/store/store';
import { tableOf } from './table.ts';

interface OpenOptions {
  /** FULL by default survives a power cut; NORMAL survives only a killed process. */
  readonly synchronous?: 'FULL' | 'NORMAL';
}

/** Opens a database, whose writes wait at most five seconds for other writers. */
export function openDatabase(path: string, { synchronous = 'FULL' }: OpenOptions = {}): Database.Database {
  const database = connectDatabase(path);
  try {
    database.pragma('journal_mode = WAL');
    database.pragma(`synchronous = ${synchronous}`);
    database.pragma('foreign_keys = ON');
    // Otherwise erased content could still be read in free pages of the file.
    database.pragma('secure_delete = ON');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

export const BUSY_MS = 5_000;

/** Connects. SQLite itself ends a transaction if the disk is full, and libsql would report only
 *  that there is none to be rolled back. */
export function connectDatabase(path: string): Database.Database {
  const database = new Database(path, { timeout: BUSY_MS });
  const exec = database.exec.bind(database);
  database.exec = (sql) => (sql === 'ROLLBACK' && !database.inTransaction ? database : exec(sql));
  return database;
}

/** Has calls reject with STORE_UNAVAILABLE when the database is locked, full, damaged or closed. */
export function explainDatabaseFailures<T extends object>(repository: T, database: Database.Database, path: string): T {
  const explained = Object.entries(repository).map(([name, call]) => [
    name,
    async (...args: unknown[]) => {
      if (!database.open) throw createDatabaseUnavailableError(path, 'it was closed');
      try {
        return await call(...args);
      } catch (cause) {
        throw createDatabaseUnavailableError(path, cause);
      }
    },
  ]);
  return Object.fromEntries(explained) as T;
}

export function createDatabaseUnavailableError(path: string, cause: unknown): AppError {
  const message = isDatabaseOutOfSpace(path, cause)
    ? `There is no space left for the store ${path}. Make room on its disk; what was saved before is there.`
    : `The store ${path} cannot be used (${cause instanceof Error ? cause.message : cause}). Check that the file is readable and writable by this user and not damaged.`;
  return new AppError('STORE_UNAVAILABLE', message, { cause });
}

/** The least free space: SQLite needs files beside the database. */
const MIN_FREE_BYTES = 64 * 1024;
/** Messages of SQLite for a file that it cannot create, open or enlarge; libsql has no code. */
const FILE_FAILURE = /^$|^SQLITE_(?:IOERR|CANTOPEN)/;

/** Whether an error is due to a full disk, which SQLite reports only if a write fails. */
export function isDatabaseOutOfSpace(path: string, cause: unknown): boolean {
  if (isDiskFullError(cause)) return true;
  const code = (cause as { readonly code?: unknown } | null)?.code;
  return typeof code === 'string' && FILE_FAILURE.test(code) && isDatabaseDiskFull(path);
}

/** Throws STORE_UNAVAILABLE for a full disk, where reads still work, and everything else fails. */
export function requireDatabaseSpace(path: string): void {
  if (isDatabaseDiskFull(path)) throw createDatabaseUnavailableError(path, diskFull);
}

const diskFull = Object.assign(new Error('the disk is full'), { code: 'SQLITE_FULL' });

function isDatabaseDiskFull(path: string): boolean {
  try {
    const { blocks, bavail, bsize } = statfsSync(dirname(path));
    // Some file systems do not say how large they are.
    return blocks > 0 && bavail * bsize < MIN_FREE_BYTES;
  } catch {
    return false;
  }
}

/** Returns false if a unique value is taken, and with `hasParent` also if the parent is missing. */
export function writeUnlessTaken(write: () => boolean, { hasParent = false } = {}): boolean {
  try {
    return write();
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY') return false;
    if (hasParent && code === 'SQLITE_CONSTRAINT_FOREIGNKEY') return false;
    throw error;
  }
}

/** A statement without `iterate`, as two iterators of one statement disturb each other. */
type PreparedStatement = Pick<Database.Statement, 'all' | 'get' | 'run'>;
export type Prepare = (sql: string) => PreparedStatement;

/** More statements than the store uses, as lists are passed as one parameter. */
const MAX_PREPARED = 1_000;
const preparedStatements = new WeakMap<Database.Database, LRUCache<string, PreparedStatement>>();

/** Returns a function that prepares each statement of a database once. */
export function prepareOnce(database: Database.Database): Prepare {
  const options = { max: MAX_PREPARED, memoMethod: (sql: string) => database.prepare(sql) };
  const prepared = preparedStatements.get(database) ?? new LRUCache<string, PreparedStatement>(options);
  preparedStatements.set(database, prepared);
  return (sql) => prepared.memo(sql);
}

/** Prepares a statement at its first use: most commands use few statements of a store. */
export function prepareLater(database: Database.Database, sql: string): PreparedStatement {
  const prepare = prepareOnce(database);
  return {
    all: (...values) => prepare(sql).all(...values),
    get: (...values) => prepare(sql).get(...values),
    run: (...values) => prepare(sql).run(...values),
  };
}

/** Reads the version of the schema; 0 if nothing is stored yet. */
export const readDatabaseVersion = (database: Database.Database): number =>
  (database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;

/** Is called whenever a short-lived record is used. @param now the last given time by default */
export type Tidy = (now?: Date) => void;

const CALLS_BETWEEN = 256;
/** How many rows a round deletes: more than can be added between two rounds. */
const ROWS_AT_ONCE = 1_024;
/** How long expired rows are kept, as the clocks of other hosts may be behind. */
const GRACE_MS = 3_600_000;

/** Returns a function that now and then deletes some expired rows, which no query finds anyway. */
export function createDatabaseTidy(database: Database.Database): Tidy {
  let calls = 0;
  let latestMs = 0;
  return (now) => {
    latestMs = now?.getTime() ?? latestMs;
    calls += 1;
    if (calls % CALLS_BETWEEN !== 0) return;
    removeExpiredFromDatabase(database, new Date(latestMs), ROWS_AT_ONCE);
  };
}

/** Deletes at most `limit` expired rows of each table. */
export function removeExpiredFromDatabase(database: Database.Database, now: Date, limit: number): void {
  for (const description of storeRecords) {
    if (description.expiry === null) continue;
    const { name, key, columnOf } = tableOf(description);
    const expired = `SELECT ${key} FROM ${name} WHERE ${columnOf(description.expiry)} <= ? LIMIT ?`;
    const sql = `DELETE FROM ${name} WHERE (${key}) IN (${expired})`;
    prepareLater(database, sql).run(now.getTime() - GRACE_MS, Number.isFinite(limit) ? limit : -1);
  }
}
