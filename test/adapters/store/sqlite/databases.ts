import { join } from 'node:path';
import Database from 'libsql';
import { onTestFinished } from 'vitest';
import { tables } from '../../../../src/adapters/store/sqlite/migrations/0002-tenants-and-admins-tables.ts';
import { shelvesAndAnswers } from '../../../../src/adapters/store/sqlite/migrations/0003-shelves-and-answers.ts';
import { lti } from '../../../../src/adapters/store/sqlite/migrations/0004-lti.ts';
import { createSqliteStore } from '../../../../src/adapters/store/sqlite/sqlite-store.ts';
import type { Store } from '../../../../src/ports/store/store.ts';
import { makeTempDir } from '../../../helpers/temp-dir.ts';

/** In a folder that is gone when the test is over. */
export const newPath = (): string => join(makeTempDir(), 'skilldock.db');

export function openStore(path = newPath()): Store {
  const store = createSqliteStore(path);
  onTestFinished(() => store.close());
  return store;
}

export function openRaw(path: string): Database.Database {
  const database = new Database(path);
  onTestFinished(() => {
    database.close();
  });
  return database;
}

/** A database as the first version of Skilldock made it, with two keys and a feedback. */
export function makeFirstVersion(path: string): void {
  const database = openRaw(path);
  database.exec(`
    CREATE TABLE feedback (id TEXT PRIMARY KEY, url TEXT NOT NULL, comment TEXT, request_id TEXT NOT NULL,
      email TEXT NOT NULL, source TEXT NOT NULL, received_at INTEGER NOT NULL) STRICT;
    CREATE INDEX feedback_by_time ON feedback (received_at DESC, id);
    CREATE TABLE api_keys (id TEXT PRIMARY KEY, name TEXT NOT NULL, key_hash TEXT NOT NULL UNIQUE,
      scopes TEXT NOT NULL, per_second INTEGER NOT NULL, per_day INTEGER NOT NULL, created_at INTEGER NOT NULL,
      expires_at INTEGER, revoked_at INTEGER) STRICT;
    PRAGMA user_version = 1;`);
  const addKey = database.prepare('INSERT INTO api_keys VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  addKey.run([
    'k1',
    'Clé d’Ève',
    'hash 1',
    'competency learning-objects feedback',
    20,
    50_000,
    2_000,
    9_000,
    null,
  ]);
  addKey.run(['k2', 'Two', 'hash 2', 'competency', 5, 100, 1_500, null, 8_000]);
  database
    .prepare('INSERT INTO feedback VALUES (?, ?, ?, ?, ?, ?, ?)')
    .run([
      'f1',
      'https://example.org/É',
      'it\'s "good"',
      'r1',
      'Ada@example.org',
      'https://school.org',
      1_234,
    ]);
}

/** A database as the second version made it, with a tenant and three feedbacks. */
export function makeSecondVersion(path: string): void {
  const database = openRaw(path);
  database.exec(`${tables}
    PRAGMA user_version = 2;
    INSERT INTO tenants VALUES ('lyon', 'École', 'disabled', '{"kind":"local"}', '{"lang":"fr"}',
      '{"title":null,"accent":null}', 1000, 2000, 7, 'ecole', 'ecole' || char(31) || 'lyon');`);
  const add = database.prepare(
    `INSERT INTO feedback VALUES (?, 'lyon', 'https://example.org', NULL, 'r', ?, 's', NULL, 1500, ?, 1, 1600, NULL, NULL, '', '')`,
  );
  add.run(['f1', 'Ève@Example.org', 'waiting']);
  add.run(['f2', 'ÈVE@example.org', 'delivered']);
  add.run(['f3', 'eve@example.org', 'delivered']);
}

/** A database as the third version made it: that of the second one, brought up to date. */
export function makeThirdVersion(path: string): void {
  makeSecondVersion(path);
  const database = openRaw(path);
  shelvesAndAnswers(database);
  database.pragma('user_version = 3');
}

/** A database as the fourth version made it: that of the third one, brought up to date. */
export function makeFourthVersion(path: string): void {
  makeThirdVersion(path);
  const database = openRaw(path);
  database.exec(lti);
  database.pragma('user_version = 4');
}
