import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMongoStore } from '../../../../src/adapters/store/mongo/mongo-store.ts';
import { DEFAULT_TENANT } from '../../../../src/domain/tenant.ts';
import type { Store } from '../../../../src/ports/store/store.ts';
import { type Assistants, createAssistants } from '../../../../src/services/tenants/assistants/assistants.ts';
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
      ...{ apiAccess: services.apiAccess, audit: services.audit },
      ...{ keyring: services.keyring, clock: services.clock },
      ...{ resource, issuer: 'https://host.example' },
      outbound: { request: () => Promise.reject(new Error('nothing is called')) },
      onProblem: (error) => services.problems.push(error),
    });

  async function letIn({ clients, authorizations }: Assistants) {
    const { id: clientId } = await clients.register({ name: 'A', redirectUris: [redirectUri] }, 'address');
    const codeChallenge = createHash('sha256').update(verifier).digest('base64url');
    const pending = await authorizations.begin({
      address: 'address',
      ...{ clientId, redirectUri, responseType: 'code', codeChallenge, codeChallengeMethod: 'S256' },
      ...{ scope: undefined, state: undefined, resource: undefined },
    });
    const address = await authorizations.approve(tester, pending, {
      adminId: 'ada',
      tenantId: DEFAULT_TENANT,
    });
    const code = new URL(address).searchParams.get('code')!;
    return { code, clientId, redirectUri, codeVerifier: verifier, resource: undefined };
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

  test.each(['the institution', 'their account'])('gives tokens that end once its person loses %s', async (lost) => {
    const assistants = hostOn(services.store);
    const { accessToken, refreshToken } = await assistants.grants.exchangeCode(await letIn(assistants));
    const { tenant, person } = await hostOn(otherStore).access.authorize(accessToken);
    expect(tenant.id).toBe(DEFAULT_TENANT);
    expect(person).toEqual({ tenantId: DEFAULT_TENANT, person: 'admin:ada' });
    const elsewhere = hostOn(services.store, 'https://other.example/mcp').access;
    await expect(elsewhere.authorize(accessToken)).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
    if (lost === 'their account') await services.store.admins.removeAdmin('ada');
    else await services.store.admins.replaceAdmin(admin('ada', { tenants: ['another'], version: 2 }));
    services.clock.advance(501);
    for (const token of [accessToken, refreshToken])
      await expect(assistants.access.authorize(token)).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
  });
});
