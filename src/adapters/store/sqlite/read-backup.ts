import { rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import Database from 'libsql';
import { AppError } from '#errors';
import { SCHEMA_VERSION, storeCollections } from '#ports/store/store';
import {
  connectDatabase,
  createDatabaseUnavailableError,
  isOutOfSpace,
  readDatabaseVersion,
} from './database.ts';
import { longLivedTable } from './every-table.ts';
import { migrate } from './schema.ts';
import { writeCopy } from './write-copy.ts';

/** Writes a copy of a backup to the path `copy`, checked and brought up to date; the backup itself is left as it is.
 *  Errors: BACKUP_INVALID when it is damaged, from a newer version, or not from Skilldock; STORE_UNAVAILABLE when the copy cannot
 *  be written. */
export function readBackupInto(backup: string, copy: string): void {
  const path = resolve(backup);
  try {
    checkAndCopy(path, copy);
    bringUpToDate(copy);
  } catch (cause) {
    const error = explain(cause, { path, copy });
    removeReadBackup(copy);
    throw error;
  }
}

function explain(cause: unknown, { path, copy }: Readonly<Record<'path' | 'copy', string>>): AppError {
  if (cause instanceof AppError) return cause;
  if (isOutOfSpace(copy, cause)) return createDatabaseUnavailableError(copy, cause);
  return invalid(path, cause instanceof Error ? cause.message : `${cause}`, cause);
}

/** With the files that SQLite may have beside it. */
export function removeReadBackup(path: string): void {
  for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
}

function checkAndCopy(path: string, copy: string): void {
  // libsql would create a missing file.
  if (!statSync(path).isFile()) throw new Error('it is no file');
  const database = new Database(path, { timeout: 5000 });
  try {
    const version = readDatabaseVersion(database);
    if (version > SCHEMA_VERSION) throw new Error('it was made by a newer version of Skilldock');
    // Any database of another program, and an empty file too, which is a database without tables.
    if (version === 0) throw new Error('it is no database of Skilldock');
    checkIntegrity(database);
    writeCopy(database, copy);
  } finally {
    database.close();
  }
}

function checkIntegrity(database: Database.Database): void {
  const [first] = database.prepare('PRAGMA integrity_check(1)').all() as { integrity_check: string }[];
  if (first?.integrity_check !== 'ok') throw new Error(`it is damaged: ${first?.integrity_check}`);
}

function bringUpToDate(copy: string): void {
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

function invalid(path: string, why: string, cause: unknown): AppError {
  return new AppError(
    'BACKUP_INVALID',
    `The file ${path} cannot be restored (${why}). Nothing was changed. Give a file that this or an older version of Skilldock wrote as a backup.`,
    { cause },
  );
}
