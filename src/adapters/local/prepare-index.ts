import { setTimeout as sleep } from 'node:timers/promises';
import type { ImportedCatalog } from '../../ports/imports.ts';
import { fingerprintOf } from './catalog.ts';
import type { RunIndexJob } from './index-jobs.ts';
import { loadVersion, type MadeVersion, type MakeStep, makeVersion } from './make-version.ts';
import { openVersionFolders } from './version-folders.ts';

export interface PrepareIndexOptions {
  /** Folder of the starter catalogue. */
  readonly catalogDir: string;
  readonly dataDir: string;
  readonly imported: ImportedCatalog;
  readonly signal?: AbortSignal;
  /** Where it is built; beside the process if that can be. */
  readonly run?: RunIndexJob;
  onProgress?(step: PrepareStep): void;
}

/** `waiting` for a host that is building the same. */
export type PrepareStep = MakeStep | 'waiting' | 'ready';

const WAIT_MS = 500;

/** See to it that the files of what is imported now lie in the data folder, so that hosts that use the folder only load them.
 *  @returns whether there was anything to do
 *  Errors: CATALOG_INVALID, those of the store, of reading and of writing; the signal's reason. */
export async function prepareIndex(options: PrepareIndexOptions): Promise<boolean> {
  const { catalogDir, dataDir, imported, signal = new AbortController().signal, onProgress } = options;
  const base = fingerprintOf(catalogDir);
  const folders = openVersionFolders(dataDir);
  const given = { ...options, folders, signal, onStep: (step: MakeStep) => onProgress?.(step) };
  for (let isFirst = true; ; isFirst = false) {
    const key = { base, imported: await imported.version() };
    const isThere = key.imported === '' || (await loadVersion(key, given)) !== null;
    const made: MadeVersion | null =
      isThere || folders.isBeingWritten(key) ? null : await makeVersion(key, given);
    if (isThere || made !== null) {
      if (made !== null) await folders.prune(made.folder);
      onProgress?.('ready');
      return !(isThere && isFirst);
    }
    onProgress?.('waiting');
    await sleep(WAIT_MS, undefined, { signal });
  }
}
