import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PictureFiles } from '#ports/pictures';

const MAX_BYTES = 256 * 1024 ** 2;
/** The times of use on the disk are at most this much behind, so a restart loses little. */
const HOUR_MS = 3_600_000;
const DRAFT = '.new';

/** Removes the least recently used pictures beyond `maxBytes`.
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
    opened ??= openFolder(folder).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return {
    find: async (name) => readPicture(await open(), name),
    async keep(name, bytes) {
      const opened = await open();
      await writePicture(opened, name, bytes);
      await removeOldest(opened, maxBytes);
    },
  };
}

interface Folder {
  readonly path: string;
  /** The least recently used first. */
  readonly files: Map<string, FileUse>;
  totalBytes: number;
  drafts: number;
}

interface FileUse {
  readonly bytes: number;
  usedAt: number;
}

async function openFolder(path: string): Promise<Folder> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const files: [string, FileUse][] = [];
  for (const name of await readdir(path)) {
    // Left by a host that was killed while it wrote.
    if (name.endsWith(DRAFT)) await rm(join(path, name), { force: true });
    else {
      const { size, mtimeMs } = await stat(join(path, name));
      files.push([name, { bytes: size, usedAt: mtimeMs }]);
    }
  }
  const totalBytes = files.reduce((sum, [, { bytes }]) => sum + bytes, 0);
  return { path, files: new Map(files.sort(([, a], [, b]) => a.usedAt - b.usedAt)), totalBytes, drafts: 0 };
}

async function readPicture(folder: Folder, name: string): Promise<Uint8Array | null> {
  const file = folder.files.get(name);
  if (file === undefined) return null;
  try {
    const bytes = await readFile(join(folder.path, name));
    await noteUse(folder, name, file);
    return bytes;
  } catch {
    // The file was removed by hand.
    forget(folder, name);
    return null;
  }
}

async function noteUse({ path, files }: Folder, name: string, file: FileUse): Promise<void> {
  files.delete(name);
  files.set(name, file);
  const now = Date.now();
  if (now - file.usedAt < HOUR_MS) return;
  file.usedAt = now;
  await utimes(join(path, name), now / 1_000, now / 1_000);
}

async function writePicture(folder: Folder, name: string, bytes: Uint8Array): Promise<void> {
  const { path, files } = folder;
  const draft = join(path, `${name}.${++folder.drafts}${DRAFT}`);
  await mkdir(path, { recursive: true, mode: 0o700 });
  await writeFile(draft, bytes, { mode: 0o600 });
  await rename(draft, join(path, name));
  forget(folder, name);
  files.set(name, { bytes: bytes.byteLength, usedAt: Date.now() });
  folder.totalBytes += bytes.byteLength;
}

async function removeOldest(folder: Folder, maxBytes: number): Promise<void> {
  for (const name of folder.files.keys()) {
    if (folder.totalBytes <= maxBytes) break;
    forget(folder, name);
    await rm(join(folder.path, name), { force: true });
  }
}

function forget(folder: Folder, name: string): void {
  folder.totalBytes -= folder.files.get(name)?.bytes ?? 0;
  folder.files.delete(name);
}
