import { createHash } from 'node:crypto';
import { createReadStream, type Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { AppError } from '#errors';
import { findWorkbookKind, refusePackageKind } from './file-kinds.ts';
import { createSourceFileError, readSourceHead, type SourceFile } from './source-file.ts';
import { listZip } from './zip-files.ts';

export interface SourceFiles {
  /** Sorted by path. */
  readonly files: readonly SourceFile[];
  /** A hash of the names, sizes, times and beginnings of the files. */
  readonly fingerprint: string;
}

const MAX_FILES = 10_000;
/** Levels of folders that are read below the given one; deeper files are skipped. */
const MAX_DEPTH = 5;
const ZIP_BEGINNING = 'PK\u0003\u0004';

/** Opens a folder, a ZIP file, or a single file. Errors: IMPORT_INVALID.
 *  @param title its name in messages */
export async function openSourceFiles(location: string, title = basename(location)): Promise<SourceFiles> {
  return explainFileErrors(title, async () => {
    const stats = await stat(location);
    if (stats.isDirectory()) return openSourceFolder(location, title);
    const file = toSourceFile(location, title, stats);
    const head = await readSourceHead(file);
    const files = head.toString('latin1').startsWith(ZIP_BEGINNING) ? await listZippedFiles(location, file) : [file];
    return { files, fingerprint: fingerprintSourceFiles([stampSourceFile(title, stats, head)]) };
  });
}

/** Lists the files in a ZIP file. A workbook is a ZIP file, too, and counts as one file. */
async function listZippedFiles(location: string, file: SourceFile): Promise<readonly SourceFile[]> {
  const files = await listZip(location, file);
  const paths = files.map(({ path }) => path);
  refusePackageKind(file.name, paths);
  return findWorkbookKind(paths) === null ? files : [file];
}

async function openSourceFolder(folder: string, title: string): Promise<SourceFiles> {
  const locations = (await listSourceFolder(folder, 0)).sort();
  if (locations.length > MAX_FILES)
    throw createSourceFileError(title, `holds more than ${MAX_FILES} files. Name the folder of the taxonomy itself.`);
  const files: SourceFile[] = [];
  const stamps: string[] = [];
  for (const location of locations) {
    const path = relative(folder, location).replaceAll('\\', '/');
    const stats = await stat(location);
    const file = { ...toSourceFile(location, basename(location), stats), path };
    files.push(file);
    stamps.push(stampSourceFile(path, stats, await readSourceHead(file)));
  }
  return { files, fingerprint: fingerprintSourceFiles(stamps) };
}

async function listSourceFolder(folder: string, depth: number): Promise<string[]> {
  const paths: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isFile()) paths.push(path);
    else if (entry.isDirectory() && depth < MAX_DEPTH) paths.push(...(await listSourceFolder(path, depth + 1)));
    if (paths.length > MAX_FILES) break;
  }
  return paths;
}

function toSourceFile(location: string, name: string, { size, mtimeMs }: Stats): SourceFile {
  return {
    name,
    path: name,
    sizeBytes: size,
    open: async () => createReadStream(location),
    async assertUnchanged() {
      const current = await stat(location).catch(() => null);
      if (current?.size !== size || current.mtimeMs !== mtimeMs)
        throw createSourceFileError(name, 'was changed while it was read. Import it again once it is complete.');
    },
  };
}

function stampSourceFile(path: string, { size, mtimeMs }: Stats, head: Buffer): string {
  const headHash = createHash('sha256').update(head).digest('base64');
  return JSON.stringify([path, size, Math.trunc(mtimeMs), headHash]);
}

const fingerprintSourceFiles = (stamps: readonly string[]): string =>
  createHash('sha256').update(stamps.join('\n')).digest('base64url');

async function explainFileErrors<T>(title: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (cause instanceof AppError || code === undefined) throw cause;
    const why = code === 'ENOENT' ? 'is not there' : `cannot be read (${code})`;
    throw new AppError('IMPORT_INVALID', `${title} ${why}. Give a file or folder that can be read.`, { cause });
  }
}
