import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type Database from 'libsql';
import { AppError } from '#errors';
import { isOutOfSpace } from './database.ts';

/** Writes everything the database holds at this moment into a new file that only this user can read; other writers need not wait.
 *  The file is on the disk afterwards, or not there at all. Errors: BACKUP_FILE_EXISTS, STORE_UNAVAILABLE when it cannot be
 *  written. */
export function writeCopy(database: Database.Database, file: string): void {
  // Absolute, because SQLite takes a name that begins with `file:` for an address with options.
  const path = resolve(file);
  reserve(path);
  try {
    database.prepare('VACUUM INTO ?').run(path);
    flush(path);
    flush(dirname(path));
  } catch (cause) {
    rmSync(path, { force: true });
    throw unwritable(path, cause);
  }
}

/** SQLite writes into an empty file, but would make one with the rights of the umask. */
function reserve(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw unwritable(path, cause);
    throw new AppError(
      'BACKUP_FILE_EXISTS',
      `The file ${path} is there already, and a backup never overwrites one. Give another name, or move the file away.`,
      { cause },
    );
  }
}

function flush(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function unwritable(path: string, cause: unknown): AppError {
  const message = isOutOfSpace(path, cause)
    ? `There is no space left for the backup ${path}. Make room on its disk, or name a file on another one.`
    : `The backup ${path} could not be written (${cause instanceof Error ? cause.message : cause}). Check that its folder is there and writable by this user, that the disk has room, and that the database is not damaged.`;
  return new AppError('STORE_UNAVAILABLE', message, { cause });
}
