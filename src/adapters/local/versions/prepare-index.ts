import { mkdirSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadVocabularySegment } from '#engine/objects/segment/vocabulary-segment';
import { hasErrorCode } from '#errors';
import { type ImportedCatalog, MAX_OVERLAY_OBJECTS } from '#ports/imports';
import { fingerprintStarterCatalog } from '../starter-catalog.ts';
import { buildStarterVersion } from './build-version.ts';
import { runIndexJob } from './index-jobs.ts';
import type { LoadOptions, MakeOptions, MakeStep } from './make-version.ts';
import { loadOverlayBase, loadVersion, makeSharedVersion, makeVersion } from './make-version.ts';
import { nameVersionFolder, type VersionKey } from './version-files.ts';
import { builtIndexDir, openVersionFolders } from './version-folders.ts';
import { type ExternalIndex, fingerprintVersionBase } from './version-objects.ts';

export function isBuiltIndexCurrent(catalogDir: string): boolean {
  return runIndexJob({ kind: 'load', folder: builtIndexDir, base: fingerprintStarterCatalog(catalogDir) }) !== null;
}

/** Prebuilds the index of the starter catalogue unless it is current. Errors: CATALOG_INVALID. */
export function buildStarterIndex(catalogDir: string): void {
  if (isBuiltIndexCurrent(catalogDir)) return;
  mkdirSync(builtIndexDir, { recursive: true });
  buildStarterVersion({ catalogDir, base: fingerprintStarterCatalog(catalogDir), folder: builtIndexDir });
}

interface PrepareIndexOptions extends Pick<LoadOptions, 'run' | 'external' | 'shared' | 'onProblem'> {
  readonly catalogDir: string;
  readonly dataDir: string;
  readonly imported: ImportedCatalog;
  readonly signal?: AbortSignal;
  /** Changes that hosts apply as an overlay; half of MAX_OVERLAY_OBJECTS by default. */
  readonly overlayLimit?: number;
  onProgress?(step: PrepareStep): void;
}

/** The step `waiting` is that for a host that is building the same version. */
export type PrepareStep = MakeStep | 'waiting' | 'ready';

const WAIT_MS = 500;

/** Prepares the version of the present imports in the data folder, or one that becomes it with an
 *  overlay, so that hosts only load it. @returns whether there was anything to do
 *  Errors: CATALOG_INVALID, those of the store, of reading and of writing; the signal's reason. */
export async function prepareIndex(options: PrepareIndexOptions): Promise<boolean> {
  const { catalogDir, dataDir, imported, external, onProgress } = options;
  const { signal = new AbortController().signal, overlayLimit: limit = MAX_OVERLAY_OBJECTS / 2 } = options;
  const base = fingerprintVersionBase(fingerprintStarterCatalog(catalogDir), external);
  const folders = openVersionFolders(dataDir);
  const making = { ...options, folders, signal, onStep: (step: MakeStep) => onProgress?.(step) };
  if (limit > 0 && (await loadOverlayBase(base, { ...making, limit })) !== null) {
    onProgress?.('ready');
    return false;
  }
  for (let isFirst = true; ; isFirst = false) {
    const key = { base, imported: await imported.version() };
    // The version of the starter catalogue is prebuilt.
    const isBuilt = key.imported === '' && external === undefined;
    const isReady = isBuilt || (await loadVersion(key, making)) !== null;
    const prepared = isReady ? null : await makeSharedVersion(key, making);
    if (prepared !== null) await folders.prune(prepared.folder);
    if (isReady || prepared !== null) {
      onProgress?.('ready');
      return !(isReady && isFirst);
    }
    onProgress?.('waiting');
    await sleep(WAIT_MS, undefined, { signal });
  }
}

/** Compares an external index with the imports, and fills it again if they differ.
 *  @returns the `problem` of that index, null without one; its number of `documents`
 *  Errors: those of `prepareIndex`. */
export async function checkExternalIndex(options: PrepareIndexOptions & { readonly external: ExternalIndex }) {
  const { catalogDir, dataDir, imported, external, signal = new AbortController().signal } = options;
  const base = fingerprintVersionBase(fingerprintStarterCatalog(catalogDir), external);
  const folders = openVersionFolders(dataDir);
  const key = { base, imported: await imported.version() };
  const making = { ...options, folders, signal };
  // `examine` reports missing objects, so loading need not check for them.
  const loading = { ...making, external: undefined };
  // Hosts may use an older version with an overlay.
  const load = async () =>
    (await loadVersion(key, loading)) ?? (await loadOverlayBase(base, { ...loading, limit: MAX_OVERLAY_OBJECTS }));
  if ((await load()) === null) await prepareIndex({ ...options, overlayLimit: 0 });
  const version = await load();
  if (version === null) return { problem: 'Something else was imported meanwhile.', documents: 0 };
  const words = loadVocabularySegment(version.blocks.objects, { isVerified: true });
  const problem = await external.examine({ name: basename(version.folder), words });
  if (problem !== null) await fillAgain(key, { ...making, external });
  return { problem, documents: words.liveCount };
}

async function fillAgain(key: VersionKey, options: MakeOptions & { readonly external: ExternalIndex }): Promise<void> {
  try {
    await makeVersion(key, options);
  } catch (error) {
    if (!hasErrorCode(error, 'CATALOG_UNAVAILABLE')) throw error;
    // Filling does not remove superfluous documents.
    await options.external.drop(nameVersionFolder(key));
    await makeVersion(key, options);
  }
}
