import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { createMongoStore } from '../../../src/adapters/mongo/mongo-store.ts';
import { apiKey, at, tenant } from '../../contract/store/records.ts';
import { startMongoServer } from '../../helpers/mongo-server.ts';

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

/** How long until the call is refused as it should be. */
async function secondsToRefusal(call: Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await expect(call).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', kind: 'unavailable' });
  return (performance.now() - begun) / 1_000;
}

// A server that was given is not ours to stop.
describe.skipIf(own === null)(
  `a server that is lost (${server?.kind ?? 'no server'})`,
  { timeout: 60_000 },
  () => {
    test('fails calls within seconds, and they work again when it is back', async () => {
      const store = await openStore();
      await own!.halt();
      const waited = await Promise.all([
        secondsToRefusal(store.check()),
        secondsToRefusal(store.tenants.findTenant('lyon')),
        secondsToRefusal(store.apiKeys.addApiKey(apiKey('b'))),
        secondsToRefusal(store.rateCounters.addRatePoints('w', 1, { now: at(0), expiresAt: at(1) })),
        secondsToRefusal(store.describe()),
      ]);
      // When the driver has noticed, it waits for a server to come before it gives up.
      await new Promise((done) => setTimeout(done, 2_500));
      waited.push(await secondsToRefusal(store.check()));
      expect(Math.max(...waited)).toBeLessThan(10);
      await own!.resume();
      await store.check();
      expect(await store.apiKeys.findApiKeyByHash('hash of a')).toEqual(apiKey('a'));
      await store.apiKeys.addApiKey(apiKey('b'));
      expect(await store.apiKeys.findApiKey('b')).toEqual(apiKey('b'));
    });

    test('fails calls within seconds also where it only falls silent', async () => {
      const store = await openStore();
      onTestFinished(() => own!.thaw());
      await own!.freeze();
      const waited = await Promise.all([
        secondsToRefusal(store.check()),
        secondsToRefusal(store.tenants.findTenant('lyon')),
        secondsToRefusal(store.apiKeys.revokeApiKey('a', at(5))),
      ]);
      expect(Math.max(...waited)).toBeLessThan(20);
      own!.thaw();
      await expect.poll(() => store.check().then(() => true), { timeout: 10_000 }).toBe(true);
      expect(await store.tenants.findTenant('lyon')).toEqual(tenant('lyon'));
    });

    test('is waited for a few seconds when the store is opened, and explained', async () => {
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
  },
);
