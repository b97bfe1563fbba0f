import { join } from 'node:path';
import type { CatalogCounts } from '../../domain/catalog.ts';
import { loadObjectIndex, type ObjectIndex } from '../../engine/objects/object-index.ts';
import { createObjectView } from '../../engine/objects/object-view.ts';
import { loadTermIndex, openTermIndex } from '../../engine/terms/term-index.ts';
import type { ConceptCatalog } from '../../ports/concept-catalog.ts';
import type { LearningService } from '../../ports/learning-service.ts';
import type { ObjectCatalog } from '../../ports/object-catalog.ts';
import type { BaseCatalog } from './catalog-view.ts';
import { createLayeredCatalog } from './layers/layered-catalog.ts';
import { createObjectCatalog } from './layers/object-catalog.ts';
import { createLocalLearningService, type LocalLearningServiceDeps } from './local-learning-service.ts';
import { createAnswerMeaning } from './meaning/answer-meaning.ts';
import type { Meaning } from './meaning/meaning.ts';
import type { VersionContent } from './meaning/version-texts.ts';
import { createRecordCache } from './record-cache.ts';
import { type KnownRecord, openRecordsFile } from './records-file.ts';
import { decodeVersionCatalog, type VersionBlocks, versionFiles } from './version-files.ts';
import { createOwnObjects } from './version-objects.ts';

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
}

/** Make the verified blocks of a folder searchable. Errors: those of opening its records. */
export function openVersion(folder: string, blocks: VersionBlocks, deps: OpenVersionDeps): OpenVersion {
  const isVerified = true;
  const { summary, table } = decodeVersionCatalog(blocks.catalog, { isVerified });
  const file = openRecordsFile(join(folder, versionFiles.records), table, summary.recordBytes);
  const objects = loadObjectIndex(blocks.objects, { isVerified }).index;
  const terms = openTermIndex(loadTermIndex(blocks.terms, { isVerified }).data);
  let isDamaged = false;
  const findRecord = (url: string): KnownRecord | null => {
    try {
      return file.find(url);
    } catch (error) {
      // Reported once only: every search would repeat it.
      if (!isDamaged) deps.onProblem(error);
      isDamaged = true;
      return null;
    }
  };
  const { counts, topics, imported } = summary;
  const providers = new Map(summary.providers.map((record) => [record.id, record]));
  const { documents, postings, bytes } = objects.stats();
  const languages = new Set(counts.languages.keys());
  const own = createOwnObjects({ index: objects, findRecord, starter: summary.starter });
  const findObjects = createRecordCache({ version: own, providers });
  const base: BaseCatalog = {
    ...{ objects, version: own, findObjects, providers, languages },
    listPhrases: () => [],
    selectVectors: (vectors) => vectors.objects,
  };
  const { meaning } = deps;
  const listIds = () => listPopularIds(objects, documents);
  const content = { terms, objects: { listIds, findRecord } };
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
    providerOf: async (url) => (await findObjects([url]))[0]?.providerId ?? null,
    counts,
    sizes: {
      objects: documents,
      providers: providers.size,
      concepts: terms.counts.concepts,
      labels: terms.counts.labels,
      postings,
      indexBytes: bytes,
    },
    get isDamaged() {
      return isDamaged;
    },
    close: file.close,
  };
}

function listPopularIds(objects: ObjectIndex, limit: number): readonly string[] {
  const all = { filters: {}, offset: 0, limit } as const;
  return createObjectView(objects.select([])).list({ ...all, sort: 'popularity' }).ids;
}
