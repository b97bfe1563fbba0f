import { describe, expect, test } from 'vitest';
import type { TenantListRequest, TenantRecord, TenantRepository } from '../../../src/ports/store/store.ts';
import { ids, type OpenStore, race, readPages } from './opened-store.ts';
import { at, awkwardText, longText, tenant } from './records.ts';
import { expectPlainSearch } from './search.ts';

const request = (changes: Partial<TenantListRequest> = {}): TenantListRequest => ({
  scope: null,
  search: '',
  sort: 'name',
  descending: false,
  page: 0,
  pageSize: 100,
  ...changes,
});

const full = tenant('full', {
  name: awkwardText,
  status: 'disabled',
  upstream: { kind: 'gateway', url: 'https://a.example.org/é', marketplaceUrl: 'https://b.example.org' },
  defaults: {
    providers: ['openlearn', `"quoted"`],
    lang: 'fr',
    model: 'strict',
    match: 'strict',
    itemsPerPage: 20,
    freeOnly: true,
  },
  branding: { title: longText, accent: '#aabbcc' },
  suggestions: 'at-once',
  feedback: { sharedEmail: 'library@example.org', sharedEmailFor: 'everyone', retentionDays: 3_650 },
});

export function describeTenants(open: OpenStore): void {
  const openTenants = async (records: readonly TenantRecord[] = []) => {
    const { store, openAnother } = await open();
    for (const record of records) await store.tenants.addTenant(record);
    return { tenants: store.tenants, store, openAnother };
  };
  const listed = async (tenants: TenantRepository, changes: Partial<TenantListRequest>) =>
    ids((await tenants.listTenants(request(changes))).items);

  describe('tenants', () => {
    test('come back as they were given', async () => {
      const direct = tenant('direct', {
        upstream: { kind: 'direct', url: 'https://c.example.org', isEnteredByOwner: true },
        defaults: { ...full.defaults, lang: null, prefer: 'fr' },
      });
      const { tenants } = await openTenants([full, direct]);
      expect(await tenants.findTenant('full')).toEqual(full);
      expect(await tenants.findTenant('direct')).toEqual(direct);
      expect(await tenants.findTenant('none')).toBeNull();
      expect(await tenants.findTenant('FULL')).toBeNull();
    });

    test('have ids of their own', async () => {
      const { tenants } = await openTenants();
      expect(await tenants.addTenant(tenant('lyon'))).toBe(true);
      expect(await tenants.addTenant(tenant('lyon', { name: 'Another' }))).toBe(false);
      expect(await tenants.findTenant('lyon')).toEqual(tenant('lyon'));
      expect(await tenants.addTenant(tenant('paris', { name: tenant('lyon').name }))).toBe(true);
    });

    test('are added once, however many hosts add them', async () => {
      const { store, openAnother } = await openTenants();
      const added = await race([store, await openAnother()], 10, ({ tenants }, number) =>
        tenants.addTenant(tenant('lyon', { name: `${number}` })),
      );
      expect(added.filter((done) => done)).toHaveLength(1);
      expect((await store.tenants.findTenant('lyon'))!.name).toBe(`${added.indexOf(true)}`);
    });

    test('are replaced where the version is one less', async () => {
      const { tenants } = await openTenants([tenant('lyon'), tenant('paris')]);
      const changed = { ...full, id: 'lyon', createdAt: at(5), updatedAt: at(6), version: 2 };
      expect(await tenants.replaceTenant(changed)).toBe(true);
      expect(await tenants.findTenant('lyon')).toEqual(changed);
      expect(await tenants.replaceTenant(tenant('lyon', { version: 2 }))).toBe(false);
      expect(await tenants.replaceTenant(tenant('lyon', { version: 1 }))).toBe(false);
      expect(await tenants.replaceTenant(tenant('lyon', { version: 4 }))).toBe(false);
      expect(await tenants.replaceTenant(tenant('none', { version: 2 }))).toBe(false);
      expect(await tenants.findTenant('lyon')).toEqual(changed);
      expect(await tenants.findTenant('none')).toBeNull();
      expect(await tenants.findTenant('paris')).toEqual(tenant('paris'));
    });

    test('are replaced by one of many who read the same version', async () => {
      const { store, openAnother } = await openTenants([tenant('lyon')]);
      const replaced = await race([store, await openAnother()], 10, ({ tenants }, number) =>
        tenants.replaceTenant(tenant('lyon', { name: `${number}`, version: 2 })),
      );
      expect(replaced.filter((done) => done)).toHaveLength(1);
      expect((await store.tenants.findTenant('lyon'))!.name).toBe(`${replaced.indexOf(true)}`);
    });

    test('are listed by name in any case and accent, or by age, ties in the order of the ids', async () => {
      const { tenants } = await openTenants([
        tenant('z', { name: 'Zürich', createdAt: at(1) }),
        tenant('e', { name: 'École', createdAt: at(2) }),
        tenant('b2', { name: 'beta', createdAt: at(3) }),
        tenant('b1', { name: 'Beta', createdAt: at(3) }),
        tenant('a', { name: 'alpha', createdAt: at(4) }),
      ]);
      expect(await listed(tenants, {})).toEqual(['a', 'b1', 'b2', 'e', 'z']);
      expect(await listed(tenants, { descending: true })).toEqual(['z', 'e', 'b1', 'b2', 'a']);
      expect(await listed(tenants, { sort: 'createdAt' })).toEqual(['z', 'e', 'b1', 'b2', 'a']);
      expect(await listed(tenants, { sort: 'createdAt', descending: true })).toEqual(['a', 'b1', 'b2', 'e', 'z']);
    });

    test('are listed page by page', async () => {
      const names = Array.from({ length: 7 }, (_, number) => `t${number}`);
      const { tenants } = await openTenants(names.map((id) => tenant(id)));
      const { items, sizes, total } = await readPages(
        (page) => tenants.listTenants(request({ ...page, search: 'tenant' })),
        3,
      );
      expect(ids(items)).toEqual(names);
      expect([sizes, total]).toEqual([[3, 3, 1, 0], 7]);
      expect(items[0]).toEqual(tenant('t0'));
    });

    test('are listed for a scope only', async () => {
      const { tenants } = await openTenants([tenant('lyon'), tenant('paris'), tenant('nice')]);
      expect(await listed(tenants, { scope: ['paris', 'lyon', 'none'] })).toEqual(['lyon', 'paris']);
      expect(await tenants.listTenants(request({ scope: [] }))).toEqual({ items: [], total: 0 });
      expect((await tenants.listTenants(request({ scope: ['nice'], pageSize: 1 }))).total).toBe(1);
      expect((await tenants.listTenants(request({ scope: ['nice'], search: 'lyon' }))).total).toBe(0);
    });

    test('are found by part of name or id', async () => {
      const { tenants } = await openTenants();
      await expectPlainSearch(
        (name, number) => tenants.addTenant(tenant(`t${number}`, { name })),
        async (search) => (await tenants.listTenants(request({ search }))).items.map(({ name }) => name),
      );
      expect(await listed(tenants, { search: 'T10' })).toEqual(['t10']);
      await tenants.replaceTenant(tenant('t10', { name: 'Renamed', version: 2 }));
      expect(await listed(tenants, { search: 'snake' })).toEqual([]);
      expect(await listed(tenants, { search: 'RENAMED' })).toEqual(['t10']);
    });

    test('of a status are listed by id', async () => {
      const { tenants } = await openTenants([
        tenant('c'),
        tenant('a', { name: 'Z' }),
        tenant('b', { status: 'disabled' }),
        tenant('d', { status: 'deleting' }),
      ]);
      expect(await tenants.listTenantIds('active')).toEqual(['a', 'c']);
      expect(await tenants.listTenantIds('disabled')).toEqual(['b']);
      expect(await tenants.listTenantIds('deleting')).toEqual(['d']);
    });
  });
}
