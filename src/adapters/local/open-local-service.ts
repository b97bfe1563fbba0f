import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createObjectIndex, loadObjectIndex, type ObjectIndex } from '../../engine/objects/object-index.ts';
import { createTermIndex } from '../../engine/terms/term-index.ts';
import { AppError } from '../../errors.ts';
import type { LearningService } from '../../ports/learning-service.ts';
import { type Catalog, fingerprintOf, readCatalog } from './catalog.ts';
import { createGazetteer } from './gazetteer.ts';
import { createLocalLearningService, type LocalLearningServiceDeps } from './local-learning-service.ts';
import { toObjectDocument } from './object-documents.ts';

export interface LocalServiceOptions
  extends Pick<LocalLearningServiceDeps, 'feedback' | 'requestIds' | 'clock' | 'publicUrl'> {
  /** Folder of the catalogue's JSON Lines files. */
  readonly catalogDir: string;
  /** Folder the index snapshot is kept in. */
  readonly dataDir: string;
}

export interface LocalService {
  readonly learning: LearningService;
  /** For metrics and the start message. */
  sizes(): Readonly<
    Record<'objects' | 'providers' | 'concepts' | 'labels' | 'postings' | 'indexBytes', number>
  >;
  /** Ids of the providers that have objects, with how many. */
  readonly isFromSnapshot: boolean;
}

/** Taxonomy whose terms come first. */
const OWN_SOURCE = 'Skilldock';

/** Read the catalogue and make it searchable. Errors: CATALOG_INVALID. */
export function openLocalService(options: LocalServiceOptions): LocalService {
  const catalog = readCatalog(options.catalogDir);
  const { objects, isFromSnapshot } = openObjectIndex(catalog, options);
  const terms = createTermIndex(catalog.concepts, {
    ownSource: OWN_SOURCE,
    phrases: catalogPhrases(catalog),
  });
  const learning = createLocalLearningService({
    ...options,
    objects,
    terms,
    records: new Map(catalog.objects.map((record) => [record.url, record])),
    providers: catalog.providers,
    geocoder: createGazetteer(catalog.places),
  });
  return {
    learning,
    isFromSnapshot,
    sizes() {
      const { documents, postings, bytes } = objects.stats();
      const { concepts, labels } = terms.counts;
      return {
        objects: documents,
        providers: catalog.providers.length,
        concepts,
        labels,
        postings,
        indexBytes: bytes,
      };
    },
  };
}

/** The saved index if it was made from these very files, else a new one, saved for the next start. */
function openObjectIndex(
  catalog: Catalog,
  { catalogDir, dataDir }: LocalServiceOptions,
): { objects: ObjectIndex; isFromSnapshot: boolean } {
  const path = join(dataDir, 'objects.index');
  const fingerprint = fingerprintOf(catalogDir);
  const saved = loadSaved(path, fingerprint);
  if (saved !== null) return { objects: saved, isFromSnapshot: true };
  const objects = createObjectIndex();
  objects.put(catalog.objects.map(toObjectDocument));
  // Written beside and renamed, so that a start that is interrupted here leaves the old one or the new one.
  writeFileSync(`${path}.new`, objects.save({ fingerprint }));
  renameSync(`${path}.new`, path);
  return { objects, isFromSnapshot: false };
}

function loadSaved(path: string, fingerprint: string): ObjectIndex | null {
  if (!existsSync(path)) return null;
  try {
    const { index, meta } = loadObjectIndex(readFileSync(path));
    return (meta as { fingerprint?: string }).fingerprint === fingerprint ? index : null;
  } catch (error) {
    if (error instanceof AppError && error.code === 'SNAPSHOT_INVALID') return null;
    throw error;
  }
}

/** Titles and keywords for autocompletion: known objects first. */
function catalogPhrases({ objects }: Catalog) {
  return objects.flatMap(({ title, keywords, lang, popularity }) => [
    { text: title, lang, weight: 0.5 * popularity },
    ...keywords.map((text) => ({ text, lang, weight: 0.5 + 0.5 * popularity })),
  ]);
}
