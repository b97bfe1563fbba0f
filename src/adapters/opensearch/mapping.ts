import type { KeptDocument } from '../local/versions/external-document.ts';

const keyword = { type: 'keyword' };
/** Only searched for. */
const searched = { type: 'keyword', doc_values: false };
const number = { type: 'float' };
const flag = { type: 'boolean' };

const properties = {
  hash: { type: 'long', index: false },
  impacts: { type: 'rank_features' },
  publisherWords: keyword,
  provider: keyword,
  type: keyword,
  bloom: keyword,
  lang: keyword,
  about: searched,
  topics: keyword,
  level: number,
  minutes: number,
  popularity: number,
  lift: { type: 'float', index: false },
  isDead: flag,
  ageMin: { type: 'short' },
  ageMax: { type: 'short' },
  free: flag,
  place: { type: 'geo_point' },
  isImported: flag,
  record: { type: 'object', enabled: false },
  vector: { type: 'binary' },
} as const satisfies Record<keyof KeptDocument, object>;

/** What is kept of a document to be read again, all of it at once: to choose among it, the node would have to parse it. */
export const keptFields = [
  'record',
  'vector',
  'isImported',
  'isDead',
  'about',
  'topics',
] as const satisfies (keyof KeptDocument)[];

export interface IndexShape {
  readonly shards: number;
  readonly replicas: number;
}

/** An index that nothing is added to but what it has a place for. */
export function createIndexBody({ shards, replicas }: IndexShape): object {
  return {
    settings: {
      index: {
        number_of_shards: shards,
        number_of_replicas: replicas,
        // Seldom: `fill` refreshes it once all is there, and after that only what was merged has to be seen.
        refresh_interval: '60s',
      },
    },
    mappings: {
      dynamic: 'strict',
      _source: { includes: keptFields },
      properties,
    },
  };
}
