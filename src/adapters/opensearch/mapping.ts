import type { KeptDocument } from '../local/elsewhere/kept-document.ts';

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
} as const satisfies Record<keyof KeptDocument, object>;

/** What is kept of a document to be read again, all of it at once: to choose among it, the node would have to parse it. */
export const readFields = [
  'record',
  'isImported',
  'isDead',
  'about',
  'topics',
] as const satisfies (keyof KeptDocument)[];

export interface IndexShape {
  readonly shards: number;
  readonly replicas: number;
  /** Until what was merged is searched, as OpenSearch writes times; a minute when absent. */
  readonly refresh?: string;
}

/** An index that nothing is added to but what it has a place for. */
export function createIndexBody({ shards, replicas, refresh = '60s' }: IndexShape): object {
  return {
    settings: {
      index: {
        number_of_shards: shards,
        number_of_replicas: replicas,
        // Nothing is searched before all of it is there; what is merged then is searched with the next one.
        refresh_interval: refresh,
      },
    },
    mappings: {
      dynamic: 'strict',
      _source: { includes: readFields },
      properties,
    },
  };
}
