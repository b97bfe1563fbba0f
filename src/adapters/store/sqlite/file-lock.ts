import Database from 'libsql';

/** A lock that lasts until it is released, or its process ends. */
export interface FileLock {
  /** Whether nobody else held the lock when it was taken. */
  readonly isAlone: boolean;
  /** Lets others share the lock. Until then, a holder that was alone keeps all others out. */
  share(): void;
  release(): void;
}

/** Locks a file, which is created if it is missing and stays. It is an empty database, locked by
 *  a transaction without writes: Node cannot lock files, and SQLite can on every system.
 *  @param waitMs maximum time to wait for simultaneous starts, which blocks this process
 *  @returns null if another process holds the lock
 *  Errors: those of the driver, if the file cannot be created or locked. */
export function lockFile(
  path: string,
  { isShared, waitMs = 1_000 }: { readonly isShared: boolean; readonly waitMs?: number },
): FileLock | null {
  // A process that can share the lock need not wait to have it alone.
  const database = new Database(path, { timeout: isShared ? 0 : waitMs });
  try {
    const isAlone = beginFileLock(database, EXCLUSIVE);
    database.pragma(`busy_timeout = ${waitMs}`);
    if (isAlone || (isShared && beginFileLock(database, SHARED)))
      return {
        isAlone,
        share() {
          if (!isShared || !isAlone) return;
          database.exec('ROLLBACK');
          database.exec(SHARED);
        },
        release: () => endFileLock(database),
      };
  } catch (error) {
    endFileLock(database);
    throw error;
  }
  endFileLock(database);
  return null;
}

/** The journal is in memory, as SQLite would create one beside the empty file. */
const EXCLUSIVE = 'PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE';
/** The lock of a reader begins with the first read. */
const SHARED = 'BEGIN; SELECT count(*) FROM sqlite_schema';

/** Begins a transaction that is the lock. Returns false if another lock prevents that. */
function beginFileLock(database: Database.Database, statements: string): boolean {
  try {
    database.exec(statements);
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'SQLITE_BUSY') throw error;
    if (database.inTransaction) database.exec('ROLLBACK');
    return false;
  }
}

/** Ends the transaction as well: libsql keeps a closed file open for a while. */
function endFileLock(database: Database.Database): void {
  if (!database.open) return;
  if (database.inTransaction) database.exec('ROLLBACK');
  database.close();
}
