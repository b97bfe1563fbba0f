import { afterEach, beforeEach, expect, test } from 'vitest';
import { AppError } from '../../../src/errors.ts';
import type { BackupState } from '../../../src/services/host/backups.ts';
import { type RunningAdmin, SECRET_KEY, startAdmin } from './start-admin.ts';

let admin: RunningAdmin;

beforeEach(async () => {
  admin = await startAdmin();
});
afterEach(() => admin.close());

/** The facts of a page, by their names. */
function factsIn(text: string): Record<string, string> {
  const pairs = text.matchAll(/<dt>([^<]*)<\/dt>\s*<dd>(.*?)<\/dd>/gs);
  return Object.fromEntries([...pairs].map(([, name, value]) => [name, value!.replace(/<[^>]*>/g, '').trim()]));
}

test('the owner learns what the host is made of', async () => {
  const owner = await admin.signInAs('owner');
  admin.clock.advance(59_000);
  const text = await owner.page('/system');
  const store = await admin.store.describe();
  expect(factsIn(text)).toEqual({
    Version: 'Skilldock 1.2.3',
    'Node.js': process.version,
    'Started (UTC)': expect.stringMatching(/^Feb 28, 2026, 8:58.AM$/),
    'Running for': 'one day, one hour, 2 minutes',
    // Of the whole process, which other files of tests may have run in before.
    Memory: expect.stringMatching(/^[\d.]+ [MG]B in total, [\d.]+ [MG]B of it for JavaScript objects$/),
    Address: admin.url,
    'Data folder': admin.deps.system.dataDir,
    Type: `embedded, SQLite ${store.version}`,
    Location: store.location,
    Size: expect.stringMatching(/^[\d.]+ (?:kB|MB)$/),
    'Migrations applied': String(store.schemaVersion),
    'Activity in courses': '1,095 days',
    Grades: '400 days',
    Feedback: 'never',
    'Audit trail': '1,095 days',
    'Uploaded files': '7 days',
    'Last removal': 'Nothing so far',
    'Key ID': admin.deps.system.secretKeyId(),
  });
  expect(text).toContain('skilldock secrets rotate');
  expect(text).toContain('skilldock backup FILE');
  expect(text).not.toContain(SECRET_KEY);
});

test('in French', async () => {
  const owner = await admin.signInAs('owner', null, { language: 'fr' });
  const facts = factsIn(await owner.page('/system'));
  expect(facts['En marche depuis']).toBe('un jour, 1 heure, 1 minute');
  expect(facts.Mémoire).toMatch(/^[\d,]+.[MG]o au total, dont [\d,]+.[MG]o pour les objets JavaScript$/);
});

test('a store of servers says so, and a size that is not known', async () => {
  const described = { kind: 'mongo', location: 'db.example.org/skilldock', version: '8.0.1' } as const;
  const describeStore = async () => ({ ...described, schemaVersion: 3, bytes: null });
  Object.assign(admin.deps.system, { describeStore });
  const text = await (await admin.signInAs('owner')).page('/system');
  expect(factsIn(text)).toMatchObject({
    Type: 'MongoDB 8.0.1',
    Location: described.location,
    Size: 'unknown',
  });
  expect(text).not.toContain('skilldock backup');
});

test('a store that fails does not take the page along', async () => {
  const describeStore = async () => {
    throw new AppError('STORE_UNAVAILABLE', 'The disk is <full>.');
  };
  Object.assign(admin.deps.system, { describeStore });
  const text = await (await admin.signInAs('owner')).page('/system');
  expect(text).toContain('<strong>The store does not answer.</strong> The disk is &lt;full&gt;.');
  expect(factsIn(text).Version).toBe('Skilldock 1.2.3');
});

test('an owner sees backups and what went wrong, starts one, and follows it', async () => {
  const last = { name: 'b', at: new Date('2026-02-28T03:00:00.000Z'), bytes: 1_500_000 };
  let begun = 0;
  const state = {
    path: '/mnt/backups',
    backups: [last],
    problem: null as BackupState['problem'],
    isRunning: false,
    percent: null as number | null,
    nextAt: new Date('2026-03-02T03:00:00.000Z'),
    keptDays: 14,
  };
  const begin = async () => {
    begun += 1;
  };
  const backups = { describe: async () => state, begin };
  Object.assign(admin.deps.system, { backups });
  const owner = await admin.signInAs('owner');
  const facts = factsIn(await owner.page('/system'));
  expect(facts).toMatchObject({
    'Last backup': expect.stringMatching(/^Feb 28, 2026, 3:00.AM, 1.5 MB. Checked: /),
    Next: expect.stringContaining('Mar 2, 2026'),
    Kept: 'One backup. Deleted after 14 days; the newest ones stay.',
    Folder: '/mnt/backups',
  });
  expect((await owner.post('/system/backups')).headers.get('location')).toBe('/admin/system#backups');
  expect(begun).toBe(1);
  const audited = await admin.store.personal.readPersonal('audit', { action: 'store.backed-up' }, null, 10);
  expect(audited).toMatchObject([{ target: '/mnt/backups', actor: { id: owner.id } }]);
  Object.assign(state, { isRunning: true, percent: 45 });
  expect(await owner.page('/system')).toContain('Backup in progress: 45%');
  await owner.post('/system/backups');
  expect(begun).toBe(1);
  expect(await (await owner.get('/system/backups')).json()).toMatchObject({ isRunning: true, percent: 45 });
  Object.assign(state, { isRunning: false, problem: { at: last.at, message: 'There is no <space> left.' } });
  expect(await owner.page('/system')).toContain('There is no &lt;space&gt; left.');
  expect(await owner.page('')).toContain('The last backup failed');
  const manager = await admin.signInAs('manager');
  expect((await manager.post('/system/backups')).status).toBe(403);
  const auditor = await admin.signInAs('auditor');
  expect(await auditor.page('/system')).not.toContain('action="/admin/system/backups"');
  expect((await auditor.get('/system/backups')).status).toBe(200);
  expect(begun).toBe(1);
});

test('without scheduled backups the page says how to have them', async () => {
  expect(await (await admin.signInAs('owner')).page('/system')).toContain('Set BACKUP_DIR to a folder');
});
