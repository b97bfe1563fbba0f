import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { AppError, isDiskFullError } from '#errors';

export type DataDir = ReturnType<typeof openDataDir>;

/** Opens a folder for secrets and other small files, and creates it if it is missing. Every
 *  function throws DATA_DIR_UNWRITABLE if a file cannot be read or written. */
export function openDataDir(folder: string) {
  const path = resolve(folder);
  explainDataDirErrors(path, () => {
    // It holds feedback and keys, which no other user of the machine may read.
    makeDataFolder(path);
    // With the dot, a file is refused as well.
    fs.accessSync(`${path}/.`, fs.constants.W_OK | fs.constants.X_OK);
  });
  const withFile = <T>(name: string, work: (file: string) => T) => {
    const file = join(path, name);
    return explainDataDirErrors(file, () => work(file));
  };
  return {
    path,
    file: (name: string): string => join(path, name),
    /** Reads a small file that only this user may read; creates a missing one with `make()`. */
    readOrCreate: (name: string, make: () => string): string =>
      withFile(name, (file) => {
        const content = fs.existsSync(file) ? readDataFile(file) : null;
        // An empty secret protects nothing: it counts as missing.
        if (content === '') fs.rmSync(file, { force: true });
        if (!content) createWholeDataFile(file, make());
        return content || readDataFile(file);
      }),
    /** Returns the content of a file; null if it is missing or empty. */
    find: (name: string): string | null =>
      withFile(name, (file) => (fs.existsSync(file) ? readDataFile(file) || null : null)),
    /** Replaces a small file for this user alone, in one step that survives a power cut. */
    replace: (name: string, content: string): void =>
      withFile(name, (file) => {
        fs.renameSync(writeDraftDataFile(file, content), file);
        flushDataDir(path);
      }),
    /** Creates a file for this user alone; returns false if it exists. */
    create: (name: string, content: string): boolean =>
      withFile(name, (file) => {
        const isNew = createWholeDataFile(file, content);
        flushDataDir(path);
        return isNew;
      }),
    remove: (name: string): void => withFile(name, (file) => fs.rmSync(file, { force: true })),
  };
}

function explainDataDirErrors<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw createDataDirError(path, cause);
  }
}

/** Creates a folder for this user alone. `mkdirSync` with `recursive` never ends below `/proc`. */
function makeDataFolder(path: string): void {
  if (fs.existsSync(path)) return;
  makeDataFolder(dirname(path));
  try {
    fs.mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may be starting.
    if (!fs.existsSync(path)) throw error;
  }
}

function readDataFile(file: string): string {
  // Opening a pipe would wait for a writer.
  if (!fs.statSync(file).isFile()) throw new Error('it is not a file');
  return fs.readFileSync(file, 'utf8').trim();
}

/** Creates a whole file or none. Returns false if it exists: another process may be faster. */
function createWholeDataFile(file: string, content: string): boolean {
  const draft = writeDraftDataFile(file, content);
  try {
    fs.linkSync(draft, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (isDiskFullError(error)) throw error;
    // Without links, a process that starts meanwhile may see the file half-written.
    fs.writeFileSync(file, content, { mode: 0o600, flag: 'wx' });
  } finally {
    fs.rmSync(draft);
  }
  return true;
}

/** Writes another file in the same folder, and waits until it is on the disk. */
function writeDraftDataFile(file: string, content: string): string {
  const draft = `${file}.${process.pid}.new`;
  try {
    fs.writeFileSync(draft, content, { mode: 0o600, flush: true });
    return draft;
  } catch (error) {
    fs.rmSync(draft, { force: true });
    throw error;
  }
}

/** Waits until renamed and new files are on the disk. */
function flushDataDir(path: string): void {
  let directory: number | undefined;
  try {
    directory = fs.openSync(path, 'r');
    fs.fsyncSync(directory);
  } catch {
    // Some file systems refuse this, and write by themselves a little later.
  } finally {
    if (directory !== undefined) fs.closeSync(directory);
  }
}

/** A random secret of 256 bits. */
export const makeDataDirSecret = (): string => randomBytes(32).toString('base64url');

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no folder can be made there',
  ENOTDIR: 'a file is in the way',
  EROFS: 'that disk is read-only',
};

export function createDataDirError(path: string, cause: unknown): AppError {
  const reason = reasons[(cause as NodeJS.ErrnoException).code ?? ''];
  const createError = (message: string) =>
    new AppError('DATA_DIR_UNWRITABLE', `${message} DATA_DIR to another folder.`, { cause });
  if (isDiskFullError(cause)) return createError(`There is no space left for ${path}. Make room on its disk, or set`);
  const problem = `The host cannot read and write ${path}`;
  if (reason !== undefined) return createError(`${problem}: ${reason}. Set`);
  return createError(`${problem}. Give this user the right to, or set`);
}
