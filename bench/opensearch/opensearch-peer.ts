import type { ObjectDocument } from '../../src/engine/objects/types.ts';
import type { BenchQuery } from '../corpus/queries.ts';
import { HITS } from '../engines/engine.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';
import type { HttpPeer } from './http-peer.ts';

const INDEX = 'skilldock-bench';
const BULK = 2_000;

const text = { type: 'text', analyzer: 'folded' };
/** One shard on one node, no copies: the fastest that it can be here. */
const setUp = {
  settings: {
    number_of_shards: 1,
    number_of_replicas: 0,
    refresh_interval: '-1',
    analysis: {
      analyzer: { folded: { type: 'custom', tokenizer: 'standard', filter: ['lowercase', 'asciifolding'] } },
    },
  },
  mappings: {
    dynamic: false,
    properties: {
      title: text,
      keywords: text,
      description: text,
      publishers: text,
      types: { type: 'keyword' },
    },
  },
};
const fields = ['title^3', 'keywords^2', 'description', 'publishers'];

/** A running OpenSearch, given the documents anew.
 *  @param url without a slash at the end */
export async function openOpenSearch(url: string, documents: Iterable<ObjectDocument>): Promise<HttpPeer> {
  const client = createHttpClient(url, { 'content-type': 'application/json' });
  await client.send(`/${INDEX}`, { method: 'DELETE' }).catch(() => undefined);
  await client.send(`/${INDEX}`, { method: 'PUT', body: JSON.stringify(setUp) });
  const start = performance.now();
  await fillIndex(client, INDEX, documents);
  await client.send(`/${INDEX}/_forcemerge?max_num_segments=1`, { method: 'POST' });
  await client.send(`/${INDEX}/_refresh`, { method: 'POST' });
  const buildSeconds = (performance.now() - start) / 1000;
  const { _all } = JSON.parse(await client.send(`/${INDEX}/_stats/store,docs`)) as Stats;
  return {
    name: 'OpenSearch',
    buildSeconds,
    indexBytes: _all.primaries.store.size_in_bytes,
    documents: _all.primaries.docs.count,
    search: (query) => client.send(`/${INDEX}/_search`, { method: 'POST', body: JSON.stringify(bodyOf(query)) }),
    countHits: (answer) => (JSON.parse(answer) as Answer).hits.hits.length,
    async close() {
      await client.send(`/${INDEX}`, { method: 'DELETE' });
      await client.close();
    },
  };
}

interface Stats {
  readonly _all: { readonly primaries: { store: { size_in_bytes: number }; docs: { count: number } } };
}
interface Answer {
  readonly hits: { readonly hits: readonly unknown[] };
}

/** Sends documents, each by its id. */
export async function fillIndex(
  client: HttpClient,
  index: string,
  documents: Iterable<{ readonly id: string }>,
): Promise<void> {
  let lines: string[] = [];
  const send = async () => {
    const answer = await client.send(`/${index}/_bulk`, { method: 'POST', body: `${lines.join('\n')}\n` });
    if ((JSON.parse(answer) as { errors: boolean }).errors) throw new Error('OpenSearch refused documents.');
    lines = [];
  };
  for (const { id, ...document } of documents) {
    lines.push(JSON.stringify({ index: { _id: id } }), JSON.stringify(document));
    if (lines.length >= 2 * BULK) await send();
  }
  if (lines.length > 0) await send();
}

/** A query as its users would write it: BM25 with the title three times as heavy, and a filter that
 *  does not score. */
function bodyOf({ kind, keywords, type }: BenchQuery): object {
  const match = {
    'any-term': { operator: 'or' },
    'all-terms': { operator: 'and', type: 'cross_fields' },
    prefix: { type: 'bool_prefix' },
    typo: { fuzziness: 1 },
  }[kind];
  const must = { multi_match: { query: keywords, fields, ...match } };
  return { size: HITS, query: { bool: { must, filter: { term: { types: type } } } } };
}
