import { LRUCache } from 'lru-cache';
import type { CatalogPlace, CatalogTrouble } from '#domain/catalog';
import { limitEntries } from '#domain/limit-entries';
import type { ExternalObjects } from '#engine/objects/search/external-plan';
import { createExternalView } from '#engine/objects/search/external-view';
import { type LiveSegment, selectSegments } from '#engine/objects/segment/segment';
import { AppError } from '#errors';
import { toKeptId } from '../local/versions/external-document.ts';
import type { ObjectsStore } from '../local/versions/objects-store.ts';
import type {
  VersionObjects,
  VersionRecord,
  VersionRecords,
  VersionSelection,
} from '../local/versions/version-objects.ts';
import { type OpenSearch, type OpenSearchOptions, openOpenSearch } from './client.ts';
import { type CatalogState, describeCatalog } from './describe.ts';
import { isIndexMissing } from './explain.ts';
import type { Query } from './filters.ts';
import { nothing } from './filters.ts';
import { findInIndex } from './find.ts';
import type { IndexShape } from './mapping.ts';
import { readRecords } from './records.ts';
import { createVersions, type Versions } from './versions.ts';

export interface OpenSearchStoreOptions extends OpenSearchOptions, Partial<IndexShape> {
  /** Of the names of its indexes: lower-case letters, digits and hyphens. */
  readonly prefix: string;
  /** As the indexes have it; 10,000 when absent. */
  readonly maxWindow?: number;
  /** Of a request that brings documents; 4 MB when absent. */
  readonly maxBulkBytes?: number;
}

/** The objects of the catalogue on OpenSearch. */
export interface OpenSearchStore extends ObjectsStore, Pick<OpenSearch, 'problem' | 'close'> {
  describe(): Promise<CatalogState>;
  /** What is known without asking. */
  readonly place: CatalogPlace;
}

/** About 1 kB each: what hits bring along is not asked for again. */
const MAX_RECORDS = 5_000;
const MAX_WINDOW = 10_000;

/** Errors: CONFIG_INVALID. */
export function openOpenSearchStore(options: OpenSearchStoreOptions): OpenSearchStore {
  const { prefix, shards = 1, replicas = 1, maxWindow = MAX_WINDOW, maxBulkBytes } = options;
  const client = openOpenSearch(options);
  const versions = createVersions({
    ...{ client, prefix, shards, replicas },
    ...(maxBulkBytes !== undefined && { maxBulkBytes }),
  });
  let filling = 0;
  let behind: CatalogTrouble | null = null;
  return {
    describe: () => describeCatalog(client, prefix),
    get place() {
      const nodes = options.nodes.map((node) => new URL(node).host);
      return { nodes, away: client.trouble, behind, isFilling: filling > 0 };
    },
    hasVersion: versions.hasVersion,
    async select(name, documents) {
      const isThere = await versions.select(name, documents);
      if (isThere) behind = null;
      return isThere;
    },
    async fill(version, signal) {
      filling++;
      try {
        await versions.fill(version, signal);
        behind = null;
      } catch (error) {
        const problem = error instanceof AppError ? error.message : 'The log says why.';
        if (!signal.aborted) behind = { problem, since: behind?.since ?? new Date() };
        throw error;
      } finally {
        filling--;
      }
    },
    examine: versions.examine,
    drop: versions.drop,
    get problem() {
      return client.problem;
    },
    close: client.close,
    open: (name, words) => openIndex({ client, versions, index: versions.nameOf(name), words, maxWindow }),
  };
}

interface IndexDeps {
  readonly client: OpenSearch;
  readonly versions: Versions;
  readonly index: string;
  readonly words: LiveSegment;
  readonly maxWindow: number;
}

function openIndex({ client, versions, index, words, maxWindow }: IndexDeps): VersionObjects {
  const cached = new LRUCache<string, VersionRecord>(limitEntries(MAX_RECORDS));
  const remember = (record: VersionRecord) => void cached.set(record.record.url, record);

  async function findRecords(urls: readonly string[]): Promise<VersionRecords> {
    const uncached = urls.filter((url) => !cached.has(url));
    if (uncached.length > 0) await versions.requireFilled(index);
    const read = await readRecords(client, index, uncached);
    return new Map(
      urls.flatMap((url) => {
        const record = cached.get(url) ?? read.get(url);
        if (record === undefined) return [];
        remember(record);
        return [[url, record] as const];
      }),
    );
  }

  return {
    findRecords,
    view(selection) {
      const { beside, among = null } = selection;
      const selected = writeSelection(selection);
      const elsewhere: ExternalObjects = {
        words,
        findTopics: async (id) => (await findRecords([id])).get(id)?.findTopics().topics ?? [],
        async find(plan, page) {
          try {
            await versions.requireFilled(index);
            return await findInIndex({ client, index, maxWindow, remember }, plan, { ...page, selected });
          } catch (error) {
            // Whoever looks for what was imported brings it back at once.
            if (isIndexMissing(error)) versions.forget(index);
            throw error;
          }
        },
      };
      return createExternalView(
        elsewhere,
        among === null ? beside : selectSegments(beside, among.urls, among.how),
      );
    },
  };
}

/** What a tenant has of the documents of a version. */
function writeSelection({ without, origin = null, among = null }: VersionSelection): readonly Query[] {
  const ids = (urls: Iterable<string>): Query => ({ ids: { values: [...urls].map(toKeptId) } });
  const hidden = [...without];
  const isKept = origin === null || origin === 'starter' || origin === 'import';
  return [
    ...(hidden.length === 0 ? [] : [{ bool: { must_not: [ids(hidden)] } }]),
    ...(isKept ? [] : [nothing]),
    ...(isKept && origin !== null ? [{ term: { isImported: origin === 'import' } }] : []),
    ...(among === null
      ? []
      : [among.how === 'only' ? ids(among.urls) : { bool: { must_not: [ids(among.urls)] } }]),
  ];
}
