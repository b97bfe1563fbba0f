import type { CatalogCounts } from '#domain/catalog';
import type { ConceptCatalog } from '#ports/concept-catalog';
import { type ImportedCatalog, MOST_LAID_OVER } from '#ports/imports';
import type { LearningService } from '#ports/learning-service';
import type { ObjectCatalog } from '#ports/object-catalog';
import type { SharedFiles } from '#ports/shared-files';
import { fingerprintCatalog, readCatalogPlaces } from './catalog.ts';
import { createStarterReader } from './changes/starter.ts';
import { openCurrentVersion } from './current-version.ts';
import { fingerprintElsewhere, type ObjectsStore } from './elsewhere/objects-store.ts';
import { type CatalogUpdates, followImports } from './follow-imports.ts';
import { createGazetteer } from './gazetteer.ts';
import type { RunIndexJob } from './index-jobs.ts';
import { openFirstVersion } from './open-first-version.ts';
import { type CatalogSizes, type OpenVersionDeps, openVersion } from './open-version.ts';
import { openVersionFolders } from './versions/version-folders.ts';

export type { CatalogSizes } from './open-version.ts';

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
