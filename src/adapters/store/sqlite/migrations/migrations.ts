import Database from 'libsql';
import type { SchemaState } from '../../../../ports/store/store.ts';
import { createDatabaseUnavailableError, readDatabaseVersion } from '../database.ts';
import { feedbackAndKeys } from './0001-feedback-and-keys.ts';
import { tenantsAndAdmins } from './0002-tenants-and-admins.ts';
import { shelvesAndAnswers } from './0003-shelves-and-answers.ts';
import { lti } from './0004-lti.ts';
import { slack } from './0005-slack.ts';
import { imports } from './0006-imports.ts';
import { linkChecks } from './0007-link-checks.ts';
import { copiedLinks } from './0008-copied-links.ts';
import { deadLinks } from './0009-dead-links.ts';
import { checkedImports } from './0010-checked-imports.ts';
import { objectLayers } from './0011-object-layers.ts';
import { insight } from './0012-insight.ts';
import { assistants } from './0013-assistants.ts';
import { files } from './0014-files.ts';

/** Changes of the schema in order; the number of those applied is the database's `user_version`. Never edit one that was
 *  released: add another. Instants are milliseconds since 1970. */
const migrations: readonly ((database: Database.Database) => void)[] = [
  (database) => database.exec(feedbackAndKeys),
  tenantsAndAdmins,
  shelvesAndAnswers,
  (database) => database.exec(lti),
  (database) => database.exec(slack),
  (database) => database.exec(imports),
  (database) => database.exec(linkChecks),
  (database) => database.exec(copiedLinks),
  (database) => database.exec(deadLinks),
  (database) => database.exec(checkedImports),
  (database) => database.exec(objectLayers),
  (database) => database.exec(insight),
  (database) => database.exec(assistants),
  (database) => database.exec(files),
];

/** Number of the newest schema. */
export const SCHEMA_VERSION = migrations.length;

/** Bring the schema up to date, all steps with their number in one transaction. The number is read once more within it:
 *  another process may be starting on the same file. */
export function migrate(database: Database.Database): void {
  const applied = readDatabaseVersion(database);
  if (applied > SCHEMA_VERSION) throw new Error('it was made by a newer version of Skilldock');
  if (applied === SCHEMA_VERSION) return;
  database
    .transaction(() => {
      for (const change of migrations.slice(readDatabaseVersion(database))) change(database);
      database.pragma(`user_version = ${SCHEMA_VERSION}`);
    })
    .immediate();
}

/** Read without changing anything. Errors: STORE_UNAVAILABLE, also for a damaged file. */
export function readSchemaState(path: string): SchemaState {
  return look(path, (database) => {
    const [found] = database.prepare('PRAGMA quick_check(1)').all() as { quick_check: string }[];
    if (found?.quick_check !== 'ok') throw new Error(found?.quick_check);
    const applied = readDatabaseVersion(database);
    return { applied, known: SCHEMA_VERSION, isTooNew: applied > SCHEMA_VERSION };
  });
}

/** Whether it has no tables yet, read without changing anything. Errors: STORE_UNAVAILABLE, also where it is no database. */
export function isDatabaseEmpty(path: string): boolean {
  return look(path, (database) => readDatabaseVersion(database) === 0);
}

function look<T>(path: string, read: (database: Database.Database) => T): T {
  try {
    const database = new Database(path, { readonly: true, timeout: 5000 });
    try {
      return read(database);
    } finally {
      database.close();
    }
  } catch (cause) {
    throw createDatabaseUnavailableError(path, cause);
  }
}
