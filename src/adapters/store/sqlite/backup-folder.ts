import type { ChildProcess } from 'node:child_process';
import { mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { startLimitedProcess } from '#adapters/processes/limited-process';
import { AppError } from '#errors';
import { createUnwritableBackupError, flushBackupFile } from './backup.ts';
import { type FileLock, lockFile } from './file-lock.ts';

/** Matches `skilldock-2026-11-29T03-00-00.db` with a time in UTC. */
const NAME = /^skilldock-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)\.db$/;
/** Begins the name of the folder in which a backup is written and checked. */
const DRAFT = '.skilldock-backup-';
const LIMITS = { heapMb: 256, maxBytes: 1024 ** 3 };
/** Writing and checking each make copies of the store: three in all. */
const COPIES = 3;

/** The task of the process that writes one backup. */
export interface BackupTask {
  readonly databasePath: string;
  readonly file: string;
  /** The folder of the store into which the backup is restored to check it. */
  readonly folder: string;
}

export type BackupOutcome = { readonly problem: null } | { readonly problem: string; readonly code: AppError['code'] };

/** Manages the backups of an embedded store. A process writes and checks each in another folder, so
 *  that each file with the name of a backup is a good one. */
export function createBackupFolder(folder: string, databasePath: string) {
  const path = resolve(folder);
  let lock: FileLock | null = null;
  let draft: string | null = null;

  /** Locks the folder, as names do not say of which store a backup is: all are of one host. */
  function claimFolder(): void {
    lock ??= lockFile(join(path, 'backups.lock'), { isShared: false, waitMs: 0 });
    if (lock === null) throw new Error('another host writes its backups there');
  }

  /** Lists the backups, newest first. Errors: STORE_UNAVAILABLE. */
  async function listBackups() {
    try {
      const names = await readdir(path);
      claimFolder();
      const backups = names.flatMap((name) => {
        const [, day, ...time] = NAME.exec(name) ?? [];
        return day === undefined ? [] : [{ name, at: new Date(`${day}T${time.join(':')}Z`) }];
      });
      const sized = backups.map(async (each) => ({ ...each, bytes: (await stat(join(path, each.name))).size }));
      return (await Promise.all(sized)).sort((a, b) => b.at.getTime() - a.at.getTime());
    } catch (cause) {
      throw createUnwritableBackupError(path, cause);
    }
  }

  /** Writes a backup. Errors: STORE_UNAVAILABLE, BACKUP_INVALID.
   *  @param signal ends that, and no file stays */
  async function writeBackup(at: Date, signal: AbortSignal): Promise<void> {
    const file = join(path, `skilldock-${at.toISOString().slice(0, 19).replaceAll(':', '-')}.db`);
    try {
      claimFolder();
      // Remove what a killed process has left.
      for (const name of await readdir(path)) if (name.startsWith(DRAFT)) await removePath(join(path, name));
      draft = await mkdtemp(join(path, DRAFT));
      const written = join(draft, 'backup.db');
      await backUpInProcess({ databasePath, file: written, folder: draft }, signal);
      await rename(written, file);
      flushBackupFile(path);
    } catch (cause) {
      throw cause instanceof AppError ? cause : createUnwritableBackupError(file, cause);
    } finally {
      if (draft !== null) await removePath(draft);
      draft = null;
    }
  }

  return {
    path,
    list: listBackups,
    write: writeBackup,
    remove: (name: string) => removePath(join(path, name)),
    /** Estimates how much of a backup is written, in percent; null if none is being written. */
    findProgress: async (): Promise<number | null> =>
      draft === null ? null : measureBackupProgress(draft, databasePath),
    release: () => lock?.release(),
  };
}

async function measureBackupProgress(draft: string, databasePath: string): Promise<number> {
  const sizeOf = async (file: string) => (await stat(file).catch(() => null))?.size ?? 0;
  const names = await readdir(draft, { recursive: true }).catch(() => []);
  const sizes = await Promise.all(names.map((name) => sizeOf(join(draft, name))));
  const written = sizes.reduce((sum, size) => sum + size, 0);
  return Math.min(99, Math.floor((100 * written) / (COPIES * Math.max(1, await sizeOf(databasePath)))));
}

const removePath = (path: string) => rm(path, { recursive: true, force: true });

async function backUpInProcess(task: BackupTask, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const child: ChildProcess = startLimitedProcess(new URL('./backup-process.js', import.meta.url), LIMITS);
  const end = () => void child.kill('SIGKILL');
  signal.addEventListener('abort', end, { once: true });
  try {
    const outcome = await new Promise<BackupOutcome>((done, fail) => {
      child.once('message', (message) => done(message as BackupOutcome)).once('error', fail);
      child.once('exit', (code, killed) => fail(new Error(`its process ended early (${killed ?? code})`)));
      child.send(task);
    });
    if (outcome.problem !== null) throw new AppError(outcome.code, outcome.problem);
  } finally {
    signal.removeEventListener('abort', end);
    end();
  }
}
