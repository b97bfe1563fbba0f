import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A site on this machine. What it does not have is answered with 404. */
export interface WebSite {
  readonly origin: string;
  /** `GET /path`, in the order in which they came. */
  readonly requests: readonly string[];
  /** Most requests that were open at the same time. */
  readonly mostOpen: number;
  put(path: string, answer: Answer | string, headers?: Readonly<Record<string, string>>): void;
  forget(): void;
  close(): Promise<void>;
}

/** Where a site of this machine stands for one of the public Internet, see `public-site.js`. */
export const PUBLIC_ORIGIN = 'http://192.0.32.8';

/** Settings of the process of a host for which a site stands there. */
export const standAtPublicOrigin = ({ origin }: Pick<WebSite, 'origin'>) => ({
  NODE_OPTIONS: `--import=${new URL('./public-site.js', import.meta.url)}`,
  PUBLIC_SITE_PORT: new URL(origin).port,
});

/** The same for hosts of this very process. */
export async function standAtPublicOriginHere(site: Pick<WebSite, 'origin'>): Promise<void> {
  Object.assign(process.env, { PUBLIC_SITE_PORT: new URL(site.origin).port });
  await import(new URL('./public-site.js', import.meta.url).href);
}

export async function startWebSite(): Promise<WebSite> {
  const pages = new Map<string, Answer>();
  const requests: string[] = [];
  let [open, mostOpen] = [0, 0];
  const server = createServer((request, response) => {
    const { method = '', url = '' } = request;
    requests.push(`${method} ${url}`);
    mostOpen = Math.max(mostOpen, ++open);
    response.once('close', () => open--);
    const answer = pages.get(url) ?? pages.get(url.replace(/\?.*/s, '?'));
    if (answer === undefined) response.writeHead(404).end('Not here.');
    else answer(request, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    get mostOpen() {
      return mostOpen;
    },
    put(path, answer, headers = {}) {
      const text = (_request: IncomingMessage, response: ServerResponse) =>
        void response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(answer);
      pages.set(path, typeof answer === 'string' ? text : answer);
    },
    forget() {
      requests.length = 0;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
