import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KNOWN_REQUEST_ID } from '../../fakes/learning-service.ts';
import { anyApiKey, tester } from '../../helpers/open-services.ts';
import { type Api, startApi } from './start-api.ts';

let api: Api;
/** A tenant with an upstream of its own, and a key of it. */
let tenantId: string;
let headers: Record<string, string>;
beforeAll(async () => {
  api = await startApi();
  const { tenants, apiKeys, fakeUpstreams } = api.services;
  tenantId = (await tenants.createTenant(tester, 'School')).id;
  const upstream = { kind: 'direct', url: 'https://api.example.org' } as const;
  await tenants.changeUpstream(tester, tenantId, { version: 1, upstream });
  const { key } = await apiKeys.createApiKey(tester, { ...anyApiKey, tenantId, perSecond: 1_000 });
  headers = { 'x-api-key': key, 'x-marketplace-key': key };
  fakeUpstreams.service.listTypes = async () => [{ value: 'upstream', description: 'Of the upstream' }];
});
afterAll(() => api.close());

const searches = ['/learningobject/v2/search', '/learningobject/v2/search-provider', '/marketplace/search-provider'];

describe('a key leads to the service of its tenant', () => {
  test.each(searches)('%s', async (path) => {
    const { local, fakeUpstreams } = api.services;
    const before = [local.calls.searches.length, fakeUpstreams.service.calls.searches.length];
    // Words of its own, because what was asked before is not asked again.
    const search = `${path}?keywords=${encodeURIComponent(path)}`;
    expect((await api.get(search, headers)).status).toBe(200);
    expect((await api.get(search)).status).toBe(200);
    const after = [local.calls.searches.length, fakeUpstreams.service.calls.searches.length];
    expect(after).toEqual(before.map((calls) => calls + 1));
  });

  test('similar and tagger', async () => {
    const { calls } = api.services.fakeUpstreams.service;
    await api.get('/domcomp/v1/similar?keywords=upstream', headers);
    await api.post('/domcomp/v1/tagger', { text: 'We teach.', lang: 'en' }, headers);
    expect(calls.similar).toMatchObject([{ keywords: 'upstream' }]);
    expect(calls.tagger).toMatchObject([{ text: 'We teach.' }]);
  });

  test('feedback, which is taken at once and delivered later, whether the upstream knows its search or not', async () => {
    const { fakeUpstreams, feedbackOutbox, store } = api.services;
    const body = {
      url: 'https://example.org/a',
      request_id: KNOWN_REQUEST_ID,
      email: 'a@example.org',
      source: 'https://s.example',
    };
    const unknown = { ...body, request_id: 'unknown-there' };
    for (const each of [body, unknown])
      expect((await api.post('/learningobject/v2/feedback', each, headers)).status).toBe(200);
    expect(fakeUpstreams.service.calls.feedback).toEqual([]);
    const statesOf = async () => {
      const records = await store.transfer.readRecords('feedback', null, 10);
      return records.map(({ record }) => record).filter((record) => record.tenantId === tenantId);
    };
    expect(await statesOf()).toMatchObject([{ state: 'waiting' }, { state: 'waiting' }]);
    feedbackOutbox.start();
    await expect.poll(() => fakeUpstreams.service.calls.feedback).toHaveLength(1);
    expect(fakeUpstreams.service.calls.feedback).toMatchObject([{ requestId: KNOWN_REQUEST_ID }]);
  });
});

test('the open lists are those of the default tenant', async () => {
  for (const path of ['/learningobject/v2/type', '/marketplace/type'])
    expect(await (await api.get(path, headers)).text()).not.toContain('upstream');
});

test('searches and feedback are counted for the tenant of the key', async () => {
  const { usage } = api.services;
  const totals = async (id: string) => (await usage.report([id], 1)).totals;
  const before = [await totals('default'), await totals(tenantId)];
  await api.get('/learningobject/v2/search?keywords=python', headers);
  await api.get('/learningobject/v2/search?max=0', headers);
  const after = [await totals('default'), await totals(tenantId)];
  expect(after[0]).toEqual(before[0]);
  expect(after[1]!.searches).toBe(before[1]!.searches + 1);
});

test('a disabled tenant is 403 and says so, until it is enabled', async () => {
  const { tenants } = api.services;
  const search = () => api.get('/learningobject/v2/search?keywords=a', headers);
  expect((await search()).status).toBe(200);
  await tenants.disableTenant(tester, tenantId);
  await expect.poll(async () => (await search()).status, { interval: 50 }).toBe(403);
  const refused = await search();
  expect(await refused.json()).toMatchObject({
    statusCode: 403,
    code: 'TENANT_DISABLED',
    message: expect.stringContaining('disabled'),
  });
  await tenants.enableTenant(tester, tenantId);
  await expect.poll(async () => (await search()).status, { interval: 50 }).toBe(200);
});
