import { describe, expect, test } from 'vitest';
import type { LtiRegistrationListRequest, LtiRegistrationRecord } from '../../../src/ports/store/store.ts';
import { registration } from './lti-records.ts';
import { ids, type OpenStore, race, readPages } from './opened-store.ts';
import { at, awkwardText, tenant } from './records.ts';

const everything: LtiRegistrationListRequest = {
  scope: null,
  search: '',
  sort: 'name',
  descending: false,
  page: 0,
  pageSize: 100,
};

export function describeLtiRegistrations(open: OpenStore): void {
  const openWith = async (records: readonly LtiRegistrationRecord[] = []) => {
    const { store, openAnother } = await open();
    for (const id of ['lyon', 'paris']) await store.tenants.addTenant(tenant(id));
    for (const record of records) expect(await store.ltiRegistrations.addRegistration(record)).toBe(true);
    return { repository: store.ltiRegistrations, store, openAnother };
  };

  describe('registrations of platforms', () => {
    test('come back as they were added, by id and by issuer and client id', async () => {
      const kept = [
        registration('a', { tokenAudience: 'https://api.example.org/token', acceptsNewDeployments: false }),
        registration('b', {
          issuer: awkwardText,
          clientId: awkwardText,
          name: awkwardText,
          keyId: awkwardText,
        }),
        registration('c', {
          publicKey: { 'with.dot': '$set', e: awkwardText },
          origin: 'demo',
          status: 'inactive',
        }),
      ];
      const { repository } = await openWith(kept);
      for (const record of kept) {
        expect(await repository.findRegistration(record.id)).toEqual(record);
        expect(await repository.findRegistrationOfClient(record.issuer, record.clientId)).toEqual(record);
      }
      expect(await repository.findRegistration('none')).toBeNull();
      expect(await repository.findRegistrationOfClient(kept[0]!.issuer, awkwardText)).toBeNull();
      expect(await repository.findRegistrationOfClient(kept[0]!.issuer, 'CLIENT OF A')).toBeNull();
    });

    test('have issuer and client id for themselves, on the whole host', async () => {
      const first = registration('a');
      const { repository } = await openWith([first]);
      const same = { issuer: first.issuer, clientId: first.clientId };
      expect(await repository.addRegistration(registration('b', { ...same, tenantId: 'paris' }))).toBe(false);
      expect(await repository.findRegistration('b')).toBeNull();
      expect(await repository.findRegistrationOfClient(same.issuer, same.clientId)).toEqual(first);
      expect(await repository.addRegistration(registration('c', { issuer: first.issuer }))).toBe(true);
      const elsewhere = registration('d', { ...same, issuer: 'https://other.example.org' });
      expect(await repository.addRegistration(elsewhere)).toBe(true);
    });

    test('of one issuer and client id are added by one of many', async () => {
      const { store, repository, openAnother } = await openWith();
      const added = await race([store, await openAnother()], 10, ({ ltiRegistrations }, number) =>
        ltiRegistrations.addRegistration(registration(`${number}`, { clientId: 'same' })),
      );
      expect(added.filter((done) => done)).toHaveLength(1);
      const { total, items } = await repository.listRegistrations(everything);
      expect([total, items[0]!.id]).toEqual([1, `${added.indexOf(true)}`]);
    });

    test('of an issuer are listed in the order of their ids', async () => {
      const { repository } = await openWith([
        ...['b', 'c', 'B', 'a'].map((id) => registration(id, { tenantId: id === 'a' ? 'paris' : 'lyon' })),
        registration('other', { issuer: 'https://moodle.example.org/' }),
      ]);
      const found = await repository.listRegistrationsOfIssuer('https://moodle.example.org');
      expect(ids(found)).toEqual(['B', 'a', 'b', 'c']);
      expect(found[1]).toEqual(registration('a', { tenantId: 'paris' }));
      expect(await repository.listRegistrationsOfIssuer('https://MOODLE.example.org')).toEqual([]);
    });

    test('of an issuer are listed up to a hundred', async () => {
      const { store, repository } = await openWith();
      const many = Array.from({ length: 101 }, (_, number) => registration(`${1_000 + number}`));
      await store.transfer.writeRecords(
        'ltiRegistrations',
        many.map((record) => ({ key: record.id, record: { ...record } })),
      );
      const found = await repository.listRegistrationsOfIssuer('https://moodle.example.org');
      expect(ids(found)).toEqual(ids(many.slice(0, 100)));
    });

    test('are replaced by the next version only', async () => {
      const { repository } = await openWith([registration('a', { version: 3 })]);
      const next = registration('a', {
        version: 4,
        clientId: 'new',
        name: 'New',
        status: 'inactive',
        publicKey: { e: 'AQAB' },
      });
      expect(await repository.replaceRegistration({ ...next, version: 3 })).toBe(false);
      expect(await repository.replaceRegistration({ ...next, version: 5 })).toBe(false);
      expect(await repository.replaceRegistration(registration('none', { version: 4 }))).toBe(false);
      expect(await repository.findRegistration('a')).toEqual(registration('a', { version: 3 }));
      expect(await repository.findRegistration('none')).toBeNull();
      expect(await repository.replaceRegistration(next)).toBe(true);
      expect(await repository.findRegistration('a')).toEqual(next);
      expect(await repository.findRegistrationOfClient(next.issuer, 'client of a')).toBeNull();
      expect(ids((await repository.listRegistrations({ ...everything, search: 'new' })).items)).toEqual(['a']);
    });

    test('are not replaced by one whose issuer and client id are taken', async () => {
      const { repository } = await openWith([registration('a'), registration('b')]);
      const taken = registration('b', { clientId: 'client of a', version: 2 });
      expect(await repository.replaceRegistration(taken)).toBe(false);
      expect(await repository.findRegistration('b')).toEqual(registration('b'));
    });

    test('are replaced by one of many', async () => {
      const { store, repository, openAnother } = await openWith([registration('a')]);
      const replaced = await race([store, await openAnother()], 10, ({ ltiRegistrations }, number) =>
        ltiRegistrations.replaceRegistration(registration('a', { name: `by ${number}`, version: 2 })),
      );
      expect(replaced.filter((done) => done)).toHaveLength(1);
      expect((await repository.findRegistration('a'))!.name).toBe(`by ${replaced.indexOf(true)}`);
    });

    test('are listed by name or time, ties in the order of the ids', async () => {
      const { repository } = await openWith([
        registration('c', { name: 'école', createdAt: at(2) }),
        registration('b', { name: 'Ecole', createdAt: at(1) }),
        registration('a', { name: 'Zebra', createdAt: at(2) }),
        registration('d', { name: 'apple', createdAt: at(0), tenantId: 'paris' }),
      ]);
      const listed = async (changes: Partial<LtiRegistrationListRequest>) =>
        ids((await repository.listRegistrations({ ...everything, ...changes })).items);
      expect(await listed({})).toEqual(['d', 'b', 'c', 'a']);
      expect(await listed({ descending: true })).toEqual(['a', 'b', 'c', 'd']);
      expect(await listed({ sort: 'createdAt' })).toEqual(['d', 'b', 'a', 'c']);
      expect(await listed({ sort: 'createdAt', descending: true })).toEqual(['a', 'c', 'b', 'd']);
      const list = (page: { page: number; pageSize: number }) =>
        repository.listRegistrations({ ...everything, ...page });
      const { items, sizes, total } = await readPages(list, 3);
      expect([ids(items), sizes, total]).toEqual([['d', 'b', 'c', 'a'], [3, 1, 0], 4]);
    });

    test('are found in a scope by part of name, issuer or client id', async () => {
      const { repository } = await openWith([
        registration('a', { name: 'Université' }),
        registration('b', { issuer: 'https://Canvas.example.org', tenantId: 'paris' }),
        registration('c', { clientId: '100%_Client' }),
      ]);
      const found = async (search: string, scope: LtiRegistrationListRequest['scope'] = null) =>
        ids((await repository.listRegistrations({ ...everything, search, scope })).items).toSorted();
      expect(await found('UNIVERSITE')).toEqual(['a']);
      expect(await found('canvas.')).toEqual(['b']);
      expect(await found('%_c')).toEqual(['c']);
      expect(await found('moodle.example')).toEqual(['a', 'c']);
      expect(await found('universitehttps')).toEqual([]);
      expect(await found('', ['lyon'])).toEqual(['a', 'c']);
      expect(await found('', ['none', 'paris'])).toEqual(['b']);
      expect(await found('canvas', ['lyon'])).toEqual([]);
      expect(await found('', [])).toEqual([]);
    });

    test('give the public keys of all of them, in the order of the ids', async () => {
      const { repository } = await openWith([
        registration('b', { status: 'inactive' }),
        registration('a', { tenantId: 'paris' }),
      ]);
      expect(await repository.listPublicKeys()).toEqual([
        { keyId: 'key of a', publicKey: registration('a').publicKey },
        { keyId: 'key of b', publicKey: registration('b').publicKey },
      ]);
    });

    test('give a thousand public keys at most', async () => {
      const { store, repository } = await openWith();
      const many = Array.from({ length: 1_001 }, (_, number) => registration(`${10_000 + number}`));
      for (const part of [many.slice(0, 500), many.slice(500)])
        await store.transfer.writeRecords(
          'ltiRegistrations',
          part.map((record) => ({ key: record.id, record: { ...record } })),
        );
      const keys = await repository.listPublicKeys();
      expect(keys.map(({ keyId }) => keyId)).toEqual(many.slice(0, 1_000).map(({ keyId }) => keyId));
    });

    test('make room for another one when they are removed', async () => {
      const { repository } = await openWith([registration('a'), registration('b')]);
      expect(await repository.removeRegistration('a')).toBe(true);
      expect(await repository.removeRegistration('a')).toBe(false);
      expect(await repository.findRegistration('a')).toBeNull();
      expect(await repository.findRegistration('b')).toEqual(registration('b'));
      expect(await repository.addRegistration(registration('c', { clientId: 'client of a' }))).toBe(true);
    });
  });
}
