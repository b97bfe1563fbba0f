import type { DataDir } from '#adapters/files/data-dir';
import { createDataDirError } from '#adapters/files/data-dir-error';
import { type FileLock, lockFile } from '#adapters/store/sqlite/file-lock';
import type { Config } from '#config';
import { AppError } from '#errors';

/** There once a host with an embedded store has run on the data folder, and locked while one does. */
export const LOCK_FILE = 'host.lock';

/** Hosts on MongoDB may use one data folder together: what is in it is made of the store, or belongs to one of them. */
const SHARED_LOCK_FILE = 'hosts.lock';

/** Keeps a second host away from the data folder of an embedded store: each would miss what the other remembers. Commands take no
 *  part in it. Hosts on MongoDB share theirs. To be called once the store is open.
 *  Errors: DATA_DIR_IN_USE, DATA_DIR_UNWRITABLE. */
export function takeHostLock({ mongodbUri }: Config, dataDir: DataDir): FileLock {
  const isShared = mongodbUri !== undefined;
  const path = dataDir.file(isShared ? SHARED_LOCK_FILE : LOCK_FILE);
  try {
    const lock = lockFile(path, { isShared });
    if (lock !== null) return lock;
  } catch (cause) {
    throw createDataDirError(path, cause);
  }
  throw new AppError(
    'DATA_DIR_IN_USE',
    `Another host runs on the data folder ${dataDir.path}. Stop that one, set DATA_DIR to another folder for this one, or let both share a store of MongoDB (MONGODB_URI).`,
  );
}
