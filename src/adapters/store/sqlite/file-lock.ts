import Database from 'libsql';

/** Held until it is released, or its process ends, however that ends. */
export interface FileLock {
  /** Whether nobody else held it. */
  readonly isAlone: boolean;
  /** Lets in those who share it, where it is to be shared. Until then nobody else gets it, if
   *  nobody else held it. */
  share(): void;
  release(): void;
}

interface LockOptions {
  /** Whether others may hold it at the same time, if they share it, too. */
  readonly isShared: boolean;
  /** How long those who start at the same moment may be in each other's way: nothing else is done
   *  meanwhile. 1,000 by default. */
  readonly waitMs?: number;
}

const WAIT_MS = 1_000;

/** Locks a file of its own, which is made where it is missing and stays. It is locked as an empty
 *  database by a transaction that writes nothing: Node cannot lock files, and SQLite can on every
 *  system.
 *  @returns null where somebody else holds it
 *  Errors: those of the driver, where the file cannot be made or locked. */
export function lockFile(path: string, { isShared, waitMs = WAIT_MS }: LockOptions): FileLock | null {
  // Those who would share it as well need not wait to have it alone.
  const database = new Database(path, { timeout: isShared ? 0 : waitMs });
  try {
    const isAlone = begin(database, EXCLUSIVE);
    database.pragma(`busy_timeout = ${waitMs}`);
    if (isAlone || (isShared && begin(database, SHARED)))
      return {
        isAlone,
        share() {
          if (!isShared || !isAlone) return;
          database.exec('ROLLBACK');
          database.exec(SHARED);
        },
        release: () => end(database),
      };
  } catch (error) {
    end(database);
    throw error;
  }
  end(database);
  return null;
}

/** As the file is empty, SQLite would prepare to write its first page, and make a journal beside
 *  it. */
const EXCLUSIVE = 'PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE';
/** A reader's lock begins with the first thing it reads. */
const SHARED = 'BEGIN; SELECT count(*) FROM sqlite_schema';

/** False where others hold a lock that stands against it. */
function begin(database: Database.Database, statements: string): boolean {
  try {
    database.exec(statements);
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'SQLITE_BUSY') throw error;
    if (database.inTransaction) database.exec('ROLLBACK');
    return false;
  }
}

/** Closing alone is not enough: libsql keeps the file open for a while. */
function end(database: Database.Database): void {
  if (!database.open) return;
  if (database.inTransaction) database.exec('ROLLBACK');
  database.close();
}
