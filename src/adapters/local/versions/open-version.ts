import { basename, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CatalogCounts } from '#domain/catalog';
import { loadObjectIndex, type ObjectIndexStats } from '#engine/objects/object-index';
import { loadVocabularySegment } from '#engine/objects/segment/vocabulary-segment';
import { runSteps } from '#engine/run-steps';
import { openPhrases } from '#engine/terms/suggest/completions';
import { loadTermIndex, openTermIndex } from '#engine/terms/term-index';
import type { OpenPhrase, TermIndex } from '#engine/terms/types';
import { copyBlockToMemory } from '#engine/vectors/vector-rows';
import type { LearningService } from '#ports/learning-service';
import type { ConceptCatalog, ObjectCatalog } from '#ports/object-catalog';
import { readEscoConceptId } from '../../catalog/concept-parts.ts';
import { type CatalogView, createObjectFinder } from '../catalog-view.ts';
import type { LocalLearningServiceDeps } from '../local-learning-service.ts';
import { createLocalLearningService, deriveLocalSkills } from '../local-learning-service.ts';
import { createObjectCatalog } from '../object-catalog.ts';
import type { BuiltVersion, ImportChanges } from '../overlay/import-changes.ts';
import { createOverlayIndex, type Overlay, type OverlayIndex, overlayObjects } from '../overlay/overlay.ts';
import { createTenantViews } from '../overlay/tenant-edits.ts';
import { listObjectPhrases } from './build-version.ts';
import { openRecordsFile, type RecordTable, type StoredRecord } from './records-file.ts';
import { type CatalogSummary, decodeVersionCatalog, type VersionBlocks, versionFiles } from './version-files.ts';
import { createEmbeddedObjects, type ExternalIndex, type VersionObjects } from './version-objects.ts';

/** Numbers for metrics and the start message. `indexBytes` is the memory of the object index. */
export type CatalogSizes = Readonly<
  Record<'objects' | 'providers' | 'concepts' | 'labels' | 'postings' | 'indexBytes', number>
>;

export interface OpenVersion {
  /** `VersionKey.imported` of its present content, with the overlay. */
  readonly imported: string;
  readonly folder: string;
  readonly built: BuiltVersion & { readonly imported: string; readonly documents: number };
  readonly changes: ImportChanges | null;
  /** The same version with another overlay. Both versions have to be closed. */
  withChanges(changes: ImportChanges): Promise<OpenVersion>;
  readonly learning: LearningService;
  readonly catalog: ObjectCatalog;
  readonly concepts: ConceptCatalog;
  providerOf(url: string): Promise<string | null>;
  readonly sizes: CatalogSizes;
  readonly counts: CatalogCounts;
  /** Whether a record could not be read, so that the files have to be built again. */
  readonly isDamaged: boolean;
  /** Does in steps what the first search would do at once. */
  prepare(): Iterable<void>;
  /** Closes the files; to be called after the last answer. */
  close(): void;
}

export interface OpenVersionOptions
  extends Pick<LocalLearningServiceDeps, 'requestIds' | 'clock' | 'publicUrl' | 'geocoder' | 'encoder'> {
  onProblem(error: unknown): void;
  /** The index that stores the objects; absent for the embedded engine. */
  readonly external?: ExternalIndex;
}

/** Opens verified blocks. Errors: those of opening the records. */
export function openVersion(folder: string, blocks: VersionBlocks, options: OpenVersionOptions): OpenVersion {
  return runSteps(openVersionInSteps(folder, blocks, options));
}

/** As `openVersion`, with turns for requests between its steps, and ready for searches. */
export async function openVersionInTurns(
  folder: string,
  blocks: VersionBlocks,
  options: OpenVersionOptions,
): Promise<OpenVersion> {
  const steps = openVersionInSteps(folder, blocks, options);
  let step = steps.next();
  for (; !step.done; step = steps.next()) await nextTurn();
  await nextTurn();
  for (const _ of step.value.prepare()) await nextTurn();
  return step.value;
}

function* openVersionInSteps(folder: string, blocks: VersionBlocks, options: OpenVersionOptions) {
  const { summary, table } = decodeVersionCatalog(blocks.catalog, { isVerified: true });
  yield;
  const block = yield* copyBlockToMemory(blocks.objects);
  const { external } = options;
  const stored =
    external === undefined
      ? openEmbeddedVersion(folder, block, { table, summary, options })
      : openExternalVersion(folder, block, external);
  yield;
  const termBlock = yield* copyBlockToMemory(blocks.terms);
  const { data } = loadTermIndex(termBlock, { isVerified: true });
  yield;
  const terms = openTermIndex(data, options.encoder);
  yield;
  const overlayIndex = createOverlayIndex(options.encoder);
  return openVersionWithOverlay({ options, folder, summary, stored, terms, overlayIndex, uses: 0 }, null);
}

interface SharedParts {
  readonly options: OpenVersionOptions;
  readonly folder: string;
  readonly summary: CatalogSummary;
  readonly stored: StoredObjects;
  readonly terms: TermIndex;
  readonly overlayIndex: OverlayIndex;
  /** Open versions that share these parts; the last one to close closes the files. */
  uses: number;
}

interface ImportOverlay {
  readonly changes: ImportChanges;
  readonly overlay: Overlay;
  readonly stats: ObjectIndexStats;
}

function openVersionWithOverlay(parts: SharedParts, imports: ImportOverlay | null): OpenVersion {
  const { options, folder, summary, stored, terms, overlayIndex } = parts;
  const { counts = summary.counts, imported = summary.imported } = imports?.changes ?? {};
  const view = createBaseCatalogView(parts, imports);
  const { findObjects, providers } = view;
  const viewOf = createTenantViews(view, options.encoder);
  parts.uses++;
  return {
    imported,
    folder,
    built: { summary, objects: stored.objects, imported: summary.imported, documents: stored.documents },
    changes: imports?.changes ?? null,
    async withChanges(changes) {
      const overlay = await overlayIndex.update(changes.entries);
      return openVersionWithOverlay(parts, { changes, overlay, stats: overlayIndex.stats() });
    },
    learning: createLocalLearningService({ ...options, viewOf, providers, terms, topics: summary.topics }),
    catalog: createObjectCatalog(viewOf),
    concepts: {
      // ESCO is also named by https, and has groups of ISCO at addresses of its own.
      findConcept: (id) => terms.findConcept(id) ?? terms.findConcept(readEscoConceptId(id) ?? ''),
      listConcepts: terms.listConcepts,
      listTaxonomies: () => counts.taxonomies,
      deriveSkills: (object) => deriveLocalSkills(terms, object),
    },
    async providerOf(url) {
      // Feedback is accepted even while the external index is unavailable.
      const [object] = await findObjects([url]).catch(() => []);
      return object?.providerId ?? null;
    },
    counts,
    sizes: measure(parts, imports, providers.size),
    get isDamaged() {
      return stored.isDamaged;
    },
    prepare: () => view.visible.prepare(),
    close() {
      if (--parts.uses === 0) stored.close();
    },
  };
}

function createBaseCatalogView({ summary, stored }: SharedParts, imports: ImportOverlay | null): CatalogView {
  const { changes, overlay } = imports ?? {};
  const providers = changes?.providers ?? new Map(summary.providers.map((record) => [record.id, record]));
  const objects = overlay === undefined ? stored.objects : overlayObjects(stored.objects, overlay);
  const entries = [...(changes?.entries.values() ?? [])];
  const records = entries.flatMap(({ object }) => object?.record ?? []);
  let phrases: readonly OpenPhrase[] | undefined;
  return {
    objects,
    visible: objects.view({ which: 'visible' }),
    findObjects: createObjectFinder({ objects, providers }),
    providers,
    languages: new Set((changes ?? summary).counts.languages.keys()),
    listPhrases: () => (phrases ??= openPhrases(records.flatMap(listObjectPhrases))),
  };
}

function measure({ stored, terms }: SharedParts, imports: ImportOverlay | null, providers: number): CatalogSizes {
  const { documents = 0, postings = 0, bytes = 0 } = imports?.stats ?? {};
  const entries = [...(imports?.changes.entries.values() ?? [])];
  const replaced = entries.filter(({ base }) => base !== null).length;
  return {
    objects: stored.documents + documents - replaced,
    providers,
    concepts: terms.counts.concepts,
    labels: terms.counts.labels,
    // Postings of replaced objects count as well.
    postings: stored.postings + postings,
    indexBytes: stored.bytes + bytes,
  };
}

interface StoredObjects {
  readonly objects: VersionObjects;
  readonly documents: number;
  readonly postings: number;
  /** The size of the index in the memory of this host. */
  readonly bytes: number;
  readonly isDamaged: boolean;
  close(): void;
}

function openExternalVersion(folder: string, block: VersionBlocks['objects'], external: ExternalIndex): StoredObjects {
  const words = loadVocabularySegment(block, { isVerified: true });
  return {
    objects: external.open(basename(folder), words),
    documents: words.liveCount,
    postings: words.segment.postings.chunkStart.at(-1) ?? 0,
    bytes: block.byteLength,
    isDamaged: false,
    close: () => undefined,
  };
}

function openEmbeddedVersion(
  folder: string,
  block: VersionBlocks['objects'],
  { table, summary, options }: Pick<SharedParts, 'summary' | 'options'> & { readonly table: RecordTable },
): StoredObjects {
  const { index } = loadObjectIndex(block, { isVerified: true });
  const file = openRecordsFile(join(folder, versionFiles.records), table, summary.recordBytes);
  let isDamaged = false;
  const findRecord = (url: string): StoredRecord | null => {
    try {
      return file.find(url);
    } catch (error) {
      // Reported only once, as every search would repeat the problem.
      if (!isDamaged) options.onProblem(error);
      isDamaged = true;
      return null;
    }
  };
  const { documents, postings, bytes } = index.stats();
  return {
    objects: createEmbeddedObjects({ index, findRecord, starterIds: summary.starterIds }),
    documents,
    postings,
    bytes,
    get isDamaged() {
      return isDamaged;
    },
    close: file.close,
  };
}
