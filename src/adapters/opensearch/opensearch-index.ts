import { LRUCache } from 'lru-cache';
import type { CatalogPlace, CatalogTrouble } from '#domain/catalog';
import { hashObjectAddress } from '#domain/learning-object';
import { limitEntries } from '#domain/limit-entries';
import { omitUndefined } from '#domain/omit-undefined';
import { createExternalView } from '#engine/objects/search/external-view';
import { type LiveSegment, selectSegments } from '#engine/objects/segment/segment';
import { AppError } from '#errors';
import type {
  ExternalIndex,
  ObjectSelection,
  VersionObject,
  VersionObjects,
} from '../local/versions/version-objects.ts';
import { type OpenSearch, type OpenSearchOptions, openOpenSearch } from './client.ts';
import { type DocumentSource, type IndexShape, readDocumentSource, readSources } from './documents.ts';
import { isIndexMissing } from './errors.ts';
import { nothing, type Query } from './filters.ts';
import { type FindOptions, findInIndex } from './find.ts';
import { type CatalogState, describeVersions, openVersions, type Versions } from './versions.ts';

export interface OpenSearchIndexOptions extends OpenSearchOptions, Partial<IndexShape> {
  /** The prefix of the names of the indexes: lower-case letters, digits and hyphens. */
  readonly prefix: string;
  /** The `index.max_result_window` of the indexes; 10,000 by default. */
  readonly maxWindow?: number;
  /** Limit of a request that sends documents; 4 MB by default. */
  readonly maxBulkBytes?: number;
}

export interface OpenSearchIndex extends ExternalIndex, Pick<OpenSearch, 'problem' | 'close'> {
  /** Errors: CATALOG_UNAVAILABLE. */
  describe(): Promise<CatalogState>;
  readonly place: CatalogPlace;
}

const MAX_WINDOW = 10_000;

/** Opens the indexes without sending a request. Errors: CONFIG_INVALID. */
export function openOpenSearchIndex(options: OpenSearchIndexOptions): OpenSearchIndex {
  const { prefix, shards = 1, replicas = 1, maxWindow = MAX_WINDOW, maxBulkBytes } = options;
  const client = openOpenSearch(options);
  const versions = openVersions({ client, prefix, shards, replicas, ...omitUndefined({ maxBulkBytes }) });
  let filling = 0;
  let behind: CatalogTrouble | null = null;
  return {
    describe: () => describeVersions(client, prefix),
    get place() {
      const nodes = options.nodes.map((node) => new URL(node).host);
      return { nodes, away: client.trouble, behind, isFilling: filling > 0 };
    },
    ...versions,
    async select(version, documents) {
      const isSelected = await versions.select(version, documents);
      if (isSelected) behind = null;
      return isSelected;
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
    get problem() {
      return client.problem;
    },
    close: client.close,
    open: (version, words) =>
      openObjectsOfIndex({ client, versions, index: versions.indexOf(version), words, maxWindow }),
  };
}

interface VersionParts extends Omit<FindOptions, 'onSource'> {
  readonly versions: Versions;
  readonly words: LiveSegment;
}

/** Sources of hits are cached, so that they are not read again. Each takes about 1.5 kB. */
const MAX_CACHED_SOURCES = 5_000;

function openObjectsOfIndex({ client, versions, index, words, maxWindow }: VersionParts): VersionObjects {
  const cache = new LRUCache<string, DocumentSource>(limitEntries(MAX_CACHED_SOURCES));
  const onSource = (source: DocumentSource) => void cache.set(source.url, source);

  async function findObjects(urls: readonly string[]): Promise<ReadonlyMap<string, VersionObject>> {
    // Read before others are cached, which may remove them.
    const cached = new Map(urls.map((url) => [url, cache.get(url)]));
    const uncached = urls.filter((url) => cached.get(url) === undefined);
    if (uncached.length > 0) await versions.requireFilled(index);
    const sources = await readSources(client, index, uncached);
    for (const source of sources.values()) onSource(source);
    return new Map(
      urls.flatMap((url) => {
        const source = cached.get(url) ?? sources.get(url);
        return source === undefined ? [] : [[url, readDocumentSource(source)] as const];
      }),
    );
  }

  return {
    find: findObjects,
    view(selection) {
      const { beside = [], among = null } = selection;
      const selected = writeIndexSelection(selection);
      return createExternalView(
        {
          words,
          findTopics: async (id) => (await findObjects([id])).get(id)?.findTopics().topics ?? [],
          async find(plan, page) {
            try {
              await versions.requireFilled(index);
              return await findInIndex({ client, index, maxWindow, onSource }, plan, { ...page, selected });
            } catch (error) {
              // The next check for imports then fills the index again.
              if (isIndexMissing(error)) versions.forget(index);
              throw error;
            }
          },
        },
        among === null ? beside : selectSegments(beside, among.urls, among.how),
      );
    },
  };
}

function writeIndexSelection({ which, without = [], among = null }: ObjectSelection): readonly Query[] {
  const withIds = (urls: readonly string[]): Query => ({ ids: { values: urls.map(hashObjectAddress) } });
  const withoutIds = (urls: readonly string[]): Query => ({ bool: { must_not: [withIds(urls)] } });
  return [
    ...(without.length === 0 ? [] : [withoutIds(without)]),
    ...writeOriginFilter(which),
    ...(among === null ? [] : [among.how === 'only' ? withIds(among.urls) : withoutIds(among.urls)]),
  ];
}

function writeOriginFilter(which: ObjectSelection['which']): readonly Query[] {
  if (which === 'visible' || which === 'all') return [];
  if (which === 'starter' || which === 'import') return [{ term: { isImported: which === 'import' } }];
  return [nothing];
}
