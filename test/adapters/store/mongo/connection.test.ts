import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { createMongoStore } from '../../../../src/adapters/store/mongo/mongo-store.ts';
import { tenant } from '../../../contract/store/records.ts';
import { startMongoServer } from '../../../helpers/mongo-server.ts';

const server = await startMongoServer();
afterAll(() => server?.stop());

const refusal = async (uri: string): Promise<Error> => {
  const error = await createMongoStore(uri).then(
    (store) => store.close().then(() => new Error('it was opened')),
    (reason: Error) => reason,
  );
  expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE', kind: 'unavailable' });
  return error;
};

describe('an address that cannot be read', () => {
  test.each([
    'mongodb://ada:s3/cr3t@store.example.org/skilldock',
    'mongodb://ada:s3@cr3t@store.example.org/skilldock',
    'mongodb://ada:s3%zzcr3t@store.example.org/skilldock',
    'mongodb://ada:s3cr3t@store.example.org:99999/skilldock',
    'mongodb://ada:s3cr3t@store.example.org/skilldock?authMechanism=cr3t',
    'mongodb+srv://ada:s3cr3t@store.example.org:27017/skilldock',
    'postgres://ada:s3cr3t@store.example.org/skilldock',
  ])('is refused without a word of its password: %s', async (uri) => {
    const error = await refusal(uri);
    expect(error.message).toContain('percent-encoded');
    expect(`${error.message} ${error.stack}`).not.toMatch(/\bada\b|s3|cr3t/);
    expect(error.cause).toBeUndefined();
  });

  test.each([
    ['mongodb://store.example.org/?colour=red', 'option colour is not supported'],
    ['mongodb://store.example.org/%zz', 'URI malformed'],
    ['postgres://store.example.org/skilldock', 'Invalid scheme'],
  ])('is refused with the reason where it holds no password: %s', async (uri, reason) => {
    expect((await refusal(uri)).message).toContain(reason);
  });
});

describe('a server that is not there', () => {
  test('is named without credentials; the default database is skilldock', async () => {
    const [named, unnamed] = await Promise.all([
      refusal('mongodb://ada:s3cr3t@127.0.0.1:1/catalogue'),
      refusal('mongodb://ada:s3cr3t@127.0.0.1:1?appName=a/b'),
    ]);
    expect(named.message).toContain('127.0.0.1:1/catalogue cannot be used (connect ECONNREFUSED');
    expect(unnamed.message).toContain('127.0.0.1:1/skilldock cannot be used');
    for (const { message } of [named, unnamed]) expect(message).not.toMatch(/ada|s3cr3t/);
  });
});

describe.skipIf(server === null)(`a server that is there (${server?.kind ?? 'no server'})`, () => {
  test('is described by address, version and size', async () => {
    const uri = server!.newUri();
    const store = await createMongoStore(uri);
    onTestFinished(() => store.close());
    const { kind, location } = await store.describe();
    expect(kind).toBe('mongo');
    const [, hosts, database] = /^[^:]+:\/\/(?:[^@/]*@)?([^/]+)\/([^?]+)/.exec(uri) ?? [];
    expect(location).toBe(`${hosts}/${database}`);
  });

  test('is not waited for without end where it answers nothing but the checks of the driver', async () => {
    const { address, proxy } = await startForgetfulProxy(server!.newUri());
    const store = await createMongoStore(`${address}?socketTimeoutMS=500`);
    onTestFinished(() => store.close());
    await store.tenants.addTenant(tenant('lyon'));
    proxy.isForgetful = true;
    const refused = { code: 'STORE_UNAVAILABLE', message: expect.stringContaining('timed out') };
    await expect(store.tenants.findTenant('lyon')).rejects.toMatchObject(refused);
    await expect(store.tenants.addTenant(tenant('paris'))).rejects.toMatchObject(refused);
    proxy.isForgetful = false;
    await expect.poll(() => store.tenants.findTenant('lyon').catch(() => null)).toEqual(tenant('lyon'));
  });
});

/** Stands before a server and, while it is forgetful, drops every command, as a firewall does that
 *  has forgotten a connection; the driver's own checks of the server pass. */
async function startForgetfulProxy(uri: string) {
  const [, host = '', port, path] = /^[^:]+:\/\/(?:[^@/]*@)?([^:/]+):(\d+)(\/[^?]+)/.exec(uri) ?? [];
  const proxy = { isForgetful: false };
  const sockets = new Set<Socket>();
  const listener = createServer((client) => {
    const upstream = connect(Number(port), host);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => [client, upstream].forEach((each) => void each.destroy()));
    }
    pipeline(upstream, client, () => undefined);
    client.on('data', (chunk) => {
      if (!proxy.isForgetful || /hello|ismaster/i.test(chunk.toString('latin1'))) upstream.write(chunk);
    });
  });
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    listener.close();
    for (const socket of sockets) socket.destroy();
  });
  return { address: `mongodb://127.0.0.1:${(listener.address() as AddressInfo).port}${path}`, proxy };
}
