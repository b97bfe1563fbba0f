import { listObjectAddresses } from '../adapters/local/catalog.ts';
import type { Config } from '../config.ts';
import type { ImportedCatalog } from '../ports/imports.ts';
import type { Outbound } from '../ports/outbound.ts';
import { catalogDir } from './catalog.ts';
import { openSourceOutbound } from './imports.ts';

export interface LinkWaysOptions {
  readonly config: Config;
  readonly imported: ImportedCatalog;
  /** Of this program. */
  readonly version: string;
}

/** What a check of links needs besides the services. */
export interface LinkWays {
  readonly outbound: Outbound;
  /** Of all learning objects: those of the starter catalogue and those that were imported. */
  listAddresses(): AsyncIterable<string>;
  close(): Promise<void>;
}

export function openLinkWays({ config, imported, version }: LinkWaysOptions): LinkWays {
  const outbound = openSourceOutbound(config, version);
  return {
    outbound,
    listAddresses: () => listObjectAddresses({ catalogDir, imported }),
    close: () => outbound.close(),
  };
}
