import { describe, expect, test } from 'vitest';
import type {
  AssistantClientRecord,
  AssistantGrantListRequest,
  AssistantGrantRecord,
} from '../../../src/ports/store/store.ts';
import { registration } from './lti-records.ts';
import { ids, type OpenStore, race } from './opened-store.ts';
import { admin, at, awkwardText, tenant } from './records.ts';

export const assistantClient = (id: string, changes: Partial<AssistantClientRecord> = {}): AssistantClientRecord => ({
  id,
  name: `Assistant ${id}`,
  redirectUris: ['http://127.0.0.1/callback', 'assistant:/callback'],
  createdAt: at(0),
  lastUsedAt: null,
  ...changes,
});

export const assistantGrant = (id: string, changes: Partial<AssistantGrantRecord> = {}): AssistantGrantRecord => ({
  id,
  tenantId: 'lyon',
  adminId: 'ada',
  registrationId: null,
  person: null,
  personName: null,
  clientId: 'client',
  clientName: `Assistant ${id}`,
  resource: 'https://host.example/mcp',
  accessHash: `access of ${id}`,
  accessExpiresAt: at(60),
  refreshHash: `refresh of ${id}`,
  familyHash: `family of ${id}`,
  createdAt: at(0),
  lastUsedAt: null,
  expiresAt: at(1_000),
  ...changes,
});

const request = (changes: Partial<AssistantGrantListRequest> = {}): AssistantGrantListRequest => ({
  scope: null,
  adminId: null,
  search: '',
  sort: 'createdAt',
  descending: false,
  page: 0,
  pageSize: 100,
  ...changes,
});

export function describeAssistants(open: OpenStore): void {
  const openWith = async (grants: readonly AssistantGrantRecord[] = []) => {
    const opened = await open();
    const { store } = opened;
    for (const id of ['lyon', 'paris']) await store.tenants.addTenant(tenant(id));
    for (const id of ['ada', 'bob']) await store.admins.addAdmin(admin(id));
    for (const grant of grants) await store.assistants.addAssistantGrant(grant);
    return { ...opened, assistants: store.assistants };
  };

  describe('assistants', () => {
    test('come back as they registered, and remember when they were let in last', async () => {
      const { assistants } = await openWith();
      const kept = [assistantClient('a', { name: awkwardText, redirectUris: [awkwardText] }), assistantClient('b')];
      for (const client of kept) await assistants.addAssistantClient(client);
      for (const client of kept) expect(await assistants.findAssistantClient(client.id)).toEqual(client);
      expect(await assistants.findAssistantClient('none')).toBeNull();
      await assistants.noteAssistantClientUse('b', at(5));
      await assistants.noteAssistantClientUse('b', at(4));
      await assistants.noteAssistantClientUse('none', at(4));
      expect((await assistants.findAssistantClient('b'))!.lastUsedAt).toEqual(at(5));
    });

    test('without a grant are removed after a while', async () => {
      const { assistants } = await openWith([assistantGrant('a', { clientId: 'granted' })]);
      for (const client of [
        assistantClient('old'),
        assistantClient('once used', { lastUsedAt: at(9) }),
        assistantClient('granted'),
        assistantClient('just let in', { lastUsedAt: at(10) }),
        assistantClient('new', { createdAt: at(10) }),
      ])
        await assistants.addAssistantClient(client);
      expect(await assistants.countAssistantClients()).toBe(5);
      expect(await assistants.removeIdleAssistantClients(at(10))).toBe(2);
      for (const id of ['old', 'once used']) expect(await assistants.findAssistantClient(id)).toBeNull();
      expect(await assistants.countAssistantClients()).toBe(3);
      await assistants.removeAssistantGrant('a');
      expect(await assistants.removeIdleAssistantClients(at(10))).toBe(1);
      expect(await assistants.findAssistantClient('granted')).toBeNull();
    });
  });

  describe('grants of assistants', () => {
    test('come back as they were given, by id and by each of their tokens', async () => {
      const renewed = assistantGrant('b', {
        lastUsedAt: at(3),
        clientName: awkwardText,
      });
      const { assistants } = await openWith([assistantGrant('a'), renewed]);
      for (const grant of [assistantGrant('a'), renewed]) {
        expect(await assistants.findAssistantGrant(grant.id)).toEqual(grant);
        expect(await assistants.findAssistantGrantByAccess(grant.accessHash)).toEqual(grant);
        expect(await assistants.findAssistantGrantByFamily(grant.familyHash)).toEqual(grant);
      }
      expect(await assistants.findAssistantGrantByFamily('refresh of a')).toBeNull();
      expect(await assistants.findAssistantGrantByAccess('refresh of a')).toBeNull();
      expect(await assistants.findAssistantGrant('none')).toBeNull();
    });

    test('with a token that is taken are refused', async () => {
      const { assistants } = await openWith([assistantGrant('a')]);
      for (const taken of [
        { accessHash: 'access of a' },
        { refreshHash: 'refresh of a' },
        { familyHash: 'family of a' },
      ])
        await expect(assistants.addAssistantGrant(assistantGrant('b', taken))).rejects.toThrow();
    });

    test('are renewed once by each refresh token, whoever is quicker', async () => {
      const { assistants, store, openAnother } = await openWith([assistantGrant('a')]);
      const other = await openAnother();
      const renewals = await race([store, other], 8, (each, number) =>
        each.assistants.renewAssistantGrant(
          assistantGrant('a', {
            refreshHash: `new ${number}`,
            accessHash: `access ${number}`,
          }),
          'refresh of a',
        ),
      );
      expect(renewals.filter(Boolean)).toHaveLength(1);
      const winner = renewals.indexOf(true);
      expect(await assistants.findAssistantGrantByFamily('family of a')).toMatchObject({
        refreshHash: `new ${winner}`,
        accessHash: `access ${winner}`,
      });
      expect(await assistants.renewAssistantGrant(assistantGrant('none'), 'refresh of none')).toBe(false);
    });

    test('are listed by age, name or last use, of a scope, of a person, by part of the name', async () => {
      const { assistants } = await openWith([
        assistantGrant('c', { clientName: 'Écho', createdAt: at(2), lastUsedAt: at(9) }),
        assistantGrant('b', { clientName: 'alpha', createdAt: at(2) }),
        assistantGrant('a', { clientName: 'Beta', createdAt: at(3), lastUsedAt: at(8) }),
        assistantGrant('d', { clientName: 'delta', createdAt: at(1), tenantId: 'paris', adminId: 'bob' }),
      ]);
      const listed = async (changes: Partial<AssistantGrantListRequest>) =>
        ids((await assistants.listAssistantGrants(request(changes))).items);
      expect(await listed({})).toEqual(['d', 'b', 'c', 'a']);
      expect(await listed({ descending: true })).toEqual(['a', 'b', 'c', 'd']);
      expect(await listed({ sort: 'clientName' })).toEqual(['b', 'a', 'd', 'c']);
      expect(await listed({ sort: 'lastUsedAt', descending: true })).toEqual(['c', 'a', 'b', 'd']);
      expect(await listed({ sort: 'lastUsedAt' })).toEqual(['a', 'c', 'b', 'd']);
      expect(await listed({ scope: ['paris'] })).toEqual(['d']);
      expect(await listed({ scope: [] })).toEqual([]);
      expect(await listed({ adminId: 'bob' })).toEqual(['d']);
      expect(await listed({ search: 'ech' })).toEqual(['c']);
      expect(await assistants.listAssistantGrants(request({ page: 1, pageSize: 3 }))).toMatchObject({
        total: 4,
      });
    });

    test('keep the latest instant of use, and end once', async () => {
      const { assistants } = await openWith([assistantGrant('a')]);
      await assistants.noteAssistantGrantUse('a', at(5));
      await assistants.noteAssistantGrantUse('a', at(4));
      expect((await assistants.findAssistantGrant('a'))!.lastUsedAt).toEqual(at(5));
      expect(await assistants.removeAssistantGrant('a')).toBe(true);
      expect(await assistants.removeAssistantGrant('a')).toBe(false);
      expect(await assistants.findAssistantGrantByAccess('access of a')).toBeNull();
    });

    test('that have ended are removed, to the moment', async () => {
      const { assistants } = await openWith([
        assistantGrant('a', { expiresAt: at(10) }),
        assistantGrant('b', { expiresAt: at(11) }),
      ]);
      expect(await assistants.removeEndedAssistantGrants(at(10))).toBe(1);
      expect(await assistants.removeEndedAssistantGrants(at(10))).toBe(0);
      expect(ids((await assistants.listAssistantGrants(request())).items)).toEqual(['b']);
    });

    test('end with their administrator', async () => {
      const { assistants, store } = await openWith([assistantGrant('a'), assistantGrant('b', { adminId: 'bob' })]);
      await store.admins.removeAdmin('ada');
      expect(ids((await assistants.listAssistantGrants(request())).items)).toEqual(['b']);
    });

    test('of teachers come back with their name, and end with their platform', async () => {
      const { assistants, store } = await openWith([assistantGrant('a')]);
      for (const id of ['r1', 'r2'])
        await store.ltiRegistrations.addRegistration(registration(id, { tenantId: 'lyon', clientId: id }));
      const ofTeacher = (id: string, registrationId: string) =>
        assistantGrant(id, {
          adminId: null,
          registrationId,
          person: `lti:${registrationId}:7`,
          personName: awkwardText,
        });
      for (const grant of [ofTeacher('b', 'r1'), ofTeacher('c', 'r2')]) await assistants.addAssistantGrant(grant);
      expect(await assistants.findAssistantGrant('b')).toEqual(ofTeacher('b', 'r1'));
      expect(await assistants.listAssistantGrantsOf('lyon', 'lti:r1:7')).toEqual([ofTeacher('b', 'r1')]);
      expect(await assistants.listAssistantGrantsOf('paris', 'lti:r1:7')).toEqual([]);
      await store.ltiRegistrations.removeRegistration('r1');
      expect(ids((await assistants.listAssistantGrants(request())).items)).toEqual(['a', 'c']);
    });
  });
}
