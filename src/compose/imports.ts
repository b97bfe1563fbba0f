import { listCatalogAddresses } from '#adapters/local/starter-catalog';
import {
  checkExternalIndex,
  type ExternalIndexReport,
  type PrepareStep,
  prepareIndex,
} from '#adapters/local/versions/prepare-index';
import { createOutbound } from '#adapters/remote/outbound';
import type { Config } from '#config';
import type { ImportedCatalog, ImportSources } from '#ports/imports';
import type { SharedFiles } from '#ports/shared-files';
import type { LinkWays } from '#services/catalogue/link-checks/site-manners';
import { catalogDir, useCatalogStore } from './catalog.ts';
import { createThreadedSources, type SourceOutbound } from './import-sources.ts';

export interface ImportWaysOptions {
  readonly config: Config;
  /** Path of the data folder. */
  readonly dataDir: string;
  readonly imported: ImportedCatalog;
  readonly shared?: SharedFiles;
  /** Receives failures to share an index. */
  onProblem?(error: unknown): void;
  /** Of this program. */
  readonly version: string;
}

/** The adapters that an import needs. */
export interface ImportWays {
  readonly sources: ImportSources;
  /** Builds the index of the present catalogue, so that hosts that use the data folder or the same
   *  MongoDB only load it. */
  prepareIndex(options: { readonly signal: AbortSignal; onStep(step: PrepareStep): void }): Promise<void>;
  /** Compares the OpenSearch cluster with the imports, and repairs it. Null for the built-in
   *  engine. */
  checkCatalog(signal: AbortSignal): Promise<ExternalIndexReport | null>;
  close(): Promise<void>;
}

export function openImportWays({ config, version, ...index }: ImportWaysOptions): ImportWays {
  const sources = createThreadedSources(readImportOutbound(config, version));
  return {
    sources,
    prepareIndex: ({ signal, onStep }) =>
      useCatalogStore(config, async (external) => {
        await prepareIndex({ ...index, catalogDir, signal, onProgress: onStep, external });
      }),
    checkCatalog: (signal) =>
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

export interface LinkWaysOptions {
  readonly config: Config;
  readonly imported: ImportedCatalog;
  /** Of this program. */
  readonly version: string;
}

/** The adapters that a link check needs. */
export interface OpenLinkWays extends LinkWays {
  /** The addresses of all learning objects, of the starter catalogue and of imports. */
  listAddresses(): AsyncIterable<string>;
  close(): Promise<void>;
}

export function openLinkWays({ config, imported, version }: LinkWaysOptions): OpenLinkWays {
  const outbound = createOutbound(readImportOutbound(config, version));
  return {
    outbound,
    async readSiteRules(origin, fetch, signal) {
      const { readSiteRobots } = await import('../adapters/catalog/web/lrmi/sitemap.ts');
      return readSiteRobots(origin, fetch, signal);
    },
    listAddresses: () => listCatalogAddresses({ catalogDir, imported }),
    close: () => outbound.close(),
  };
}
