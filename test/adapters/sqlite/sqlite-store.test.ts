import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { describe, expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../../src/adapters/sqlite/migrations.ts';
import { createSqliteStore } from '../../../src/adapters/sqlite/sqlite-store.ts';
import type { ApiKeyRecord, FeedbackRecord, Store } from '../../../src/ports/store.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';

const newPath = () => join(makeTempDir(), 'skilldock.db');

function open(path = newPath()): Store {
  const store = createSqliteStore(path);
  onTestFinished(() => store.close());
  return store;
}

function rawDatabase(path: string): Database.Database {
  const database = new Database(path);
  onTestFinished(() => {
    database.close();
  });
  return database;
}

const feedback = (id: string, changes: Partial<FeedbackRecord> = {}): FeedbackRecord => ({
  id,
  url: 'https://example.org/python?a=1&b=é',
  comment: "Robert'); DROP TABLE feedback; -- 🐍\nsecond line",
  requestId: 'r1',
  email: 'ada@example.org',
  source: 'https://school.example.org',
  receivedAt: new Date('2026-03-01T10:00:00.123Z'),
  ...changes,
});

const apiKey = (id: string, changes: Partial<ApiKeyRecord> = {}): ApiKeyRecord => ({
  id,
  name: `Key ${id}`,
  keyHash: `hash of ${id}`,
  scopes: ['competency', 'learning-objects', 'feedback'],
  perSecond: 20,
  perDay: 50_000,
  createdAt: new Date('2026-03-01T10:00:00.001Z'),
  expiresAt: new Date('2027-03-01T00:00:00Z'),
  revokedAt: null,
  ...changes,
});

describe('feedback', () => {
  test('comes back as it was given, newest first', async () => {
    const store = open();
    const kept = [
      feedback('b', { receivedAt: new Date('2026-03-02') }),
      feedback('c', { receivedAt: new Date('2026-03-03'), comment: null }),
      feedback('a'),
    ];
    for (const record of kept) await store.feedback.saveFeedback(record);
    expect(await store.feedback.listFeedback(10)).toEqual([kept[1], kept[0], kept[2]]);
  });

  test('of the same instant has one order', async () => {
    const store = open();
    for (const id of ['c', 'a', 'b']) await store.feedback.saveFeedback(feedback(id));
    expect((await store.feedback.listFeedback(10)).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });

  test('is listed up to the limit, which is never below 1 or above 1,000', async () => {
    const path = newPath();
    const store = open(path);
    const database = rawDatabase(path);
    database.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1002)
      INSERT INTO feedback SELECT i, 'u', NULL, 'r', 'e', 's', i FROM n`);
    const counts = [2, 1_000, 5_000, 0, -1].map(
      async (limit) => (await store.feedback.listFeedback(limit)).length,
    );
    expect(await Promise.all(counts)).toEqual([2, 1_000, 1_000, 1, 1]);
  });
});

describe('API keys', () => {
  test('are found by their hash only, as they were given', async () => {
    const store = open();
    const lasting = apiKey('b', { expiresAt: null, scopes: ['competency'] });
    await store.apiKeys.addApiKey(apiKey('a'));
    await store.apiKeys.addApiKey(lasting);
    expect(await store.apiKeys.findApiKeyByHash('hash of a')).toEqual(apiKey('a'));
    expect(await store.apiKeys.findApiKeyByHash('hash of b')).toEqual(lasting);
    expect(await store.apiKeys.findApiKeyByHash("' OR 1=1 --")).toBeNull();
  });

  test('are listed oldest first', async () => {
    const store = open();
    await store.apiKeys.addApiKey(apiKey('new', { createdAt: new Date('2026-03-09') }));
    await store.apiKeys.addApiKey(apiKey('old'));
    expect((await store.apiKeys.listApiKeys()).map(({ id }) => id)).toEqual(['old', 'new']);
  });

  test('are revoked once, and stay in the list', async () => {
    const { apiKeys } = open();
    await apiKeys.addApiKey(apiKey('a'));
    const revokedAt = new Date('2026-04-01');
    expect(await apiKeys.revokeApiKey('a', revokedAt)).toBe(true);
    expect(await apiKeys.revokeApiKey('a', new Date('2026-05-01'))).toBe(false);
    expect(await apiKeys.revokeApiKey('none', revokedAt)).toBe(false);
    expect(await apiKeys.listApiKeys()).toEqual([apiKey('a', { revokedAt })]);
  });

  test('with the same hash are refused', async () => {
    const { apiKeys } = open();
    await apiKeys.addApiKey(apiKey('a'));
    await expect(apiKeys.addApiKey(apiKey('b', { keyHash: 'hash of a' }))).rejects.toThrow();
  });
});

describe('the file', () => {
  test('keeps everything when it is opened again', async () => {
    const path = newPath();
    const first = createSqliteStore(path);
    await first.feedback.saveFeedback(feedback('a'));
    await first.apiKeys.addApiKey(apiKey('a'));
    await first.close();
    const second = open(path);
    expect(await second.feedback.listFeedback(10)).toEqual([feedback('a')]);
    expect(await second.apiKeys.listApiKeys()).toEqual([apiKey('a')]);
  });

  test('can be used by two at once: what one writes, the other sees', async () => {
    const path = newPath();
    const [host, command] = [open(path), open(path)];
    await command.apiKeys.addApiKey(apiKey('a'));
    expect(await host.apiKeys.findApiKeyByHash('hash of a')).toEqual(apiKey('a'));
    await host.feedback.saveFeedback(feedback('a'));
    expect(await command.feedback.listFeedback(1)).toEqual([feedback('a')]);
    await command.apiKeys.revokeApiKey('a', new Date('2026-04-01'));
    expect((await host.apiKeys.findApiKeyByHash('hash of a'))!.revokedAt).toEqual(new Date('2026-04-01'));
  });

  test('is brought up to date once, even where another process does it at the same time', async () => {
    const path = newPath();
    const database = rawDatabase(path);
    let isOvertaken = false;
    const overtaken = new Proxy(database, {
      get(target, name) {
        // The other one comes between the look at the schema and the lock.
        if (!isOvertaken && (name === 'transaction' || name === 'exec')) {
          isOvertaken = true;
          open(path);
        }
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    migrate(overtaken);
    expect(isOvertaken).toBe(true);
    migrate(database);
    await expect(open(path).check()).resolves.toBeUndefined();
  });

  test('that is no database, or no file, is named', () => {
    const path = newPath();
    writeFileSync(path, 'this is no database, but long enough to look like one. '.repeat(50));
    const unavailable = (name: string) =>
      expect.objectContaining({ code: 'STORE_UNAVAILABLE', message: expect.stringContaining(name) });
    expect(() => createSqliteStore(path)).toThrow(unavailable(path));
    const missing = join(makeTempDir(), 'none', 'skilldock.db');
    expect(() => createSqliteStore(missing)).toThrow(unavailable(missing));
  });

  test('is there until it is closed', async () => {
    const store = createSqliteStore(newPath());
    await expect(store.check()).resolves.toBeUndefined();
    await store.close();
    await expect(store.check()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', kind: 'unavailable' });
  });
});

test('a call that the database refuses says that the store is not available', async () => {
  const path = newPath();
  const store = open(path);
  rawDatabase(path).exec('DROP TABLE feedback');
  await expect(store.feedback.saveFeedback(feedback('f1'))).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
  });
});

test('a file of a newer version is not touched', () => {
  const path = newPath();
  rawDatabase(path).pragma('user_version = 99');
  expect(() => createSqliteStore(path)).toThrow(
    expect.objectContaining({ code: 'STORE_UNAVAILABLE', message: expect.stringContaining('newer version') }),
  );
});
