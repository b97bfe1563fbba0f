import { describe, expect, test } from 'vitest';
import type { AdminListRequest, AdminRecord, AdminRepository } from '../../../src/ports/store/store.ts';
import { ids, type OpenStore, race, readPages } from './opened-store.ts';
import { admin, adminSession, at, awkwardText } from './records.ts';
import { expectPlainSearch } from './search.ts';

const request = (changes: Partial<AdminListRequest> = {}): AdminListRequest => ({
  search: '',
  sort: 'name',
  descending: false,
  page: 0,
  pageSize: 100,
  ...changes,
});

const owner = admin('owner', {
  name: 'Ève',
  passwordHash: null,
  oidcSubject: 'https://id.example.org/ subject|1',
  role: 'owner',
  tenants: null,
  lastSignInAt: at(3),
});

export function describeAdmins(open: OpenStore): void {
  const openAdmins = async (records: readonly AdminRecord[] = []) => {
    const { store, openAnother } = await open();
    for (const record of records) await store.admins.addAdmin(record);
    return { admins: store.admins, store, openAnother };
  };
  const listed = async (admins: AdminRepository, changes: Partial<AdminListRequest>) =>
    ids((await admins.listAdmins(request(changes))).items);

  describe('administrators', () => {
    test('come back as they were given, by id, name and OpenID Connect account', async () => {
      const nowhere = admin('b', { name: awkwardText, tenants: [] });
      const { admins } = await openAdmins([owner, nowhere, admin('c', { tenants: ['paris', 'lyon'] })]);
      expect(await admins.findAdmin('owner')).toEqual(owner);
      expect(await admins.findAdminByName('Ève')).toEqual(owner);
      expect(await admins.findAdminByOidcSubject('https://id.example.org/ subject|1')).toEqual(owner);
      expect(await admins.findAdmin('b')).toEqual(nowhere);
      expect(await admins.findAdminByName(awkwardText)).toEqual(nowhere);
      expect(await admins.findAdmin('c')).toEqual(admin('c', { tenants: ['paris', 'lyon'] }));
      expect(await admins.findAdmin('none')).toBeNull();
      expect(await admins.findAdminByName('Name of')).toBeNull();
      expect(await admins.findAdminByOidcSubject('https://id.example.org/ subject|2')).toBeNull();
    });

    test('are found by their name in any case', async () => {
      const { admins } = await openAdmins([owner, admin('b')]);
      for (const name of ['ève', 'EVE', 'E\u0300ve']) {
        expect((await admins.findAdminByName(name))?.id).toBe('owner');
      }
      expect(await admins.findAdminByName('.*')).toBeNull();
    });

    test('have names and OpenID Connect accounts of their own', async () => {
      const { admins } = await openAdmins([owner, admin('b')]);
      expect(await admins.addAdmin(admin('c', { name: 'EVE' }))).toBe(false);
      expect(await admins.addAdmin(admin('c', { oidcSubject: owner.oidcSubject }))).toBe(false);
      expect(await admins.findAdmin('c')).toBeNull();
      expect(await admins.addAdmin(admin('c', { oidcSubject: 'https://id.example.org/ 2' }))).toBe(true);
      expect(await admins.addAdmin(admin('d'))).toBe(true);
      expect(await admins.countAdmins()).toBe(4);
    });

    test('of the same name are added once, however many hosts add them', async () => {
      const { store, openAnother } = await openAdmins();
      const added = await race([store, await openAnother()], 10, ({ admins }, number) =>
        admins.addAdmin(admin(`a${number}`, { name: number % 2 === 0 ? 'Eve' : 'ève' })),
      );
      expect(added.filter((done) => done)).toHaveLength(1);
      expect((await store.admins.findAdminByName('eve'))!.id).toBe(`a${added.indexOf(true)}`);
    });

    test('are replaced where the version is one less', async () => {
      const { admins } = await openAdmins([admin('a'), admin('b')]);
      const changed = { ...owner, id: 'a', sessionsValidFrom: at(8), version: 2 };
      expect(await admins.replaceAdmin(changed)).toBe(true);
      expect(await admins.findAdmin('a')).toEqual(changed);
      expect(await admins.findAdminByName('eve')).toEqual(changed);
      expect(await admins.findAdminByName(admin('a').name)).toBeNull();
      expect(await admins.replaceAdmin(admin('a', { version: 2 }))).toBe(false);
      expect(await admins.replaceAdmin(admin('a', { version: 4 }))).toBe(false);
      expect(await admins.replaceAdmin(admin('none', { version: 2 }))).toBe(false);
      expect(await admins.findAdmin('a')).toEqual(changed);
      expect(await admins.findAdmin('b')).toEqual(admin('b'));
      expect(await admins.replaceAdmin({ ...changed, name: 'EVE', version: 3 })).toBe(true);
    });

    test('are not replaced by a name or account that is taken', async () => {
      const { admins } = await openAdmins([owner, admin('b')]);
      expect(await admins.replaceAdmin(admin('b', { name: 'eve', version: 2 }))).toBe(false);
      expect(await admins.replaceAdmin(admin('b', { oidcSubject: owner.oidcSubject, version: 2 }))).toBe(false);
      expect(await admins.findAdmin('b')).toEqual(admin('b'));
    });

    test('are listed by name, role or last sign-in, ties in the order of the ids', async () => {
      const { admins } = await openAdmins([
        admin('d', { name: 'Zoe', role: 'owner', lastSignInAt: at(2) }),
        admin('c', { name: 'École', role: 'viewer', lastSignInAt: at(1) }),
        admin('b', { name: 'adam', role: 'manager' }),
        admin('a', { name: 'Bob', role: 'viewer' }),
        admin('e', { name: 'carl', role: 'manager', lastSignInAt: at(1) }),
      ]);
      expect(await listed(admins, {})).toEqual(['b', 'a', 'e', 'c', 'd']);
      expect(await listed(admins, { descending: true })).toEqual(['d', 'c', 'e', 'a', 'b']);
      expect(await listed(admins, { sort: 'role' })).toEqual(['b', 'e', 'd', 'a', 'c']);
      expect(await listed(admins, { sort: 'role', descending: true })).toEqual(['a', 'c', 'd', 'b', 'e']);
      expect(await listed(admins, { sort: 'lastSignInAt' })).toEqual(['c', 'e', 'd', 'a', 'b']);
      expect(await listed(admins, { sort: 'lastSignInAt', descending: true })).toEqual(['d', 'c', 'e', 'a', 'b']);
    });

    test('are listed page by page', async () => {
      const names = ['a', 'b', 'c', 'd', 'e'];
      const { admins } = await openAdmins(names.map((id) => admin(id)));
      const { items, sizes, total } = await readPages((page) => admins.listAdmins(request(page)), 2);
      expect([items, sizes, total]).toEqual([names.map((id) => admin(id)), [2, 2, 1, 0], 5]);
    });

    test('are found by part of the name', async () => {
      const { admins } = await openAdmins();
      await expectPlainSearch(
        (name, number) => admins.addAdmin(admin(`a${number}`, { name })),
        async (search) => (await admins.listAdmins(request({ search }))).items.map(({ name }) => name),
      );
      expect(await listed(admins, { search: 'a10' })).toEqual([]);
    });

    test('are counted, all or of one role', async () => {
      const { admins } = await openAdmins([owner, admin('b'), admin('c')]);
      expect(await admins.countAdmins()).toBe(3);
      expect(await admins.countAdmins('manager')).toBe(2);
      expect(await admins.countAdmins('viewer')).toBe(0);
    });

    test('are removed with their sessions', async () => {
      const { admins, store } = await openAdmins([owner, admin('b')]);
      await store.adminSessions.addAdminSession(adminSession('s1', { adminId: 'b' }));
      await store.adminSessions.addAdminSession(adminSession('s2', { adminId: 'owner' }));
      expect(await admins.removeAdmin('b')).toBe(true);
      expect(await admins.removeAdmin('b')).toBe(false);
      expect(await admins.findAdmin('b')).toBeNull();
      expect(await store.adminSessions.findAdminSession('s1', at(2))).toBeNull();
      expect(await store.adminSessions.findAdminSession('s2', at(2))).not.toBeNull();
      expect(await admins.addAdmin(admin('c', { name: admin('b').name }))).toBe(true);
    });
  });
}
