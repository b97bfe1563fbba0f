import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { projectRoot } from '#project-root';
import { nameVersionBase, nameVersionFolder, type VersionRef } from './version-files.ts';

/** The folder of the starter catalogue's index, which the build of the program creates; see
 *  build-index.ts. */
export const builtIndexDir = join(projectRoot, 'dist', 'index');

/** The folder that the npm package contains instead, with each file compressed; see
 *  tools/pack-index.js. */
const packedIndexDir = join(projectRoot, 'dist', 'packed-index');

/** Unpacks the packed index into a folder. @returns whether there is one
 *  Errors: those of reading and of writing. */
export function unpackVersionFolder(folder: string): boolean {
  if (!fs.existsSync(packedIndexDir)) return false;
  for (const name of fs.readdirSync(packedIndexDir)) {
    fs.writeFileSync(join(folder, basename(name, '.gz')), gunzipSync(fs.readFileSync(join(packedIndexDir, name))));
  }
  return true;
}

/** A version that is being written, in a folder beside its final one. */
export interface Draft {
  readonly path: string;
  /** Renames the folder of the complete draft to its final name. */
  commit(): void;
  /** Removes an uncommitted draft, and lets other processes write the version. */
  discard(): void;
}

/** Versions in the data folder, each in `catalog/<base>-<imported>/`. Several processes may share
 *  it: a version appears by a single renaming, and any process may remove one. */
export type VersionFolders = ReturnType<typeof openVersionFolders>;

export function openVersionFolders(dataDir: string) {
  const root = join(dataDir, 'catalog');
  const pathOf = (version: VersionRef) => join(root, nameVersionFolder(version));
  return {
    pathOf,
    /** Finds the folder of the version of this base that was last in use. */
    findLatest(base: string): string | null {
      const prefix = `${nameVersionBase(base)}-`;
      const latest = listVersionFolders(root).find(({ name }) => !isDraftFolder(name) && name.startsWith(prefix));
      return latest === undefined ? null : join(root, latest.name);
    },
    isBeingWritten(version: VersionRef): boolean {
      const prefix = `${nameVersionFolder(version)}.`;
      return listVersionFolders(root).some((folder) => folder.name.startsWith(prefix) && isLiveDraft(folder));
    },
    /** A draft is touched every few seconds, so that other processes wait for it. */
    createDraft: (version: VersionRef): Draft => createDraftFolder(pathOf(version)),
    /** Marks a version as in use, and removes all others except the one last in use before it. */
    async prune(current: string): Promise<void> {
      touchVersionFolder(current);
      const olderFolders = listVersionFolders(root).filter(({ name }) => join(root, name) !== current);
      const previous = olderFolders.find(({ name }) => !isDraftFolder(name));
      const unused = olderFolders.filter((folder) => folder !== previous && !isLiveDraft(folder));
      await Promise.all(unused.map(({ name }) => rm(join(root, name), { recursive: true, force: true })));
    },
  };
}

/** A draft is named `<version>.<machine>-<process>-<count>.new`. */
const DRAFT_SUFFIX = '.new';
const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
const TOUCH_MS = 3_000;
/** Without a touch for this long, a draft is abandoned. */
const ABANDONED_MS = 15_000;
let draftCount = 0;

const isDraftFolder = (name: string) => name.endsWith(DRAFT_SUFFIX);

function createDraftFolder(folder: string): Draft {
  const path = `${folder}.${machine}-${process.pid}-${draftCount++}${DRAFT_SUFFIX}`;
  fs.rmSync(path, { recursive: true, force: true });
  fs.mkdirSync(path, { recursive: true });
  const timer = setInterval(() => touchVersionFolder(path), TOUCH_MS).unref();
  return {
    path,
    commit() {
      // An existing folder has the same version, or a damaged one that could not be used.
      const old = `${path}.old${DRAFT_SUFFIX}`;
      try {
        fs.renameSync(folder, old);
      } catch (error) {
        if (!isFileMissing(error)) throw error;
      }
      fs.renameSync(path, folder);
      fs.rmSync(old, { recursive: true, force: true });
    },
    discard() {
      clearInterval(timer);
      fs.rmSync(path, { recursive: true, force: true });
    },
  };
}

interface ListedFolder {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly usedAt: number;
}

function listVersionFolders(root: string): ListedFolder[] {
  const readUse = (name: string) => fs.statSync(join(root, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const names = fs.existsSync(root) ? fs.readdirSync(root) : [];
  return names.map((name) => ({ name, usedAt: readUse(name) })).sort((a, b) => b.usedAt - a.usedAt);
}

/** A draft is live if it was touched recently and its process, if that is on this machine, runs. */
function isLiveDraft({ name, usedAt }: ListedFolder): boolean {
  if (!isDraftFolder(name) || Date.now() - usedAt >= ABANDONED_MS) return false;
  const [, where, pid] = /\.([0-9a-f]{8})-(\d+)-\d+\./.exec(name) ?? [];
  return where !== machine || isProcessRunning(Number(pid));
}

function isProcessRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process runs, but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function touchVersionFolder(path: string): void {
  const now = new Date();
  try {
    fs.utimesSync(path, now, now);
  } catch {
    // The folder was removed, or is on a read-only file system: nothing depends on the touch.
  }
}

export const isFileMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';
