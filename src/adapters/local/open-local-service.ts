import type { CatalogCounts } from '#domain/catalog';
import { type ImportedCatalog, MOST_LAID_OVER } from '#ports/imports';
import type { LearningService } from '#ports/learning-service';
import type { ConceptCatalog, ObjectCatalog } from '#ports/object-catalog';
import type { SharedFiles } from '#ports/shared-files';
import { createGazetteer } from './gazetteer.ts';
import { createStarterReader } from './starter.ts';
import { fingerprintCatalog, readCatalogPlaces } from './starter-catalog.ts';
import { openFirstVersion } from './versions/first-version.ts';
import { type CatalogUpdates, followImports } from './versions/follow-imports.ts';
import type { RunIndexJob } from './versions/index-jobs.ts';
import { fingerprintElsewhere, type ObjectsStore } from './versions/objects-store.ts';
import {
  type CatalogSizes,
  type OpenVersion,
  type OpenVersionDeps,
  openVersion,
} from './versions/open-version.ts';
import { processSearches } from './versions/search-activity.ts';
import { openVersionFolders } from './versions/version-folders.ts';

export type { CatalogSizes } from './versions/open-version.ts';

export interface LocalServiceOptions
  extends Pick<OpenVersionDeps, 'requestIds' | 'clock' | 'publicUrl' | 'encoder'> {
  /** Folder of the starter catalogue's JSON Lines files. */
  readonly catalogDir: string;
  /** Folder the versions of the index are kept in, under `catalog`. */
  readonly dataDir: string;
  /** What was imported lies over the starter catalogue; absent for the starter catalogue alone. */
  readonly imported?: ImportedCatalog;
  /** Where hosts give each other versions that they built; absent where each builds its own. */
  readonly shared?: SharedFiles;
  /** Told when files cannot be read or written, and when what was imported cannot be had; the host goes on. */
  onProblem(error: unknown): void;
  /** Between two looks at what is imported; 1,000 when absent. */
  readonly pollMs?: number;
  /** Objects that changed since a version was built are laid over it up to this many; MOST_LAID_OVER when absent. */
  readonly mostLaidOver?: number;
  /** Where an index is built; in a thread of its own if possible. */
  readonly run?: RunIndexJob;
  /** Another engine that keeps the objects; absent for our own. */
  readonly elsewhere?: ObjectsStore;
}

export interface LocalService {
  /** Answers from the current version; an answer under way keeps the version it began with. */
  readonly learning: LearningService;
  /** The current version, for those who look after it. */
  readonly catalog: ObjectCatalog;
  /** Its taxonomies. */
  readonly concepts: ConceptCatalog;
  /** Provider id of the object with this address; null when it is not of the catalogue. */
  providerOf(url: string): Promise<string | null>;
  /** Of the current version. */
  readonly sizes: CatalogSizes;
  readonly counts: CatalogCounts;
  /** What was imported in the current version; empty for the starter catalogue alone. */
  readonly imported: string;
  /** Whether the first version was loaded rather than built. */
  readonly isFromSnapshot: boolean;
  readonly updates: CatalogUpdates;
  /** Call it once nothing is asked any more. */
  close(): Promise<void>;
}

/** Make the catalogue searchable: the version that was last in use, or the starter catalogue. `updates` brings what was
 *  imported since. Errors: CATALOG_INVALID. */
export function openLocalService(options: LocalServiceOptions): LocalService {
  const { catalogDir, dataDir, imported = nothingImported, mostLaidOver = MOST_LAID_OVER } = options;
  const base = fingerprintElsewhere(fingerprintCatalog(catalogDir), options.elsewhere);
  const folders = openVersionFolders(dataDir);
  const geocoder = createGazetteer(readCatalogPlaces(catalogDir));
  const deps = { ...options, geocoder };
  const first = openFirstVersion({ ...options, base, folders }, deps);
  const current = openCurrentVersion(first.version);
  const updates = followImports({
    ...options,
    ...{ base, folders, imported, mostLaidOver, starter: createStarterReader(catalogDir) },
    current: () => current.version,
    replace: current.replace,
    switchTo({ folder, blocks }) {
      current.replace(openVersion(folder, blocks, deps));
    },
  });
  return {
    learning: current.learning,
    catalog: {
      listObjects: (layer, request) => current.version.catalog.listObjects(layer, request),
      findObject: (layer, url) => current.version.catalog.findObject(layer, url),
    },
    concepts: {
      findConcept: (id) => current.version.concepts.findConcept(id),
      listTaxonomies: () => current.version.concepts.listTaxonomies(),
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

/** The version that is searched, and those before it while somebody still needs them. */
interface CurrentVersion {
  readonly version: OpenVersion;
  /** Answers from the version that is current when it is asked. */
  readonly learning: LearningService;
  /** The one before is closed once its last answer is done. */
  replace(next: OpenVersion): void;
  /** Closes all of them. */
  close(): void;
}

interface Versions {
  current: OpenVersion;
  /** How many answers of each version that is open are under way. */
  readonly underWay: Map<OpenVersion, number>;
}

export function openCurrentVersion(first: OpenVersion): CurrentVersion {
  const versions: Versions = { current: first, underWay: new Map([[first, 0]]) };
  return {
    get version() {
      return versions.current;
    },
    learning: answerFromCurrent(versions),
    replace(next) {
      const previous = versions.current;
      versions.current = next;
      versions.underWay.set(next, 0);
      countUse(versions, previous, 0);
    },
    close() {
      for (const version of [...versions.underWay.keys()]) closeVersion(versions, version);
    },
  };
}

/** The version that a question begins with stays open until it is answered. */
function answerFromCurrent(versions: Versions): LearningService {
  return {
    async ask(operation, request, options) {
      const version = versions.current;
      countUse(versions, version, 1);
      processSearches.begin();
      try {
        return await version.learning.ask(operation, request, options);
      } finally {
        processSearches.end();
        countUse(versions, version, -1);
      }
    },
  };
}

function countUse(versions: Versions, version: OpenVersion, change: number): void {
  const before = versions.underWay.get(version);
  // Closed already, with all the others.
  if (before === undefined) return;
  versions.underWay.set(version, before + change);
  if (version !== versions.current && before + change === 0) closeVersion(versions, version);
}

function closeVersion({ underWay }: Versions, version: OpenVersion): void {
  underWay.delete(version);
  version.close();
}
