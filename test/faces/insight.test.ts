import { expect, onTestFinished, test, vi } from 'vitest';
import { DEFAULT_TENANT } from '../../src/domain/tenant.ts';
import { anyApiKey, tester } from '../helpers/open-services.ts';
import { startApi } from './api/start-api.ts';
import { startLti } from './lti/start-lti.ts';
import { manyObjects, serviceWith } from './slack/learn/scripted-service.ts';
import { startLearn } from './slack/learn/start-learn.ts';

/** What each face says of a search, and of what becomes of it. */
const notes = () => ({ noteSearch: vi.fn(), noteOpened: vi.fn(), noteObject: vi.fn() });

test('the picker: the first page of a search, and what of it is previewed, saved or added', async () => {
  const insight = notes();
  const lti = await startLti({ deps: { insight } });
  onTestFinished(() => lti.close());
  const headers = { authorization: `Bearer ${await lti.launchToken()}` };
  const results = async (query: string) => (await fetch(`${lti.url}/lti/picker/results?${query}`, { headers })).text();
  const html = await results('q=Python');
  await results('q=Python&page=1');
  const person = expect.stringMatching(/^lti:/);
  const asked = { tenantId: DEFAULT_TENANT, words: 'Python', person };
  expect(insight.noteSearch).toHaveBeenCalledTimes(1);
  expect(insight.noteSearch).toHaveBeenCalledWith(expect.objectContaining({ ...asked, isWatched: true }));

  const [, handle = ''] = /data-handle="([^"]+)"/.exec(html) ?? [];
  const post = (path: string, fields: Record<string, string>) =>
    fetch(`${lti.url}/lti${path}`, { method: 'POST', headers, body: new URLSearchParams(fields) });
  expect((await post('/picker/preview', { handle })).status).toBe(200);
  expect(insight.noteOpened).toHaveBeenLastCalledWith(asked);
  expect(insight.noteObject).toHaveBeenCalledWith(
    DEFAULT_TENANT,
    'opened',
    expect.objectContaining({ url: expect.any(String) }),
  );
  await post('/picker/shelf', { handle, action: 'save' });
  expect(insight.noteOpened).toHaveBeenCalledTimes(2);
  const chosen = JSON.stringify([{ handle, title: 'A title', completion: 'marked', points: null }]);
  await post('/picker/choose', { chosen });
  expect(insight.noteOpened).toHaveBeenCalledTimes(3);
});

test('what is placed carries no words of a search', async () => {
  const lti = await startLti();
  onTestFinished(() => lti.close());
  const headers = { authorization: `Bearer ${await lti.launchToken()}` };
  const html = await (await fetch(`${lti.url}/lti/picker/results?q=zorblax`, { headers })).text();
  const [, handle = ''] = /data-handle="([^"]+)"/.exec(html) ?? [];
  const chosen = JSON.stringify([{ handle, title: 'A title', completion: 'marked', points: null }]);
  await fetch(`${lti.url}/lti/picker/choose`, {
    method: 'POST',
    headers,
    body: new URLSearchParams({ chosen }),
  });
  const [placed] = await lti.deps.placements.listOfColleagues({
    tenantId: DEFAULT_TENANT,
    registrationId: 'another',
    user: { id: 'nobody' },
  } as never);
  expect(placed).toBeDefined();
  expect(JSON.stringify(placed)).not.toContain('zorblax');
});

test('the API: both searches', async () => {
  const api = await startApi();
  onTestFinished(() => api.close());
  const noted = vi.spyOn(api.services.insight, 'noteSearch');
  await api.get('/learningobject/v2/search-provider?keywords=python&provider=openlearn');
  await api.get('/learningobject/v2/search?keywords=python');
  await api.get('/learningobject/v2/search?keywords=python&page=1');
  await api.get('/domcomp/v1/similar?keywords=python');
  expect(noted).toHaveBeenCalledTimes(2);
  for (const [note] of noted.mock.calls) expect(note).toMatchObject({ words: 'python', isWatched: false });
});

test('the API: all keys of a tenant are one person, who makes no words known', async () => {
  const api = await startApi();
  onTestFinished(() => api.close());
  const { insight } = api.services;
  const path = '/learningobject/v2/search?keywords=zorblax';
  await api.get(path);
  for (let other = 0; other < 2; other++) {
    const { key } = await api.services.apiKeys.createApiKey(tester, anyApiKey);
    expect((await api.get(path, { 'x-api-key': key })).status).toBe(200);
  }
  const wanted = { scope: null, kind: 'search', by: 'asked', days: 7, limit: 10 } as const;
  expect(await insight.listTop(wanted)).toEqual([]);
  for (const person of ['ada', 'bob'])
    insight.noteSearch({
      tenantId: DEFAULT_TENANT,
      words: 'zorblax',
      person,
      isWatched: true,
      result: { totalItems: 0, quality: 'C00' },
    });
  expect(await insight.listTop(wanted)).toMatchObject([{ name: 'zorblax', asked: 3 }]);
});

test('Slack: the first page of a search', async () => {
  const insight = notes();
  const { command } = await startLearn(serviceWith(manyObjects(12)), { deps: { insight } });
  await command('python');
  expect(insight.noteSearch).toHaveBeenCalledTimes(1);
  expect(insight.noteSearch).toHaveBeenCalledWith(
    expect.objectContaining({ words: 'python', person: expect.stringMatching(/^slack:/), isWatched: false }),
  );
});
