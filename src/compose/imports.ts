import { listCatalogAddresses } from '#adapters/local/starter-catalog';
import { checkExternalIndex, type PrepareStep, prepareIndex } from '#adapters/local/versions/prepare-index';
import { createOutbound } from '#adapters/remote/outbound';
import type { Config } from '#config';
import type { ImportedCatalog } from '#ports/imports';
import type { SharedFiles } from '#ports/shared-files';
import type { LinkWays } from '#services/catalogue/link-checks/site-manners';
import { catalogDir, useCatalogStore } from './catalog.ts';
import { createIsolatedSources, type SourceOutbound } from './import-sources.ts';

/** The adapters that an import needs. */
export type ImportWays = ReturnType<typeof openImportWays>;

export function openImportWays(deps: {
  readonly config: Config;
  /** Path of the data folder. */
  readonly dataDir: string;
  readonly imported: ImportedCatalog;
  readonly shared?: SharedFiles;
  /** Receives failures to share an index. */
  onProblem?(error: unknown): void;
  /** Of this program. */
  readonly version: string;
}) {
  const { config, version, ...index } = deps;
  const sources = createIsolatedSources(readImportOutbound(config, version));
  return {
    sources,
    /** Builds the index of the present catalogue, so that hosts that use the data folder or the
     *  same MongoDB only load it. */
    prepareIndex: ({ signal, onStep }: { readonly signal: AbortSignal; onStep(step: PrepareStep): void }) =>
      useCatalogStore(config, async (external) => {
        await prepareIndex({ ...index, catalogDir, signal, onProgress: onStep, external });
      }),
    /** Compares the OpenSearch cluster with the imports, and repairs it. Null for the built-in
     *  engine. */
    checkCatalog: (signal: AbortSignal) =>
      useCatalogStore(config, async (external) =>
        external === undefined ? null : checkExternalIndex({ ...index, catalogDir, signal, external }),
      ),
    close: () => sources.close(),
  };
}

/** Outbound calls to import sources. No secret is sent and answers are checked, so plain HTTP is
 *  allowed. Their content may be shown to whoever named the address, so this machine is called only
 *  where the operator allows it. */
export function readImportOutbound({ privateAccess }: Config, version: string): SourceOutbound {
  return { allowLoopback: false, privateAccess, allowHttp: true, version };
}

/** The adapters that a link check needs. */
export type OpenLinkWays = ReturnType<typeof openLinkWays>;

export function openLinkWays(deps: {
  readonly config: Config;
  readonly imported: ImportedCatalog;
  /** Of this program. */
  readonly version: string;
}) {
  const { config, imported, version } = deps;
  const outbound = createOutbound(readImportOutbound(config, version));
  return {
    outbound,
    async readSiteRules(...[origin, fetch, signal]: Parameters<LinkWays['readSiteRules']>) {
      const { readSiteRobots } = await import('../adapters/catalog/web/lrmi/sitemap.ts');
      return readSiteRobots(origin, fetch, signal);
    },
    /** The addresses of all learning objects, of the starter catalogue and of imports. */
    listAddresses: () => listCatalogAddresses({ catalogDir, imported }),
    close: () => outbound.close(),
  };
}
