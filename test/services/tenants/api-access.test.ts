import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { ApiKeyRepository } from '../../../src/ports/store/store.ts';
import { type ApiAccess, createApiAccess } from '../../../src/services/tenants/api-access.ts';
import type { NewApiKey } from '../../../src/services/tenants/api-keys.ts';
import type { StandingClock } from '../../fakes/clock.ts';
import { anyApiKey, DEMO_KEY, type OpenedServices, openServices, tester } from '../../helpers/open-services.ts';
import { openTestStore } from '../../helpers/test-store.ts';

let services: OpenedServices<StandingClock>;
let access: ApiAccess;
beforeEach(async () => {
  services = await openServices();
  access = services.apiAccess;
});
afterEach(() => services.close());

const make = (changes: Partial<NewApiKey> = {}) => services.apiKeys.createApiKey(tester, { ...anyApiKey, ...changes });

/** Another host on the same store: an access of its own, through connections of its own. */
function openHost(changes: Partial<ApiKeyRepository> = {}): ApiAccess {
  const store = openTestStore(services.file);
  onTestFinished(() => store.close());
  return createApiAccess({
    ...store,
    apiKeys: { ...store.apiKeys, ...changes },
    demoKey: DEMO_KEY,
    clock: services.clock,
    onProblem: (error) => services.problems.push(error),
  });
}

describe('who may call', () => {
  test.each([undefined, ''])('no key (%j) is KEY_MISSING', async (presented) => {
    await expect(access.authorize(presented, 'competency')).rejects.toMatchObject({
      code: 'KEY_MISSING',
      kind: 'unauthenticated',
    });
  });

  test.each(['nobody', `${DEMO_KEY}x`, DEMO_KEY.slice(0, -1), DEMO_KEY.toUpperCase()])(
    'the key %j is KEY_UNKNOWN',
    async (presented) => {
      await expect(access.authorize(presented, 'competency')).rejects.toMatchObject({ code: 'KEY_UNKNOWN' });
    },
  );

  test('the demo key works on the Competency API only, for the default tenant', async () => {
    await expect(access.authorize(DEMO_KEY, 'competency')).resolves.toMatchObject({
      keyId: 'demo',
      tenantId: 'default',
      limit: 1_000,
    });
    for (const scope of ['learning-objects', 'feedback'] as const) {
      await expect(access.authorize(DEMO_KEY, scope)).rejects.toMatchObject({
        code: 'KEY_SCOPE',
        kind: 'forbidden',
      });
    }
  });

  test('a personal key works within its scopes, for its tenant', async () => {
    const { id: tenantId } = await services.tenants.createTenant(tester, 'School');
    const { id, key } = await make({ tenantId, scopes: ['competency', 'feedback'] });
    const allowance = { keyId: id, tenantId, limit: 50_000 };
    await expect(access.authorize(key, 'competency')).resolves.toMatchObject(allowance);
    await expect(access.authorize(key, 'feedback')).resolves.toMatchObject(allowance);
    await expect(access.authorize(key, 'learning-objects')).rejects.toMatchObject({ code: 'KEY_SCOPE' });
  });

  test('a key ends at its very moment, and the refusal says when', async () => {
    const { key } = await make({ expiresAt: new Date('2026-03-01T10:00:10Z') });
    services.clock.advance(9_999);
    await expect(access.authorize(key, 'competency')).resolves.toBeDefined();
    services.clock.advance(1);
    await expect(access.authorize(key, 'competency')).rejects.toMatchObject({
      code: 'KEY_UNKNOWN',
      message: expect.stringContaining('2026-03-01'),
    });
  });

  test('a revoked key stops within a second on every host, and the refusal says why', async () => {
    const hosts = [access, openHost()];
    const { id, key } = await make();
    for (const host of hosts) await expect(host.authorize(key, 'competency')).resolves.toBeDefined();
    await services.apiKeys.revokeApiKey(tester, id);
    services.clock.advance(999);
    for (const host of hosts) {
      await expect(host.authorize(key, 'competency')).rejects.toMatchObject({
        code: 'KEY_UNKNOWN',
        message: expect.stringContaining('revoked'),
      });
    }
  });

  test('the keys of a disabled tenant stop within a second, and work again when it is enabled', async () => {
    const { id: tenantId } = await services.tenants.createTenant(tester, 'School');
    const { key } = await make({ tenantId });
    await access.authorize(key, 'competency');
    await services.tenants.disableTenant(tester, tenantId);
    services.clock.advance(999);
    await expect(access.authorize(key, 'competency')).rejects.toMatchObject({
      code: 'TENANT_DISABLED',
      kind: 'forbidden',
      message: expect.stringContaining('disabled'),
    });
    await services.tenants.enableTenant(tester, tenantId);
    services.clock.advance(999);
    await expect(access.authorize(key, 'competency')).resolves.toBeDefined();
  });

  test('so do those of a tenant that is going, and of one that is gone', async () => {
    const { id: tenantId } = await services.tenants.createTenant(tester, 'School');
    const { key } = await make({ tenantId });
    const record = (await services.store.tenants.findTenant(tenantId))!;
    await services.store.tenants.replaceTenant({ ...record, status: 'deleting', version: 2 });
    await expect(access.authorize(key, 'competency')).rejects.toMatchObject({ code: 'TENANT_DISABLED' });
    await services.store.tenants.removeTenant(tenantId);
    services.clock.advance(999);
    await expect(access.authorize(key, 'competency')).rejects.toMatchObject({ code: 'KEY_UNKNOWN' });
  });
});

describe('how often', () => {
  test('the demo key: five requests a second, on all hosts together', async () => {
    const hosts = [access, openHost()];
    for (let i = 0; i < 5; i++) await hosts[i % 2]!.authorize(DEMO_KEY, 'competency');
    for (const host of hosts) {
      await expect(host.authorize(DEMO_KEY, 'competency')).rejects.toMatchObject({
        code: 'RATE_LIMITED',
        retryAfterSeconds: 1,
        data: { limit: 5, resetSeconds: 1 },
      });
    }
    services.clock.advance(1_000);
    await expect(access.authorize(DEMO_KEY, 'competency')).resolves.toBeDefined();
  });

  test('a day: counted down, refused with the seconds to wait, counted anew', async () => {
    const { key } = await make({ perDay: 2 });
    expect(await access.authorize(key, 'competency')).toMatchObject({ remaining: 1, resetSeconds: 86_400 });
    services.clock.advance(3_600_000);
    expect(await access.authorize(key, 'competency')).toMatchObject({ remaining: 0, resetSeconds: 82_800 });
    await expect(access.authorize(key, 'competency')).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterSeconds: 82_800,
    });
    services.clock.advance(82_800_000);
    await expect(access.authorize(key, 'competency')).resolves.toMatchObject({ remaining: 1 });
  });

  test('two hosts that are asked at the same time let pass what one would', async () => {
    const { key } = await make({ perDay: 50, perSecond: 1_000_000 });
    const hosts = [openHost(), openHost()];
    const results = await Promise.allSettled(
      Array.from({ length: 120 }, (_, i) => hosts[i % 2]!.authorize(key, 'competency')),
    );
    const passed = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    expect(passed).toHaveLength(50);
    const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
    expect(new Set(reasons)).toEqual(new Set(['RATE_LIMITED']));
    expect(Math.min(...passed.map(({ remaining }) => remaining))).toBe(0);
  });

  test('a host that is started anew goes on with the count', async () => {
    const { key } = await make({ perDay: 3 });
    for (let i = 0; i < 3; i++) await openHost().authorize(key, 'competency');
    await expect(openHost().authorize(key, 'competency')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });

  test('a request refused for the second does not count for the day', async () => {
    const { key } = await make({ perSecond: 1, perDay: 10 });
    await access.authorize(key, 'competency');
    for (let i = 0; i < 3; i++) await access.authorize(key, 'competency').catch(() => undefined);
    services.clock.advance(1_000);
    await expect(access.authorize(key, 'competency')).resolves.toMatchObject({ remaining: 8 });
  });

  test('one key does not use up another, even with the same limits', async () => {
    const [a, b] = [await make({ perDay: 1 }), await make({ perDay: 1 })];
    await access.authorize(a.key, 'competency');
    await expect(access.authorize(a.key, 'competency')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await expect(access.authorize(b.key, 'competency')).resolves.toMatchObject({ remaining: 0 });
  });

  test('a refused scope counts nothing', async () => {
    const { key } = await make({ scopes: ['competency'], perDay: 1 });
    await access.authorize(key, 'feedback').catch(() => undefined);
    await expect(access.authorize(key, 'competency')).resolves.toMatchObject({ remaining: 0 });
  });
});

describe('when a key was last used', () => {
  test('is noted, once a minute', async () => {
    const { id, key } = await make();
    const noted: Date[] = [];
    const host = openHost({
      async noteApiKeyUse(keyId, usedAt) {
        expect(keyId).toBe(id);
        noted.push(usedAt);
      },
    });
    for (let second = 0; second < 121; second += 10) {
      await host.authorize(key, 'competency');
      services.clock.advance(10_000);
    }
    expect(noted.map((at) => at.toISOString().slice(11, 19))).toEqual(['10:00:00', '10:01:00', '10:02:00']);
    await access.authorize(key, 'competency');
    await new Promise((done) => setImmediate(done));
    expect((await services.apiKeys.findApiKey(id))!.lastUsedAt).toEqual(services.clock.now());
  });

  test('and a request does not fail with it', async () => {
    const { key } = await make();
    const host = openHost({ noteApiKeyUse: () => Promise.reject(new Error('full')) });
    await expect(host.authorize(key, 'competency')).resolves.toBeDefined();
    await new Promise((done) => setImmediate(done));
    expect(services.problems).toEqual([new Error('full')]);
  });
});
