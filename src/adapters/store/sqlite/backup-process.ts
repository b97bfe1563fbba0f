/** Writes and checks one backup, without a pause for the requests of the host. */
import { setPriority } from 'node:os';
import { limitThisProcess } from '#adapters/processes/this-process';
import { AppError } from '#errors';
import { backUp, checkBackup } from './backup.ts';
import type { BackupOutcome, BackupTask } from './backup-folder.ts';

const LOWEST_PRIORITY = 19;

limitThisProcess();
setPriority(LOWEST_PRIORITY);
process.once('message', ({ databasePath, file, folder }: BackupTask) => {
  process.send?.(tryBackup(databasePath, file, folder) satisfies BackupOutcome);
});

function tryBackup(databasePath: string, file: string, folder: string): BackupOutcome {
  try {
    backUp(databasePath, file);
    checkBackup(file, new Date(), folder);
    return { problem: null };
  } catch (error) {
    const { message } = error instanceof Error ? error : { message: String(error) };
    return { problem: message, code: error instanceof AppError ? error.code : 'STORE_UNAVAILABLE' };
  }
}
