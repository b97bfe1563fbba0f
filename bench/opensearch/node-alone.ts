import { startOpenSearchProxy } from '../../test/helpers/opensearch-proxy.ts';
import type { BenchQuery } from '../corpus/queries.ts';
import { createHttpClient } from './http-client.ts';
import type { HttpPeer } from './http-peer.ts';

export interface Search {
  readonly path: string;
  readonly body: string;
}

/** Stands between a host and the node that it asks, and remembers what it asks. */
export interface Overhearing {
  /** To be asked instead of the node's address. */
  readonly url: string;
  /** The searches since the call before. */
  take(): readonly Search[];
  close(): void;
}

/** @param url of the node, with the path that stands for the names of its indexes */
export async function overhear(url: string): Promise<Overhearing> {
  const { origin, pathname } = new URL(url);
  const proxy = await startOpenSearchProxy(origin);
  let searches: Search[] = [];
  proxy.rule = (passing, pass) => {
    if (passing.path.endsWith('/_search')) searches.push(passing);
    return pass();
  };
  return {
    url: proxy.address + (pathname === '/' ? '' : pathname),
    take() {
      const taken = searches;
      searches = [];
      return taken;
    },
    close: proxy.close,
  };
}

/** The node, asked what a host asks it for each query, so that what is left of the host's time is its own. */
export function askNodeAlone(
  origin: string,
  searches: ReadonlyMap<BenchQuery, readonly Search[]>,
  { documents }: Pick<HttpPeer, 'documents'>,
): HttpPeer {
  const client = createHttpClient(origin, { 'content-type': 'application/json' });
  return {
    name: 'the node alone, asked the same',
    documents,
    async search(query) {
      // The host waits for one search before it sends the next.
      let answer = foundNothing;
      for (const { path, body } of searches.get(query) ?? [])
        answer = await client.send(path, { method: 'POST', body });
      return answer;
    },
    countHits: (answer) => (JSON.parse(answer) as Answer).hits.hits.length,
    close: client.close,
  };
}

interface Answer {
  readonly hits: { readonly hits: readonly unknown[] };
}

/** Words that nothing has are not asked for. */
const foundNothing = JSON.stringify({ hits: { hits: [] } } satisfies Answer);
