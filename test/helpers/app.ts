import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Express } from 'express';
import { createApp } from '../../src/app.ts';
import { createRecordServices } from '../../src/compose/record-services.ts';
import { readConfig } from '../../src/config.ts';
import { type Clock, systemClock } from '../../src/ports/clock.ts';
import type { Store } from '../../src/ports/store/store.ts';
import type { NewApiKey } from '../../src/services/tenants/api-keys.ts';
import { anyApiKey, SECRET, secretKeysOf, tester } from './open-services.ts';
import { openTestStore } from './test-store.ts';

export interface RunningApp {
  readonly url: string;
  readonly demoKey: string;
  readonly express: Express;
  /** A second handle on the app's own store. */
  readonly store: Store;
  /** A personal key for everything, unlimited unless told otherwise. */
  createKey(wanted?: Partial<NewApiKey>): Promise<string>;
  close(): Promise<void>;
}

const unlimited: NewApiKey = { ...anyApiKey, perSecond: 1_000_000, perDay: 1_000_000 };

/** The real app in this process, on a free port with a data folder of its own. Nothing of the web is asked for pictures. */
export async function startApp(
  clock: Clock = systemClock,
  settings: Readonly<Record<string, string>> = {},
): Promise<RunningApp> {
  const dataDir = mkdtempSync(join(tmpdir(), 'skilldock-test-'));
  let handle: RequestListener = () => {};
  const server = createServer((request, response) => handle(request, response));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', PICTURES: '0', ...settings });
  const app = await createApp({ config, publicUrl: config.publicUrl ?? url, version: '0.0.0', clock });
  handle = app.listener;
  const store = openTestStore(join(dataDir, 'skilldock.db'));
  const services = createRecordServices({ store, secretKeys: secretKeysOf(SECRET), clock: systemClock });
  return {
    url,
    demoKey: app.demoKey,
    express: app.express,
    store,
    async createKey(wanted) {
      return (await services.apiKeys.createApiKey(tester, { ...unlimited, ...wanted })).key;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await store.close();
      await app.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
