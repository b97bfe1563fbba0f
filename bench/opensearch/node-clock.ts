import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands between a host and the node that it asks, and takes the time of the node's answers. */
export interface NodeClock {
  /** To be asked instead of the node's address. */
  readonly url: string;
  /** Milliseconds that the node took since the last call, from a whole request to a whole answer. */
  take(): number;
  close(): void;
}

/** @param url of the node, with the path that stands for the names of its indexes */
export async function startNodeClock(url: string): Promise<NodeClock> {
  const { hostname, port, pathname } = new URL(url);
  const agent = new Agent({ keepAlive: true });
  let milliseconds = 0;
  const server = createServer((asked, answer) => {
    const chunks: Buffer[] = [];
    asked.on('data', (chunk: Buffer) => chunks.push(chunk));
    asked.on('end', () => {
      const start = performance.now();
      const { method = 'GET', url: path = '/', headers } = asked;
      const given = request({ hostname, port, path, method, headers, agent }, (found) => {
        answer.writeHead(found.statusCode ?? 502, found.headers);
        found.on('end', () => {
          milliseconds += performance.now() - start;
        });
        found.pipe(answer);
      });
      given.on('error', () => answer.destroy());
      given.end(Buffer.concat(chunks));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname === '/' ? '' : pathname}`,
    take() {
      const taken = milliseconds;
      milliseconds = 0;
      return taken;
    },
    close() {
      server.close();
      agent.destroy();
    },
  };
}
