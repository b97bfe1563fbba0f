import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { AppError } from '../../errors.ts';
import type { Uploads } from '../../ports/imports.ts';

export interface UploadsOptions {
  /** Absolute; made when something comes. */
  readonly folder: string;
  /** Of one file. */
  readonly maxBytes?: number;
}

const MAX_BYTES = 2 * 1024 ** 3;
/** Nobody reads a file for longer. */
const LEFTOVER_MS = 24 * 3_600_000;
/** The only part of the sender's file name that we keep: readers recognise some formats by it. */
const ENDING = /^\.[a-z0-9]{1,8}$/;

/** Files in a folder of the data folder. */
export function createUploads({ folder, maxBytes = MAX_BYTES }: UploadsOptions): Uploads {
  return {
    async receive(name, content) {
      const ending = extname(name).toLowerCase();
      const path = join(folder, `${randomUUID()}${ENDING.test(ending) ? ending : ''}`);
      try {
        return {
          path,
          name: basename(name.replaceAll('\\', '/')),
          bytes: await write(path, content, maxBytes),
        };
      } catch (error) {
        // Where the folder itself is the problem, this fails too, and says less.
        await rm(path, { force: true }).catch(() => undefined);
        throw error;
      }
    },
    remove: ({ path }) => rm(path, { force: true }),
    async removeLeftovers() {
      for (const name of await readdir(folder).catch(() => [])) {
        const path = join(folder, name);
        const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
        if (Date.now() - mtimeMs > LEFTOVER_MS) await rm(path, { force: true });
      }
    },
  };
}

async function write(path: string, content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<number> {
  const file = await openNew(path);
  try {
    let bytes = 0;
    for await (const chunk of content) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      await file.writeFile(chunk).catch((cause: unknown) => {
        throw notWritten(path, cause);
      });
    }
    return bytes;
  } finally {
    await file.close();
  }
}

async function openNew(path: string) {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return await open(path, 'wx', 0o600);
  } catch (cause) {
    throw notWritten(path, cause);
  }
}

const isFull = (cause: unknown) => ['ENOSPC', 'EDQUOT'].includes((cause as NodeJS.ErrnoException).code ?? '');

function notWritten(path: string, cause: unknown): AppError {
  const problem = isFull(cause)
    ? `There is no room left for the file in ${dirname(path)}. Make room`
    : `The host cannot write ${dirname(path)}. Give this user the right to`;
  return new AppError('DATA_DIR_UNWRITABLE', `${problem}, or set DATA_DIR to another folder.`, { cause });
}

function tooLarge(maxBytes: number): AppError {
  const megabytes = Math.floor(maxBytes / 1024 ** 2);
  return new AppError(
    'UPLOAD_TOO_LARGE',
    `The file is larger than ${megabytes.toLocaleString('en')} MB. Import it with the command "skilldock import" on the machine of the host, or by its address where it is a feed or a web site.`,
    { data: { megabytes } },
  );
}
