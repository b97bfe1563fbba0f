import type Database from 'libsql';
import { describe, expect, test } from 'vitest';
import { migrate } from '../../../../src/adapters/store/sqlite/schema.ts';
import { createSqliteStore } from '../../../../src/adapters/store/sqlite/sqlite-store.ts';
import { SCHEMA_VERSION, type Store, storeCollections } from '../../../../src/ports/store/store.ts';
import { at, tenant } from '../../../contract/store/records.ts';
import { addSamples, samples } from '../../../contract/store/samples.ts';
import { newPath, openRaw, openStore } from './databases.ts';

const listSchema = (database: Database.Database) =>
  (
    database.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all() as {
      readonly sql: string | null;
    }[]
  ).map(({ sql, ...rest }) => ({ ...rest, sql: sql?.replaceAll('"', '') }));

async function readAll({ transfer }: Store) {
  const all = await Promise.all(storeCollections.map((name) => transfer.readRecords(name, null, 100)));
  return all.flat();
}

/** A database as the last version in development had it: other names, other columns to search by, and some fields less. */
async function makeOldest(path: string): Promise<void> {
  const store = createSqliteStore(path);
  await addSamples(store);
  await store.close();
  openRaw(path).exec(`
    ALTER TABLE audit RENAME TO audit_entries;
    ALTER TABLE usage RENAME TO usage_counts;
    ALTER TABLE tenants DROP COLUMN has_assistants;
    ALTER TABLE tenants DROP COLUMN suggestions;
    ALTER TABLE tenants RENAME COLUMN derived_name TO name_folded;
    DROP INDEX admins_by_derived_account;
    ALTER TABLE admins DROP COLUMN derived_account;
    PRAGMA user_version = 14;`);
}

describe('the schema', () => {
  test('of the oldest supported version is brought up to date, with every record', async () => {
    const [path, fresh] = [newPath(), newPath()];
    openStore(fresh);
    await makeOldest(path);
    const expected = openStore();
    await addSamples(expected);
    const store = openStore(path);
    expect(await readAll(store)).toEqual(await readAll(expected));
    expect(listSchema(openRaw(path))).toEqual(listSchema(openRaw(fresh)));
    expect(openRaw(path).pragma('foreign_key_check')).toEqual([]);
  });

  test('adds initial and derived values to existing records', async () => {
    const path = newPath();
    await makeOldest(path);
    const { admins, tenants } = openStore(path);
    expect(await tenants.findTenant('paris')).toMatchObject({ hasAssistants: true, suggestions: 'approval' });
    const list = { scope: null, sort: 'name', descending: false, page: 0, pageSize: 9 } as const;
    expect((await tenants.listTenants({ ...list, search: 'PARIS' })).total).toBe(1);
    const [ada] = samples.admins;
    expect(await admins.findAdminByName('eve')).toEqual(ada);
    expect(await admins.addAdmin({ ...ada, id: 'other', oidcSubject: null })).toBe(false);
  });

  test('still removes records with their tenant or administrator', async () => {
    const path = newPath();
    await makeOldest(path);
    const { admins, adminSessions, tenants } = openStore(path);
    await admins.removeAdmin('ada');
    expect(await adminSessions.findAdminSession('a', at(1))).toBeNull();
    await tenants.removeTenant('lyon');
    expect(openRaw(path).pragma('foreign_key_check')).toEqual([]);
  });

  test('is brought up to date once, even by two processes at once', async () => {
    const path = newPath();
    const database = openRaw(path);
    let isOvertaken = false;
    const overtaken = new Proxy(database, {
      get(target, name) {
        // The other one comes between the look at the schema and the lock.
        if (!isOvertaken && (name === 'transaction' || name === 'exec')) {
          isOvertaken = true;
          openStore(path);
        }
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    migrate(overtaken);
    expect(isOvertaken).toBe(true);
    migrate(database);
    await expect(openStore(path).check()).resolves.toBeUndefined();
  });

  test('is unchanged after a failed update', async () => {
    const path = newPath();
    await makeOldest(path);
    const database = openRaw(path);
    const before = listSchema(database);
    database.exec('CREATE TABLE new_tenants (a)');
    expect(() => createSqliteStore(path)).toThrow(expect.objectContaining({ code: 'STORE_UNAVAILABLE' }));
    database.exec('DROP TABLE new_tenants');
    expect(listSchema(database)).toEqual(before);
    expect(await openStore(path).tenants.findTenant('paris')).toEqual(tenant('paris'));
  });

  test.each([
    ['of a newer version', SCHEMA_VERSION + 1, 'newer version'],
    ['of a version that was never released', 13, 'never released'],
    ['of another program', 14, 'no such table'],
  ])('%s is not touched', (_, version, message) => {
    const path = newPath();
    const database = openRaw(path);
    database.exec('CREATE TABLE notes (id)');
    database.pragma(`user_version = ${version}`);
    expect(() => createSqliteStore(path)).toThrow(
      expect.objectContaining({ code: 'STORE_UNAVAILABLE', message: expect.stringContaining(message) }),
    );
    expect(listSchema(database)).toHaveLength(1);
  });
});
