import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { loadVocabularySegment } from '#engine/objects/segment/vocabulary-segment';
import { hasErrorCode } from '#errors';
import type { ImportedCatalog } from '#ports/imports';
import type { SharedFiles } from '#ports/shared-files';
import { hasFewChanges } from '../overlay/import-changes.ts';
import { type RunIndexJob, runIndexJobApart } from './index-jobs.ts';
import { writeImportedLines } from './merge-imports.ts';
import { fetchSharedVersion, findLatestSharedVersion, nameSharedVersion, shareVersion } from './share-version.ts';
import type { VersionBlocks, VersionKey, VersionRef } from './version-files.ts';
import { DOCUMENTS_FILE, decodeVersionCatalog, nameVersionFolder } from './version-files.ts';
import { builtIndexDir, type VersionFolders } from './version-folders.ts';
import type { ExternalIndex } from './version-objects.ts';

/** A complete version that is not open yet. */
export type MadeVersion = { readonly folder: string; readonly blocks: VersionBlocks };

export interface LoadOptions {
  readonly folders: VersionFolders;
  readonly signal: AbortSignal;
  readonly run?: RunIndexJob;
  /** The index that stores the objects; absent for the embedded engine. */
  readonly external?: ExternalIndex | undefined;
  /** Without shared files, each host builds its versions. */
  readonly shared?: SharedFiles;
  /** Allows a version while the external index is unavailable: searches for objects fail. */
  readonly mayLackObjects?: boolean;
  /** Called when existing files cannot be read or shared. */
  onProblem?(error: unknown): void;
}

/** Loads a version that this host or another one has built. Returns null if it has to be built:
 *  it is missing, incomplete or damaged, or the external index lacks some of its objects.
 *  Errors: those of the store; the reason of the signal. */
export async function loadVersion(key: VersionKey, options: LoadOptions): Promise<MadeVersion | null> {
  const { folders, shared } = options;
  let version = await loadVersionFolder(folders.pathOf(key), key.base, options);
  if (version === null && shared !== undefined && !folders.isBeingWritten(key)) {
    const isFetched = await fetchSharedVersion(key, { ...options, shared });
    if (isFetched) version = await loadVersionFolder(folders.pathOf(key), key.base, options);
  }
  return version !== null && (await selectExternally(key, version, options)) ? version : null;
}

interface LoadBaseOptions extends LoadOptions {
  readonly imported: ImportedCatalog;
  /** The most changed objects that an overlay may have. */
  readonly limit: number;
  /** The folder of a version that is not loaded. */
  readonly except?: string;
}

/** Loads a version that becomes current with an overlay: the last one in use on this host, else the
 *  last shared one, else null. Errors: those of the store; the reason of the signal. */
export async function loadOverlayBase(base: string, options: LoadBaseOptions): Promise<MadeVersion | null> {
  const { folders, shared, external, except } = options;
  const folder = folders.findLatest(base) ?? (external === undefined ? builtIndexDir : null);
  const local = folder === null ? null : await loadIfFewChanges(folder, base, options);
  if (local !== null || shared === undefined) return local;
  const name = await findLatestSharedVersion(shared, base);
  if (name === null || folders.pathOf(name) === except || folders.isBeingWritten(name)) return null;
  const isFetched = await fetchSharedVersion(name, { ...options, shared });
  return isFetched ? loadIfFewChanges(folders.pathOf(name), base, options) : null;
}

async function loadIfFewChanges(folder: string, base: string, options: LoadBaseOptions): Promise<MadeVersion | null> {
  const { except, imported, limit } = options;
  if (folder === except) return null;
  const version = await loadVersionFolder(folder, base, options);
  if (version === null || !(await selectExternally(basename(folder), version, options))) return null;
  const { summary } = decodeVersionCatalog(version.blocks.catalog, { isVerified: true });
  return (await hasFewChanges(imported, summary.state, limit)) ? version : null;
}

async function loadVersionFolder(folder: string, base: string, options: LoadOptions): Promise<MadeVersion | null> {
  const { signal, run = runIndexJobApart, onProblem } = options;
  // Hosts that wait for another host check every second, so no thread is started in vain.
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

/** Makes the version current in the external index, if any. @returns whether it has all objects */
async function selectExternally(
  version: VersionRef,
  { blocks }: MadeVersion,
  { external, mayLackObjects = false, onProblem }: LoadOptions,
): Promise<boolean> {
  if (external === undefined) return true;
  const { liveCount } = loadVocabularySegment(blocks.objects, { isVerified: true });
  try {
    return await external.select(nameVersionFolder(version), liveCount);
  } catch (error) {
    if (!mayLackObjects || !hasErrorCode(error, 'CATALOG_UNAVAILABLE')) throw error;
    onProblem?.(error);
    return true;
  }
}

/** The steps: `reading` imports from the store, `indexing` them, `filling` the external index. */
export type MakeStep = 'reading' | 'indexing' | 'filling';

export interface MakeOptions extends LoadOptions {
  readonly catalogDir: string;
  readonly imported: ImportedCatalog;
  onStep?(step: MakeStep): void;
}

interface MakeSharedOptions extends MakeOptions {
  /** The existing version, local or shared, cannot be used. */
  readonly isDamaged?: boolean;
  /** Called when this host can use the version. If it fails, the version is not shared. */
  onMade?(version: MadeVersion): Promise<void>;
}

/** Builds a version and shares it with other hosts. Returns null if another host is building it, or
 *  if another import ended meanwhile. Errors: as `makeVersion`; those of `onMade`. */
export async function makeSharedVersion(key: VersionKey, options: MakeSharedOptions): Promise<MadeVersion | null> {
  const { shared, folders, isDamaged = false, onMade, onProblem } = options;
  if (folders.isBeingWritten(key)) return null;
  const announce = async (version: MadeVersion | null) => {
    if (version !== null) await onMade?.(version);
    return version;
  };
  if (shared === undefined) return announce(await makeVersion(key, options));
  return shared.alone(nameSharedVersion(key), async () => {
    // Another host may have finished this version meanwhile.
    const existing = isDamaged ? null : await loadVersion(key, options);
    if (existing !== null) return announce(existing);
    const newVersion = await announce(await makeVersion(key, options));
    if (newVersion !== null) await shareVersion(shared, key, newVersion.folder).catch((error) => onProblem?.(error));
    return newVersion;
  });
}

/** Reads all imports, builds a version, and moves its files into its folder; removes them on
 *  failure. Returns null if another import ended meanwhile, as the records may be a mixture. (Links
 *  that die meanwhile do not matter: the next version has them.) Errors: CATALOG_INVALID, those of
 *  the store, of reading and of writing; the reason of the signal. */
export async function makeVersion(key: VersionKey, options: MakeOptions): Promise<MadeVersion | null> {
  const { catalogDir, folders, imported, signal, run = runIndexJobApart, external, onStep } = options;
  const draft = folders.createDraft(key);
  try {
    onStep?.('reading');
    const imports = await imported.importsVersion();
    if ((await imported.version()) !== key.imported) return null;
    const linesPath = join(draft.path, 'imported.jsonl');
    await writeImportedLines(linesPath, imported, signal);
    if ((await imported.importsVersion()) !== imports) return null;
    onStep?.('indexing');
    const isExternal = external !== undefined;
    const job = { kind: 'build', catalogDir, folder: draft.path, linesPath, ...key, imports, isExternal } as const;
    const blocks = await run(job, signal);
    await rm(linesPath);
    if (external !== undefined && blocks !== null) {
      onStep?.('filling');
      const path = join(draft.path, DOCUMENTS_FILE);
      const words = loadVocabularySegment(blocks.objects, { isVerified: true });
      await external.fill({ name: nameVersionFolder(key), path, words }, signal);
      await rm(path);
    }
    draft.commit();
    return blocks && { folder: folders.pathOf(key), blocks };
  } finally {
    draft.discard();
  }
}
