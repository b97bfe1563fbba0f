import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImportedCatalog } from '../../ports/imports.ts';
import { fingerprintOfVersion, type VersionBlocks, type VersionKey } from './catalog-version.ts';
import { writeImportedLines } from './imported-lines.ts';
import { type RunIndexJob, runBeside } from './index-jobs.ts';
import { keepDraft, type VersionFolders } from './version-folders.ts';

export interface MakeVersionDeps {
  /** Folder of the starter catalogue. */
  readonly catalogDir: string;
  readonly folders: VersionFolders;
  readonly imported: ImportedCatalog;
  readonly signal: AbortSignal;
  /** Where the work is done; see `runBeside`. */
  readonly run?: RunIndexJob;
  onStep?(step: MakeStep): void;
}

/** `reading` what was imported from the store, then `indexing` it. */
export type MakeStep = 'reading' | 'indexing';

export interface MadeVersion {
  readonly folder: string;
  readonly blocks: VersionBlocks;
}

export interface LoadVersionDeps extends Pick<MakeVersionDeps, 'folders' | 'signal' | 'run'> {
  /** Told why files that are there cannot be read. */
  onProblem?(error: unknown): void;
}

/** The version's files as they are; null where they are not there, not whole, or cannot be read: then they are to be built
 *  anew. Errors: the signal's reason. */
export async function loadVersion(
  key: VersionKey,
  { folders, signal, run = runBeside, onProblem }: LoadVersionDeps,
): Promise<MadeVersion | null> {
  const folder = folders.pathOf(key);
  try {
    const blocks = await run({ kind: 'load', folder, base: key.base }, signal);
    return blocks && { folder, blocks };
  } catch (error) {
    signal.throwIfAborted();
    onProblem?.(error);
    return null;
  }
}

/** Read everything that was imported, build a version of it, and put its files in their place. Null where another version was
 *  imported meanwhile: what was read may be of both. Links that are found dead meanwhile are no reason: they are of the next.
 *  Errors: CATALOG_INVALID, those of the store, of reading and of writing; the signal's reason. Nothing stays behind then. */
export async function makeVersion(key: VersionKey, deps: MakeVersionDeps): Promise<MadeVersion | null> {
  const { catalogDir, folders, imported, signal, run = runBeside, onStep } = deps;
  const draft = folders.createDraft(key);
  const kept = keepDraft(draft);
  try {
    onStep?.('reading');
    const before = await imported.importsVersion();
    if ((await imported.version()) !== key.imported) return null;
    const linesPath = join(draft.path, 'imported.jsonl');
    await writeImportedLines(linesPath, imported, signal);
    if ((await imported.importsVersion()) !== before) return null;
    onStep?.('indexing');
    const blocks = await run(
      {
        kind: 'build',
        ...{ catalogDir, folder: draft.path, linesPath },
        ...{ fingerprint: fingerprintOfVersion(key), imported: key.imported },
      },
      signal,
    );
    await rm(linesPath);
    draft.commit();
    return blocks && { folder: folders.pathOf(key), blocks };
  } finally {
    kept.stop();
    draft.discard();
  }
}
