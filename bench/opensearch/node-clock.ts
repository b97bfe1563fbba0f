import { Agent } from 'node:http';
import { startOpenSearchProxy } from '../../test/helpers/opensearch-proxy.ts';
import type { Behind } from './http-peer.ts';

/** Stands between a host and the node that it asks, and takes the time of the node's answers: from a whole request to a whole answer. */
export interface NodeClock extends Pick<Behind, 'take'> {
  /** To be asked instead of the node's address. */
  readonly url: string;
  close(): void;
}

/** @param url of the node, with the path that stands for the names of its indexes */
export async function startNodeClock(url: string): Promise<NodeClock> {
  const { origin, pathname } = new URL(url);
  const agent = new Agent({ keepAlive: true });
  const proxy = await startOpenSearchProxy(origin, { agent });
  let milliseconds = 0;
  proxy.rule = async (_, pass) => {
    const start = performance.now();
    const answer = await pass();
    milliseconds += performance.now() - start;
    return answer;
  };
  return {
    url: proxy.address + (pathname === '/' ? '' : pathname),
    take() {
      const taken = milliseconds;
      milliseconds = 0;
      return taken;
    },
    close() {
      proxy.close();
      agent.destroy();
    },
  };
}
