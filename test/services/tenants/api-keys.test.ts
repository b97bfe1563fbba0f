import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ApiKeyListRequest } from '../../../src/ports/store/store.ts';
import type { NewApiKey } from '../../../src/services/tenants/api-keys.ts';
import { createApiKeys, describeEndingApiKeys, summariseApiKeys } from '../../../src/services/tenants/api-keys.ts';
import type { StandingClock } from '../../fakes/clock.ts';
import { anyApiKey, type OpenedServices, openServices, tester } from '../../helpers/open-services.ts';

let services: OpenedServices<StandingClock>;
beforeEach(async () => {
  services = await openServices();
});
afterEach(() => services.close());

const make = (changes: Partial<NewApiKey> = {}) => services.apiKeys.createApiKey(tester, { ...anyApiKey, ...changes });
const everyKey: ApiKeyListRequest = {
  scope: null,
  search: '',
  sort: 'createdAt',
  descending: false,
  page: 0,
  pageSize: 100,
};
const trail = async () =>
  (
    await services.audit.listEntries({
      scope: null,
      action: null,
      period: { from: null, until: null },
      search: '',
      ascending: false,
      page: 0,
      pageSize: 100,
    })
  ).items;

test('a key is sk_ and 32 url-safe characters, never twice the same, never kept', async () => {
  const made = [await make(), await make()];
  for (const { key } of made) expect(key).toMatch(/^sk_[\w-]{32}$/);
  expect(made[0]!.key).not.toBe(made[1]!.key);
  const kept = JSON.stringify([await services.store.apiKeys.listApiKeys(everyKey), await trail()]);
  for (const { key } of made) expect(kept).not.toContain(key.slice(3));
});

test('a key as it is shown has everything but its hash', async () => {
  const { id } = await make();
  const shown = {
    ...anyApiKey,
    id,
    createdAt: services.clock.now(),
    revokedAt: null,
    replacedAt: null,
    lastUsedAt: null,
  };
  expect(await services.apiKeys.findApiKey(id)).toEqual(shown);
  expect(await services.apiKeys.listApiKeys(everyKey)).toEqual({ items: [shown], total: 1 });
  expect(await services.apiKeys.findApiKey('none')).toBeNull();
});

test('a key of a tenant that is not there is not made', async () => {
  await expect(make({ tenantId: 'nobody' })).rejects.toMatchObject({ code: 'TENANT_UNKNOWN' });
  expect(await services.apiKeys.listApiKeys(everyKey)).toMatchObject({ total: 0 });
});

test('a key that cannot be recorded is not made', async () => {
  const audit = { ...services.audit, record: () => Promise.reject(new Error('no space left')) };
  const { tenants, clock, store } = services;
  const making = createApiKeys({ apiKeys: store.apiKeys, tenants, audit, clock }).createApiKey(tester, anyApiKey);
  await expect(making).rejects.toThrow('no space left');
  expect(await services.apiKeys.listApiKeys(everyKey)).toMatchObject({ total: 0 });
});

test('a key can be revoked once', async () => {
  const { id } = await make();
  await services.apiKeys.revokeApiKey(tester, id);
  expect(await services.apiKeys.findApiKey(id)).toMatchObject({ revokedAt: services.clock.now() });
  for (const gone of [id, 'none'])
    await expect(services.apiKeys.revokeApiKey(tester, gone)).rejects.toMatchObject({
      code: 'API_KEY_NOT_FOUND',
    });
});

test('a successor is for the same, for as long; the key itself ends after seven days, or earlier', async () => {
  const day = 86_400_000;
  const after = (days: number) => new Date(services.clock.now().getTime() + days * day);
  const open = await make();
  const limited = await make({ expiresAt: after(30), perDay: 77 });
  services.clock.advance(27 * day);
  const successor = await services.apiKeys.replaceApiKey(tester, limited.id);
  expect(successor.key).not.toBe(limited.key);
  const [former, next] = [
    await services.apiKeys.findApiKey(limited.id),
    await services.apiKeys.findApiKey(successor.id),
  ];
  expect(former!.expiresAt).toEqual(after(3));
  expect(next).toMatchObject({ name: former!.name, scopes: former!.scopes, perDay: 77, expiresAt: after(30) });
  const endless = await services.apiKeys.replaceApiKey(tester, open.id);
  expect((await services.apiKeys.findApiKey(open.id))!.expiresAt).toEqual(after(7));
  expect((await services.apiKeys.findApiKey(endless.id))!.expiresAt).toBeNull();
  await services.apiKeys.revokeApiKey(tester, open.id);
  for (const id of [open.id, 'none'])
    await expect(services.apiKeys.replaceApiKey(tester, id)).rejects.toMatchObject({ code: 'API_KEY_NOT_FOUND' });
  const replaced = (await trail()).filter(({ action }) => action === 'api-key.replaced');
  expect(replaced.map(({ details }) => details.successor).toSorted()).toEqual([endless.id, successor.id].toSorted());
});

test('making and revoking are in the trail of the tenant', async () => {
  const { id: tenantId } = await services.tenants.createTenant(tester, 'School');
  services.clock.advance(1);
  const { id } = await make({ tenantId, name: 'Course page', scopes: ['feedback', 'competency'] });
  services.clock.advance(1);
  await services.apiKeys.revokeApiKey(tester, id);
  const common = { tenantId, target: 'Course page', actor: tester };
  expect((await trail()).slice(0, 2)).toMatchObject([
    { ...common, action: 'api-key.revoked', details: { id } },
    { ...common, action: 'api-key.created', details: { id, scopes: 'feedback, competency' } },
  ]);
});

test('keys that end within two weeks are named, the first to end first', async () => {
  const { apiKeys } = services.store;
  const after = (days: number) => new Date(services.clock.now().getTime() + days * 86_400_000);
  for (const [name, expiresAt] of [
    ['later', after(14)],
    ['sooner', after(1)],
    ['far', after(15)],
    ['over', after(-1)],
    ['endless', null],
  ] as const)
    await make({ name, expiresAt });
  await services.apiKeys.revokeApiKey(tester, (await make({ name: 'revoked', expiresAt: after(2) })).id);
  services.clock.advance(-86_400_000 * 90);
  const { id } = await make({ name: 'replaced', expiresAt: after(92) });
  services.clock.advance(86_400_000 * 90);
  await services.apiKeys.replaceApiKey(tester, id);
  const shown = (name: string, at: Date) => `${name} (${anyApiKey.tenantId}), until ${at.toISOString().slice(0, 10)}`;
  const told = [shown('sooner', after(1)), shown('later', after(14))];
  expect(await describeEndingApiKeys(apiKeys, services.clock.now())).toEqual(told);
  expect(await summariseApiKeys(services.apiKeys, ['paris'], services.clock.now())).toMatchObject({ active: 0 });
  expect(await summariseApiKeys(services.apiKeys, null, services.clock.now())).toMatchObject({
    active: 6,
    isComplete: true,
  });
});
