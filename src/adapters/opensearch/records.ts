import type { KeptDocument } from '../local/versions/external-document.ts';
import { toKeptId } from '../local/versions/external-document.ts';
import type { VersionRecord, VersionRecords } from '../local/versions/version-objects.ts';
import type { OpenSearch } from './client.ts';
import type { keptFields } from './mapping.ts';

export type KeptSource = Pick<KeptDocument, (typeof keptFields)[number]>;

export function toVersionRecord({ record, isImported, isDead, about, topics }: KeptSource): VersionRecord {
  const widerTopics = topics.filter((topic) => !about.includes(topic));
  return { record, isImported, isDead, findTopics: () => ({ topics: about, widerTopics }) };
}

interface Documents {
  readonly docs: readonly { readonly found?: boolean; readonly _source?: KeptSource }[];
}

/** Errors: CATALOG_UNAVAILABLE. */
export async function readRecords(
  client: OpenSearch,
  index: string,
  urls: readonly string[],
): Promise<VersionRecords> {
  if (urls.length === 0) return new Map();
  const { docs } = await client.ask<Documents>({
    ...{ method: 'POST', path: `/${index}/_mget` },
    body: { ids: urls.map(toKeptId) },
  });
  return new Map(
    urls.flatMap((url, i) => {
      const source = docs[i]?._source;
      return source === undefined ? [] : [[url, toVersionRecord(source)] as const];
    }),
  );
}
