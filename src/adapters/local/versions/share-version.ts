import { createReadStream } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FileDamaged, type SharedFile, type SharedFiles } from '#ports/shared-files';
import { FILE_PART_BYTES } from '#ports/store/store';
import { nameVersionBase, nameVersionFolder, type VersionRef, versionFiles } from './version-files.ts';
import type { VersionFolders } from './version-folders.ts';

/** The beginning of the names of shared files. The base follows, so that releases that run side by
 *  side do not share versions. */
const PREFIX = 'catalog-1/';
/** The current version and the one before it, of two releases. */
const MAX_SHARED = 4;
/** Each host builds larger versions, as storing them takes longer. */
const MAX_BYTES = 4 * 1024 ** 3;

const fileNames = Object.values(versionFiles);
/** The lengths of the files of a version, in the order of `fileNames`. */
type Lengths = readonly number[];

export const nameSharedVersion = (version: VersionRef): string => PREFIX + nameVersionFolder(version);

/** @returns the folder name of the last shared version of this base, or null
 *  Errors: those of the store. */
export async function findLatestSharedVersion(shared: SharedFiles, base: string): Promise<string | null> {
  const [latest] = await shared.list(`${PREFIX}${nameVersionBase(base)}-`);
  return latest === undefined ? null : latest.name.slice(PREFIX.length);
}

/** Shares a version with other hosts, and removes old shared versions. Errors: `Error` if it is too
 *  large, those of reading and of the store. */
export async function shareVersion(shared: SharedFiles, version: VersionRef, folder: string): Promise<void> {
  const lengths: Lengths = await Promise.all(fileNames.map(async (name) => (await stat(join(folder, name))).size));
  const bytes = lengths.reduce((sum, length) => sum + length, 0);
  if (bytes > MAX_BYTES)
    throw new Error(`the index has ${bytes} bytes, too many to be shared: each host builds its own`);
  await shared.put({ name: nameSharedVersion(version), about: JSON.stringify(lengths) }, readVersionFiles(folder));
  for (const old of (await shared.list(PREFIX)).slice(MAX_SHARED)) await shared.remove(old);
}

async function* readVersionFiles(folder: string): AsyncGenerator<Uint8Array, void> {
  for (const name of fileNames) yield* createReadStream(join(folder, name), { highWaterMark: FILE_PART_BYTES });
}

interface FetchOptions {
  readonly shared: SharedFiles;
  readonly folders: VersionFolders;
  readonly signal: AbortSignal;
  onProblem?(error: unknown): void;
}

/** Copies a shared version into its folder, and removes a damaged one from the store.
 *  @returns whether there was an intact one
 *  Errors: those of the store and of writing; the reason of the signal. */
export async function fetchSharedVersion(version: VersionRef, options: FetchOptions): Promise<boolean> {
  const { shared, folders, onProblem } = options;
  const name = nameSharedVersion(version);
  const files = await shared.list(name);
  const file = files.find((candidate) => candidate.name === name);
  if (file === undefined) return false;
  const draft = folders.createDraft(version);
  try {
    await writeVersionFiles(draft.path, file, options);
    draft.commit();
    return true;
  } catch (error) {
    if (!(error instanceof FileDamaged)) throw error;
    onProblem?.(error);
    await shared.remove(file);
    return false;
  } finally {
    draft.discard();
  }
}

async function writeVersionFiles(
  folder: string,
  file: SharedFile,
  { shared, signal }: Pick<FetchOptions, 'shared' | 'signal'>,
): Promise<void> {
  const parts: { readonly handle: FileHandle; remainingBytes: number }[] = [];
  try {
    for (const [i, remainingBytes] of (JSON.parse(file.about) as Lengths).entries())
      parts.push({ handle: await open(join(folder, fileNames[i] ?? ''), 'wx'), remainingBytes });
    for await (const chunk of shared.read(file)) {
      signal.throwIfAborted();
      for (let from = 0; from < chunk.byteLength; ) {
        const part = parts.find(({ remainingBytes }) => remainingBytes > 0);
        if (part === undefined) throw new FileDamaged(`the shared file ${file.name} is too long`);
        const bytes = chunk.subarray(from, from + part.remainingBytes);
        await part.handle.writeFile(bytes);
        part.remainingBytes -= bytes.byteLength;
        from += bytes.byteLength;
      }
    }
    if (parts.some(({ remainingBytes }) => remainingBytes > 0))
      throw new FileDamaged(`the shared file ${file.name} is too short`);
  } finally {
    for (const { handle } of parts) await handle.close();
  }
}
