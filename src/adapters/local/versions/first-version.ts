import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '#errors';
import type { ImportedCatalog } from '#ports/imports';
import { projectRoot } from '#project-root';
import { fingerprintCatalog } from '../starter-catalog.ts';
import { buildVersion } from './build-version.ts';
import { runIndexJob } from './index-jobs.ts';
import { type OpenVersion, type OpenVersionDeps, openVersion } from './open-version.ts';
import { DOCUMENTS_FILE, type VersionBlocks, writeVersionFingerprint } from './version-files.ts';
import type { VersionFolders } from './version-folders.ts';

/** What the build made of the starter catalogue, so that not even the first start has to; see build-index.ts. */
export const builtIndexDir = join(projectRoot, 'dist', 'index');

export interface FirstVersionOptions {
  readonly catalogDir: string;
  /** Fingerprint of the starter data and of the code that indexes. */
  readonly base: string;
  readonly folders: VersionFolders;
  /** When absent, only the starter catalogue is opened, whatever was imported before. */
  readonly imported?: ImportedCatalog;
  /** Given where another engine keeps the objects; it is filled later, as after an import. */
  readonly elsewhere?: object | undefined;
}

export interface FirstVersion {
  readonly version: OpenVersion;
  readonly isFromSnapshot: boolean;
}

/** The version that was last in use, else the starter catalogue as it was built, else built now. What was imported since is
 *  not waited for. Errors: CATALOG_INVALID. */
export function openFirstVersion(options: FirstVersionOptions, deps: OpenVersionDeps): FirstVersion {
  const first = findFirstVersion(options, deps);
  options.folders.removeFormer();
  return first;
}

function findFirstVersion(options: FirstVersionOptions, deps: OpenVersionDeps): FirstVersion {
  const { base, folders, imported } = options;
  const own = imported === undefined ? folders.pathOf({ base, imported: '' }) : folders.findLatest(base);
  for (const folder of own === null ? [builtIndexDir] : [own, builtIndexDir]) {
    const version = openSaved(folder, base, deps);
    if (version !== null) return { version, isFromSnapshot: true };
  }
  return { version: openBuilt(options, deps), isFromSnapshot: false };
}

function openSaved(folder: string, base: string, deps: OpenVersionDeps): OpenVersion | null {
  try {
    const blocks = runIndexJob({ kind: 'load', folder, base });
    return blocks && openVersion(folder, blocks, deps);
  } catch (error) {
    deps.onProblem(error);
    return null;
  }
}

/** Where it cannot be saved it is still searched; the next start builds it again. */
function openBuilt(options: FirstVersionOptions, deps: OpenVersionDeps): OpenVersion {
  const { folders, base } = options;
  try {
    const draft = folders.createDraft({ base, imported: '' });
    try {
      const blocks = buildStarter({ ...options, folder: draft.path });
      draft.commit();
      return openVersion(folders.pathOf({ base, imported: '' }), blocks, deps);
    } finally {
      draft.discard();
    }
  } catch (error) {
    if (error instanceof AppError && error.code === 'CATALOG_INVALID') throw error;
    deps.onProblem(error);
    return openUnkept(options, deps);
  }
}

function openUnkept(options: FirstVersionOptions, deps: OpenVersionDeps): OpenVersion {
  const folder = mkdtempSync(join(tmpdir(), 'skilldock-index-'));
  try {
    return openVersion(folder, buildStarter({ ...options, folder }), deps);
  } finally {
    // Open files stay readable after they are removed.
    rmSync(folder, { recursive: true, force: true });
  }
}

interface StarterOptions extends Pick<FirstVersionOptions, 'catalogDir' | 'base' | 'elsewhere'> {
  readonly folder: string;
}

function buildStarter({ catalogDir, base, folder, elsewhere }: StarterOptions): VersionBlocks {
  const key = { base, imported: '' };
  const blocks = buildVersion({
    ...{ catalogDir, folder, linesPath: null, isExternal: elsewhere !== undefined },
    ...{ fingerprint: writeVersionFingerprint(key), imported: '', imports: '' },
  });
  rmSync(join(folder, DOCUMENTS_FILE), { force: true });
  return blocks;
}

/** Whether `builtIndexDir` is up to date with the starter catalogue and the code. */
export function isFirstVersionCurrent(catalogDir: string): boolean {
  return runIndexJob({ kind: 'load', folder: builtIndexDir, base: fingerprintCatalog(catalogDir) }) !== null;
}

/** Index the starter catalogue for `builtIndexDir`, as the last step of the build, where it is not there or out of date.
 *  Errors: CATALOG_INVALID. */
export function writeFirstVersion(catalogDir: string): void {
  if (isFirstVersionCurrent(catalogDir)) return;
  mkdirSync(builtIndexDir, { recursive: true });
  buildStarter({ catalogDir, base: fingerprintCatalog(catalogDir), folder: builtIndexDir });
}
