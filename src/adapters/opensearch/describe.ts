import type { OpenSearch } from './client.ts';
import { createCatalogError } from './explain.ts';

export interface CatalogState {
  readonly version: string;
  /** Health of the index of the current version: `green`, `yellow` or `red`. */
  readonly health: string;
  /** Number of documents of the current version; 0 if there is none yet. */
  readonly documents: number;
}

/** Describes the state of the catalogue.
 *  @param alias of the current version
 *  Errors: CATALOG_UNAVAILABLE, also for an unsupported release of OpenSearch. */
export async function describeCatalog(client: OpenSearch, alias: string): Promise<CatalogState> {
  const version = await checkServerVersion(client);
  const { status: missing, count = 0 } = await client.ask<{ status?: number; count?: number }>({
    method: 'GET',
    path: `/${alias}/_count`,
    alsoStatus: 404,
  });
  const scope = missing === undefined ? `/${alias}` : '';
  const { status } = await client.ask<{ status: string }>({
    method: 'GET',
    path: `/_cluster/health${scope}`,
    query: { level: 'cluster' },
  });
  return { version, health: status, documents: count };
}

/** The release of the server. Errors: CATALOG_UNAVAILABLE for an unsupported one. */
export async function checkServerVersion(client: OpenSearch): Promise<string> {
  const { version } = await client.ask<{ version: { number: string; distribution?: string } }>({
    method: 'GET',
    path: '/',
  });
  refuseUnsupported(version);
  return version.number;
}

const OLDEST = { major: 2, minor: 11 };
const FIRST_UNSUPPORTED_MAJOR = 4;

/** Rejects unsupported releases. Errors: CATALOG_UNAVAILABLE. */
export function refuseUnsupported({ number, distribution }: { number: string; distribution?: string }): void {
  const [major = 0, minor = 0] = number.split('.').map(Number);
  const isOldEnough = major < FIRST_UNSUPPORTED_MAJOR;
  const isNewEnough = major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor);
  if (distribution === 'opensearch' && isOldEnough && isNewEnough) return;
  throw createCatalogError(
    'version',
    `CATALOG_URL leads to ${distribution ?? 'something that is not OpenSearch'}, version ${number}. OpenSearch from ${OLDEST.major}.${OLDEST.minor} to 3.x can be used.`,
  );
}
