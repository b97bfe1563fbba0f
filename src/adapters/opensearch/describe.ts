import type { OpenSearch } from './client.ts';
import { createCatalogError } from './explain.ts';

export interface CatalogState {
  readonly version: string;
  /** `green`, `yellow` or `red`: that of the current version's index. */
  readonly health: string;
  /** Of the current version; 0 where there is none yet. */
  readonly documents: number;
}

const OLDEST = [2, 11];
const NEXT = 4;

/** @param alias of the current version. Errors: CATALOG_UNAVAILABLE, also for a version that cannot be used. */
export async function describeCatalog(client: OpenSearch, alias: string): Promise<CatalogState> {
  const version = await checkVersion(client);
  const { status: missing, count = 0 } = await client.ask<{ status?: number; count?: number }>({
    ...{ method: 'GET', path: `/${alias}/_count`, alsoStatus: 404 },
  });
  const scope = missing === undefined ? `/${alias}` : '';
  const { status } = await client.ask<{ status: string }>({
    ...{ method: 'GET', path: `/_cluster/health${scope}`, query: { level: 'cluster' } },
  });
  return { version, health: status, documents: count };
}

/** @returns the number. Errors: CATALOG_UNAVAILABLE, also for a version that cannot be used. */
export async function checkVersion(client: OpenSearch): Promise<string> {
  const { version } = await client.ask<{ version: { number: string; distribution?: string } }>({
    ...{ method: 'GET', path: '/' },
  });
  refuseVersion(version);
  return version.number;
}

/** Errors: CATALOG_UNAVAILABLE. */
export function refuseVersion({ number, distribution }: { number: string; distribution?: string }): void {
  const [major = 0, minor = 0] = number.split('.').map(Number);
  const [oldest = 0, oldestMinor = 0] = OLDEST;
  const isKnown = major < NEXT && (major > oldest || (major === oldest && minor >= oldestMinor));
  if (distribution === 'opensearch' && isKnown) return;
  throw createCatalogError(
    'version',
    `CATALOG_URL leads to ${distribution ?? 'something that is not OpenSearch'}, version ${number}. OpenSearch from ${OLDEST.join('.')} to 3.x can be used.`,
  );
}
