import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CatalogCounts } from '../../domain/catalog-counts.ts';
import { createObjectIndex, loadObjectIndex, type ObjectIndex } from '../../engine/objects/object-index.ts';
import { buildTermData } from '../../engine/terms/build-term-data.ts';
import type { TermData } from '../../engine/terms/term-data.ts';
import { openTermIndex } from '../../engine/terms/term-index.ts';
import { loadTermData, saveTermData } from '../../engine/terms/term-snapshot.ts';
import type { LearningService } from '../../ports/learning-service.ts';
import { type Catalog, fingerprintOf, readCatalog } from './catalog.ts';
import { countCatalog } from './catalog-counts.ts';
import { createGazetteer } from './gazetteer.ts';
import { createLocalLearningService, type LocalLearningServiceDeps } from './local-learning-service.ts';
import { toObjectDocument } from './object-documents.ts';
import { loadOrBuild } from './snapshot-file.ts';

export interface LocalServiceOptions
  extends Pick<LocalLearningServiceDeps, 'requestIds' | 'clock' | 'publicUrl'> {
  /** Folder of the catalogue's JSON Lines files. */
  readonly catalogDir: string;
  /** Folder the index snapshots are kept in. */
  readonly dataDir: string;
  /** Told when a snapshot cannot be read or written; the host goes on without it. */
  onSnapshotProblem(error: unknown): void;
}

/** How much is searched, for metrics and the start message. */
export type CatalogSizes = {
  readonly objects: number;
  readonly providers: number;
  readonly concepts: number;
  readonly labels: number;
  readonly postings: number;
  /** Of the object index's arrays. */
  readonly indexBytes: number;
};

export interface LocalService {
  readonly learning: LearningService;
  /** Provider id of the object with this address; null when it is not of the catalogue. */
  providerOf(url: string): string | null;
  readonly sizes: CatalogSizes;
  readonly counts: CatalogCounts;
  /** Whether both indexes were loaded rather than built. */
  readonly isFromSnapshot: boolean;
}

/** Taxonomy whose terms come first. */
const OWN_SOURCE = 'Skilldock';

/** Read the catalogue and make it searchable. Errors: CATALOG_INVALID. */
export function openLocalService(options: LocalServiceOptions): LocalService {
  const { catalog, objects, termData } = openIndexes(options);
  const terms = openTermIndex(termData.value);
  const records = new Map(catalog.objects.map((record) => [record.url, record]));
  const learning = createLocalLearningService({
    ...options,
    objects: objects.value,
    terms,
    records,
    providers: catalog.providers,
    geocoder: createGazetteer(catalog.places),
  });
  const { documents, postings, bytes } = objects.value.stats();
  const { concepts, labels } = terms.counts;
  return {
    learning,
    providerOf: (url) => records.get(url)?.provider ?? null,
    isFromSnapshot: objects.isFromSnapshot && termData.isFromSnapshot,
    counts: countCatalog(catalog),
    sizes: {
      objects: documents,
      providers: catalog.providers.length,
      concepts,
      labels,
      postings,
      indexBytes: bytes,
    },
  };
}

/** Both indexes of a catalogue, loaded or built and saved. Errors: CATALOG_INVALID. */
export function openIndexes(options: SnapshotOptions & Pick<LocalServiceOptions, 'catalogDir'>) {
  const catalog = readCatalog(options.catalogDir);
  const fingerprint = fingerprintOf(options.catalogDir);
  return {
    catalog,
    objects: openObjectIndex(catalog, fingerprint, options),
    termData: openTermData(catalog, fingerprint, options),
  };
}

type SnapshotOptions = Pick<LocalServiceOptions, 'dataDir' | 'onSnapshotProblem'>;

/** What the build made of the starter catalogue, so that not even the first start has to; see build-index.ts. */
export const builtIndexDir = fileURLToPath(new URL('../../../dist/index', import.meta.url));

function snapshotPaths(name: string, { dataDir }: SnapshotOptions): [string, string] {
  return [join(dataDir, name), join(builtIndexDir, name)];
}

function openObjectIndex({ objects }: Catalog, fingerprint: string, options: SnapshotOptions) {
  return loadOrBuild<ObjectIndex>({
    paths: snapshotPaths('objects.index', options),
    fingerprint,
    onProblem: options.onSnapshotProblem,
    load(block) {
      const { index, meta } = loadObjectIndex(block);
      return { value: index, meta };
    },
    build() {
      const index = createObjectIndex();
      index.put(objects.map(toObjectDocument));
      return index;
    },
    save: (index, meta) => index.save(meta),
  });
}

function openTermData(catalog: Catalog, fingerprint: string, options: SnapshotOptions) {
  return loadOrBuild<TermData>({
    paths: snapshotPaths('terms.index', options),
    fingerprint,
    onProblem: options.onSnapshotProblem,
    load(block) {
      const { data, meta } = loadTermData(block);
      return { value: data, meta };
    },
    build: () => buildTermData(catalog.concepts, { ownSource: OWN_SOURCE, phrases: catalogPhrases(catalog) }),
    save: saveTermData,
  });
}

/** Titles and keywords for autocompletion: known objects first. */
function catalogPhrases({ objects }: Catalog) {
  return objects.flatMap(({ title, keywords, lang, popularity }) => [
    { text: title, lang, weight: 0.5 * popularity },
    ...keywords.map((text) => ({ text, lang, weight: 0.5 + 0.5 * popularity })),
  ]);
}
