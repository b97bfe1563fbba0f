import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PictureFiles } from '#ports/pictures';

interface PictureFilesOptions {
  /** Absolute; made when the first one comes. */
  readonly folder: string;
  /** Of all of them together; 256 MB when absent. */
  readonly maxBytes?: number;
}

const MAX_BYTES = 256 * 1024 ** 2;
/** How much of the order in which they were used a restart may forget. */
const HOUR_MS = 3_600_000;
const DRAFT = '.new';

interface FileUse {
  readonly bytes: number;
  usedAt: number;
}

/** Files in a folder of the data folder, the least recently used first. */
export function createPictureFiles({ folder, maxBytes = MAX_BYTES }: PictureFilesOptions): PictureFiles {
  let listed: Promise<Map<string, FileUse>> | undefined;
  let total = 0;
  let drafts = 0;

  async function list(): Promise<Map<string, FileUse>> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const entries: [string, FileUse][] = [];
    for (const name of await readdir(folder)) {
      // Of a host that was killed while it wrote.
      if (name.endsWith(DRAFT)) await rm(join(folder, name), { force: true });
      else {
        const { size, mtimeMs } = await stat(join(folder, name));
        entries.push([name, { bytes: size, usedAt: mtimeMs }]);
        total += size;
      }
    }
    return new Map(entries.sort(([, a], [, b]) => a.usedAt - b.usedAt));
  }

  function open(): Promise<Map<string, FileUse>> {
    listed ??= list().catch((error: unknown) => {
      [listed, total] = [undefined, 0];
      throw error;
    });
    return listed;
  }

  function forget(files: Map<string, FileUse>, name: string): void {
    total -= files.get(name)?.bytes ?? 0;
    files.delete(name);
  }

  async function noteUse(files: Map<string, FileUse>, name: string, file: FileUse): Promise<void> {
    files.delete(name);
    files.set(name, file);
    const now = Date.now();
    if (now - file.usedAt < HOUR_MS) return;
    file.usedAt = now;
    await utimes(join(folder, name), now / 1_000, now / 1_000);
  }

  return {
    async find(name) {
      const files = await open();
      const file = files.get(name);
      if (file === undefined) return null;
      try {
        const bytes = await readFile(join(folder, name));
        await noteUse(files, name, file);
        return bytes;
      } catch {
        // Somebody tidied the folder.
        forget(files, name);
        return null;
      }
    },
    async keep(name, bytes) {
      const files = await open();
      const draft = join(folder, `${name}.${++drafts}${DRAFT}`);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(draft, bytes, { mode: 0o600 });
      await rename(draft, join(folder, name));
      forget(files, name);
      files.set(name, { bytes: bytes.byteLength, usedAt: Date.now() });
      total += bytes.byteLength;
      for (const oldest of files.keys()) {
        if (total <= maxBytes) break;
        forget(files, oldest);
        await rm(join(folder, oldest), { force: true });
      }
    },
  };
}
