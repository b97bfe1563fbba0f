import { createReadStream } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FileDamaged, type SharedFile, type SharedFiles } from '#ports/shared-files';
import { FILE_PART_BYTES } from '#ports/store/store';
import { nameVersionBase, nameVersionFolder, type VersionPlace, versionFiles } from './version-files.ts';
import { keepVersionDraft, type VersionFolders } from './version-folders.ts';

/** Beginning of the names of versions that hosts give each other. The rest names the data and the code that indexed them, so that
 *  releases that run side by side never read each other's. */
const PREFIX = 'catalog-1/';
/** The version that is searched and the one before it, of two releases. */
const KEPT = 4;
/** A larger one is built by each host, which takes less than keeping it would. */
const MAX_BYTES = 4 * 1024 ** 3;

const names = Object.values(versionFiles);

/** How long each of the files is that stand one behind the other in the shared one. */
type Lengths = readonly number[];

export function nameSharedVersion(place: VersionPlace): string {
  return PREFIX + nameVersionFolder(place);
}

/** Name of the folder of the version of this base that was shared last; null where there is none. Errors: those of the store. */
export async function findLatestShared(shared: SharedFiles, base: string): Promise<string | null> {
  const [latest] = await shared.list(`${PREFIX}${nameVersionBase(base)}-`);
  return latest === undefined ? null : latest.name.slice(PREFIX.length);
}

/** Gives the version in this folder to other hosts, and removes what none of them needs. Errors: those of reading and of the store. */
export async function shareVersion(shared: SharedFiles, place: VersionPlace, folder: string): Promise<void> {
  const lengths: Lengths = await Promise.all(
    names.map(async (name) => (await stat(join(folder, name))).size),
  );
  const bytes = lengths.reduce((sum, length) => sum + length, 0);
  if (bytes > MAX_BYTES)
    throw new Error(`the index has ${bytes} bytes, too many to be shared: each host builds its own`);
  await shared.put({ name: nameSharedVersion(place), about: JSON.stringify(lengths) }, readAll(folder));
  for (const old of (await shared.list(PREFIX)).slice(KEPT)) await shared.remove(old);
}

async function* readAll(folder: string): AsyncGenerator<Uint8Array, void> {
  for (const name of names) yield* createReadStream(join(folder, name), { highWaterMark: FILE_PART_BYTES });
}

interface FetchDeps {
  readonly shared: SharedFiles;
  readonly folders: VersionFolders;
  readonly signal: AbortSignal;
  onProblem?(error: unknown): void;
}

/** Puts the version that another host shared into its folder. One that is damaged is removed from the store.
 *  @returns whether there was a sound one. Errors: those of the store and of writing; the signal's reason. */
export async function fetchVersion(place: VersionPlace, deps: FetchDeps): Promise<boolean> {
  const { shared, folders, signal, onProblem } = deps;
  const name = nameSharedVersion(place);
  const file = (await shared.list(name)).find((each) => each.name === name);
  if (file === undefined) return false;
  const draft = folders.createDraft(place);
  const kept = keepVersionDraft(draft);
  try {
    await writeAll(draft.path, file, { shared, signal });
    draft.commit();
    return true;
  } catch (error) {
    if (!(error instanceof FileDamaged)) throw error;
    onProblem?.(error);
    await shared.remove(file);
    return false;
  } finally {
    kept.stop();
    draft.discard();
  }
}

async function writeAll(
  folder: string,
  file: SharedFile,
  { shared, signal }: Pick<FetchDeps, 'shared' | 'signal'>,
): Promise<void> {
  const written: { readonly handle: FileHandle; left: number }[] = [];
  try {
    for (const [place, left] of (JSON.parse(file.about) as Lengths).entries())
      written.push({ handle: await open(join(folder, names[place] ?? ''), 'wx'), left });
    for await (const chunk of shared.read(file)) {
      signal.throwIfAborted();
      for (let from = 0; from < chunk.byteLength; ) {
        const next = written.find(({ left }) => left > 0);
        if (next === undefined) throw new FileDamaged(`the shared file ${file.name} is too long`);
        const part = chunk.subarray(from, from + next.left);
        await next.handle.writeFile(part);
        next.left -= part.byteLength;
        from += part.byteLength;
      }
    }
    if (written.some(({ left }) => left > 0))
      throw new FileDamaged(`the shared file ${file.name} is too short`);
  } finally {
    for (const { handle } of written) await handle.close();
  }
}
