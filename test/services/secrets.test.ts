import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createKeyring } from '../../src/services/keyring.ts';
import { createSecrets } from '../../src/services/secrets.ts';
import type { StandingClock } from '../fakes/clock.ts';
import { type OpenedServices, openServices, SECRET, tester } from '../helpers/open-services.ts';

const NEW_SECRET = 'another secret of the tests, long';

let services: OpenedServices<StandingClock>;
beforeEach(async () => {
  services = await openServices();
});
afterEach(() => services.close());

const withKeys = (...keys: string[]) =>
  createSecrets({ secrets: services.store.secrets, keyring: createKeyring(keys), clock: services.clock });

describe('a secret', () => {
  test('comes back, and the store does not hold it', async () => {
    const { secrets, store } = services;
    await secrets.putSecret('default', 'upstream-api-key', 'key-of-the-upstream');
    expect(await secrets.findSecret('default', 'upstream-api-key')).toBe('key-of-the-upstream');
    const record = await store.secrets.findSecret('default', 'upstream-api-key');
    expect(JSON.stringify(record)).not.toContain('key-of-the-upst');
  });

  test.each([
    ['elevenchars', null],
    ['twelve-chars', 'hars'],
  ])('%s may show %j of itself', async (plain, lastFour) => {
    await services.secrets.putSecret('default', 'marketplace-key', plain);
    const updatedAt = services.clock.now();
    expect(await services.secrets.findHint('default', 'marketplace-key')).toEqual({ lastFour, updatedAt });
  });

  test('that is not there is null, and can be removed once', async () => {
    const { secrets } = services;
    expect(await secrets.findSecret('default', 'upstream-api-key')).toBeNull();
    expect(await secrets.findHint('default', 'upstream-api-key')).toBeNull();
    await secrets.putSecret('default', 'upstream-api-key', 'plain');
    expect(await secrets.removeSecret('default', 'upstream-api-key')).toBe(true);
    expect(await secrets.removeSecret('default', 'upstream-api-key')).toBe(false);
  });

  test('moved to another tenant or name in the store, opens no more', async () => {
    const { secrets, store, tenants } = services;
    const { id } = await tenants.createTenant(tester, 'Other');
    await secrets.putSecret('default', 'upstream-api-key', 'plain');
    const record = await store.secrets.findSecret('default', 'upstream-api-key');
    await store.secrets.putSecret({ ...record!, tenantId: id });
    await expect(secrets.findSecret(id, 'upstream-api-key')).rejects.toMatchObject({
      code: 'SECRET_UNREADABLE',
    });
  });
});

describe('sealing everything anew', () => {
  test('puts all under the current key, and needs no other afterwards', async () => {
    const { secrets, tenants } = services;
    await secrets.putSecret('default', 'upstream-api-key', 'first');
    await secrets.putSecret('default', 'marketplace-key', 'second');
    for (let i = 0; i < 250; i++) {
      const { id } = await tenants.createTenant(tester, `Tenant ${i}`);
      await secrets.putSecret(id, 'upstream-api-key', `key ${i}`);
    }
    const rotated = withKeys(NEW_SECRET, SECRET);
    expect(await rotated.resealAll()).toEqual({ resealed: 252, current: 0 });
    expect(await rotated.resealAll()).toEqual({ resealed: 0, current: 252 });
    const onlyNew = withKeys(NEW_SECRET);
    expect(await onlyNew.findSecret('default', 'marketplace-key')).toBe('second');
    expect(await onlyNew.findSecret('tenant-249', 'upstream-api-key')).toBe('key 249');
  });

  test('keeps what someone saves at the same moment', async () => {
    const { secrets, store } = services;
    await secrets.putSecret('default', 'upstream-api-key', 'old');
    const racing = createSecrets({
      secrets: {
        ...store.secrets,
        async resealSecret(record, resealed) {
          if ((await secrets.findSecret('default', 'upstream-api-key')) === 'old')
            await secrets.putSecret('default', 'upstream-api-key', 'new');
          return store.secrets.resealSecret(record, resealed);
        },
      },
      keyring: createKeyring([NEW_SECRET, SECRET]),
      clock: services.clock,
    });
    expect(await racing.resealAll()).toEqual({ resealed: 1, current: 0 });
    expect(await withKeys(NEW_SECRET).findSecret('default', 'upstream-api-key')).toBe('new');
  });

  test('names what cannot be opened, and seals the rest all the same', async () => {
    const { secrets } = services;
    await secrets.putSecret('default', 'marketplace-key', 'readable');
    await withKeys('a key that is lost, and was so long').putSecret('default', 'upstream-api-key', 'lost');
    await expect(withKeys(NEW_SECRET, SECRET).resealAll()).rejects.toMatchObject({
      code: 'SECRET_UNREADABLE',
      problems: [{ path: 'default/upstream-api-key' }],
    });
    expect(await withKeys(NEW_SECRET).findSecret('default', 'marketplace-key')).toBe('readable');
  });
});
