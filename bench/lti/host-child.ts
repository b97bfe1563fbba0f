/** Our host with the LTI tool and one platform registered; arguments: address of the platform.
 *  Settings come as with `serve`. */

import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemActor } from '../../src/domain/admin.ts';
import { DEFAULT_TENANT } from '../../src/domain/tenant.ts';
import { systemClock } from '../../src/ports/clock.ts';
import { required } from '../required.ts';
import { CLIENT_ID, DEPLOYMENT_ID } from './platform.ts';

// The built host: it finds its templates and its data from where it is.
const built = <T>(path: string) => import(new URL(`../../../dist/src/${path}.js`, import.meta.url).href) as Promise<T>;
const { createApp } = await built<typeof import('../../src/app.ts')>('app');
const { openParts } = await built<typeof import('../../src/compose/open-parts.ts')>('compose/open-parts');
const { readConfig } = await built<typeof import('../../src/config.ts')>('config');

const issuer = required(process.argv[2], 'issuer');
let handle: RequestListener = () => {};
const server = createServer((request, response) => handle(request, response));
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
const publicUrl = `http://localhost:${(server.address() as AddressInfo).port}`;
const options = { config: readConfig(process.env), publicUrl, version: 'bench', clock: systemClock };

const parts = await openParts(options);
await parts.services.ltiRegistrations.create(systemActor, {
  tenantId: DEFAULT_TENANT,
  origin: 'manual',
  deploymentIds: [DEPLOYMENT_ID],
  issuer,
  clientId: CLIENT_ID,
  name: 'Bench',
  product: 'generic',
  authorizationEndpoint: `${issuer}/authorize`,
  tokenEndpoint: `${issuer}/token`,
  tokenAudience: null,
  jwksUri: `${issuer}/keys`,
  acceptsNewDeployments: false,
});
await parts.close();

const app = await createApp(options);
handle = app.listener;
process.once('SIGTERM', async () => {
  server.closeAllConnections();
  server.close();
  await app.close();
  process.exit();
});
console.log(publicUrl);
