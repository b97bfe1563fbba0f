import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backUp, checkBackup, restoreBackup } from '../../../../src/adapters/store/sqlite/backup.ts';
import { tableOf } from '../../../../src/adapters/store/sqlite/table.ts';
import { SCHEMA_VERSION, shortLivedRecords } from '../../../../src/ports/store/store.ts';
import { at, feedback, tenant } from '../../../contract/store/records.ts';
import { addSamples, addShortLivedSamples, samples, shortLivedSamples } from '../../../contract/store/samples.ts';
import { makeTempDir } from '../../../helpers/temp-dir.ts';
import { openTestStore } from '../../../helpers/test-store.ts';
import { newPath, openRaw, openStore } from './databases.ts';

const now = new Date('2026-03-01T10:20:30.456Z');
const invalid = (message: string) =>
  expect.objectContaining({ code: 'BACKUP_INVALID', message: expect.stringContaining(message) });

/** Made once, as it takes long; each test has a copy. */
const folder = mkdtempSync(join(tmpdir(), 'skilldock-test-'));
const [sampled, sampledBackup] = [join(folder, 'skilldock.db'), join(folder, 'backup.db')];
beforeAll(async () => {
  const store = openTestStore(sampled);
  await addSamples(store);
  backUp(sampled, sampledBackup);
  await store.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A running host with every sample, and a backup of it. */
function openWithBackup() {
  const [path, file] = [newPath(), join(makeTempDir(), 'backup.db')];
  copyFileSync(sampled, path);
  copyFileSync(sampledBackup, file);
  return { path, host: openStore(path), file };
}

describe('a backup', () => {
  test('has everything of a running host, and none of what comes after', async () => {
    const { host, file } = openWithBackup();
    await host.feedback.saveFeedback(feedback('later'));
    const kept = openStore(file);
    expect(await kept.feedback.findFeedback('a')).toEqual(samples.feedback[0]);
    expect(await kept.tenants.findTenant('paris')).toEqual(samples.tenants[2]);
    expect(await kept.feedback.findFeedback('later')).toBeNull();
  });

  test('is one file that only its owner can read', async () => {
    const before = process.umask(0);
    try {
      const file = join(makeTempDir(), 'backup.db');
      backUp(openWithBackup().path, file);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(readdirSync(dirname(file))).toEqual(['backup.db']);
    } finally {
      process.umask(before);
    }
  });

  test('is checked by restoring it somewhere else, of which nothing stays', () => {
    const { path, file } = openWithBackup();
    const before = [readFileSync(path), readdirSync(dirname(path))];
    const counts = checkBackup(file, now);
    expect(counts).toMatchObject({ tenants: samples.tenants.length, adminSessions: 0 });
    writeFileSync(file, readFileSync(file).subarray(0, 20_000));
    expect(() => checkBackup(file, now)).toThrow(expect.objectContaining({ code: 'BACKUP_INVALID' }));
    const left = readdirSync(tmpdir()).filter((name) => name.startsWith('skilldock-check-'));
    expect([readFileSync(path), readdirSync(dirname(path)), left]).toEqual([...before, []]);
  });

  test('never overwrites a file', async () => {
    const { path, file } = openWithBackup();
    const before = readFileSync(file);
    const exists = expect.objectContaining({ code: 'BACKUP_FILE_EXISTS', kind: 'conflict' });
    expect(() => backUp(path, file)).toThrow(exists);
    expect(readFileSync(file)).toEqual(before);
    const empty = join(makeTempDir(), 'empty');
    writeFileSync(empty, '');
    expect(() => backUp(path, empty)).toThrow(exists);
  });

  test('that cannot be written leaves nothing behind', async () => {
    const { path } = openWithBackup();
    const unavailable = expect.objectContaining({ code: 'STORE_UNAVAILABLE' });
    expect(() => backUp(path, join(makeTempDir(), 'none', 'backup.db'))).toThrow(unavailable);
    const folder = makeTempDir();
    const [missing, garbage, file] = ['missing', 'garbage', 'file'].map((name) => join(folder, name));
    expect(() => backUp(missing!, file!)).toThrow(unavailable);
    writeFileSync(garbage!, 'no database '.repeat(1_000));
    expect(() => backUp(garbage!, file!)).toThrow(unavailable);
    expect(readdirSync(folder)).toEqual(['garbage']);
  });
});

describe('restoring', () => {
  test('brings back the content, which a running host sees at once', async () => {
    const { path, host, file } = openWithBackup();
    const other = openStore(path);
    await host.tenants.removeTenant('lyon');
    await host.tenants.addTenant(tenant('new'));
    await host.feedback.saveFeedback(feedback('new', { tenantId: 'new' }));
    await host.admins.removeAdmin('ada');
    await host.rateCounters.addRatePoints('a', 5, { now: at(0), expiresAt: at(9) });
    const { counts } = restoreBackup(path, file, now);
    expect(counts).toEqual({
      tenants: 3,
      secrets: 3,
      apiKeys: 3,
      feedback: 3,
      audit: 3,
      admins: 3,
      // They end, so that none that was ended after the backup comes back to life.
      adminLinks: 0,
      adminSessions: 0,
      usage: 3,
      shelf: 3,
      ltiRegistrations: 3,
      ltiDeployments: 3,
      placements: 3,
      ltiLinks: 3,
      activity: 3,
      scores: 3,
      slackInstallations: 3,
      people: 3,
      plans: 3,
      imports: 3,
      importEntries: 3,
      linkChecks: 3,
      linkMends: 3,
      objectChanges: 3,
      insight: 3,
      assistantClients: 3,
      assistantGrants: 3,
      harvest: 3,
    });
    for (const store of [host, other]) {
      expect(await store.feedback.findFeedback('a')).toEqual(samples.feedback[0]);
      expect(await store.tenants.findTenant('new')).toBeNull();
      expect(await store.admins.findAdmin('ada')).toEqual(samples.admins[0]);
      expect(await store.adminSessions.listAdminSessions('ada', at(2))).toEqual([]);
      const search = { search: 'PARIS', scope: null, sort: 'name', descending: false } as const;
      expect((await store.tenants.listTenants({ ...search, page: 0, pageSize: 9 })).total).toBe(1);
    }
    await host.feedback.saveFeedback(feedback('later'));
    expect(await other.feedback.findFeedback('later')).toEqual(feedback('later'));
  });

  test('goes over a store in which every table has rows, and keeps what lives shortly of its tenants', async () => {
    const { path, host, file } = openWithBackup();
    await host.tenants.addTenant(tenant('new'));
    await addShortLivedSamples(host, 'paris');
    await shortLivedSamples.insightWaiting(host, 'new');
    const database = openRaw(path);
    const tables = database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .all() as { name: string }[];
    const count = (name: string) =>
      (database.prepare(`SELECT COUNT(*) AS rows FROM ${name}`).get() as { rows: number }).rows;
    expect(tables.filter(({ name }) => count(name) === 0)).toEqual([]);
    const shortLived = shortLivedRecords.map((description) => tableOf(description).name);
    const before = shortLived.map(count);
    restoreBackup(path, file, now);
    // Of the two tenants that had searches waiting, the backup has one.
    const kept = before.map((rows, place) => (shortLived[place] === 'insight_waiting' ? 1 : rows));
    expect(shortLived.map(count)).toEqual(kept);
    expect(database.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
  });

  test('stores the replaced content beside the database', async () => {
    const { path, host, file } = openWithBackup();
    await host.feedback.saveFeedback(feedback('later'));
    const { replaced } = restoreBackup(path, file, now);
    expect(replaced).toBe(join(dirname(path), 'skilldock-before-restore-2026-03-01T10-20-30.456Z.db'));
    expect(statSync(replaced!).mode & 0o777).toBe(0o600);
    expect(await host.feedback.findFeedback('later')).toBeNull();
    restoreBackup(path, replaced!, at(1));
    expect(await host.feedback.findFeedback('later')).toEqual(feedback('later'));
  });

  test('leaves nothing else behind, and the backup as it is', async () => {
    const { path, file } = openWithBackup();
    const before = readFileSync(file);
    const { replaced } = restoreBackup(path, file, now);
    const names = readdirSync(dirname(path)).map((name) => join(dirname(path), name));
    expect(names.filter((name) => !name.startsWith(path))).toEqual([replaced]);
    expect(names.filter((name) => name.includes('restoring'))).toEqual([]);
    expect(readFileSync(file)).toEqual(before);
    expect(readdirSync(dirname(file))).toEqual(['backup.db']);
  });

  test('creates a missing database', async () => {
    const { file } = openWithBackup();
    const path = newPath();
    expect(restoreBackup(path, file, now)).toMatchObject({ replaced: null, counts: { tenants: 3 } });
    expect(await openStore(path).feedback.findFeedback('a')).toEqual(samples.feedback[0]);
  });

  test('brings an older backup up to date', async () => {
    const { path, host, file } = openWithBackup();
    const old = openRaw(file);
    old.exec('ALTER TABLE tenants DROP COLUMN has_assistants; ALTER TABLE audit RENAME TO audit_entries');
    old.pragma('user_version = 14');
    const { counts } = restoreBackup(path, file, now);
    expect(counts).toMatchObject({ tenants: 3, audit: 3, apiKeys: 3, adminSessions: 0 });
    expect(await host.tenants.findTenant('paris')).toMatchObject({ hasAssistants: true });
    expect(old.pragma('user_version')).toEqual([{ user_version: 14 }]);
  });

  test('includes the log of a database in use', async () => {
    const { path, host } = openWithBackup();
    const other = newPath();
    await openStore(other).tenants.addTenant(tenant('elsewhere'));
    restoreBackup(path, other, now);
    expect(await host.tenants.findTenant('elsewhere')).toEqual(tenant('elsewhere'));
  });
});

describe('restoring is refused', () => {
  async function expectRefused(file: string, message: string) {
    const { path, host } = openWithBackup();
    expect(() => restoreBackup(path, file, now)).toThrow(invalid(message));
    expect(await host.feedback.findFeedback('a')).toEqual(samples.feedback[0]);
    expect(readdirSync(dirname(path)).filter((name) => !name.startsWith('skilldock.db-'))).toEqual(['skilldock.db']);
    expect(readdirSync(dirname(path)).join()).not.toContain('restoring');
  }

  test('with a missing file or a folder, and creates none', async () => {
    const missing = join(makeTempDir(), 'none.db');
    await expectRefused(missing, 'no such file');
    expect(existsSync(missing)).toBe(false);
    await expectRefused(makeTempDir(), 'it is not a file');
  });

  test('with a file that is no database, or an empty one', async () => {
    const file = newPath();
    writeFileSync(file, 'this is no database. '.repeat(500));
    await expectRefused(file, 'not a database');
    writeFileSync(file, '');
    await expectRefused(file, 'not a database of Skilldock');
  });

  test("with another program's database", async () => {
    const file = newPath();
    const database = openRaw(file);
    database.exec('CREATE TABLE notes (id); INSERT INTO notes VALUES (1)');
    await expectRefused(file, 'not a database of Skilldock');
    for (const version of [14, SCHEMA_VERSION]) {
      database.pragma(`user_version = ${version}`);
      await expectRefused(file, 'no such');
    }
  });

  test('with a backup of a newer version', async () => {
    const { file } = openWithBackup();
    openRaw(file).pragma('user_version = 99');
    await expectRefused(file, 'newer version');
  });

  test.each([
    'ALTER TABLE audit RENAME TO old; CREATE VIEW audit AS WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r) SELECT old.* FROM old, r WHERE i < 0',
    'CREATE TRIGGER strange AFTER DELETE ON tenants BEGIN DELETE FROM admins; END',
    'CREATE VIRTUAL TABLE strange USING fts5(text)',
  ])('with a backup that has code: %s', async (sql) => {
    const { file } = openWithBackup();
    openRaw(file).exec(sql);
    await expectRefused(file, 'not in a backup of Skilldock');
  });

  test('with a damaged backup', async () => {
    const { file } = openWithBackup();
    const bytes = readFileSync(file);
    const pageSize = 4096;
    const damaged = newPath();
    copyFileSync(file, damaged);
    // Not of the list of tables, without which it is no database.
    const find = "SELECT rootpage AS page FROM sqlite_master WHERE name = 'feedback'";
    const { page } = openRaw(file).prepare(find).get() as { page: number };
    writeFileSync(damaged, bytes.fill(0xa5, (page - 1) * pageSize, page * pageSize));
    await expectRefused(damaged, 'damaged');
    writeFileSync(damaged, bytes.subarray(0, bytes.length / 2));
    await expectRefused(damaged, 'malformed');
  });

  test('with a backup whose records do not fit together', async () => {
    const { file } = openWithBackup();
    const database = openRaw(file);
    database.pragma('foreign_keys = OFF');
    database.exec("DELETE FROM tenants WHERE id = 'lyon'");
    await expectRefused(file, 'refer to one that is missing');
  });
});
