import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMongoStore } from '../../../../src/adapters/store/mongo/mongo-store.ts';
import { DEFAULT_TENANT } from '../../../../src/domain/tenant.ts';
import type { Store } from '../../../../src/ports/store/store.ts';
import { type Assistants, createAssistants } from '../../../../src/services/tenants/assistants/assistants.ts';
import { registration } from '../../../contract/store/lti-records.ts';
import { admin } from '../../../contract/store/records.ts';
import { createStandingClock, type StandingClock } from '../../../fakes/clock.ts';
import { startMongoServer } from '../../../helpers/mongo-server.ts';
import { type OpenedServices, openServices, tester } from '../../../helpers/open-services.ts';
import { openTestStore } from '../../../helpers/test-store.ts';

const mongo = await startMongoServer();
afterAll(() => mongo?.stop());

const stores = [
  { name: 'SQLite', newOpener: () => openTestStore },
  ...(mongo === null
    ? []
    : [
        {
          name: `MongoDB (${mongo.kind})`,
          newOpener: () => {
            const uri = mongo.newUri();
            return () => createMongoStore(uri);
          },
        },
      ]),
];

const verifier = 'v'.repeat(43);
const redirectUri = 'https://a.example/cb';

describe.each(stores)('a code that two hosts on one store get, $name', ({ newOpener }) => {
  let services: OpenedServices<StandingClock>;
  let otherStore: Store;
  beforeEach(async () => {
    const open = newOpener();
    services = await openServices(createStandingClock(), open);
    otherStore = await open(services.file);
    await services.store.admins.addAdmin(admin('ada', { tenants: [DEFAULT_TENANT] }));
  });
  afterEach(async () => {
    await otherStore.close();
    await services.close();
  });

  /** The assistants of one more host. */
  const hostOn = (store: Store, resource = 'https://host.example/mcp'): Assistants =>
    createAssistants({
      ...store,
      apiAccess: services.apiAccess,
      audit: services.audit,
      keyring: services.keyring,
      clock: services.clock,
      resource,
      issuer: 'https://host.example',
      outbound: { request: () => Promise.reject(new Error('nothing is called')) },
      onProblem: (error) => services.problems.push(error),
    });

  async function begin({ clients, authorizations }: Assistants) {
    const { id: clientId } = await clients.register({ name: 'A', redirectUris: [redirectUri] }, 'address');
    const codeChallenge = createHash('sha256').update(verifier).digest('base64url');
    const pending = await authorizations.begin({
      address: 'address',
      clientId,
      redirectUri,
      responseType: 'code',
      codeChallenge,
      codeChallengeMethod: 'S256',
      scope: undefined,
      state: undefined,
      resource: undefined,
    });
    return { clientId, pending };
  }
  const toExchange = (address: string, clientId: string) => {
    const code = new URL(address).searchParams.get('code')!;
    return { code, clientId, redirectUri, codeVerifier: verifier, resource: undefined };
  };

  async function letIn(assistants: Assistants) {
    const { clientId, pending } = await begin(assistants);
    const consent = { adminId: 'ada', tenantId: DEFAULT_TENANT };
    return toExchange(await assistants.authorizations.approve(tester, pending, consent), clientId);
  }
  const refused = { code: 'ASSISTANT_REFUSED', data: { error: 'invalid_grant' } };
  const countGrants = async () => {
    const all = { scope: null, adminId: null, search: '', sort: 'createdAt', descending: false } as const;
    return (await services.store.assistants.listAssistantGrants({ ...all, page: 0, pageSize: 9 })).total;
  };

  test('gives one grant at most, whoever is quicker, and none where it was shown twice', async () => {
    const hosts = [hostOn(services.store), hostOn(otherStore)] as const;
    for (let round = 0; round < 5; round++) {
      const exchange = await letIn(hosts[0]);
      const tries = await Promise.allSettled([0, 1, 0, 1].map((each) => hosts[each]!.grants.exchangeCode(exchange)));
      const given = tries.filter(({ status }) => status === 'fulfilled');
      expect(given.length).toBeLessThanOrEqual(1);
      expect(await countGrants()).toBe(0);
    }
  });

  test.each(['before', 'after'] as const)(
    'gives none where it is shown again just %s the grant is kept',
    async (when) => {
      const other = hostOn(otherStore);
      const again = () => expect(other.grants.exchangeCode(exchange)).rejects.toMatchObject(refused);
      const { assistants } = services.store;
      const one = hostOn({
        ...services.store,
        assistants: {
          ...assistants,
          async addAssistantGrant(record) {
            if (when === 'before') await again();
            await assistants.addAssistantGrant(record);
            if (when === 'after') await again();
          },
        },
      });
      const exchange = await letIn(one);
      await expect(one.grants.exchangeCode(exchange)).rejects.toMatchObject(refused);
      expect(await countGrants()).toBe(0);
    },
  );

  test('ends what came of it however late it is shown again, and is not given by another code', async () => {
    const [one, other] = [hostOn(services.store), hostOn(otherStore)];
    const exchange = await letIn(one);
    await one.grants.exchangeCode(exchange);
    await one.grants.exchangeCode(await letIn(one));
    services.clock.advance(30 * 24 * 3_600_000);
    await expect(other.grants.exchangeCode(exchange)).rejects.toMatchObject(refused);
    expect(await countGrants()).toBe(1);
  });

  test('gives the same tokens for a refresh token that is sent again, on any host, for half a minute', async () => {
    const hosts = [hostOn(services.store), hostOn(otherStore)] as const;
    const exchange = await letIn(hosts[0]);
    const renewal = { clientId: exchange.clientId, resource: undefined };
    const { refreshToken } = await hosts[0].grants.exchangeCode(exchange);
    const renew = (host: 0 | 1, token: string) => hosts[host].grants.renew({ ...renewal, refreshToken: token });
    const [first, ...others] = await Promise.all([0, 1, 0, 1].map((host) => renew(host as 0 | 1, refreshToken)));
    for (const other of others) expect(other).toEqual(first);
    services.clock.advance(29_000);
    expect(await renew(1, refreshToken)).toEqual({ ...first, expiresInSeconds: 3_571 });
    await hosts[0].access.authorize(first!.accessToken);
    const next = await renew(0, first!.refreshToken);
    expect(next.refreshToken).not.toBe(first!.refreshToken);
    services.clock.advance(30_000);
    await expect(renew(0, first!.refreshToken)).rejects.toMatchObject(refused);
    expect(await countGrants()).toBe(0);
  });

  test('lasts a year, however often it is renewed', async () => {
    const assistants = hostOn(services.store);
    const exchange = await letIn(assistants);
    const renewal = { clientId: exchange.clientId, resource: undefined };
    let { refreshToken } = await assistants.grants.exchangeCode(exchange);
    for (let days = 80; days < 365; days += 80) {
      services.clock.advance(80 * 24 * 3_600_000);
      ({ refreshToken } = await assistants.grants.renew({ ...renewal, refreshToken }));
    }
    services.clock.advance(45 * 24 * 3_600_000);
    await expect(assistants.grants.renew({ ...renewal, refreshToken })).rejects.toMatchObject(refused);
  });

  test('ends where another assistant sends a former refresh token', async () => {
    const assistants = hostOn(services.store);
    const exchange = await letIn(assistants);
    const { refreshToken } = await assistants.grants.exchangeCode(exchange);
    const renewal = { refreshToken, clientId: exchange.clientId, resource: undefined };
    await assistants.grants.renew(renewal);
    const { clientId } = await letIn(assistants);
    await expect(assistants.grants.renew({ ...renewal, clientId })).rejects.toMatchObject(refused);
    expect(await countGrants()).toBe(0);
  });

  test.each(['the institution', 'their account', 'a role by claim for lack of sign-ins'])(
    'gives tokens that end once its person loses %s',
    async (lost) => {
      const assistants = hostOn(services.store);
      const { accessToken, refreshToken } = await assistants.grants.exchangeCode(await letIn(assistants));
      const { tenant, person } = await hostOn(otherStore).access.authorize(accessToken);
      expect(tenant.id).toBe(DEFAULT_TENANT);
      expect(person).toEqual({ tenantId: DEFAULT_TENANT, person: 'admin:ada' });
      const elsewhere = hostOn(services.store, 'https://other.example/mcp').access;
      await expect(elsewhere.authorize(accessToken)).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
      if (lost === 'their account') await services.store.admins.removeAdmin('ada');
      else if (lost === 'the institution')
        await services.store.admins.replaceAdmin(admin('ada', { tenants: ['another'], version: 2 }));
      else {
        const lastSignInAt = new Date(services.clock.now().getTime() - 30 * 24 * 3_600_000);
        const byClaim = { tenants: [DEFAULT_TENANT], roleClaim: 'staff' };
        await services.store.admins.replaceAdmin(admin('ada', { ...byClaim, lastSignInAt, version: 2 }));
      }
      services.clock.advance(501);
      for (const token of [accessToken, refreshToken])
        await expect(assistants.access.authorize(token)).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
    },
  );

  describe('of a teacher, by a code from the course', () => {
    const person = 'lti:moodle:grace';
    const teacher = { tenantId: DEFAULT_TENANT, registrationId: 'moodle', person, personName: 'Grace <Hopper>' };
    const typed = (code: string, address = '192.0.2.1') => ({ code, address });
    beforeEach(async () => {
      await services.store.ltiRegistrations.addRegistration(registration('moodle', { tenantId: DEFAULT_TENANT }));
    });

    test('is theirs in the institution, listed with their name, audited, and revocable', async () => {
      const [one, other] = [hostOn(services.store), hostOn(otherStore)];
      const code = await one.authorizations.createTeacherCode(teacher);
      expect(code).toMatch(/^[A-Z2-9]{4}-[A-Z2-9]{4}$/);
      const { clientId, pending } = await begin(one);
      const lower = typed(code.toLowerCase().replace('-', ' '));
      const address = await other.authorizations.approveByTeacher(pending, lower);
      const { accessToken } = await one.grants.exchangeCode(toExchange(address, clientId));
      const caller = await other.access.authorize(accessToken);
      expect([caller.tenant.id, caller.person]).toEqual([DEFAULT_TENANT, { tenantId: DEFAULT_TENANT, person }]);
      const all = { scope: null, adminId: null, search: '', sort: 'createdAt', descending: false } as const;
      const [grant] = (await one.grants.list({ ...all, page: 0, pageSize: 9 })).items;
      expect(grant).toMatchObject({ adminId: null, person, personName: 'Grace <Hopper>' });
      const { items } = await services.audit.listEntries({
        scope: null,
        action: 'assistant.connected',
        period: { from: null, until: null },
        search: '',
        ascending: true,
        page: 0,
        pageSize: 9,
      });
      expect(items[0]!.actor).toEqual({ kind: 'teacher', id: person, name: 'Grace <Hopper>', address: '192.0.2.1' });
      await one.grants.end(tester, grant!.id);
      services.clock.advance(501);
      await expect(other.access.authorize(accessToken)).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
    });

    test('lets in once, whoever is quicker, and stores the code as a hash only', async () => {
      const hosts = [hostOn(services.store), hostOn(otherStore)] as const;
      const code = await hosts[0].authorizations.createTeacherCode(teacher);
      const requests = await Promise.all([0, 1, 0, 1].map(() => begin(hosts[0])));
      const tries = await Promise.allSettled(
        requests.map(({ pending }, at) => hosts[at % 2]!.authorizations.approveByTeacher(pending, typed(code))),
      );
      expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const refusals = tries.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []));
      expect(new Set(refusals)).toEqual(new Set(['LINK_CODE_INVALID']));
      const next = await hosts[0].authorizations.createTeacherCode(teacher);
      for (const name of [next, next.replace('-', '')])
        expect(
          await services.store.nonces.findNonce(`assistant-teacher-code ${name}`, services.clock.now()),
        ).toBeNull();
    });

    test('is refused after ten minutes, and after ten tries of one network', async () => {
      const assistants = hostOn(services.store);
      const { authorizations } = assistants;
      const old = await authorizations.createTeacherCode(teacher);
      services.clock.advance(10 * 60_000);
      const { pending } = await begin(assistants);
      const type = (code: string, address?: string) => authorizations.approveByTeacher(pending, typed(code, address));
      await expect(type(old)).rejects.toMatchObject({ code: 'LINK_CODE_INVALID' });
      const code = await authorizations.createTeacherCode(teacher);
      for (let tries = 1; tries < 10; tries++)
        await expect(type('AAAA-AAAA')).rejects.toMatchObject({ code: 'LINK_CODE_INVALID' });
      await expect(type(code)).rejects.toMatchObject({ code: 'LINK_CODE_THROTTLED' });
      expect(await type(code, '198.51.100.1')).toContain('code=');
    });

    test('is refused where the request is over, and where the institution turned assistants off', async () => {
      const assistants = hostOn(services.store);
      const { authorizations } = assistants;
      const code = await authorizations.createTeacherCode(teacher);
      await expect(authorizations.approveByTeacher('none', typed(code))).rejects.toMatchObject({
        code: 'ASSISTANT_REFUSED',
      });
      const { pending } = await begin(assistants);
      const { version } = await services.tenants.getTenant(DEFAULT_TENANT);
      await services.tenants.changeTenant(tester, DEFAULT_TENANT, { version, hasAssistants: false });
      const off = { code: 'ASSISTANTS_OFF' };
      await expect(authorizations.approveByTeacher(pending, typed(code))).rejects.toMatchObject(off);
      await expect(authorizations.createTeacherCode(teacher)).rejects.toMatchObject(off);
      await services.tenants.changeTenant(tester, DEFAULT_TENANT, { version: version + 1, hasAssistants: true });
      expect(await authorizations.approveByTeacher(pending, typed(code))).toContain('code=');
    });

    test('ends while its platform is not active', async () => {
      const assistants = hostOn(services.store);
      const { clientId, pending } = await begin(assistants);
      const code = await assistants.authorizations.createTeacherCode(teacher);
      const address = await assistants.authorizations.approveByTeacher(pending, typed(code));
      const { accessToken } = await assistants.grants.exchangeCode(toExchange(address, clientId));
      await services.ltiRegistrations.deactivate(tester, 'moodle');
      services.clock.advance(501);
      await expect(assistants.access.authorize(accessToken)).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
    });
  });
});
