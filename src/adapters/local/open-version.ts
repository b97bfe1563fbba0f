import type { CatalogCounts } from '../../domain/catalog.ts';
import { loadTermIndex, openTermIndex } from '../../engine/terms/term-index.ts';
import type { ConceptCatalog } from '../../ports/concept-catalog.ts';
import type { LearningService } from '../../ports/learning-service.ts';
import type { ObjectCatalog } from '../../ports/object-catalog.ts';
import type { BaseCatalog } from './catalog-view.ts';
import type { ObjectsStore } from './elsewhere/objects-store.ts';
import { createLayeredCatalog } from './layers/layered-catalog.ts';
import { createObjectCatalog } from './layers/object-catalog.ts';
import { createLocalLearningService, type LocalLearningServiceDeps } from './local-learning-service.ts';
import { createAnswerMeaning } from './meaning/answer-meaning.ts';
import type { Meaning } from './meaning/meaning.ts';
import type { VersionContent } from './meaning/version-texts.ts';
import { openObjects } from './open-objects.ts';
import { createRecordCache } from './record-cache.ts';
import { decodeVersionCatalog, type VersionBlocks } from './version-files.ts';

/** How much is searched, for metrics and the start message. */
export type CatalogSizes = {
  readonly objects: number;
  readonly providers: number;
  readonly concepts: number;
  readonly labels: number;
  readonly postings: number;
  /** Of the object index's arrays, as far as they are in this host. */
  readonly indexBytes: number;
};

/** A version of the catalogue that can be searched. */
export interface OpenVersion {
  /** Version of what was imported; empty for the starter catalogue alone. */
  readonly imported: string;
  readonly folder: string;
  readonly learning: LearningService;
  readonly catalog: ObjectCatalog;
  /** What vectors are made of. */
  readonly content: VersionContent;
  readonly concepts: ConceptCatalog;
  /** Provider id of the object with this address; null when it is not of the catalogue. */
  providerOf(url: string): Promise<string | null>;
  readonly sizes: CatalogSizes;
  readonly counts: CatalogCounts;
  /** Whether a record could not be read, so that the files must be made anew. */
  readonly isDamaged: boolean;
  /** Call it once no answer needs a record any more. */
  close(): void;
}

export interface OpenVersionDeps
  extends Pick<LocalLearningServiceDeps, 'requestIds' | 'clock' | 'publicUrl' | 'geocoder'> {
  onProblem(error: unknown): void;
  /** Absent where answers go by words alone. */
  readonly meaning?: Meaning;
  /** Another engine that keeps the objects: their words alone are here, and meaning helps with terms only. */
  readonly elsewhere?: ObjectsStore;
}

/** Make the verified blocks of a folder searchable. Errors: those of opening its records. */
export function openVersion(folder: string, blocks: VersionBlocks, deps: OpenVersionDeps): OpenVersion {
  const isVerified = true;
  const { summary, table } = decodeVersionCatalog(blocks.catalog, { isVerified });
  const objects = openObjects({ ...deps, folder, block: blocks.objects, table, summary });
  const terms = openTermIndex(loadTermIndex(blocks.terms, { isVerified }).data);
  const { counts, topics, imported } = summary;
  const { version } = objects;
  const providers = new Map(summary.providers.map((record) => [record.id, record]));
  const findObjects = createRecordCache({ version, providers });
  const base: BaseCatalog = {
    ...{ objects: version.view({ without: [], beside: [] }), version, findObjects, providers },
    languages: new Set(counts.languages.keys()),
    listPhrases: () => [],
    selectVectors: (vectors) => vectors.objects,
  };
  const { meaning } = deps;
  const content = { terms, objects: objects.encoded };
  const layered = createLayeredCatalog(base, meaning && { wantVectors: meaning.want });
  const answers =
    meaning &&
    createAnswerMeaning({ words: meaning.words, terms, vectors: () => meaning.vectorsOf(content) });
  return {
    imported,
    folder,
    learning: createLocalLearningService({
      ...deps,
      viewOf: layered.viewOf,
      providers,
      terms,
      topics,
      meaning: answers,
    }),
    content,
    catalog: createObjectCatalog({ base, layered }),
    concepts: { findConcept: terms.findConcept, listTaxonomies: () => counts.taxonomies },
    async providerOf(url) {
      // Feedback is kept whether the catalogue is to be had or not.
      const [found] = await findObjects([url]).catch(() => []);
      return found?.providerId ?? null;
    },
    counts,
    sizes: {
      objects: objects.documents,
      providers: providers.size,
      concepts: terms.counts.concepts,
      labels: terms.counts.labels,
      postings: objects.postings,
      indexBytes: objects.bytes,
    },
    get isDamaged() {
      return objects.isDamaged;
    },
    close: objects.close,
  };
}
