import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadVocabularySegment } from '#engine/objects/segment/vocabulary-segment';
import { AppError } from '#errors';
import { type ImportedCatalog, MOST_LAID_OVER } from '#ports/imports';
import type { SharedFiles } from '#ports/shared-files';
import { isChangeSmall } from '../overlay/import-changes.ts';
import { fingerprintCatalog } from '../starter-catalog.ts';
import { builtIndexDir } from './first-version.ts';
import { type RunIndexJob, runIndexJobInWorker } from './index-jobs.ts';
import { writeOverlayLines } from './merge-imports.ts';
import { fingerprintElsewhere, type ObjectsStore } from './objects-store.ts';
import { fetchVersion, findLatestShared, nameSharedVersion, shareVersion } from './share-version.ts';
import {
  DOCUMENTS_FILE,
  decodeVersionCatalog,
  nameVersionFolder,
  type VersionBlocks,
  type VersionKey,
  type VersionPlace,
  writeVersionFingerprint,
} from './version-files.ts';
import { keepVersionDraft, openVersionFolders, type VersionFolders } from './version-folders.ts';

export interface PrepareIndexOptions {
  /** Folder of the starter catalogue. */
  readonly catalogDir: string;
  readonly dataDir: string;
  readonly imported: ImportedCatalog;
  readonly shared?: SharedFiles;
  readonly signal?: AbortSignal;
  /** Where it is built; in a thread of its own by default. */
  readonly run?: RunIndexJob;
  /** Another engine that keeps the objects. */
  readonly elsewhere?: ObjectsStore | undefined;
  /** Fewer objects that changed are left to hosts to lay over what they have; half of MOST_LAID_OVER when absent. */
  readonly mostLaidOver?: number;
  onProblem?(error: unknown): void;
  onProgress?(step: PrepareStep): void;
}

/** `waiting` for a host that is building the same version. */
export type PrepareStep = MakeStep | 'waiting' | 'ready';

const WAIT_MS = 500;

export interface MakeVersionDeps {
  /** Folder of the starter catalogue. */
  readonly catalogDir: string;
  readonly folders: VersionFolders;
  readonly imported: ImportedCatalog;
  readonly signal: AbortSignal;
  /** Where the work is done; see `runIndexJobInWorker`. */
  readonly run?: RunIndexJob;
  /** Another engine that keeps the objects. */
  readonly elsewhere?: ObjectsStore | undefined;
  onStep?(step: MakeStep): void;
}

/** `reading` what was imported from the store, then `indexing` it, and `filling` the engine that keeps the objects elsewhere. */
export type MakeStep = 'reading' | 'indexing' | 'filling';

export interface MadeVersion {
  readonly folder: string;
  readonly blocks: VersionBlocks;
}

export interface LoadVersionDeps extends Pick<MakeVersionDeps, 'folders' | 'signal' | 'run' | 'elsewhere'> {
  /** Where hosts give each other what one of them built; absent where each builds for itself. */
  readonly shared?: SharedFiles;
  /** Whether files are used also where the engine that keeps the objects cannot be asked: its words are right then, and objects say
   *  why there are none. */
  readonly isAwayFine?: boolean;
  /** Told why files that are there cannot be read or shared. */
  onProblem?(error: unknown): void;
}

/** The version's files, from another host where this one has none; null where they are missing, incomplete or unreadable, or the engine
 *  that keeps the objects lacks some: then they have to be built anew. Errors: those of the store; the signal's reason. */
export async function loadMadeVersion(key: VersionKey, deps: LoadVersionDeps): Promise<MadeVersion | null> {
  const found =
    (await loadOwnVersion(deps.folders.pathOf(key), key.base, deps)) ?? (await loadSharedVersion(key, deps));
  return found !== null && (await isVersionKept(key, found.blocks, deps)) ? found : null;
}

export interface LayableOptions extends LoadVersionDeps {
  readonly imported: ImportedCatalog;
  readonly most: number;
  /** Folders of versions that are of no use. */
  readonly except: ReadonlySet<string>;
}

/** A version over which what changed since can be laid: the last one in use here, else the last one that hosts shared. Null where there
 *  is none. Errors: those of the store; the signal's reason. */
export async function loadLayableVersion(base: string, options: LayableOptions): Promise<MadeVersion | null> {
  const { folders, shared, elsewhere, except } = options;
  const own = folders.findLatest(base) ?? (elsewhere === undefined ? builtIndexDir : null);
  const found = await loadLayable(own, base, options);
  const name = found !== null || shared === undefined ? null : await findLatestShared(shared, base);
  if (name === null || shared === undefined || except.has(folders.pathOf(name))) return found;
  if (folders.isBeingWritten(name) || !(await fetchVersion(name, { ...options, shared }))) return null;
  return loadLayable(folders.pathOf(name), base, options);
}

async function loadLayable(
  folder: string | null,
  base: string,
  options: LayableOptions,
): Promise<MadeVersion | null> {
  const { except, imported, most } = options;
  if (folder === null || except.has(folder)) return null;
  const found = await loadOwnVersion(folder, base, options);
  if (found === null || !(await isVersionKept(basename(folder), found.blocks, options))) return null;
  const { summary } = decodeVersionCatalog(found.blocks.catalog, { isVerified: true });
  return (await isChangeSmall(imported, summary.state, most)) ? found : null;
}

async function loadSharedVersion(
  key: VersionKey,
  { shared, ...deps }: LoadVersionDeps,
): Promise<MadeVersion | null> {
  if (shared === undefined || deps.folders.isBeingWritten(key)) return null;
  const isThere = await fetchVersion(key, { ...deps, shared });
  return isThere ? loadOwnVersion(deps.folders.pathOf(key), key.base, deps) : null;
}

async function loadOwnVersion(
  folder: string,
  base: string,
  { signal, run = runIndexJobInWorker, onProblem }: Pick<LoadVersionDeps, 'signal' | 'run' | 'onProblem'>,
): Promise<MadeVersion | null> {
  // Whoever waits for it looks again and again: no thread is started for nothing.
  if (!existsSync(folder)) return null;
  try {
    const blocks = await run({ kind: 'load', folder, base }, signal);
    return blocks && { folder, blocks };
  } catch (error) {
    signal.throwIfAborted();
    onProblem?.(error);
    return null;
  }
}

interface MakeForAllDeps extends MakeVersionDeps, LoadVersionDeps {
  /** Whether what is there cannot be used, here or in the store. */
  readonly isSpoilt?: boolean;
  /** Called with it as soon as it can be used here. */
  onMade?(version: MadeVersion): void;
}

/** Build it, and give it to other hosts; null where somebody else does, or where it cannot be had now. Errors: as `makeVersion`, and
 *  those of `onMade`: then others are not given it. */
export async function makeVersionForAll(key: VersionKey, deps: MakeForAllDeps): Promise<MadeVersion | null> {
  const { shared, folders, isSpoilt = false, onMade, onProblem } = deps;
  if (folders.isBeingWritten(key)) return null;
  const announce = (version: MadeVersion | null) => {
    if (version !== null) onMade?.(version);
    return version;
  };
  if (shared === undefined) return announce(await makeVersion(key, deps));
  return shared.alone(nameSharedVersion(key), async () => {
    // Another host may have been through with it just now.
    const ready = isSpoilt ? null : await loadMadeVersion(key, deps);
    if (ready !== null) return announce(ready);
    const made = announce(await makeVersion(key, deps));
    if (made !== null) await shareVersion(shared, key, made.folder).catch((error) => onProblem?.(error));
    return made;
  });
}

/** Read everything that was imported, build a version of it, and put its files in their place. Null where another version was
 *  imported meanwhile: what was read may be of both. Links found dead meanwhile do not matter: the next version has them.
 *  Errors: CATALOG_INVALID, those of the store, of reading and of writing; the signal's reason. Nothing stays behind then. */
export async function makeVersion(key: VersionKey, deps: MakeVersionDeps): Promise<MadeVersion | null> {
  const { catalogDir, folders, imported, signal, run = runIndexJobInWorker, elsewhere, onStep } = deps;
  const draft = folders.createDraft(key);
  const kept = keepVersionDraft(draft);
  try {
    onStep?.('reading');
    const before = await imported.importsVersion();
    if ((await imported.version()) !== key.imported) return null;
    const linesPath = join(draft.path, 'imported.jsonl');
    await writeOverlayLines(linesPath, imported, signal);
    if ((await imported.importsVersion()) !== before) return null;
    onStep?.('indexing');
    const blocks = await run(
      {
        kind: 'build',
        ...{ catalogDir, folder: draft.path, linesPath },
        ...{ fingerprint: writeVersionFingerprint(key), imported: key.imported, imports: before },
        isExternal: elsewhere !== undefined,
      },
      signal,
    );
    await rm(linesPath);
    if (elsewhere !== undefined && blocks !== null) {
      onStep?.('filling');
      const path = join(draft.path, DOCUMENTS_FILE);
      const words = loadVocabularySegment(blocks.objects, { isVerified: true });
      await elsewhere.fill({ name: nameVersionFolder(key), path, words }, signal);
      await rm(path);
    }
    draft.commit();
    return blocks && { folder: folders.pathOf(key), blocks };
  } finally {
    kept.stop();
    draft.discard();
  }
}

/** Make sure that the files of what is imported now are in the data folder, so that hosts that use it only need to load them; or those
 *  of a version over which hosts lay the little that changed.
 *  @returns whether there was anything to do
 *  Errors: CATALOG_INVALID, those of the store, of reading and of writing; the signal's reason. */
export async function prepareIndex(options: PrepareIndexOptions): Promise<boolean> {
  const { catalogDir, dataDir, imported, signal = new AbortController().signal, onProgress } = options;
  const base = fingerprintElsewhere(fingerprintCatalog(catalogDir), options.elsewhere);
  const folders = openVersionFolders(dataDir);
  const given = { ...options, folders, signal, onStep: (step: MakeStep) => onProgress?.(step) };
  const { mostLaidOver: most = MOST_LAID_OVER / 2 } = options;
  const layable = { ...given, most, except: new Set<string>() };
  if (most > 0 && (await loadLayableVersion(base, layable)) !== null) {
    onProgress?.('ready');
    return false;
  }
  for (let isFirst = true; ; isFirst = false) {
    const key = { base, imported: await imported.version() };
    const isThere = isBuiltIn(key, given) || (await loadMadeVersion(key, given)) !== null;
    const made = isThere ? null : await makeVersionForAll(key, given);
    if (isThere || made !== null) {
      if (made !== null) await folders.prune(made.folder);
      onProgress?.('ready');
      return !(isThere && isFirst);
    }
    onProgress?.('waiting');
    await sleep(WAIT_MS, undefined, { signal });
  }
}

/** The build of the program has made the version of the starter catalogue for our own engine. */
const isBuiltIn = ({ imported }: VersionKey, { elsewhere }: Pick<MakeVersionDeps, 'elsewhere'>) =>
  imported === '' && elsewhere === undefined;

/** Whether the engine that keeps the objects, where that is another one, has all of this version, which is the current one then. */
async function isVersionKept(
  place: VersionPlace,
  { objects }: Pick<VersionBlocks, 'objects'>,
  { elsewhere, isAwayFine = false, onProblem }: LoadVersionDeps,
): Promise<boolean> {
  if (elsewhere === undefined) return true;
  const { liveCount } = loadVocabularySegment(objects, { isVerified: true });
  try {
    return await elsewhere.select(nameVersionFolder(place), liveCount);
  } catch (error) {
    if (!isAwayFine || !isAway(error)) throw error;
    onProblem?.(error);
    return true;
  }
}

/** Whether the engine that keeps the objects cannot be asked. */
export function isAway(error: unknown): boolean {
  return error instanceof AppError && error.code === 'CATALOG_UNAVAILABLE';
}
