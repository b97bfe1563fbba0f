import type { CatalogCounts } from '#domain/catalog';
import { openSuggestPhrases } from '#engine/terms/suggest/completions';
import { loadTermIndex, openTermIndex } from '#engine/terms/term-index';
import type { OpenPhrase, TermIndex } from '#engine/terms/types';
import { holdBlock } from '#engine/vectors/vector-rows';
import type { LearningService } from '#ports/learning-service';
import type { ConceptCatalog, ObjectCatalog } from '#ports/object-catalog';
import type { BaseCatalog } from '../catalog-view.ts';
import { createLocalLearningService, type LocalLearningServiceDeps } from '../local-learning-service.ts';
import { createObjectCatalog } from '../object-catalog.ts';
import type { BuiltVersion, VersionChanges } from '../overlay/import-changes.ts';
import { createLaidIndex, type LaidIndex, type LaidSegments, layOverObjects } from '../overlay/overlay.ts';
import { createLayeredCatalog } from '../overlay/tenant-catalogs.ts';
import { createRecordCache } from '../record-cache.ts';
import type { ObjectsStore } from './objects-store.ts';
import { type OpenObjects, openObjects } from './open-objects.ts';
import { listSuggestPhrases } from './suggest-phrases.ts';
import { type CatalogSummary, decodeVersionCatalog, type VersionBlocks } from './version-files.ts';

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
  /** As it was built, whatever is laid over it. */
  readonly built: BuiltVersion & { readonly imported: string; readonly objects: number };
  /** What is laid over it; null while nothing is. */
  readonly changes: VersionChanges | null;
  /** The same with what changed since it was built, and without what was laid over it before. Both have to be closed. */
  layOver(changes: VersionChanges): Promise<OpenVersion>;
  readonly learning: LearningService;
  readonly catalog: ObjectCatalog;
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
  extends Pick<LocalLearningServiceDeps, 'requestIds' | 'clock' | 'publicUrl' | 'geocoder' | 'encoder'> {
  onProblem(error: unknown): void;
  /** Another engine that keeps the objects. */
  readonly elsewhere?: ObjectsStore;
}

/** Make the verified blocks of a folder searchable. Errors: those of opening its records. */
export function openVersion(folder: string, blocks: VersionBlocks, deps: OpenVersionDeps): OpenVersion {
  const isVerified = true;
  const { summary, table } = decodeVersionCatalog(blocks.catalog, { isVerified });
  const objects = openObjects({ ...deps, folder, block: holdBlock(blocks.objects), table, summary });
  const { data } = loadTermIndex(holdBlock(blocks.terms), { isVerified });
  const terms = openTermIndex(data, deps.encoder);
  const index = createLaidIndex(deps.encoder);
  return openLaid({ ...{ deps, folder, summary, objects, terms, index }, uses: 0 }, null);
}

/** What stays the same whatever is laid over a version. */
interface OpenParts {
  readonly deps: OpenVersionDeps;
  readonly folder: string;
  readonly summary: CatalogSummary;
  readonly objects: OpenObjects;
  readonly terms: TermIndex;
  readonly index: LaidIndex;
  /** The last one to be closed closes the files. */
  uses: number;
}

interface Laid {
  readonly changes: VersionChanges;
  readonly segments: LaidSegments;
}

function openLaid(parts: OpenParts, laid: Laid | null): OpenVersion {
  const { deps, folder, summary, objects, terms } = parts;
  const { topics } = summary;
  const { counts = summary.counts, imported = summary.imported } = laid?.changes ?? {};
  const base = createBaseCatalog(parts, laid);
  const { findObjects, providers } = base;
  const layered = createLayeredCatalog(base, deps.encoder);
  parts.uses++;
  return {
    imported,
    folder,
    built: { summary, version: objects.version, imported: summary.imported, objects: objects.documents },
    changes: laid?.changes ?? null,
    layOver: async (changes) =>
      openLaid(parts, { changes, segments: await parts.index.hold(changes.objects) }),
    learning: createLocalLearningService({
      ...deps,
      viewOf: layered.viewOf,
      providers,
      terms,
      topics,
    }),
    catalog: createObjectCatalog({ base, layered }),
    concepts: { findConcept: terms.findConcept, listTaxonomies: () => counts.taxonomies },
    async providerOf(url) {
      // Feedback is kept whether the catalogue is to be had or not.
      const [found] = await findObjects([url]).catch(() => []);
      return found?.providerId ?? null;
    },
    counts,
    sizes: measure(parts, laid, providers.size),
    get isDamaged() {
      return objects.isDamaged;
    },
    close() {
      if (--parts.uses === 0) objects.close();
    },
  };
}

function createBaseCatalog({ summary, objects }: OpenParts, laid: Laid | null): BaseCatalog {
  const { changes, segments } = laid ?? {};
  const providers =
    changes?.providers ?? new Map(summary.providers.map((record) => [record.id, record] as const));
  const version = changes && segments ? layOverObjects(objects.version, changes, segments) : objects.version;
  const records = [...(changes?.objects.values() ?? [])].flatMap((object) => object?.record ?? []);
  let phrases: readonly OpenPhrase[] | undefined;
  return {
    ...{ objects: version.view({ without: [], beside: [] }), version, providers },
    findObjects: createRecordCache({ version, providers }),
    languages: new Set((changes ?? summary).counts.languages.keys()),
    listPhrases: () => (phrases ??= openSuggestPhrases(records.flatMap(listSuggestPhrases))),
  };
}

function measure({ objects, terms }: OpenParts, laid: Laid | null, providers: number): CatalogSizes {
  const own = laid?.segments.stats;
  return {
    objects: objects.documents + (own?.documents ?? 0) - (laid?.changes.replaced.size ?? 0),
    providers,
    concepts: terms.counts.concepts,
    labels: terms.counts.labels,
    // Of objects that are laid over, too, but also of those that they replace.
    postings: objects.postings + (own?.postings ?? 0),
    indexBytes: objects.bytes + (own?.bytes ?? 0),
  };
}
