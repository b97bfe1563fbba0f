import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { createMongoStore } from '../../../../src/adapters/store/mongo/mongo-store.ts';
import type { Store } from '../../../../src/ports/store/store.ts';
import { apiKey, at, tenant } from '../../../contract/store/records.ts';
import { startMongoServer } from '../../../helpers/mongo-server.ts';

const server = await startMongoServer({ onDisk: true });
const own = server?.process ?? null;
afterAll(() => server?.stop());

const openStore = async () => {
  const store = await createMongoStore(server!.newUri());
  onTestFinished(() => store.close());
  await store.tenants.addTenant(tenant('lyon'));
  await store.apiKeys.addApiKey(apiKey('a'));
  return store;
};

const expectRefused = (call: Promise<unknown>) =>
  expect(call).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', kind: 'unavailable' });

/** Milliseconds until a call is refused. */
async function timeRefusal(store: Store): Promise<number> {
  const began = performance.now();
  await expectRefused(store.check());
  return performance.now() - began;
}

// A server that was given is not ours to stop.
describe.skipIf(own === null)(`a server that is lost (${server?.kind ?? 'no server'})`, () => {
  test('fails calls within seconds, and works again when the server is back', async () => {
    const store = await openStore();
    await own!.halt();
    await Promise.all([
      expectRefused(store.check()),
      expectRefused(store.tenants.findTenant('lyon')),
      expectRefused(store.apiKeys.addApiKey(apiKey('b'))),
      expectRefused(store.rateCounters.addRatePoints('w', 1, { now: at(0), expiresAt: at(1) })),
      expectRefused(store.describe()),
    ]);
    // Once the driver has noticed, a call waits for a server before it is refused.
    await expect.poll(() => timeRefusal(store)).toBeGreaterThan(1_000);
    await own!.resume();
    await store.check();
    expect(await store.apiKeys.findApiKeyByHash('hash of a')).toEqual(apiKey('a'));
    await store.apiKeys.addApiKey(apiKey('b'));
    expect(await store.apiKeys.findApiKey('b')).toEqual(apiKey('b'));
  });

  test('fails calls within seconds also where the server stops answering', async () => {
    const store = await openStore();
    onTestFinished(() => own!.thaw());
    await own!.freeze();
    await Promise.all([
      expectRefused(store.check()),
      expectRefused(store.tenants.findTenant('lyon')),
      expectRefused(store.apiKeys.revokeApiKey('a', at(5))),
    ]);
    own!.thaw();
    await expect.poll(() => store.check().then(() => true)).toBe(true);
    expect(await store.tenants.findTenant('lyon')).toEqual(tenant('lyon'));
  });

  test('is waited for when the store is opened, and then named in the error', async () => {
    await own!.halt();
    onTestFinished(() => own!.resume());
    const opening = createMongoStore(server!.uri.replace('://', '://ada:se%2Fcret@'));
    const error = await opening.catch((refusal: unknown) => refusal as Error);
    expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE', kind: 'unavailable' });
    const { message } = error as Error;
    expect(message).toContain(server!.uri.slice('mongodb://'.length));
    expect(message).toContain('MONGODB_URI');
    expect(message).not.toMatch(/ada|cret/);
  });
});
