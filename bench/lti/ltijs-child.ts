/** A minimal ltijs application with one platform registered; arguments: address of the platform, then the address of a
 *  MongoDB server or the file of a SQLite database. */
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import { createSqlitePlugin } from './ltijs-sqlite.ts';
import { CLIENT_ID } from './platform.ts';

interface Provider {
  readonly app: Express;
  readonly Database: { setup(): Promise<unknown> };
  setup(key: string, database: object, options: object): Provider;
  registerPlatform(platform: object): Promise<unknown>;
  onConnect(connected: (...args: unknown[]) => unknown): void;
}

const { Provider: provider } = createRequire(import.meta.url)('ltijs') as { Provider: Provider };
const [, , issuer = '', store = ''] = process.argv;
const database = store.startsWith('mongodb:') ? { url: store } : { plugin: createSqlitePlugin(store) };

provider.setup('a key of the bench, long enough', database, {
  appRoute: '/lti/launch',
  loginRoute: '/lti/login',
  cors: false,
  tokenMaxAge: 60,
});
await provider.Database.setup();
await provider.registerPlatform({
  url: issuer,
  name: 'Bench',
  clientId: CLIENT_ID,
  authenticationEndpoint: `${issuer}/authorize`,
  accesstokenEndpoint: `${issuer}/token`,
  authConfig: { method: 'JWK_SET', key: `${issuer}/keys` },
});
const server = provider.app.listen(0, '127.0.0.1', () => {
  console.log(`http://localhost:${(server.address() as AddressInfo).port}`);
});
process.once('SIGTERM', () => process.exit());
