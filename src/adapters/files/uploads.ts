import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rm, stat, utimes } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { AppError } from '#errors';
import type { Uploads } from '#ports/imports';
import { FILE_PART_BYTES } from '#ports/store/store';
import { createDataDirError } from './data-dir.ts';

interface UploadsOptions {
  /** Absolute; made when something comes. */
  readonly folder: string;
  /** Of one file. */
  readonly maxBytes?: number;
  /** Told of files that could not be removed. */
  onProblem?(error: unknown): void;
}

export interface UploadFolder extends Uploads {
  /** Removes what hosts that were killed left behind; never rejects.
   *  @param isAlone whether no other host uses the folder: everything that this one did not receive
   *  is then left behind. Else it is what has been there for a day. */
  removeLeftovers(options: { readonly isAlone: boolean }): Promise<void>;
  /** Looks once a day for what was left behind. */
  start(): void;
  close(): Promise<void>;
}

const MAX_BYTES = 2 * 1024 ** 3;
/** Hardly anybody reads a file for longer. */
const DAY_MS = 24 * 3_600_000;
/** The only part of the sender's file name that we keep: readers recognise some formats by it. */
const ENDING = /^\.[a-z0-9]{1,8}$/;

/** Files in a folder of the data folder. */
export function createUploads(options: UploadsOptions): UploadFolder {
  const { folder, maxBytes = MAX_BYTES, onProblem = () => undefined } = options;
  /** Paths of what this host received and did not remove yet. */
  const inUse = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  async function removeFile(path: string): Promise<void> {
    await rm(path, { force: true });
    inUse.delete(path);
  }

  async function isLeft(path: string, { isAlone }: { readonly isAlone: boolean }): Promise<boolean> {
    if (inUse.has(path)) return false;
    const { mtimeMs } = await stat(path);
    return isAlone || Date.now() - mtimeMs > DAY_MS;
  }

  async function removeLeftovers(whose: { readonly isAlone: boolean }): Promise<void> {
    for (const name of await readdir(folder).catch(() => [])) {
      const path = join(folder, name);
      // Another host may have removed it meanwhile.
      const isOld = await isLeft(path, whose).catch(() => false);
      if (isOld) await removeFile(path).catch(onProblem);
    }
  }

  return {
    async receive(name, content, receivedAt = new Date()) {
      const ending = extname(name).toLowerCase();
      const path = join(folder, `${randomUUID()}${ENDING.test(ending) ? ending : ''}`);
      inUse.add(path);
      try {
        const bytes = await write(path, content, maxBytes);
        await utimes(path, receivedAt, receivedAt);
        return { path, name: basename(name.replaceAll('\\', '/')), bytes, receivedAt };
      } catch (error) {
        // Where the folder itself is the problem, this fails too, and says less.
        await removeFile(path).catch(() => undefined);
        throw error;
      }
    },
    read: ({ path }) => createReadStream(path, { highWaterMark: FILE_PART_BYTES }),
    remove: ({ path }) => removeFile(path),
    removeLeftovers,
    start() {
      timer ??= setInterval(() => void removeLeftovers({ isAlone: false }), DAY_MS).unref();
    },
    async close() {
      clearInterval(timer);
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
        throw createDataDirError(dirname(path), cause);
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
    throw createDataDirError(dirname(path), cause);
  }
}

function tooLarge(maxBytes: number): AppError {
  const megabytes = Math.floor(maxBytes / 1024 ** 2);
  return new AppError(
    'UPLOAD_TOO_LARGE',
    `The file is larger than ${megabytes.toLocaleString('en')} MB. Import it with the command "skilldock import" on the machine of the host, or by its address where it is a feed or a web site.`,
    { data: { megabytes } },
  );
}
