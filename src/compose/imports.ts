import { listCatalogAddresses } from '#adapters/local/starter-catalog';
import { checkKeptVersion, type KeptVersionReport } from '#adapters/local/versions/check-version';
import { type PrepareStep, prepareIndex } from '#adapters/local/versions/make-version';
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
  /** Told where an index could not be shared. */
  onProblem?(error: unknown): void;
  /** Of this program. */
  readonly version: string;
}

/** What an import needs besides the services. */
export interface ImportWays {
  readonly sources: ImportSources;
  /** Builds the index of what counts now, so that hosts that use the data folder, or the same MongoDB, only load it. */
  prepareIndex(options: { readonly signal: AbortSignal; onStep(step: PrepareStep): void }): Promise<void>;
  /** Compares what keeps the learning objects with what is imported, and mends it. Null where that is our own engine. */
  checkCatalog(signal: AbortSignal): Promise<KeptVersionReport | null>;
  close(): Promise<void>;
}

export function openImportWays({ config, version, ...index }: ImportWaysOptions): ImportWays {
  const sources = createThreadedSources(readImportOutbound(config, version));
  return {
    sources,
    prepareIndex: ({ signal, onStep }) =>
      useCatalogStore(config, async (elsewhere) => {
        await prepareIndex({ ...index, catalogDir, signal, onProgress: onStep, elsewhere });
      }),
    checkCatalog: (signal) =>
      useCatalogStore(config, async (elsewhere) =>
        elsewhere === undefined ? null : checkKeptVersion({ ...index, catalogDir, signal, elsewhere }),
      ),
    close: () => sources.close(),
  };
}

/** Calls the sources of records. Nothing secret is sent, and answers are checked, so http is allowed, too. What is read may be shown
 *  to whoever named it: so this machine is called only where the operator allows that, also by a host that is tried out on it. */
export function readImportOutbound({ privateAccess }: Config, version: string): SourceOutbound {
  return { allowLoopback: false, privateAccess, allowHttp: true, version };
}

export interface LinkWaysOptions {
  readonly config: Config;
  readonly imported: ImportedCatalog;
  /** Of this program. */
  readonly version: string;
}

/** What a check of links needs besides the services. */
export interface OpenLinkWays extends LinkWays {
  /** Of all learning objects: those of the starter catalogue and those that were imported. */
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
