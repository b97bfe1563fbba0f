import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { PictureFiles } from '#ports/pictures';

const MAX_BYTES = 256 * 1024 ** 2;
/** How much the times of use on the disk may be behind, as a restart loses little by that. */
const HOUR_MS = 3_600_000;
const DRAFT = '.new';

/** Stores pictures in a folder, and removes the least recently used ones beyond `maxBytes`.
 *  @param folder an absolute path; created with the first picture */
export function createPictureFiles({
  folder,
  maxBytes = MAX_BYTES,
}: {
  readonly folder: string;
  readonly maxBytes?: number;
}): PictureFiles {
  let opened: Promise<Folder> | undefined;
  const open = () => {
    opened ??= openPictureFolder(folder, maxBytes).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return {
    find: async (name) => readPictureFile(await open(), name),
    keep: async (name, bytes) => writePictureFile(await open(), name, bytes),
  };
}

interface Folder {
  readonly path: string;
  readonly files: LRUCache<string, FileUse>;
  /** Names of files that are over the limit and still there. */
  readonly superfluous: string[];
  drafts: number;
}

type FileUse = { readonly bytes: number; usedAt: number };

async function openPictureFolder(path: string, maxBytes: number): Promise<Folder> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const existing: [string, FileUse][] = [];
  for (const name of await readdir(path)) {
    // A host was killed while it wrote this file.
    if (name.endsWith(DRAFT)) await rm(join(path, name), { force: true });
    else {
      const { size, mtimeMs } = await stat(join(path, name));
      existing.push([name, { bytes: size, usedAt: mtimeMs }]);
    }
  }
  const superfluous: string[] = [];
  const files = new LRUCache<string, FileUse>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => Math.max(bytes, 1),
    dispose: (_, name, reason) => reason === 'evict' && superfluous.push(name),
  });
  for (const [name, file] of existing.sort(([, a], [, b]) => a.usedAt - b.usedAt)) files.set(name, file);
  return { path, files, superfluous, drafts: 0 };
}

async function readPictureFile({ path, files }: Folder, name: string): Promise<Uint8Array | null> {
  const file = files.get(name);
  if (file === undefined) return null;
  try {
    const bytes = await readFile(join(path, name));
    const now = Date.now();
    if (now - file.usedAt < HOUR_MS) return bytes;
    file.usedAt = now;
    await utimes(join(path, name), now / 1_000, now / 1_000);
    return bytes;
  } catch {
    // The file was removed by hand.
    files.delete(name);
    return null;
  }
}

async function writePictureFile(folder: Folder, name: string, bytes: Uint8Array): Promise<void> {
  const { path, files, superfluous } = folder;
  const draft = join(path, `${name}.${++folder.drafts}${DRAFT}`);
  await mkdir(path, { recursive: true, mode: 0o700 });
  await writeFile(draft, bytes, { mode: 0o600 });
  await rename(draft, join(path, name));
  files.set(name, { bytes: bytes.byteLength, usedAt: Date.now() });
  for (const old of superfluous.splice(0)) if (!files.has(old)) await rm(join(path, old), { force: true });
}
