import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { apiKeyScopes } from '../../src/domain/api-key.ts';
import { systemClock } from '../../src/ports/clock.ts';
import type { ApiKeyRepository } from '../../src/ports/store.ts';
import { type ApiAccess, createApiAccess } from '../../src/services/api-access.ts';
import { createApiKey, listApiKeys, type NewApiKey, revokeApiKey } from '../../src/services/api-keys.ts';
import { createFakeApiKeys } from '../fakes/api-keys.ts';

const DEMO = 'demo_0123456789';
const wanted: NewApiKey = {
  name: 'Ada',
  scopes: apiKeyScopes,
  perSecond: 20,
  perDay: 50_000,
  expiresAt: null,
};

let apiKeys: ApiKeyRepository;
let keys: ApiAccess;

beforeEach(() => {
  // The limiter reads the time itself, so the time of the whole process is held.
  vi.useFakeTimers({ now: new Date('2026-03-01T10:00:00Z') });
  apiKeys = createFakeApiKeys();
  keys = createApiAccess({ apiKeys, demoKey: DEMO, clock: systemClock });
});
afterEach(() => {
  vi.useRealTimers();
});

const make = (changes: Partial<NewApiKey> = {}) =>
  createApiKey(apiKeys, systemClock, { ...wanted, ...changes });

describe('who may call', () => {
  test.each([undefined, ''])('no key (%j) is KEY_MISSING', async (presented) => {
    await expect(keys.authorize(presented, 'competency')).rejects.toMatchObject({
      code: 'KEY_MISSING',
      kind: 'unauthenticated',
    });
  });

  test.each(['nobody', `${DEMO}x`, DEMO.slice(0, -1), DEMO.toUpperCase()])(
    'the key %j is KEY_UNKNOWN',
    async (presented) => {
      await expect(keys.authorize(presented, 'competency')).rejects.toMatchObject({ code: 'KEY_UNKNOWN' });
    },
  );

  test('the demo key works on the Competency API only', async () => {
    await expect(keys.authorize(DEMO, 'competency')).resolves.toMatchObject({ keyId: 'demo', limit: 1_000 });
    for (const scope of ['learning-objects', 'feedback'] as const) {
      await expect(keys.authorize(DEMO, scope)).rejects.toMatchObject({
        code: 'KEY_SCOPE',
        kind: 'forbidden',
      });
    }
  });

  test('a personal key works within its scopes', async () => {
    const { id, key } = await make({ scopes: ['competency', 'feedback'] });
    await expect(keys.authorize(key, 'competency')).resolves.toMatchObject({ keyId: id, limit: 50_000 });
    await expect(keys.authorize(key, 'feedback')).resolves.toMatchObject({ keyId: id });
    await expect(keys.authorize(key, 'learning-objects')).rejects.toMatchObject({ code: 'KEY_SCOPE' });
  });

  test('a key ends at its very moment, and the refusal says when', async () => {
    const { key } = await make({ expiresAt: new Date('2026-03-01T10:00:10Z') });
    vi.advanceTimersByTime(9_999);
    await expect(keys.authorize(key, 'competency')).resolves.toBeDefined();
    vi.advanceTimersByTime(1);
    await expect(keys.authorize(key, 'competency')).rejects.toMatchObject({
      code: 'KEY_UNKNOWN',
      message: expect.stringContaining('2026-03-01'),
    });
  });

  test('a revoked key stops within a second, and the refusal says why', async () => {
    const { id, key } = await make();
    await expect(keys.authorize(key, 'competency')).resolves.toBeDefined();
    await revokeApiKey(apiKeys, systemClock, id);
    vi.advanceTimersByTime(1_001);
    await expect(keys.authorize(key, 'competency')).rejects.toMatchObject({
      code: 'KEY_UNKNOWN',
      message: expect.stringContaining('revoked'),
    });
  });
});

describe('how often', () => {
  test('the demo key: five requests a second', async () => {
    for (let i = 0; i < 5; i++) await keys.authorize(DEMO, 'competency');
    await expect(keys.authorize(DEMO, 'competency')).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterSeconds: 1,
      data: { limit: 5, resetSeconds: 1 },
    });
    vi.advanceTimersByTime(1_000);
    await expect(keys.authorize(DEMO, 'competency')).resolves.toMatchObject({ remaining: 994 });
  });

  test('a day: counted down, refused with the seconds to wait, counted anew', async () => {
    const { key } = await make({ perDay: 2 });
    expect(await keys.authorize(key, 'competency')).toMatchObject({ remaining: 1, resetSeconds: 86_400 });
    vi.advanceTimersByTime(3_600_000);
    expect(await keys.authorize(key, 'competency')).toMatchObject({ remaining: 0, resetSeconds: 82_800 });
    await expect(keys.authorize(key, 'competency')).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterSeconds: 82_800,
    });
    vi.advanceTimersByTime(82_800_000);
    await expect(keys.authorize(key, 'competency')).resolves.toMatchObject({ remaining: 1 });
  });

  test('a request refused for the second does not count for the day', async () => {
    const { key } = await make({ perSecond: 1, perDay: 10 });
    await keys.authorize(key, 'competency');
    for (let i = 0; i < 3; i++) await keys.authorize(key, 'competency').catch(() => undefined);
    vi.advanceTimersByTime(1_000);
    await expect(keys.authorize(key, 'competency')).resolves.toMatchObject({ remaining: 8 });
  });

  test('one key does not use up another, even with the same limits', async () => {
    const [a, b] = [await make({ perDay: 1 }), await make({ perDay: 1 })];
    await keys.authorize(a.key, 'competency');
    await expect(keys.authorize(a.key, 'competency')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await expect(keys.authorize(b.key, 'competency')).resolves.toMatchObject({ remaining: 0 });
  });

  test('a refused scope counts nothing', async () => {
    const { key } = await make({ scopes: ['competency'], perDay: 1 });
    await keys.authorize(key, 'feedback').catch(() => undefined);
    await expect(keys.authorize(key, 'competency')).resolves.toMatchObject({ remaining: 0 });
  });
});

describe('keys of the command line', () => {
  test('a key is sk_ and 32 url-safe characters, never twice the same, never kept', async () => {
    const made = [await make(), await make()];
    for (const { key } of made) expect(key).toMatch(/^sk_[\w-]{32}$/);
    expect(made[0]!.key).not.toBe(made[1]!.key);
    const stored = JSON.stringify(await apiKeys.listApiKeys());
    for (const { key } of made) expect(stored).not.toContain(key.slice(3));
  });

  test('a list shows no hashes', async () => {
    const { id } = await make();
    const [listed] = await listApiKeys(apiKeys);
    expect(listed).toMatchObject({ id, name: 'Ada', perDay: 50_000 });
    expect(listed).not.toHaveProperty('keyHash');
  });

  test('a key can be revoked once', async () => {
    const { id } = await make();
    await revokeApiKey(apiKeys, systemClock, id);
    await expect(revokeApiKey(apiKeys, systemClock, id)).rejects.toMatchObject({ code: 'API_KEY_NOT_FOUND' });
    await expect(revokeApiKey(apiKeys, systemClock, 'none')).rejects.toMatchObject({
      code: 'API_KEY_NOT_FOUND',
    });
  });
});
