import { hashObjectAddress } from '#domain/learning-object';
import type { ExternalDocument } from '../local/versions/external-document.ts';
import { toVersionObject, type VersionObject } from '../local/versions/version-objects.ts';
import type { OpenSearch } from './client.ts';
import { createPartialError } from './errors.ts';

const keyword = { type: 'keyword' };
const searchedKeyword = { type: 'keyword', doc_values: false };
const float = { type: 'float' };
const boolean = { type: 'boolean' };
const stored = { type: 'object', enabled: false };

const properties = {
  hash: { type: 'long', index: false },
  impacts: { type: 'rank_features' },
  publisherWords: keyword,
  provider: keyword,
  type: keyword,
  bloom: keyword,
  lang: keyword,
  about: searchedKeyword,
  topics: keyword,
  level: float,
  minutes: float,
  popularity: float,
  lift: { type: 'float', index: false },
  isDead: boolean,
  ageMin: { type: 'short' },
  ageMax: { type: 'short' },
  free: boolean,
  marks: keyword,
  day: { type: 'integer' },
  place: { type: 'geo_point' },
  isImported: boolean,
  url: stored,
  record: stored,
  vector: { type: 'binary' },
} as const satisfies Record<keyof ExternalDocument, object>;

/** Fields in `_source`, read together: to select some, a node would parse the source. */
const sourceFields = [
  'url',
  'record',
  'vector',
  'provider',
  'lang',
  'lift',
  'isImported',
  'isDead',
  'about',
  'topics',
] as const;
export type DocumentSource = Pick<ExternalDocument, (typeof sourceFields)[number]>;

export type IndexShape = { readonly shards: number; readonly replicas: number };

/** Describes an index, which refuses unknown fields. */
export function createIndexBody({ shards, replicas }: IndexShape): object {
  // `fillVersionIndex` refreshes the full index; later only merges become visible.
  const index = { number_of_shards: shards, number_of_replicas: replicas, refresh_interval: '60s' };
  return { settings: { index }, mappings: { dynamic: 'strict', _source: { includes: sourceFields }, properties } };
}

export function readDocumentSource({ record, isImported, isDead, about, topics }: DocumentSource): VersionObject {
  const widerTopics = topics.filter((topic) => !about.includes(topic));
  const parsed = JSON.parse(record) as VersionObject['record'];
  return toVersionObject({ record: parsed, isImported, isDead }, () => ({ topics: about, widerTopics }));
}

/** Reads objects by their address. Missing ones are omitted. Errors: CATALOG_UNAVAILABLE. */
export async function readSources(
  client: OpenSearch,
  index: string,
  urls: readonly string[],
): Promise<ReadonlyMap<string, DocumentSource>> {
  if (urls.length === 0) return new Map();
  const { docs } = await client.ask<{ docs?: { _source?: DocumentSource; error?: unknown }[] }>({
    method: 'POST',
    path: `/${index}/_mget`,
    body: { ids: urls.map(hashObjectAddress) },
  });
  // An object on an unavailable shard is not missing.
  if (docs === undefined || docs.some(({ error }) => error !== undefined)) throw createPartialError();
  return new Map(
    urls.flatMap((url, i) => {
      const source = docs[i]?._source;
      return source === undefined ? [] : [[url, source] as const];
    }),
  );
}
