import type { Clock } from '#ports/clock';
import { repeatWork } from './repeated-work.ts';

export type Backup = { readonly name: string; readonly at: Date; readonly bytes: number };

/** A folder of backups. Each listed backup was checked by restoring it. */
export interface BackupFolder {
  readonly path: string;
  /** Lists the backups, newest first. Fails if another host uses the folder. */
  list(): Promise<readonly Backup[]>;
  write(at: Date, signal: AbortSignal): Promise<void>;
  remove(name: string): Promise<void>;
  /** Returns how much of the running backup is written, in percent; null while none runs. */
  findProgress(): Promise<number | null>;
  release(): void;
}

export interface BackupState {
  readonly path: string;
  /** Newest first. */
  readonly backups: readonly Backup[];
  /** Null if the last due backup was written. */
  readonly problem: { readonly at: Date; readonly message: string } | null;
  readonly isRunning: boolean;
  readonly percent: number | null;
  readonly nextAt: Date;
  /** 0 for ever. */
  readonly keptDays: number;
}

interface BackupsDeps {
  readonly folder: BackupFolder;
  /** Hour of the day, UTC. */
  readonly hour: number;
  /** 0 for ever. */
  readonly keptDays: number;
  readonly clock: Clock;
  onProblem(error: unknown): void;
}

const CHECK_INTERVAL_MS = 5 * 60_000;
/** Time from a failure to the next attempt. */
const RETRY_MS = 3_600_000;
const DAY_MS = 24 * 3_600_000;
/** Backups that stay at any age: those of a lost store outlive an empty one that replaces it. */
const MIN_KEPT = 3;
export type Backups = ReturnType<typeof createBackups>;

/** Backs the store up once a day, and removes old backups after a new one that is good. A failed
 *  removal is a problem of its own, which the next backup tries again. */
export function createBackups(deps: BackupsDeps) {
  const { folder, hour, keptDays, clock, onProblem } = deps;
  let problem: BackupState['problem'] = null;
  let running: Promise<void> | null = null;

  async function runBackup(at: Date): Promise<void> {
    await folder.write(at, work.signal);
    problem = null;
    if (keptDays > 0) await removeOldBackups(deps, at).catch(onProblem);
  }

  /** Runs a step and turns its failure into the problem, unless the host is stopping. */
  async function runNotingFailure(run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      if (work.signal.aborted) return;
      problem = { at: clock.now(), message: error instanceof Error ? error.message : String(error) };
      onProblem(error);
    }
  }

  function beginBackup(): Promise<void> {
    running ??= runNotingFailure(() => runBackup(clock.now())).finally(() => {
      running = null;
    });
    return running;
  }

  const beginIfDue = (): Promise<void> =>
    runNotingFailure(async () => {
      const now = clock.now();
      if (problem !== null && now.getTime() - problem.at.getTime() < RETRY_MS) return;
      const [last] = await listPastBackups(deps);
      if (last === undefined || last.at < findBackupDueAt(hour, now)) await beginBackup();
      else problem = null;
    });

  const work = repeatWork({ everyMs: CHECK_INTERVAL_MS, runsAtOnce: true, run: beginIfDue, onProblem });
  return {
    beginIfDue,
    /** Resolves at the end of the backup; a call during a backup joins it. Never rejects. */
    begin: beginBackup,
    /** Lists no backups if the folder cannot be read, which is the problem then. */
    async describe(): Promise<BackupState> {
      const backups = await listPastBackups(deps).catch(() => []);
      const nextAt = new Date(findBackupDueAt(hour, clock.now()).getTime() + DAY_MS);
      const isRunning = running !== null;
      return { path: folder.path, backups, problem, isRunning, percent: await folder.findProgress(), nextAt, keptDays };
    },
    start: work.start,
    async close(): Promise<void> {
      await work.stop();
      await running;
      folder.release();
    },
  };
}

/** Leaves out backups whose date is in the future, as the clock was ahead. */
async function listPastBackups({ folder, clock }: BackupsDeps): Promise<readonly Backup[]> {
  return (await folder.list()).filter(({ at }) => at <= clock.now());
}

async function removeOldBackups(deps: BackupsDeps, now: Date): Promise<void> {
  const { folder, keptDays } = deps;
  const isOld = ({ at }: Backup) => now.getTime() - at.getTime() > keptDays * DAY_MS;
  // With one backup a day, a higher minimum would keep some for longer than `keptDays`.
  const minKept = Math.min(MIN_KEPT, keptDays + 1);
  for (const { name } of (await listPastBackups(deps)).slice(minKept).filter(isOld)) await folder.remove(name);
}

/** Returns the latest instant until `now` at which a backup was due. */
function findBackupDueAt(hour: number, now: Date): Date {
  const today = new Date(now).setUTCHours(hour, 0, 0, 0);
  return new Date(today > now.getTime() ? today - DAY_MS : today);
}
