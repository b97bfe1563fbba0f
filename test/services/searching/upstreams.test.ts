import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Upstream } from '../../../src/domain/tenant.ts';
import { createTenantUpstreams } from '../../../src/services/searching/upstreams.ts';
import type { StandingClock } from '../../fakes/clock.ts';
import { type OpenedServices, openServices, tester } from '../../helpers/open-services.ts';

let services: OpenedServices<StandingClock>;
let id: string;
beforeEach(async () => {
  services = await openServices();
  id = (await services.tenants.createTenant(tester, 'School')).id;
});
afterEach(() => services.close());

const API = 'https://api.example.org';
const MARKET = 'https://market.example.org';
const direct: Upstream = { kind: 'direct', url: API };
const gateway: Upstream = { kind: 'gateway', url: API, marketplaceUrl: MARKET };

async function change(
  upstream: Upstream,
  keys: { apiKey?: string | null; marketplaceKey?: string | null } = {},
): Promise<void> {
  const { version } = await services.tenants.getTenant(id);
  await services.tenants.changeUpstream(tester, id, { version, upstream, ...keys });
}
const later = () => services.clock.advance(501);

describe('who answers for a tenant', () => {
  test('our own engine, without anything being connected', async () => {
    expect(await services.upstreams.learningOf(id)).toBe(services.local);
    expect(await services.upstreams.connectionOf(id)).toMatchObject({ upstream: null, feedbackOrigin: null });
    expect(services.fakeUpstreams.connected).toEqual([]);
  });

  test('the upstream, with its keys', async () => {
    await change(direct, { apiKey: 'api-key-0001' });
    expect(await services.upstreams.learningOf(id)).toBe(services.fakeUpstreams.service);
    const { host, origin } = new URL(API);
    expect(await services.upstreams.connectionOf(id)).toMatchObject({
      upstream: host,
      feedbackOrigin: origin,
    });
    await change(gateway, { marketplaceKey: 'market-key-0002' });
    later();
    await services.upstreams.learningOf(id);
    expect(services.fakeUpstreams.connected).toEqual([
      { url: API, apiKey: 'api-key-0001' },
      { url: API, apiKey: 'api-key-0001', marketplace: { url: MARKET, key: 'market-key-0002' } },
    ]);
  });

  test('is told with where feedback goes, of one moment, even right after a change', async () => {
    const { upstreams, fakeUpstreams } = services;
    await change(direct);
    expect(await upstreams.findLearningAt(id, API)).toBe(fakeUpstreams.service);
    expect(await upstreams.findLearningAt(id, null)).toBeNull();
    await change(gateway);
    expect(await upstreams.findLearningAt(id, MARKET)).toBe(fakeUpstreams.service);
    expect(await upstreams.findLearningAt(id, API)).toBeNull();
    await change({ kind: 'local' });
    expect(await upstreams.findLearningAt(id, null)).toBe(services.local);
  });

  test('a change is seen within half a second, and nothing is connected anew without one', async () => {
    await change(direct, { apiKey: 'api-key-0001' });
    for (let i = 0; i < 20; i++) {
      await services.upstreams.learningOf(id);
      services.clock.advance(100);
    }
    expect(services.fakeUpstreams.connected).toHaveLength(1);
    await change(direct, { apiKey: 'api-key-0002' });
    later();
    await services.upstreams.learningOf(id);
    expect(services.fakeUpstreams.connected.map(({ apiKey }) => apiKey)).toEqual(['api-key-0001', 'api-key-0002']);
    await change({ kind: 'local' });
    later();
    expect(await services.upstreams.learningOf(id)).toBe(services.local);
  });

  test('many who ask at once share one reading', async () => {
    await change(direct);
    let reads = 0;
    const { tenants } = services.store;
    const upstreams = createTenantUpstreams({
      ...services,
      tenants: {
        ...tenants,
        findTenant(wanted) {
          reads++;
          return tenants.findTenant(wanted);
        },
      },
      upstreams: services.fakeUpstreams,
    });
    await Promise.all(Array.from({ length: 50 }, () => upstreams.learningOf(id)));
    expect(reads).toBeLessThanOrEqual(3);
    expect(services.fakeUpstreams.connected).toHaveLength(1);
  });

  test('nobody for a disabled tenant, one that is going, and one that never was', async () => {
    await services.upstreams.learningOf(id);
    await services.tenants.disableTenant(tester, id);
    later();
    const refused = {
      code: 'TENANT_DISABLED',
      kind: 'forbidden',
      message: expect.stringContaining('School'),
    };
    await expect(services.upstreams.learningOf(id)).rejects.toMatchObject(refused);
    await services.tenants.enableTenant(tester, id);
    expect(await services.upstreams.learningOf(id)).toBe(services.local);
    await services.tenants.deleteTenant(tester, id);
    later();
    for (const gone of [id, 'nobody'])
      await expect(services.upstreams.learningOf(gone)).rejects.toMatchObject({ code: 'TENANT_UNKNOWN' });
  });

  test('a key that cannot be read is said so, and found again when it is saved anew', async () => {
    await change(direct, { apiKey: 'api-key-0001' });
    const record = (await services.store.secrets.findSecret(id, 'upstream-api-key'))!;
    await services.store.secrets.putSecret({ ...record, sealed: 'v1.00000000.AAAA' });
    await expect(services.upstreams.learningOf(id)).rejects.toMatchObject({ code: 'SECRET_UNREADABLE' });
    await change(direct, { apiKey: 'api-key-0002' });
    await services.upstreams.learningOf(id);
    expect(services.fakeUpstreams.connected).toEqual([{ url: API, apiKey: 'api-key-0002' }]);
  });

  test('an old key is never combined with a new address, whenever it is read', async () => {
    await change(direct, { apiKey: 'old-key-000001' });
    let isFirst = true;
    const { tenants } = services.store;
    // The tenant is changed right after it was read, before its keys are.
    const upstreams = createTenantUpstreams({
      ...services,
      tenants: {
        ...tenants,
        async findTenant(wanted) {
          const found = await tenants.findTenant(wanted);
          if (isFirst) {
            isFirst = false;
            await change({ kind: 'direct', url: 'https://new.example.org' }, { apiKey: 'new-key-000002' });
          }
          return found;
        },
      },
      upstreams: services.fakeUpstreams,
    });
    await upstreams.learningOf(id);
    later();
    await upstreams.learningOf(id);
    expect(services.fakeUpstreams.connected).toEqual([
      { url: API },
      { url: 'https://new.example.org', apiKey: 'new-key-000002' },
    ]);
  });

  test('a tenant made anew under the same id does not get the upstream of the old one', async () => {
    await change(direct);
    await services.upstreams.learningOf(id);
    await services.upstreams.findHealth(id);
    const { tenants } = services.store;
    const record = (await tenants.findTenant(id))!;
    await tenants.removeTenant(id);
    await tenants.addTenant({ ...record, upstream: { kind: 'direct', url: MARKET } });
    later();
    await services.upstreams.learningOf(id);
    await services.upstreams.findHealth(id);
    expect(services.fakeUpstreams.connected).toEqual([{ url: API }, { url: MARKET }]);
    expect(services.fakeUpstreams.tested).toEqual([{ url: API }, { url: MARKET }]);
  });
});

describe('trying what is in the form', () => {
  const tested = () => services.fakeUpstreams.tested;

  test('needs no call for our own engine', async () => {
    expect(await services.upstreams.testDraft(id, { upstream: { kind: 'local' } })).toEqual([]);
    expect(tested()).toEqual([]);
  });

  test('takes the key that was typed, or the saved one for the same origin', async () => {
    await change(gateway, { apiKey: 'saved-api-key', marketplaceKey: 'saved-market-key' });
    const path: Upstream = { kind: 'direct', url: `${API}/v2` };
    await services.upstreams.testDraft(id, { upstream: path });
    await services.upstreams.testDraft(id, { upstream: path, apiKey: '' });
    await services.upstreams.testDraft(id, { upstream: gateway, apiKey: 'typed-key' });
    expect(tested()).toEqual([
      { url: `${API}/v2`, apiKey: 'saved-api-key' },
      { url: `${API}/v2`, apiKey: 'saved-api-key' },
      { url: API, apiKey: 'typed-key', marketplace: { url: MARKET, key: 'saved-market-key' } },
    ]);
  });

  test('sends no saved key anywhere else', async () => {
    await change(gateway, { apiKey: 'saved-api-key', marketplaceKey: 'saved-market-key' });
    await services.upstreams.testDraft(id, {
      upstream: { kind: 'gateway', url: MARKET, marketplaceUrl: API },
    });
    await services.upstreams.testDraft(id, { upstream: { kind: 'direct', url: 'http://api.example.org' } });
    expect(tested()).toEqual([{ url: MARKET, marketplace: { url: API } }, { url: 'http://api.example.org' }]);
  });

  test('works with a typed key where the saved one cannot be read', async () => {
    await change(direct, { apiKey: 'api-key-0001' });
    const record = (await services.store.secrets.findSecret(id, 'upstream-api-key'))!;
    await services.store.secrets.putSecret({ ...record, sealed: 'broken' });
    await services.upstreams.testDraft(id, { upstream: direct, apiKey: 'typed-key' });
    expect(tested()).toEqual([{ url: API, apiKey: 'typed-key' }]);
  });
});

describe('health', () => {
  test('is null for our own engine', async () => {
    expect(await services.upstreams.findHealth(id)).toBeNull();
  });

  test('is asked once a minute, by however many at once, and anew after a change', async () => {
    await change(direct, { apiKey: 'api-key-0001' });
    const checkedAt = services.clock.now();
    const found = await Promise.all(Array.from({ length: 10 }, () => services.upstreams.findHealth(id)));
    for (const health of found) expect(health).toMatchObject({ checkedAt, calls: [{ outcome: 'ok' }] });
    services.clock.advance(60_000);
    await services.upstreams.findHealth(id);
    expect(services.fakeUpstreams.tested).toHaveLength(1);
    services.clock.advance(1);
    expect(await services.upstreams.findHealth(id)).toMatchObject({ checkedAt: services.clock.now() });
    expect(services.fakeUpstreams.tested).toHaveLength(2);
    await change(direct, { apiKey: 'api-key-0002' });
    await services.upstreams.findHealth(id);
    expect(services.fakeUpstreams.tested.map(({ apiKey }) => apiKey)).toEqual([
      'api-key-0001',
      'api-key-0001',
      'api-key-0002',
    ]);
  });
});
