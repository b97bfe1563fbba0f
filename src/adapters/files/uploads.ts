import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rm, stat, utimes } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { AppError } from '#errors';
import type { Uploads } from '#ports/imports';
import { FILE_PART_BYTES } from '#ports/store/store';
import { createDataDirError } from './data-dir.ts';

interface UploadsOptions {
  /** An absolute path; created with the first upload. */
  readonly folder: string;
  /** Limit of one file; 2 GiB by default. */
  readonly maxBytes?: number;
  /** Called with the error if a file of a killed host cannot be removed. */
  onProblem?(error: unknown): void;
}

const MAX_BYTES = 2 * 1024 ** 3;
/** Age of files that count as left over, as imports seldom read one for longer. */
const DAY_MS = 24 * 3_600_000;
/** Only this part of the original name is stored: readers recognise some formats by it. */
const EXTENSION = /^\.[a-z0-9]{1,8}$/;

export function createUploads(options: UploadsOptions) {
  const { folder, maxBytes = MAX_BYTES, onProblem = () => undefined } = options;
  /** Files that this host has received and not removed yet. */
  const inUse = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  async function removeFile(path: string): Promise<void> {
    await rm(path, { force: true });
    inUse.delete(path);
  }

  /** Removes the files of killed hosts; never rejects.
   *  @param isAlone whether no other host uses the folder: then each file that this host did not
   *  receive is removed, else only files that are older than a day */
  async function removeLeftovers({ isAlone }: { readonly isAlone: boolean }): Promise<void> {
    const isOld = async (path: string) => Date.now() - (await stat(path)).mtimeMs > DAY_MS;
    for (const name of await readdir(folder).catch(() => [])) {
      const path = join(folder, name);
      // Another host may have removed it meanwhile.
      const isLeftover = !inUse.has(path) && (isAlone || (await isOld(path).catch(() => false)));
      if (isLeftover) await removeFile(path).catch(onProblem);
    }
  }

  const uploads: Uploads = {
    async receive(name, content, receivedAt = new Date()) {
      const extension = extname(name).toLowerCase();
      const path = join(folder, `${randomUUID()}${EXTENSION.test(extension) ? extension : ''}`);
      inUse.add(path);
      try {
        const bytes = await writeUpload(path, content, maxBytes);
        await utimes(path, receivedAt, receivedAt);
        return { path, name: basename(name.replaceAll('\\', '/')), bytes, receivedAt };
      } catch (error) {
        // If the folder itself is the problem, this fails too, and says less.
        await removeFile(path).catch(() => undefined);
        throw error;
      }
    },
    read: ({ path }) => createReadStream(path, { highWaterMark: FILE_PART_BYTES }),
    remove: ({ path }) => removeFile(path),
  };
  return {
    ...uploads,
    removeLeftovers,
    start(): void {
      timer ??= setInterval(() => void removeLeftovers({ isAlone: false }), DAY_MS).unref();
    },
    async close(): Promise<void> {
      clearInterval(timer);
    },
  };
}

async function writeUpload(path: string, content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<number> {
  const file = await openNewUpload(path);
  try {
    let bytes = 0;
    for await (const chunk of content) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw createUploadTooLargeError(maxBytes);
      await file.writeFile(chunk).catch((cause: unknown) => {
        throw createDataDirError(dirname(path), cause);
      });
    }
    return bytes;
  } finally {
    await file.close();
  }
}

async function openNewUpload(path: string) {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return await open(path, 'wx', 0o600);
  } catch (cause) {
    throw createDataDirError(dirname(path), cause);
  }
}

function createUploadTooLargeError(maxBytes: number): AppError {
  const megabytes = Math.floor(maxBytes / 1024 ** 2);
  return new AppError(
    'UPLOAD_TOO_LARGE',
    `The file is larger than ${megabytes.toLocaleString('en')} MB. Import it with the command "skilldock import" on the machine of the host, or by its address where it is a feed or a web site.`,
    { data: { megabytes } },
  );
}
