import { join } from 'node:path';
import { listCatalogAddresses, readStarterCatalog } from '#adapters/local/starter-catalog';
import type { PrepareStep } from '#adapters/local/versions/prepare-index';
import { checkExternalIndex, isBuiltIndexCurrent, prepareIndex } from '#adapters/local/versions/prepare-index';
import type { OpenSearchIndex } from '#adapters/opensearch/opensearch-index';
import { createOutbound } from '#adapters/remote/outbound';
import type { Config } from '#config';
import { omitUndefined } from '#domain/omit-undefined';
import type { ImportedCatalog } from '#ports/imports';
import type { OutboundAnswer } from '#ports/outbound';
import type { SharedFiles } from '#ports/shared-files';
import { projectRoot } from '#project-root';
import type { LinkTools } from '#services/catalogue/link-checks/site-manners';
import { createIsolatedSources, type SourceOutbound } from './import-sources.ts';

export type ImportTools = ReturnType<typeof openImportTools>;

/** Opens what commands need to import and to build the index. */
export function openImportTools(deps: {
  readonly config: Config;
  readonly dataDir: string;
  readonly imported: ImportedCatalog;
  readonly shared?: SharedFiles;
  onProblem?(error: unknown): void;
  readonly version: string;
}) {
  const { config, version, ...indexDeps } = deps;
  const sources = createIsolatedSources(readImportOutbound(config, version));
  return {
    sources,
    /** Builds the index of the catalogue for hosts with this data folder or MongoDB. */
    prepareIndex: ({ signal, onStep }: { readonly signal: AbortSignal; onStep(step: PrepareStep): void }) =>
      useCatalogStore(config, async (external) => {
        await prepareIndex({ ...indexDeps, catalogDir, signal, onProgress: onStep, external });
      }),
    /** Repairs the OpenSearch cluster by the imports; null for the built-in engine. */
    checkCatalog: (signal: AbortSignal) =>
      useCatalogStore(config, async (external) =>
        external === undefined ? null : checkExternalIndex({ ...indexDeps, catalogDir, signal, external }),
      ),
    close: () => sources.close(),
  };
}

/** Allows plain HTTP, as no secret is sent and answers are checked. This machine is called only if
 *  the operator allows it, as whoever named the address may see the content. */
export function readImportOutbound({ privateAccess }: Config, version: string): SourceOutbound {
  return { allowLoopback: false, privateAccess, allowHttp: true, version };
}

export type OpenLinkTools = ReturnType<typeof openLinkTools>;

export function openLinkTools(deps: {
  readonly config: Config;
  readonly imported: ImportedCatalog;
  readonly version: string;
}) {
  const { config, imported, version } = deps;
  const outbound = createOutbound(readImportOutbound(config, version));
  return {
    outbound,
    async readSiteRules(...[origin, fetch, signal]: Parameters<LinkTools['readSiteRules']>) {
      const { readSiteRobots } = await import('#adapters/catalog/web/lrmi/site');
      return readSiteRobots(origin, fetch, signal);
    },
    async readPicture(page: OutboundAnswer) {
      const { readPagePicture } = await import('#adapters/catalog/web/page');
      return readPagePicture(page);
    },
    /** Lists the addresses of all learning objects of the starter catalogue and of imports. */
    listAddresses: () => listCatalogAddresses({ catalogDir, imported }),
    close: () => outbound.close(),
  };
}

export const catalogDir = join(projectRoot, 'data');

/** Reads and checks the whole starter catalogue. Errors: CATALOG_INVALID. */
export function examineStarterCatalog() {
  const { objects, providers, concepts } = readStarterCatalog(catalogDir);
  const taxonomies = new Map<string, number>();
  for (const { source } of concepts) taxonomies.set(source, (taxonomies.get(source) ?? 0) + 1);
  return {
    objects: objects.length,
    providers: providers.length,
    taxonomies,
    /** Whether the index that came with the build is of this catalogue and this code. */
    isIndexCurrent: isBuiltIndexCurrent(catalogDir),
  };
}

/** Loads and opens OpenSearch; null for the built-in engine. Errors: CONFIG_INVALID. */
export async function openCatalogStore({ catalog }: Pick<Config, 'catalog'>): Promise<OpenSearchIndex | null> {
  if (catalog === undefined) return null;
  const { openOpenSearchIndex } = await import('#adapters/opensearch/opensearch-index');
  return openOpenSearchIndex(omitUndefined(catalog));
}

export async function useCatalogStore<T>(
  config: Pick<Config, 'catalog'>,
  work: (store: OpenSearchIndex | undefined) => Promise<T>,
): Promise<T> {
  const store = await openCatalogStore(config);
  try {
    return await work(store ?? undefined);
  } finally {
    await store?.close();
  }
}
