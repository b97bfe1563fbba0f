import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSqliteStore } from '../../../../src/adapters/store/sqlite/sqlite-store.ts';
import { type EntryPlace, SCHEMA_VERSION } from '../../../../src/ports/store/store.ts';
import { importEntry } from '../../../contract/store/import-records.ts';
import {
  admin,
  adminLink,
  adminSession,
  answer,
  apiKey,
  at,
  feedback,
  tenant,
} from '../../../contract/store/records.ts';
import { addSamples, samples } from '../../../contract/store/samples.ts';
import { makeTempDir } from '../../../helpers/temp-dir.ts';
import { newPath, openRaw, openStore } from './databases.ts';

describe('the file', () => {
  test('keeps everything when it is opened again', async () => {
    const path = newPath();
    const first = createSqliteStore(path);
    await addSamples(first);
    await first.rateCounters.addRatePoints('a', 3, { now: at(0), expiresAt: at(9) });
    await first.close();
    const second = openStore(path);
    expect(await second.feedback.findFeedback('a')).toEqual(samples.feedback[0]);
    expect(await second.apiKeys.findApiKey('b')).toEqual(samples.apiKeys[1]);
    const window = await second.rateCounters.addRatePoints('a', 1, { now: at(1), expiresAt: at(19) });
    expect(window).toEqual({ points: 4, expiresAt: at(9) });
  });

  test('is complete without its log once it is closed', async () => {
    const [path, copy] = [newPath(), newPath()];
    const store = createSqliteStore(path);
    await addSamples(store);
    await store.close();
    copyFileSync(path, copy);
    expect(await openStore(copy).tenants.findTenant('paris')).toEqual(samples.tenants[2]);
  });

  test('has no traces of erased records', async () => {
    const path = newPath();
    const store = createSqliteStore(path);
    await store.tenants.addTenant(tenant('lyon'));
    const email = 'erased@example.org';
    for (const id of ['a', 'b', 'c'])
      await store.feedback.saveFeedback(
        feedback(id, { tenantId: 'lyon', email, comment: `whispered ${id} `.repeat(400) }),
      );
    await store.feedback.saveFeedback(feedback('d', { tenantId: 'lyon', comment: 'what stays' }));
    await store.personal.removePersonal('feedback', { 'derived.email': email });
    await store.close();
    const names = readdirSync(dirname(path)).map((name) => join(dirname(path), name));
    const bytes = names.map((name) => readFileSync(name, 'latin1')).join();
    expect(bytes).toContain('what stays');
    expect(bytes).not.toContain('whispered');
    expect(bytes).not.toContain(email);
  });

  test('is named with its size and schema in the description', async () => {
    const path = newPath();
    const store = openStore(path);
    const { bytes, version, ...rest } = await store.describe();
    expect(rest).toEqual({ kind: 'sqlite', location: path, schemaVersion: SCHEMA_VERSION });
    expect(version).toBe((openRaw(path).prepare('SELECT sqlite_version() AS v').get() as { v: string }).v);
    await store.tenants.addTenant(tenant('lyon'));
    await store.feedback.saveFeedback(feedback('a', { comment: 'x'.repeat(100_000) }));
    expect((await store.describe()).bytes! - bytes!).toBeGreaterThan(100_000);
  });

  test('that is no database, or no file, is named in the error', () => {
    const path = newPath();
    writeFileSync(path, 'this is no database, but long enough to look like one. '.repeat(50));
    const unavailable = (name: string) =>
      expect.objectContaining({ code: 'STORE_UNAVAILABLE', message: expect.stringContaining(name) });
    expect(() => createSqliteStore(path)).toThrow(unavailable(path));
    const missing = join(makeTempDir(), 'none', 'skilldock.db');
    expect(() => createSqliteStore(missing)).toThrow(unavailable(missing));
  });
});

describe('a refused call', () => {
  test('rejects with STORE_UNAVAILABLE', async () => {
    const path = newPath();
    const store = openStore(path);
    await store.tenants.addTenant(tenant('lyon'));
    openRaw(path).exec('DROP TABLE feedback');
    await expect(store.feedback.saveFeedback(feedback('f1'))).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
    });
  });

  test('leaves the store unchanged', async () => {
    const { apiKeys, tenants, transfer } = openStore();
    await tenants.addTenant(tenant('lyon'));
    const [good, taken] = [apiKey('a'), apiKey('b', { keyHash: 'hash of a' })];
    const records = [good, taken].map((record) => ({ key: record.id, record: { ...record } }));
    await expect(transfer.writeRecords('apiKeys', records)).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
    });
    expect(await apiKeys.findApiKey('a')).toBeNull();
  });

  test.each([
    ['a boolean, which would end the process', { version: true }],
    ['what is missing', { name: undefined }],
    ['an instant that is none', { createdAt: new Date(Number.NaN) }],
  ])('may have been for a record with %s', async (_, wrong) => {
    const { tenants, transfer } = openStore();
    const record = { ...tenant('lyon'), ...wrong };
    await expect(transfer.writeRecords('tenants', [{ key: 'lyon', record }])).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
    });
    expect(await tenants.findTenant('lyon')).toBeNull();
  });
});

test('usage of a removed tenant is dropped, and that of others is stored', async () => {
  const { tenants, usage } = openStore();
  await tenants.addTenant(tenant('lyon'));
  await usage.addUsage(
    ['gone', 'lyon'].map((tenantId) => ({ tenantId, day: '2026-03-01', metric: 'searches', count: 2 })),
  );
  expect(await usage.sumUsage(null, '2026-03-01', '2026-03-01')).toEqual([
    { day: '2026-03-01', metric: 'searches', count: 2 },
  ]);
});

test('at most a hundred entries of imports are read at a time', async () => {
  const { imports } = openStore(newPath());
  const entries = Array.from({ length: 150 }, (_, number) => importEntry(`${1_000 + number}`));
  await imports.putEntries(entries);
  const read = (after: EntryPlace | null) =>
    imports.readEntries({ dataset: 'spring', after, limit: 1_000, withBodies: true });
  expect(await read(null)).toEqual(entries.slice(0, 100));
  expect(await read(entries[99]!)).toEqual(entries.slice(100));
});

test('only long expired records are deleted in passing', async () => {
  const path = newPath();
  const store = openStore(path);
  await store.admins.addAdmin(admin('ada'));
  for (const [id, expiresAt] of [
    ['old', at(10)],
    ['young', at(100)],
  ] as const) {
    await store.adminLinks.addAdminLink(adminLink(id, { expiresAt }));
    await store.adminSessions.addAdminSession(adminSession(id, { expiresAt }));
    await store.nonces.addNonce(id, '', expiresAt);
    await store.answers.keepAnswer(id, answer('{}', { expiresAt }));
    await store.rateCounters.addRatePoints(id, 1, { now: at(0), expiresAt });
  }
  for (let call = 0; call < 300; call += 1) await store.adminSessions.findAdminSession('none', at(100));
  const database = openRaw(path);
  for (const [table, key] of [
    ['admin_links', 'id'],
    ['admin_sessions', 'id'],
    ['nonces', 'nonce'],
    ['answers', 'id'],
    ['rate_windows', 'name'],
  ]) {
    expect(database.prepare(`SELECT ${key} AS id FROM ${table}`).all(), table).toEqual([{ id: 'young' }]);
  }
});
