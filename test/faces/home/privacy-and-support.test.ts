import { afterEach, beforeEach, expect, test } from 'vitest';
import { samples } from '../../contract/store/samples.ts';
import { type Home, startHome } from './start-home.ts';

const [tenantId, person] = ['default', 'slack:T1:U77'];
const given = { tenantId, accounts: [person], emails: [] };

let home: Home;
beforeEach(async () => {
  home = await startHome({
    privacy: { contact: 'dpo@example.org', policyUrl: 'https://a.example/privacy', supportUrl: undefined },
  });
  const record = { ...samples.people[0], tenantId, person, savedSearches: ['first aid'] };
  await home.services.store.transfer.writeRecords('people', [{ key: '', record }]);
});
afterEach(() => home.close());

const post = (path: string, fields: Readonly<Record<string, string>>) =>
  home.get(path, { method: 'POST', body: new URLSearchParams(fields) });

test('the link shows, exports and erases the data of a person', async () => {
  const path = home.services.personData.makeDataPath(given);
  const key = new URLSearchParams(path.split('?')[1]).get('key') ?? '';
  expect(await home.page(path)).toContain('first aid');
  const exported = await post('/my-data/export', { key });
  expect(await exported.json()).toMatchObject({ kinds: [{ kind: 'people' }] });
  expect((await post('/my-data/erase', { key, word: '' })).status).toBe(422);
  expect(await (await post('/my-data/erase', { key, word: 'DELETE' })).text()).toContain('Your data is deleted');
  expect(await home.services.store.people.findPerson({ tenantId, person })).toBeNull();
  expect(await home.page(path)).toContain('Nothing is stored.');
  expect(home.log.join()).not.toContain(key);
  const everything = JSON.stringify(await home.services.store.personal.readPersonal('audit', {}, null, 100));
  expect(everything).toContain('person.erased');
  expect(everything).not.toContain('U77');
});

test('every kind of data is shown in words, and what only experts understand is folded below them', async () => {
  const { transfer } = home.services.store;
  const [activity] = samples.activity;
  const completedAt = new Date('2026-11-03T10:15:00Z');
  const record = { ...activity, tenantId, userId: 'U77', linkId: 'teachers T1', completedAt, verdict: 'not-useful' };
  await transfer.writeRecords('activity', [{ key: '', record }]);
  const page = await home.page(home.services.personData.makeDataPath({ ...given, accounts: [person, 'lti:T1:U77'] }));
  const text = page.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
  for (const shown of ['Saved searches first aid', 'Opinion Not useful', 'Completed Nov 3, 2026, 10:15 AM UTC'])
    expect(text).toContain(shown);
  const open = page.replaceAll(/<details class="quiet">.*?<\/details>/gs, '');
  expect(page).toContain('<dt>tenantId</dt>');
  expect(open).not.toMatch(/<dt>[a-z]/);
});

test('the link ends after an hour, and cannot be made by others', async () => {
  const path = home.services.personData.makeDataPath(given);
  const { clock } = home.services as unknown as { clock: { advance(ms: number): void } };
  clock.advance(3_600_000);
  expect(await home.page(path, 404)).toContain('This link has expired');
  expect(await home.page('/my-data?key=abc', 404)).toContain('This link has expired');
  expect(await home.page('/my-data', 404)).toContain('This link has expired');
  // A header that came after the page broke the connection where pages are compressed.
  expect((await home.get('/my-data')).headers.get('cache-control')).toBe('no-store');
  expect((await post('/my-data/erase', { key: 'abc', word: 'DELETE' })).status).toBe(404);
});

test('privacy and support name whom to ask', async () => {
  const page = await home.page('/privacy');
  for (const text of ['dpo@example.org', 'https://a.example/privacy', 'Activity in courses', '3 years', '400 days'])
    expect(page).toContain(text);
  // What concerns everybody comes first.
  expect(page.indexOf('Saved resources')).toBeLessThan(page.indexOf('Audit trail'));
  expect(await home.page('/support')).toContain('dpo@example.org');
});
