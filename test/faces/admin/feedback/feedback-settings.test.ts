import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readAudit } from '../read-audit.ts';
import { fieldOf, problemOf, textOf, valuesOf } from '../read-page.ts';
import { type RunningAdmin, type SignedInBrowser, startAdmin } from '../start-admin.ts';
import { saveFeedback } from './feedback-records.ts';

const PATH = '/tenants/lyon/feedback';
const DAY_MS = 86_400_000;

let admin: RunningAdmin;
let manager: SignedInBrowser;

beforeEach(async () => {
  admin = await startAdmin({ publicUrl: 'https://skills.example.org' });
  await admin.addTenant('Lyon');
  manager = await admin.signInAs('manager', ['lyon']);
});
afterEach(() => admin.close());

const form = (more: Record<string, string> = {}) => ({
  version: '1',
  sharedEmailFor: 'learners',
  sharedEmail: '',
  retentionDays: '',
  ...more,
});

const saved = async () => (await admin.deps.tenants.getTenant('lyon')).feedback;

describe('the form', () => {
  test('begins with learners under the address of the host, and keeps everything', async () => {
    const page = await manager.page(PATH);
    expect(valuesOf(page, 'sharedEmailFor')).toEqual(['learners']);
    expect(fieldOf(page, 'sharedEmail')).toBe('');
    expect(fieldOf(page, 'retentionDays')).toBe('');
    expect(textOf(page)).toContain('If left empty: feedback@skills.example.org, an address of this server.');
  });

  test('saves replaced addresses, with which, and for how long feedback is kept', async () => {
    const fields = {
      sharedEmailFor: 'everyone',
      sharedEmail: ' library@example.org ',
      retentionDays: ' 365 ',
    };
    const answer = await manager.post(PATH, form(fields));
    expect(answer.headers.get('location')).toBe(`/admin${PATH}?notice=feedback-settings-saved`);
    expect(await saved()).toEqual({
      sharedEmail: 'library@example.org',
      sharedEmailFor: 'everyone',
      retentionDays: 365,
    });
    const page = await manager.follow(answer);
    expect(page).toContain('Feedback settings saved.');
    expect(valuesOf(page, 'sharedEmailFor')).toEqual(['everyone']);
    expect(fieldOf(page, 'sharedEmail')).toBe('library@example.org');
    expect(fieldOf(page, 'retentionDays')).toBe('365');
    expect((await readAudit(admin)).at(-1)).toMatchObject({ action: 'tenant.changed', tenantId: 'lyon' });
    const trail = textOf(await manager.page('/audit'));
    for (const text of ['learners → everyone', 'none → library@example.org', 'none → 365'])
      expect(trail).toContain(text);
  });

  test('takes the address and the days back', async () => {
    await manager.post(PATH, form({ sharedEmail: 'library@example.org', retentionDays: '30' }));
    await manager.post(PATH, form({ version: '2', sharedEmailFor: 'nobody', sharedEmail: ' ' }));
    expect(await saved()).toEqual({ sharedEmail: null, sharedEmailFor: 'nobody', retentionDays: null });
  });

  test.each([
    ['sharedEmail', { sharedEmail: 'library' }, 'This is not an e-mail address.'],
    ['sharedEmail', { sharedEmail: '"><script>' }, 'This is not an e-mail address.'],
    ['retentionDays', { retentionDays: '0' }, 'from 1 to 3,650'],
    ['retentionDays', { retentionDays: '3651' }, 'from 1 to 3,650'],
    ['retentionDays', { retentionDays: '1.5' }, 'from 1 to 3,650'],
    ['sharedEmailFor', { sharedEmailFor: 'some' }, 'Choose one of these.'],
  ])('is refused beside %s of %o, and keeps what was typed', async (field, wrong, problem) => {
    const fields = form({ sharedEmail: 'l@example.org', retentionDays: '7', ...wrong });
    const answer = await manager.post(PATH, fields);
    expect(answer.status).toBe(422);
    const page = await answer.text();
    expect(problemOf(page, field)).toContain(problem);
    for (const name of ['version', 'sharedEmail', 'retentionDays'] as const)
      expect(fieldOf(page, name)).toBe(fields[name]);
    expect(page).not.toContain('"><script>');
    expect((await saved()).sharedEmail).toBeNull();
  });

  test('does not overwrite what someone else saved meanwhile, until that was read', async () => {
    await manager.post(PATH, form({ sharedEmail: 'theirs@example.org' }));
    const answer = await manager.post(PATH, form({ sharedEmail: 'mine@example.org' }));
    expect(answer.status).toBe(422);
    const page = await answer.text();
    expect(textOf(page)).toContain('Someone else changed this while you had it open');
    expect(fieldOf(page, 'sharedEmail')).toBe('mine@example.org');
    expect((await saved()).sharedEmail).toBe('theirs@example.org');
    await manager.post(PATH, form({ sharedEmail: 'mine@example.org', version: fieldOf(page, 'version')! }));
    expect((await saved()).sharedEmail).toBe('mine@example.org');
  });

  test('is not for viewers, others’ managers or forms of others', async () => {
    await admin.addTenant('Paris');
    const viewer = await admin.signInAs('viewer', ['lyon']);
    const foreign = await admin.signInAs('manager', ['paris']);
    const fields = form({ sharedEmailFor: 'nobody' });
    expect((await viewer.post(PATH, fields)).status).toBe(403);
    expect((await foreign.post(PATH, fields)).status).toBe(404);
    expect((await manager.post(PATH, fields, { csrf: 'x' })).status).toBe(403);
    expect((await saved()).sharedEmailFor).toBe('learners');
    const page = await viewer.page(PATH);
    expect(page).not.toContain('name="sharedEmail"');
    expect(textOf(page)).toContain('feedback@skills.example.org, an address of this server');
  });
});

describe('days that take something away', () => {
  const daysAgo = (days: number) => new Date(admin.clock.now().getTime() - days * DAY_MS);
  const save = (days: string, more: Record<string, string> = {}) =>
    manager.post(PATH, form({ retentionDays: days, ...more }));

  beforeEach(async () => {
    for (const days of [1, 31, 400]) {
      await saveFeedback(admin, { tenantId: 'lyon', receivedAt: daysAgo(days) });
      await saveFeedback(admin, { tenantId: 'lyon', receivedAt: daysAgo(days), state: 'waiting' });
      await saveFeedback(admin, { receivedAt: daysAgo(days) });
    }
  });

  test('are saved only once it was seen how much goes', async () => {
    const answer = await save('30');
    expect(answer.status).toBe(422);
    const page = await answer.text();
    expect(textOf(page)).toContain('2 pieces of feedback will be deleted permanently');
    expect(textOf(page)).toContain('older than 30 days');
    expect((await saved()).retentionDays).toBeNull();
    const confirmedDays = fieldOf(page, 'confirmedDays')!;
    expect((await save('30', { confirmedDays })).status).toBe(303);
    expect((await saved()).retentionDays).toBe(30);
  });

  test('have to be seen for the days that are saved, not for others before', async () => {
    const page = await (await save('300', { confirmedDays: '500' })).text();
    expect(textOf(page)).toContain('1 piece of feedback will be deleted permanently');
    expect((await save('30', { confirmedDays: '300' })).status).toBe(422);
    expect((await saved()).retentionDays).toBeNull();
  });

  test.each(['500', ''])('are not asked about where nothing goes: %j', async (days) => {
    expect((await save(days)).status).toBe(303);
  });

  test('are not asked about again where they stay or become more', async () => {
    await save('30', { confirmedDays: '30' });
    expect((await save('30', { version: '2', sharedEmailFor: 'nobody' })).status).toBe(303);
    expect((await save('40', { version: '3' })).status).toBe(303);
    expect((await save('30', { version: '4' })).status).toBe(422);
  });
});

test('the page of the tenant shows the settings, and leads to them', async () => {
  await manager.post(PATH, form({ sharedEmailFor: 'nobody', retentionDays: '90' }));
  const page = await manager.page('/tenants/lyon');
  expect(textOf(page)).toContain('deleted after 90 days');
  expect(textOf(page)).not.toContain('Shared address');
  expect(page).toContain(`href="/admin${PATH}"`);
});
