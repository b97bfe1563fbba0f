import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startChromium } from './browser.ts';
import { type OwnMongo, startOwnMongo } from './mongo-server.ts';
import { startOwnOpenSearch } from './opensearch-node.ts';

/** What the whole run shares: one MongoDB server, one OpenSearch node and one Chromium. Each starts when the first test asks for it, so that a run
 *  that needs neither waits for neither, and ends with the run. */
export interface SharedServers {
  readonly url: string;
  close(): Promise<void>;
}

/** `GET /mongo` answers `{ kind, address }`, `GET /opensearch` and `GET /browser` `{ address }`, all 500 and the reason as text where there is none. */
export async function openSharedServers(): Promise<SharedServers> {
  const mongo = startOnce(() => startOwnMongo());
  const browser = startOnce(startChromium);
  const openSearch = startOnce(() => startOwnOpenSearch());
  const answers: Readonly<Record<string, () => Promise<object>>> = {
    '/mongo': async () => {
      const { kind, address } = await mongo.start();
      return { kind, address };
    },
    '/opensearch': async () => ({ address: (await openSearch.start()).address }),
    '/browser': async () => ({ address: (await browser.start()).wsEndpoint() }),
  };
  const server = createServer(async ({ url = '' }, response) => {
    try {
      response.end(JSON.stringify(await answers[url]?.()));
    } catch (error) {
      response.writeHead(500).end(error instanceof Error ? error.message : String(error));
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      await Promise.all([
        mongo.end((own: OwnMongo) => own.stop()),
        browser.end((own) => own.close()),
        openSearch.end((own) => own.stop()),
      ]);
    },
  };
}

interface StartedOnce<T> {
  start(): Promise<T>;
  /** Does nothing where it was never started, or could not be. */
  end(stop: (started: T) => Promise<void>): Promise<void>;
}

function startOnce<T>(start: () => Promise<T>): StartedOnce<T> {
  let started: Promise<T> | null = null;
  return {
    start() {
      started ??= start();
      return started;
    },
    async end(stop) {
      const running = await started?.catch(() => null);
      if (running != null) await stop(running);
    },
  };
}
