import type Database from 'libsql';
import { splitRecordKey, toRecordKey } from '#domain/record-key';
import { longLivedRecords, type StoreCollection, type StoreTransfer, storeRecords } from '#ports/store/store';
import { prepareLater } from './database.ts';
import { createRecords } from './records.ts';
import { type SqlValue, type Table, tableOf } from './table.ts';

export const longLivedTable = (collection: StoreCollection): Table<Record<string, unknown>> =>
  tableOf(longLivedRecords[collection]);

const isInScope = 'EXISTS (SELECT 1 FROM json_each(tenants) WHERE value = :id)';
const scopeWithout = '(SELECT json_group_array(value) FROM json_each(tenants) WHERE value <> :id)';

/** Removes everything of a tenant in one transaction, so that nobody sees it half done and no crash
 *  interrupts it. A scope without it counts as a change, so that nobody who has read the record
 *  before can bring the id back. */
export function createTenantRemoval(database: Database.Database): (id: string) => Promise<void> {
  const tables = storeRecords.map(tableOf);
  const owned = tables.filter(({ columns }) => columns.some(({ name }) => name === 'tenant_id'));
  const scoped = tables.filter(({ description: { fields } }) => fields.tenants?.type === 'tenants');
  const statements = [
    ...owned.map(({ name }) => `DELETE FROM ${name} WHERE tenant_id = :id`),
    ...scoped.map(({ name, description: { fields } }) => {
      const counted = fields.version === undefined ? '' : ', version = version + 1';
      return `UPDATE ${name} SET tenants = ${scopeWithout}${counted} WHERE ${isInScope}`;
    }),
    'DELETE FROM tenants WHERE id = :id',
  ].map((sql) => prepareLater(database, sql));
  const remove = database.transaction((id: string) => {
    for (const statement of statements) statement.run({ id });
  });
  return async (id) => remove.immediate(id);
}

/** Keys are in the order of their parts, so that the primary key gives it. */
export function createStoreTransfer(database: Database.Database): StoreTransfer {
  return {
    async readRecords(collection, after, limit) {
      const { name, key, fields, toRecord } = longLivedTable(collection);
      const start = after === null ? [] : splitRecordKey(after, key.length);
      const later = after === null ? '' : `WHERE (${key}) > (${key.map(() => '?')})`;
      const rows = prepareLater(database, `SELECT ${fields} FROM ${name} ${later} ORDER BY ${key} LIMIT ?`);
      return (rows.all([...start, limit]) as Record<string, SqlValue>[]).map((row) => ({
        key: toRecordKey(key.map((column) => `${row[column]}`)),
        record: toRecord(row),
      }));
    },
    writeRecords: (collection, records) =>
      createRecords(database, longLivedRecords[collection]).put(records.map(({ record }) => record)),
  };
}
