import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasErrorCode } from '#errors';
import { type ImportedCatalog, MAX_OVERLAY_OBJECTS } from '#ports/imports';
import type { LearningService } from '#ports/learning-service';
import type { SharedFiles } from '#ports/shared-files';
import { createGazetteer } from './gazetteer.ts';
import { createStarterReader, fingerprintStarterCatalog, readStarterPlaces } from './starter-catalog.ts';
import { buildStarterVersion, type StarterBuild } from './versions/build-version.ts';
import { type CatalogUpdates, followImports } from './versions/follow-imports.ts';
import { type RunIndexJob, runIndexJob } from './versions/index-jobs.ts';
import { type OpenVersion, type OpenVersionOptions, openVersion, openVersionInTurns } from './versions/open-version.ts';
import type { VersionBlocks } from './versions/version-files.ts';
import type { VersionFolders } from './versions/version-folders.ts';
import { builtIndexDir, openVersionFolders, unpackVersionFolder } from './versions/version-folders.ts';
import { fingerprintVersionBase } from './versions/version-objects.ts';

export interface LocalServiceOptions
  extends Pick<OpenVersionOptions, 'requestIds' | 'clock' | 'publicUrl' | 'encoder' | 'external'> {
  readonly catalogDir: string;
  /** The data folder, whose folder `catalog` has the versions of the index. */
  readonly dataDir: string;
  /** Without imports, the service has the starter catalogue alone. */
  readonly imported?: ImportedCatalog;
  /** Without shared files, each host builds its versions. */
  readonly shared?: SharedFiles;
  /** Called when files or imports cannot be read or written; the service continues. */
  onProblem(error: unknown): void;
  /** Called before the starter catalogue is indexed. */
  onIndexing?(): void;
  /** The time between two checks for imports; 1,000 by default. */
  readonly pollMs?: number;
  /** The most objects in an overlay of imports; MAX_OVERLAY_OBJECTS by default. */
  readonly overlayLimit?: number;
  /** Runs the work of indexing; by default in a separate process or thread. */
  readonly run?: RunIndexJob;
}

/** Answers each request from the version that is current when the request begins. */
export interface LocalService
  extends Pick<OpenVersion, 'learning' | 'catalog' | 'concepts' | 'providerOf' | 'sizes' | 'counts' | 'imported'> {
  /** Whether the first version was loaded, not built. */
  readonly isFromSnapshot: boolean;
  readonly updates: CatalogUpdates;
  close(): Promise<void>;
}

/** Opens the last used version, or the starter catalogue. Errors: CATALOG_INVALID. */
export function openLocalService(options: LocalServiceOptions): LocalService {
  const { catalogDir, dataDir, external, overlayLimit = MAX_OVERLAY_OBJECTS } = options;
  const base = fingerprintVersionBase(fingerprintStarterCatalog(catalogDir), external);
  const folders = openVersionFolders(dataDir);
  const opening = { ...options, geocoder: createGazetteer(readStarterPlaces(catalogDir)) };
  const hasImports = options.imported !== undefined;
  const isExternal = external !== undefined;
  const first = openFirstVersion({ ...options, base, folders, hasImports, isExternal }, opening);
  const current = trackCurrentVersion(first.version);
  const updates = followImports({
    ...options,
    imported: options.imported ?? nothingImported,
    base,
    folders,
    overlayLimit,
    starter: createStarterReader(catalogDir),
    current: () => current.version,
    replace: current.replace,
    switchTo: async ({ folder, blocks }) => current.replace(await openVersionInTurns(folder, blocks, opening)),
  });
  return {
    learning: current.learning,
    catalog: {
      listObjects: (layer, request) => current.version.catalog.listObjects(layer, request),
      findObject: (layer, url) => current.version.catalog.findObject(layer, url),
      readObjects: (layer, urls) => current.version.catalog.readObjects(layer, urls),
    },
    concepts: {
      findConcept: (id) => current.version.concepts.findConcept(id),
      listConcepts: (source) => current.version.concepts.listConcepts(source),
      listTaxonomies: () => current.version.concepts.listTaxonomies(),
      deriveSkills: (object) => current.version.concepts.deriveSkills(object),
    },
    providerOf: (url) => current.version.providerOf(url),
    get sizes() {
      return current.version.sizes;
    },
    get counts() {
      return current.version.counts;
    },
    get imported() {
      return current.version.imported;
    },
    isFromSnapshot: first.isFromSnapshot,
    updates,
    async close() {
      await updates.close();
      current.close();
    },
  };
}

const nothingImported: ImportedCatalog = {
  version: async () => '',
  importsVersion: async () => '',
  async *read() {},
  async *readDeadLinks() {},
  listDeadLinks: async () => new Set(),
  changesSince: async () => ({ imports: '', objects: new Map(), providers: null }),
};

interface FirstVersionOptions extends Omit<StarterBuild, 'folder'>, Pick<LocalServiceOptions, 'onIndexing'> {
  readonly folders: VersionFolders;
  /** Whether a version with imports may be opened, not only the starter catalogue. */
  readonly hasImports: boolean;
}

/** Unpacks the index that the npm package contains, or builds it if there is none that fits. */
function makeStarterVersion(options: StarterBuild & Pick<LocalServiceOptions, 'onIndexing'>): VersionBlocks {
  const { folder, base } = options;
  const blocks = unpackVersionFolder(folder) ? runIndexJob({ kind: 'load', folder, base }) : null;
  if (blocks !== null) return blocks;
  options.onIndexing?.();
  return buildStarterVersion(options);
}

/** Opens the version that was last in use, else the prebuilt starter catalogue, else builds that.
 *  Does not wait for later imports. @returns `isFromSnapshot` if the version was loaded, not built
 *  Errors: CATALOG_INVALID. */
function openFirstVersion(options: FirstVersionOptions, opening: OpenVersionOptions) {
  const { base, folders, hasImports } = options;
  const last = hasImports ? folders.findLatest(base) : folders.pathOf({ base, imported: '' });
  for (const folder of last === null ? [builtIndexDir] : [last, builtIndexDir]) {
    const version = openSavedVersion(folder, base, opening);
    if (version !== null) return { version, isFromSnapshot: true };
  }
  return { version: openBuiltVersion(options, opening), isFromSnapshot: false };
}

function openSavedVersion(folder: string, base: string, opening: OpenVersionOptions): OpenVersion | null {
  try {
    const blocks = runIndexJob({ kind: 'load', folder, base });
    return blocks && openVersion(folder, blocks, opening);
  } catch (error) {
    opening.onProblem(error);
    return null;
  }
}

/** Searches work even if the files cannot be saved; the next start then builds them again. */
function openBuiltVersion(options: FirstVersionOptions, opening: OpenVersionOptions): OpenVersion {
  const { folders, base } = options;
  const key = { base, imported: '' };
  try {
    const draft = folders.createDraft(key);
    try {
      const blocks = makeStarterVersion({ ...options, folder: draft.path });
      draft.commit();
      return openVersion(folders.pathOf(key), blocks, opening);
    } finally {
      draft.discard();
    }
  } catch (error) {
    if (hasErrorCode(error, 'CATALOG_INVALID')) throw error;
    opening.onProblem(error);
    return openUnsavedVersion(options, opening);
  }
}

function openUnsavedVersion(options: FirstVersionOptions, opening: OpenVersionOptions): OpenVersion {
  const folder = mkdtempSync(join(tmpdir(), 'skilldock-index-'));
  try {
    return openVersion(folder, makeStarterVersion({ ...options, folder }), opening);
  } finally {
    // Open files remain readable after they are removed.
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Keeps the current version open, and earlier ones as long as they answer requests. */
export function trackCurrentVersion(first: OpenVersion) {
  let current = first;
  const unfinished = new Map([[first, 0]]);

  function closeVersion(version: OpenVersion): void {
    unfinished.delete(version);
    version.close();
  }

  function countAnswers(version: OpenVersion, change: number): void {
    const before = unfinished.get(version);
    // The version was closed while it answered.
    if (before === undefined) return;
    unfinished.set(version, before + change);
    if (version !== current && before + change === 0) closeVersion(version);
  }

  /** Uses one version for an answer from beginning to end. */
  const learning: LearningService = {
    async ask(operation, request, options) {
      const version = current;
      countAnswers(version, 1);
      try {
        return await version.learning.ask(operation, request, options);
      } finally {
        countAnswers(version, -1);
      }
    },
  };

  return {
    get version() {
      return current;
    },
    learning,
    /** The previous version is closed after its last answer. */
    replace(next: OpenVersion): void {
      const previous = current;
      current = next;
      unfinished.set(next, 0);
      countAnswers(previous, 0);
    },
    close(): void {
      for (const version of [...unfinished.keys()]) closeVersion(version);
    },
  };
}
