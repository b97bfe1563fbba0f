import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { nameVersionBase, nameVersionFolder, type VersionPlace } from './version-files.ts';

/** A version that is being written, in a folder beside its place. */
export interface Draft {
  readonly path: string;
  /** Moves the complete draft into its place. */
  commit(): void;
  /** After a commit there is nothing left to discard. */
  discard(): void;
}

/** The versions of the catalogue in the data folder, `catalog/<base>-<imported>/` each. Several hosts and commands may use one
 *  data folder: a version appears in its place by one renaming, and what others removed is simply not there. */
export interface VersionFolders {
  pathOf(place: VersionPlace): string;
  /** The version of this base that was last in use; null where there is none. */
  findLatest(base: string): string | null;
  /** Whether somebody else on this machine is writing it now. */
  isBeingWritten(place: VersionPlace): boolean;
  /** While it exists it must be touched at least every ten seconds: see `keepVersionDraft`. */
  createDraft(place: VersionPlace): Draft;
  /** Notes that it is in use, and removes all others except the one last in use before it. */
  prune(current: string): Promise<void>;
  /** Removes what hosts kept beside the folder before there were versions; never throws. */
  removeFormer(): void;
}

/** `<version>.<machine>-<process>-<count>.new` */
const DRAFT = '.new';
const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
/** Files of both indexes, as they were before there were versions. */
const FORMER = ['objects.index', 'terms.index'];
const TOUCH_MS = 3_000;
/** A draft that was not touched for this long is abandoned. */
const ABANDONED_MS = 15_000;

interface Listed {
  readonly name: string;
  /** When it was last in use, milliseconds. */
  readonly usedAt: number;
}

export function openVersionFolders(dataDir: string): VersionFolders {
  const root = join(dataDir, 'catalog');
  const pathOf = (place: VersionPlace) => join(root, nameVersionFolder(place));
  let drafts = 0;

  /** The latest first. */
  function list(): Listed[] {
    return namesIn(root)
      .map((name) => ({ name, usedAt: usedAt(join(root, name)) }))
      .sort((a, b) => b.usedAt - a.usedAt);
  }

  const isDraft = (name: string) => name.endsWith(DRAFT);

  return {
    pathOf,
    findLatest(base) {
      const found = list().find(({ name }) => !isDraft(name) && name.startsWith(`${nameVersionBase(base)}-`));
      return found === undefined ? null : join(root, found.name);
    },
    isBeingWritten(place) {
      const name = nameVersionFolder(place);
      return list().some((each) => isDraft(each.name) && each.name.startsWith(`${name}.`) && isAlive(each));
    },
    createDraft(version) {
      const place = pathOf(version);
      const path = `${place}.${machine}-${process.pid}-${drafts++}${DRAFT}`;
      rmSync(path, { recursive: true, force: true });
      mkdirSync(path, { recursive: true });
      const discard = () => rmSync(path, { recursive: true, force: true });
      return {
        path,
        commit() {
          // What is already in the place is the same version, or a damaged one that could not be used.
          const old = `${path}.old${DRAFT}`;
          try {
            renameSync(place, old);
          } catch (error) {
            if (!isVersionMissing(error)) throw error;
          }
          renameSync(path, place);
          rmSync(old, { recursive: true, force: true });
        },
        discard,
      };
    },
    async prune(current) {
      touch(current);
      const versions = list().filter(({ name }) => join(root, name) !== current);
      const [before] = versions.filter(({ name }) => !isDraft(name));
      const gone = versions.filter((each) => each !== before && !(isDraft(each.name) && isAlive(each)));
      await Promise.all(gone.map(({ name }) => rm(join(root, name), { recursive: true, force: true })));
    },
    removeFormer() {
      for (const name of FORMER) removeFile(join(dataDir, name));
    },
  };
}

/** Touches a draft until `stop`, so that others wait for it instead of writing the same. */
export function keepVersionDraft({ path }: Draft): { stop(): void } {
  const timer = setInterval(() => touch(path), TOUCH_MS).unref();
  return { stop: () => clearInterval(timer) };
}

/** Whether somebody is working on a draft: it was touched recently, and its process, if on this machine, is running. */
function isAlive({ name, usedAt }: Listed): boolean {
  const [, where, pid] = /\.([0-9a-f]{8})-(\d+)-\d+\./.exec(name) ?? [];
  return Date.now() - usedAt < ABANDONED_MS && (where !== machine || isRunning(Number(pid)));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process runs, but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function touch(path: string): void {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch {
    // It is gone, or on a read-only file system: nothing depends on it.
  }
}

function removeFile(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It takes up room, but does no other harm.
  }
}

function usedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isVersionMissing(error)) return [];
    throw error;
  }
}

export function isVersionMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
