import { afterEach, beforeEach, expect, test } from 'vitest';
import { samples } from '../../../contract/store/samples.ts';
import { rowsOf } from '../read-page.ts';
import { type RunningAdmin, type SignedInBrowser, startAdmin } from '../start-admin.ts';

const person = 'lti:moodle:learner-77';
const email = 'learner-77@example.org';
const form = { account: person, tenant: 'lyon' };

let admin: RunningAdmin;
let manager: SignedInBrowser;

beforeEach(async () => {
  admin = await startAdmin();
  await admin.addTenant('Lyon');
  await admin.addTenant('Paris');
  manager = await admin.signInAs('manager', ['lyon']);
  const { store } = admin;
  await store.transfer.writeRecords('people', [
    { key: '', record: { ...samples.people[0], tenantId: 'lyon', person, savedSearches: ['first aid'] } },
  ]);
  const launch = { tenantId: 'lyon', registrationId: 'moodle', user: { id: 'learner-77', name: 'Léa Test', email } };
  await store.nonces.addNonce('lti-launch 1', JSON.stringify(launch), new Date(admin.clock.now().getTime() + 60_000));
});
afterEach(() => admin.close());

test('finds a person, shows and exports what is stored, and erases it once the word is typed', async () => {
  const found = await manager.post('/people/find', { q: 'léa' });
  expect(rowsOf(await found.text())[0]).toContain(`Léa Test ${person} Lyon`);
  const page = await (await manager.post('/people/person', form)).text();
  expect(page).toContain('Settings, searches and linked accounts');
  expect(page).toContain('first aid');
  const exported = await manager.post('/people/export', form);
  expect(exported.headers.get('content-disposition')).toMatch(/person-.*\.json/);
  expect(await exported.json()).toMatchObject({ identity: { accounts: [person], emails: [email] } });
  const mistyped = await manager.post('/people/erase', { ...form, word: 'delete' });
  expect(mistyped.status).toBe(422);
  expect(await admin.store.people.findPerson({ tenantId: 'lyon', person })).not.toBeNull();
  const erased = await manager.post('/people/erase', { ...form, word: 'DELETE' });
  expect(erased.headers.get('location')).toBe('/admin/people?notice=person-erased&count=2');
  expect(await admin.store.people.findPerson({ tenantId: 'lyon', person })).toBeNull();
  expect(await (await manager.post('/people/find', { q: 'léa' })).text()).toContain('No one found');
  expect(admin.log.join()).not.toMatch(/learner-77|L%C3%A9a|Léa|first aid/);
});

test('shows nobody of another tenant, and no administrator to a manager', async () => {
  const other = await admin.signInAs('manager', ['paris']);
  expect(await (await other.post('/people/find', { q: 'léa' })).text()).toContain('No one found');
  for (const tenant of ['lyon', '']) {
    expect((await other.post('/people/person', { ...form, tenant })).status).toBe(404);
    expect((await other.post('/people/erase', { ...form, tenant, word: 'DELETE' })).status).toBe(404);
  }
  // An account of another tenant under one of their own.
  const page = await other.post('/people/person', { ...form, tenant: 'paris' });
  expect(await page.text()).toContain('Nothing is stored.');
});

test('the last owner is not erased', async () => {
  const owner = await admin.signInAs('owner');
  const answer = await owner.post('/people/erase', { account: `admin:${owner.id}`, tenant: '', word: 'DELETE' });
  expect(answer.status).toBe(422);
  expect(await admin.store.admins.findAdmin(owner.id)).not.toBeNull();
});

test('an administrator reaches their data from their account', async () => {
  expect(await manager.page('/account')).toMatch(/href="\/my-data\?key=/);
});
