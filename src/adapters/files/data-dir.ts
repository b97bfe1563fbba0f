import { randomBytes } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { AppError } from '../../errors.ts';

/** The folder for everything the host writes. */
export interface DataDir {
  /** Absolute. */
  readonly path: string;
  /** Absolute path of a file in it. */
  file(name: string): string;
  /** The content of a small file that only this user may read; made of `make()` where it is missing. */
  readOrCreate(name: string, make: () => string): string;
}

/** Errors: DATA_DIR_UNWRITABLE. */
export function openDataDir(folder: string): DataDir {
  const path = resolve(folder);
  explained(path, () => {
    // Feedback and keys are in it: nobody else on the machine needs to look.
    mkdirSync(path, { recursive: true, mode: 0o700 });
    accessSync(path, constants.W_OK | constants.X_OK);
  });
  return {
    path,
    file: (name) => join(path, name),
    readOrCreate(name, make) {
      const file = join(path, name);
      return explained(file, () => {
        const found = existsSync(file) ? contentOf(file) : null;
        // An empty secret would be everybody's: it counts as missing.
        if (found === '') rmSync(file, { force: true });
        if (!found) createWhole(file, make());
        return found || contentOf(file);
      });
    },
  };
}

function explained<T>(path: string, use: () => T): T {
  try {
    return use();
  } catch (cause) {
    throw new AppError(
      'DATA_DIR_UNWRITABLE',
      `The host cannot read and write ${path}. Give this user the right to, or set DATA_DIR to another folder.`,
      { cause },
    );
  }
}

function contentOf(file: string): string {
  return readFileSync(file, 'utf8').trim();
}

/** The file appears with all its content or not at all, and of two starting processes one makes it for both. */
function createWhole(file: string, content: string): void {
  const draft = `${file}.${process.pid}.new`;
  writeFileSync(draft, content, { mode: 0o600 });
  try {
    linkSync(draft, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Some file systems know no links; there the file may be seen half-written by a process that starts at once.
    if (code !== 'EEXIST') writeFileSync(file, content, { mode: 0o600, flag: 'wx' });
  } finally {
    rmSync(draft);
  }
}

/** 256 random bits as text. */
export function makeSecret(): string {
  return randomBytes(32).toString('base64url');
}
