import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readAudit } from '../read-audit.ts';
import { fieldOf, problemOf, textOf } from '../read-page.ts';
import { type RunningAdmin, type SignedInBrowser, startAdmin } from '../start-admin.ts';
import { saveFeedback } from './feedback-records.ts';

const PATH = '/feedback/erase';
const email = 'grace@example.org';

let admin: RunningAdmin;
let manager: SignedInBrowser;

beforeEach(async () => {
  admin = await startAdmin();
  await admin.addTenant('Lyon');
  await admin.addTenant('Paris');
  manager = await admin.signInAs('manager', ['lyon', 'paris']);
});
afterEach(() => admin.close());

const isThere = async ({ id }: { readonly id: string }) => (await admin.store.feedback.findFeedback(id)) !== null;

describe('the question', () => {
  const ask = async (fields: Record<string, string>) =>
    textOf(await (await manager.post(`${PATH}/check`, fields)).text());

  test('says how much there is, where, and what was sent on', async () => {
    await saveFeedback(admin, { email: 'Grace@Example.org', tenantId: 'lyon' });
    await saveFeedback(admin, {
      email,
      tenantId: 'lyon',
      state: 'waiting',
      destination: 'https://a.example',
    });
    await saveFeedback(admin, { email, tenantId: 'lyon', state: 'parked', destination: 'https://a.example' });
    await saveFeedback(admin, { email, tenantId: 'paris', destination: 'https://a.example' });
    await saveFeedback(admin, { email });
    await saveFeedback(admin, { tenantId: 'lyon', email: `not.${email}`, comment: `Not of ${email}` });
    const page = await ask({ email: ' GRACE@example.org ' });
    for (const text of [
      'Delete all feedback from GRACE@example.org?',
      '4 pieces of feedback will be deleted:',
      '3 at Lyon',
      '1 at Paris',
      '2 have not been delivered yet',
      '1 was delivered to a service',
    ])
      expect(page).toContain(text);
    expect(page).not.toContain('Default');
  });

  test('is about one tenant where that is chosen, and hands it on', async () => {
    await saveFeedback(admin, { email, tenantId: 'lyon' });
    await saveFeedback(admin, { email, tenantId: 'paris' });
    const page = await (await manager.post(`${PATH}/check`, { email, tenant: 'paris' })).text();
    expect(textOf(page)).toContain('1 piece of feedback will be deleted:');
    expect(textOf(page)).not.toContain('of Lyon');
    expect(textOf(page)).not.toMatch(/sent on|not delivered/);
    expect(fieldOf(page, 'tenant')).toBe('paris');
    expect(fieldOf(page, 'email')).toBe(email);
  });

  test('is not asked where there is nothing', async () => {
    await saveFeedback(admin, { email });
    const page = await (await manager.post(`${PATH}/check`, { email })).text();
    expect(textOf(page)).toContain(`No feedback from ${email}`);
    expect(page).not.toContain(`action="/admin${PATH}"`);
  });

  test('removes nothing', async () => {
    const record = await saveFeedback(admin, { email, tenantId: 'lyon' });
    await ask({ email });
    expect(await isThere(record)).toBe(true);
  });

  test.each([
    ['', 'Please fill in this field.'],
    [' ', 'Please fill in this field.'],
    ['grace', 'This is not an e-mail address.'],
    ['"><script>', 'This is not an e-mail address.'],
  ])('wants an e-mail address, not %j', async (typed, problem) => {
    for (const path of [PATH, `${PATH}/check`]) {
      const answer = await manager.post(path, { email: typed, tenant: 'paris' });
      expect(answer.status).toBe(422);
      const page = await answer.text();
      expect(problemOf(page, 'email')).toContain(problem);
      expect(fieldOf(page, 'email')).toBe(typed);
      expect(fieldOf(page, 'tenant')).toBe('paris');
      expect(page).not.toContain('"><script>');
    }
  });
});

describe('the removal', () => {
  test('takes all of that person in one’s tenants, and nothing else', async () => {
    const theirs = [
      await saveFeedback(admin, { email: 'Grace@Example.org', tenantId: 'lyon' }),
      await saveFeedback(admin, { email, tenantId: 'paris', state: 'waiting' }),
    ];
    const others = [
      await saveFeedback(admin, { email }),
      await saveFeedback(admin, { email: `not.${email}`, tenantId: 'lyon' }),
    ];
    const answer = await manager.post(PATH, { email });
    expect(answer.headers.get('location')).toBe('/admin/feedback?notice=feedback-erased&count=2');
    expect(await manager.follow(answer)).toContain('2 pieces of feedback permanently deleted.');
    expect(await Promise.all(theirs.map(isThere))).toEqual([false, false]);
    expect(await Promise.all(others.map(isThere))).toEqual([true, true]);
  });

  test('is in the audit trail without the address', async () => {
    await saveFeedback(admin, { email, tenantId: 'lyon' });
    await manager.post(PATH, { email, tenant: 'lyon' });
    const entry = (await readAudit(admin)).at(-1)!;
    expect(entry).toMatchObject({ action: 'feedback.erased', tenantId: 'lyon', details: { count: '1' } });
    expect(JSON.stringify(entry)).not.toContain(email);
    expect(textOf(await manager.page('/audit'))).toContain('A person’s feedback deleted');
  });

  test('is in the audit trail of each tenant, where its managers see it', async () => {
    for (const tenantId of ['lyon', 'lyon', 'paris', 'default']) await saveFeedback(admin, { email, tenantId });
    const owner = await admin.signInAs('owner');
    await owner.post(PATH, { email });
    const erased = (await readAudit(admin)).filter(({ action }) => action === 'feedback.erased');
    expect(erased.map(({ tenantId, details }) => [tenantId, details])).toEqual([
      ['default', { count: '1' }],
      ['lyon', { count: '2' }],
      ['paris', { count: '1' }],
    ]);
    const own = await admin.signInAs('manager', ['lyon']);
    expect(textOf(await own.page('/audit'))).toContain('number 2');
  });

  test('says so where somebody was quicker', async () => {
    expect(await manager.follow(await manager.post(PATH, { email }))).toContain('There was nothing left to delete.');
  });

  test('is not for viewers, nor for tenants of others, nor without the token of the form', async () => {
    const record = await saveFeedback(admin, { email, tenantId: 'lyon' });
    const viewer = await admin.signInAs('viewer', ['lyon']);
    expect(await viewer.page('/feedback')).not.toContain(PATH);
    expect((await viewer.get(PATH)).status).toBe(403);
    const foreign = await admin.signInAs('manager', ['default']);
    for (const path of [PATH, `${PATH}/check`]) {
      expect((await viewer.post(path, { email })).status).toBe(403);
      expect((await foreign.post(path, { email, tenant: 'lyon' })).status).toBe(404);
      expect((await manager.post(path, { email }, { csrf: null })).status).toBe(403);
    }
    await foreign.post(PATH, { email });
    expect(await isThere(record)).toBe(true);
  });

  test('leaves the address in no address line and no log', async () => {
    await saveFeedback(admin, { email, tenantId: 'lyon' });
    await manager.post(`${PATH}/check`, { email });
    await manager.follow(await manager.post(PATH, { email }));
    expect(admin.log.join('')).toContain(PATH);
    expect(admin.log.join('')).not.toContain('grace');
  });
});
