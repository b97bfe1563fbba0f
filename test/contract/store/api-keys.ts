import { describe, expect, test } from 'vitest';
import type { ApiKeyListRequest, ApiKeyRecord, ApiKeyRepository } from '../../../src/ports/store/store.ts';
import { ids, type OpenStore, readPages } from './opened-store.ts';
import { apiKey, at, awkwardText, tenant } from './records.ts';
import { expectPlainSearch } from './search.ts';

const request = (changes: Partial<ApiKeyListRequest> = {}): ApiKeyListRequest => ({
  scope: null,
  search: '',
  sort: 'createdAt',
  descending: false,
  page: 0,
  pageSize: 100,
  ...changes,
});

export function describeApiKeys(open: OpenStore): void {
  const openKeys = async (records: readonly ApiKeyRecord[] = []): Promise<ApiKeyRepository> => {
    const { store } = await open();
    for (const id of ['lyon', 'paris']) await store.tenants.addTenant(tenant(id));
    for (const record of records) await store.apiKeys.addApiKey(record);
    return store.apiKeys;
  };
  const listed = async (apiKeys: ApiKeyRepository, changes: Partial<ApiKeyListRequest>) =>
    ids((await apiKeys.listApiKeys(request(changes))).items);

  describe('API keys', () => {
    test('come back as they were given, by id and by hash', async () => {
      const lasting = apiKey('b', { name: awkwardText, expiresAt: null, scopes: ['competency'] });
      const ended = apiKey('c', { tenantId: 'paris', scopes: [], revokedAt: at(5), lastUsedAt: at(4) });
      const apiKeys = await openKeys([apiKey('a'), lasting, ended]);
      for (const key of [apiKey('a'), lasting, ended]) {
        expect(await apiKeys.findApiKey(key.id)).toEqual(key);
        expect(await apiKeys.findApiKeyByHash(key.keyHash)).toEqual(key);
      }
      expect(await apiKeys.findApiKey('hash of a')).toBeNull();
      expect(await apiKeys.findApiKeyByHash('a')).toBeNull();
      expect(await apiKeys.findApiKeyByHash("' OR 1=1 --")).toBeNull();
    });

    test('with the same hash are refused', async () => {
      const apiKeys = await openKeys([apiKey('a')]);
      await expect(apiKeys.addApiKey(apiKey('b', { keyHash: 'hash of a' }))).rejects.toThrow();
      expect(await apiKeys.findApiKeyByHash('hash of a')).toEqual(apiKey('a'));
    });

    test('are listed by age, name or last use, ties in the order of the ids', async () => {
      const apiKeys = await openKeys([
        apiKey('d', { name: 'beta', createdAt: at(1), lastUsedAt: at(9) }),
        apiKey('c', { name: 'École', createdAt: at(2), lastUsedAt: at(8) }),
        apiKey('b', { name: 'Beta', createdAt: at(2) }),
        apiKey('a', { name: 'alpha', createdAt: at(3) }),
        apiKey('e', { name: 'Zeta', createdAt: at(4), lastUsedAt: at(8) }),
      ]);
      expect(await listed(apiKeys, {})).toEqual(['d', 'b', 'c', 'a', 'e']);
      expect(await listed(apiKeys, { descending: true })).toEqual(['e', 'a', 'b', 'c', 'd']);
      expect(await listed(apiKeys, { sort: 'name' })).toEqual(['a', 'b', 'd', 'c', 'e']);
      expect(await listed(apiKeys, { sort: 'name', descending: true })).toEqual(['e', 'c', 'b', 'd', 'a']);
    });

    test('that were never used are listed last, whichever way', async () => {
      const apiKeys = await openKeys([
        apiKey('d', { lastUsedAt: at(9) }),
        apiKey('c', { lastUsedAt: at(8) }),
        apiKey('b'),
        apiKey('a'),
        apiKey('e', { lastUsedAt: at(8) }),
      ]);
      expect(await listed(apiKeys, { sort: 'lastUsedAt' })).toEqual(['c', 'e', 'd', 'a', 'b']);
      expect(await listed(apiKeys, { sort: 'lastUsedAt', descending: true })).toEqual(['d', 'c', 'e', 'a', 'b']);
      const pages = await readPages(
        (page) => apiKeys.listApiKeys(request({ ...page, sort: 'lastUsedAt', descending: true })),
        2,
      );
      expect(ids(pages.items)).toEqual(['d', 'c', 'e', 'a', 'b']);
    });

    test('are listed page by page, for a scope only', async () => {
      const apiKeys = await openKeys([
        ...['a', 'b', 'c', 'd'].map((id) => apiKey(id)),
        apiKey('e', { tenantId: 'paris' }),
      ]);
      const { items, sizes, total } = await readPages(
        (page) => apiKeys.listApiKeys(request({ ...page, scope: ['lyon'] })),
        2,
      );
      expect([items, sizes, total]).toEqual([['a', 'b', 'c', 'd'].map((id) => apiKey(id)), [2, 2, 0], 4]);
      expect(await listed(apiKeys, { scope: ['paris', 'none'] })).toEqual(['e']);
      expect(await listed(apiKeys, { scope: ['paris', 'lyon'] })).toHaveLength(5);
      expect(await apiKeys.listApiKeys(request({ scope: [] }))).toEqual({ items: [], total: 0 });
    });

    test('are found by part of the name', async () => {
      const apiKeys = await openKeys();
      await expectPlainSearch(
        (name, number) => apiKeys.addApiKey(apiKey(`k${number}`, { name })),
        async (search) => (await apiKeys.listApiKeys(request({ search }))).items.map(({ name }) => name),
      );
      expect(await listed(apiKeys, { search: 'k1' })).toEqual([]);
    });

    test('are revoked once, and stay in the list', async () => {
      const apiKeys = await openKeys([apiKey('a'), apiKey('b')]);
      expect(await apiKeys.revokeApiKey('a', at(5))).toBe(true);
      expect(await apiKeys.revokeApiKey('a', at(6))).toBe(false);
      expect(await apiKeys.revokeApiKey('none', at(5))).toBe(false);
      expect((await apiKeys.listApiKeys(request())).items).toEqual([apiKey('a', { revokedAt: at(5) }), apiKey('b')]);
    });

    test('end earlier where another one takes their place, never later, and not where they are revoked', async () => {
      const apiKeys = await openKeys([
        apiKey('a'),
        apiKey('b', { expiresAt: at(7) }),
        apiKey('c', { revokedAt: at(1) }),
      ]);
      expect(await apiKeys.expireApiKey('a', at(5))).toBe(true);
      expect(await apiKeys.expireApiKey('a', at(6))).toBe(false);
      expect(await apiKeys.expireApiKey('b', at(5))).toBe(true);
      for (const id of ['c', 'none']) expect(await apiKeys.expireApiKey(id, at(5))).toBe(false);
      const { items } = await apiKeys.listApiKeys(request());
      expect(items.map(({ expiresAt }) => expiresAt)).toEqual([at(5), at(5), at(1_000)]);
    });

    test('that end in a period are listed by their end, without those that are replaced or revoked', async () => {
      const apiKeys = await openKeys([
        apiKey('a', { expiresAt: at(6) }),
        apiKey('b', { expiresAt: at(5), tenantId: 'paris' }),
        apiKey('c', { expiresAt: at(5), revokedAt: at(1) }),
        apiKey('d', { expiresAt: at(5) }),
        apiKey('e', { expiresAt: null }),
        apiKey('f', { expiresAt: at(4) }),
        apiKey('g', { expiresAt: at(7) }),
      ]);
      await apiKeys.noteApiKeyReplaced('d', at(3));
      expect(await apiKeys.findApiKey('d')).toEqual(apiKey('d', { expiresAt: at(5), replacedAt: at(3) }));
      const period = { from: at(5), until: at(7) };
      expect(ids(await apiKeys.listEndingApiKeys(null, period))).toEqual(['b', 'a']);
      expect(ids(await apiKeys.listEndingApiKeys(['lyon'], period))).toEqual(['a']);
    });

    test('keep the latest instant of use', async () => {
      const apiKeys = await openKeys([apiKey('a'), apiKey('b')]);
      const lastUsed = async () => (await apiKeys.findApiKey('a'))!.lastUsedAt;
      await apiKeys.noteApiKeyUse('a', at(5));
      expect(await lastUsed()).toEqual(at(5));
      await apiKeys.noteApiKeyUse('a', at(4));
      expect(await lastUsed()).toEqual(at(5));
      await apiKeys.noteApiKeyUse('a', at(6));
      expect(await lastUsed()).toEqual(at(6));
      await apiKeys.noteApiKeyUse('none', at(6));
      expect(await apiKeys.findApiKey('b')).toEqual(apiKey('b'));
    });
  });
}
