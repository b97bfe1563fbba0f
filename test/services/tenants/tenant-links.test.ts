import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemActor } from '../../../src/domain/admin.ts';
import { AppError } from '../../../src/errors.ts';
import type { AdminRecord } from '../../../src/ports/store/store.ts';
import type { StandingClock } from '../../fakes/clock.ts';
import { type OpenedServices, openServices, tester } from '../../helpers/open-services.ts';

const HOUR_MS = 3_600_000;
const invalid = { code: 'LINK_INVALID' };

let services: OpenedServices<StandingClock>;
let tenantId: string;
beforeEach(async () => {
  services = await openServices();
  tenantId = (await services.tenants.createTenant(tester, 'School')).id;
  await services.store.admins.addAdmin(ada);
});
afterEach(() => services.close());

/** Who makes the links. */
const ada: AdminRecord = {
  id: 'ada',
  name: 'Ada',
  passwordHash: null,
  secondFactor: null,
  roleClaim: null,
  oidcSubject: null,
  role: 'owner',
  tenants: null,
  createdAt: new Date(0),
  lastSignInAt: null,
  sessionsValidFrom: new Date(0),
  version: 1,
};

const create = () => services.ltiRegistrationLinks.create(tester, tenantId);
const getLink = (token: string) => services.ltiRegistrationLinks.getLink(token);
const use = <T>(token: string, work: () => Promise<T>) => services.ltiRegistrationLinks.use(token, work);

test('says who made it, for which tenant and for how long, as often as it is looked at', async () => {
  const { token, expiresAt } = await create();
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(expiresAt.getTime() - services.clock.now().getTime()).toBe(24 * HOUR_MS);
  for (let i = 0; i < 2; i++) expect(await getLink(token)).toEqual({ tenantId, actor: tester, expiresAt });
});

test('is used once, with what it says', async () => {
  const { token, expiresAt } = await create();
  const links: unknown[] = [];
  const given = await services.ltiRegistrationLinks.use(token, async (link) => {
    links.push(link);
    return 'done';
  });
  expect(given).toBe('done');
  expect(links).toEqual([{ tenantId, actor: tester, expiresAt }]);
  await expect(use(token, async () => links.push('again'))).rejects.toMatchObject(invalid);
  await expect(getLink(token)).rejects.toMatchObject(invalid);
  expect(links).toHaveLength(1);
});

test('is used by one of two who do so at once', async () => {
  const { token } = await create();
  let begun = 0;
  const used = await Promise.allSettled([1, 2].map(() => use(token, async () => ++begun)));
  expect(begun).toBe(1);
  expect(used.filter(({ status }) => status === 'rejected')).toMatchObject([{ reason: invalid }]);
});

test('is given back where the work fails, and not for longer than before', async () => {
  const { token, expiresAt } = await create();
  services.clock.advance(HOUR_MS);
  const taken = new AppError('REGISTRATION_TAKEN', 'Taken.');
  await expect(use(token, () => Promise.reject(taken))).rejects.toBe(taken);
  expect(await getLink(token)).toMatchObject({ expiresAt });
  services.clock.advance(23 * HOUR_MS);
  await expect(getLink(token)).rejects.toMatchObject(invalid);
});

test.each<[string, Partial<AdminRecord>]>([
  ['may only look now', { role: 'viewer' }],
  ['has other tenants now', { role: 'manager', tenants: ['default'] }],
])('is worth nothing when who made it %s', async (_what, change) => {
  const { token } = await create();
  await services.store.admins.replaceAdmin({ ...ada, ...change, version: 2 });
  await expect(getLink(token)).rejects.toMatchObject(invalid);
  await expect(use(token, async () => expect.unreachable())).rejects.toMatchObject(invalid);
});

test('is worth nothing when who made it is gone, and stays where nobody in particular did', async () => {
  const { token } = await create();
  const ofHost = await services.ltiRegistrationLinks.create(systemActor, tenantId);
  await services.store.admins.replaceAdmin({ ...ada, role: 'manager', tenants: [tenantId], version: 2 });
  expect(await getLink(token)).toMatchObject({ tenantId });
  await services.store.admins.removeAdmin(ada.id);
  await expect(getLink(token)).rejects.toMatchObject(invalid);
  expect(await getLink(ofHost.token)).toMatchObject({ actor: systemActor });
});

test('ends after a day', async () => {
  const { token } = await create();
  services.clock.advance(24 * HOUR_MS - 1);
  expect(await getLink(token)).toMatchObject({ tenantId });
  services.clock.advance(1);
  await expect(getLink(token)).rejects.toMatchObject(invalid);
  await expect(use(token, async () => undefined)).rejects.toMatchObject(invalid);
});

test('cannot be guessed from what the store has, nor from anything else', async () => {
  const { token } = await create();
  expect(await services.store.nonces.findNonce(`lti-registration-link ${token}`, services.clock.now())).toBeNull();
  for (const other of ['', 'x'.repeat(43), `${token} `, token.slice(1)])
    await expect(getLink(other)).rejects.toMatchObject(invalid);
});

test('is in the audit trail without its token', async () => {
  const { token } = await create();
  const filter = {
    scope: [tenantId],
    action: 'link.created',
    search: '',
    period: { from: null, until: null },
  };
  const { items } = await services.audit.listEntries({ ...filter, ascending: true, page: 0, pageSize: 10 });
  expect(items).toMatchObject([{ actor: tester, tenantId, target: 'registration' }]);
  expect(JSON.stringify(items)).not.toContain(token);
});

test('is worth nothing for another purpose, and the audit trail tells which it has', async () => {
  const { slackInstallLinks, ltiRegistrationLinks } = services;
  const { token } = await slackInstallLinks.create(tester, tenantId);
  await expect(ltiRegistrationLinks.getLink(token)).rejects.toMatchObject(invalid);
  expect(await slackInstallLinks.getLink(token)).toMatchObject({ tenantId });
  await expect(slackInstallLinks.getLink((await create()).token)).rejects.toMatchObject(invalid);
  const period = { from: null, until: null };
  const filter = { scope: [tenantId], action: 'link.created', search: '', period };
  const { items } = await services.audit.listEntries({ ...filter, ascending: true, page: 0, pageSize: 10 });
  expect(items.map(({ target }) => target)).toEqual(['slack-install', 'registration']);
});

test('is for a tenant that is there and active', async () => {
  await services.tenants.disableTenant(tester, tenantId);
  await expect(create()).rejects.toMatchObject({ code: 'TENANT_DISABLED' });
  tenantId = 'none';
  await expect(create()).rejects.toMatchObject({ code: 'TENANT_UNKNOWN' });
});
