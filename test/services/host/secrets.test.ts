import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createKeyring, type SecretKeyList } from '../../../src/services/host/keyring.ts';
import { createSecrets, type Secrets } from '../../../src/services/host/secrets.ts';
import type { StandingClock } from '../../fakes/clock.ts';
import { type OpenedServices, openServices, SECRET, tester } from '../../helpers/open-services.ts';

const ORIGIN = 'https://api.example.org';
const bound = (plain: string) => ({ plain, boundTo: ORIGIN });

const NEW_SECRET = 'another secret of the tests, long';

let services: OpenedServices<StandingClock>;
beforeEach(async () => {
  services = await openServices();
});
afterEach(() => services.close());

const withKeys = (...keys: SecretKeyList) =>
  createSecrets({ secrets: services.store.secrets, keyring: createKeyring(keys), clock: services.clock });

describe('a secret', () => {
  test('comes back, and the store does not hold it', async () => {
    const { secrets, store } = services;
    await secrets.putSecret('default', 'upstream-api-key', bound('key-of-the-upstream'));
    expect(await secrets.findSecret('default', 'upstream-api-key', ORIGIN)).toBe('key-of-the-upstream');
    const record = await store.secrets.findSecret('default', 'upstream-api-key');
    expect(JSON.stringify(record)).not.toContain('key-of-the-upst');
  });

  test.each([
    ['elevenchars', null],
    ['twelve-chars', 'hars'],
  ])('%s may show %j of itself', async (plain, lastFour) => {
    await services.secrets.putSecret('default', 'marketplace-key', bound(plain));
    const updatedAt = services.clock.now();
    expect(await services.secrets.findHint('default', 'marketplace-key', ORIGIN)).toEqual({
      lastFour,
      updatedAt,
    });
  });

  test('that is not there is null, and can be removed once', async () => {
    const { secrets } = services;
    expect(await secrets.findSecret('default', 'upstream-api-key', ORIGIN)).toBeNull();
    expect(await secrets.findHint('default', 'upstream-api-key', ORIGIN)).toBeNull();
    await secrets.putSecret('default', 'upstream-api-key', bound('plain'));
    expect(await secrets.removeSecret('default', 'upstream-api-key')).toBe(true);
    expect(await secrets.removeSecret('default', 'upstream-api-key')).toBe(false);
  });

  test('is there only for the origin it is bound to', async () => {
    const { secrets, store } = services;
    await secrets.putSecret('default', 'upstream-api-key', bound('plain-of-12-c'));
    for (const origin of ['https://evil.example', 'http://api.example.org', '', null]) {
      expect(await secrets.findSecret('default', 'upstream-api-key', origin)).toBeNull();
      expect(await secrets.findHint('default', 'upstream-api-key', origin)).toBeNull();
    }
    await expect(withKeys(NEW_SECRET).findSecret('default', 'upstream-api-key', ORIGIN)).rejects.toMatchObject({
      code: 'SECRET_UNREADABLE',
    });
    const record = (await store.secrets.findSecret('default', 'upstream-api-key'))!;
    await store.secrets.putSecret({ ...record, boundTo: 'https://evil.example' });
    await expect(secrets.findSecret('default', 'upstream-api-key', 'https://evil.example')).rejects.toMatchObject({
      code: 'SECRET_UNREADABLE',
    });
  });

  test('moved to another tenant or name in the store, opens no more', async () => {
    const { secrets, store, tenants } = services;
    const { id } = await tenants.createTenant(tester, 'Other');
    await secrets.putSecret('default', 'upstream-api-key', bound('plain'));
    const record = await store.secrets.findSecret('default', 'upstream-api-key');
    await store.secrets.putSecret({ ...record!, tenantId: id });
    await expect(secrets.findSecret(id, 'upstream-api-key', ORIGIN)).rejects.toMatchObject({
      code: 'SECRET_UNREADABLE',
    });
  });
});

describe('secrets that cannot be opened', () => {
  const states = async (secrets: Secrets) => {
    const found: string[] = [];
    for await (const { name, state } of secrets.listStored()) found.push(`${name} ${state}`);
    return found;
  };

  test('are listed, and given up once; with their key they are back', async () => {
    const { secrets } = services;
    await secrets.putSecret('default', 'upstream-api-key', bound('plain'));
    const other = withKeys(NEW_SECRET);
    await other.putSecret('default', 'marketplace-key', bound('of the other key'));
    expect(await states(other)).toEqual(['marketplace-key readable', 'upstream-api-key unreadable']);
    expect(await other.giveUpUnreadable()).toMatchObject([{ name: 'upstream-api-key', boundTo: ORIGIN }]);
    expect(await other.giveUpUnreadable()).toEqual([]);
    expect(await states(other)).toEqual(['marketplace-key readable', 'upstream-api-key given-up']);
    await expect(other.findSecret('default', 'upstream-api-key', ORIGIN)).rejects.toMatchObject({
      code: 'SECRET_UNREADABLE',
    });
    const both = withKeys(NEW_SECRET, SECRET);
    expect(await both.findSecret('default', 'upstream-api-key', ORIGIN)).toBe('plain');
    expect(await both.resealAll()).toEqual({ resealed: 1, current: 1 });
    expect(await states(other)).toEqual(['marketplace-key readable', 'upstream-api-key readable']);
  });

  test('and were given up hold up no rotation, and can be saved again', async () => {
    const { secrets } = services;
    await secrets.putSecret('default', 'upstream-api-key', bound('plain'));
    const other = withKeys(NEW_SECRET);
    await other.giveUpUnreadable();
    expect(await other.resealAll()).toEqual({ resealed: 0, current: 0 });
    await other.putSecret('default', 'upstream-api-key', bound('again'));
    expect(await states(other)).toEqual(['upstream-api-key readable']);
  });
});

describe('sealing everything anew', () => {
  test('puts all under the current key, and needs no other afterwards', async () => {
    const { secrets, tenants } = services;
    await secrets.putSecret('default', 'upstream-api-key', bound('first'));
    await secrets.putSecret('default', 'marketplace-key', bound('second'));
    let last = '';
    for (let i = 0; i < 250; i++) {
      const { id } = await tenants.createTenant(tester, `Tenant ${i}`);
      await secrets.putSecret(id, 'upstream-api-key', bound(`key ${i}`));
      last = id;
    }
    const rotated = withKeys(NEW_SECRET, SECRET);
    expect(await rotated.resealAll()).toEqual({ resealed: 252, current: 0 });
    expect(await rotated.resealAll()).toEqual({ resealed: 0, current: 252 });
    const onlyNew = withKeys(NEW_SECRET);
    expect(await onlyNew.findSecret('default', 'marketplace-key', ORIGIN)).toBe('second');
    expect(await onlyNew.findSecret(last, 'upstream-api-key', ORIGIN)).toBe('key 249');
  });

  test('keeps what someone saves at the same moment', async () => {
    const { secrets, store } = services;
    await secrets.putSecret('default', 'upstream-api-key', bound('old'));
    const racing = createSecrets({
      secrets: {
        ...store.secrets,
        async resealSecret(record, resealed) {
          if ((await secrets.findSecret('default', 'upstream-api-key', ORIGIN)) === 'old')
            await secrets.putSecret('default', 'upstream-api-key', bound('new'));
          return store.secrets.resealSecret(record, resealed);
        },
      },
      keyring: createKeyring([NEW_SECRET, SECRET]),
      clock: services.clock,
    });
    expect(await racing.resealAll()).toEqual({ resealed: 1, current: 0 });
    expect(await withKeys(NEW_SECRET).findSecret('default', 'upstream-api-key', ORIGIN)).toBe('new');
  });

  test('names what cannot be opened, and seals the rest all the same', async () => {
    const { secrets } = services;
    await secrets.putSecret('default', 'marketplace-key', bound('readable'));
    await withKeys('a key that is lost, and was so long').putSecret('default', 'upstream-api-key', bound('lost'));
    await expect(withKeys(NEW_SECRET, SECRET).resealAll()).rejects.toMatchObject({
      code: 'SECRET_UNREADABLE',
      problems: [{ path: 'default/upstream-api-key' }],
    });
    expect(await withKeys(NEW_SECRET).findSecret('default', 'marketplace-key', ORIGIN)).toBe('readable');
  });
});
