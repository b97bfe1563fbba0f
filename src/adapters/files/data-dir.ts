import { randomBytes } from 'node:crypto';
import { accessSync, constants, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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
  try {
    mkdirSync(path, { recursive: true });
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new AppError(
      'DATA_DIR_UNWRITABLE',
      `The data folder ${path} cannot be written. Give this user the right to write there, or set DATA_DIR to another folder.`,
      { cause },
    );
  }
  return {
    path,
    file: (name) => join(path, name),
    readOrCreate(name, make) {
      const file = join(path, name);
      try {
        // Exclusive, so that two starting processes agree on one content.
        writeFileSync(file, make(), { mode: 0o600, flag: 'wx' });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      return readFileSync(file, 'utf8').trim();
    },
  };
}

/** 256 random bits as text. */
export function makeSecret(): string {
  return randomBytes(32).toString('base64url');
}
