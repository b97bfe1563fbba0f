import type Database from 'libsql';
import type { StoreCollection, StoreTransfer, TransferRecord } from '../../ports/store.ts';
import { adminLinks } from './admin-links.ts';
import { adminSessions } from './admin-sessions.ts';
import { admins } from './admins.ts';
import { apiKeys } from './api-keys.ts';
import { audit } from './audit.ts';
import { feedback } from './feedback.ts';
import { secrets } from './secrets.ts';
import type { Table } from './table.ts';
import { tenants } from './tenants.ts';
import { usage } from './usage.ts';

type Plain = TransferRecord['record'];

const plain = <R extends object>(table: Table<R>) => table as unknown as Table<Plain>;

export const longLivedTables: Readonly<Record<StoreCollection, Table<Plain>>> = {
  tenants: plain(tenants),
  secrets: plain(secrets),
  apiKeys: plain(apiKeys),
  feedback: plain(feedback),
  audit: plain(audit),
  admins: plain(admins),
  adminLinks: plain(adminLinks),
  adminSessions: plain(adminSessions),
  usage: plain(usage),
};

export function createStoreTransfer(database: Database.Database): StoreTransfer {
  return {
    readRecords: async (collection, after, limit) =>
      readRecords(database, longLivedTables[collection], { after, limit }),
    async writeRecords(collection, records) {
      const { upsert, toValues } = longLivedTables[collection];
      const statement = database.prepare(upsert);
      const write = database.transaction(() => {
        for (const { record } of records) statement.run(toValues(record));
      });
      write.immediate();
    },
  };
}

interface Part {
  readonly after: string | null;
  readonly limit: number;
}

/** The order of several columns is that of their values joined by a blank, as no id of a tenant, no day and no metric has a
 *  character before it; so the primary key gives the order of the keys. */
function readRecords(
  database: Database.Database,
  table: Table<Plain>,
  { after, limit }: Part,
): TransferRecord[] {
  const columns = table.key.join(', ');
  const later = `WHERE (${columns}) > (${table.key.map(() => '?').join(', ')})`;
  const start = after === null ? [] : splitKey(after, table.key.length);
  const statement = database.prepare(
    `SELECT ${table.key.join(" || ' ' || ")} AS transfer_key, ${table.fields} FROM ${table.name}
     ${after === null ? '' : later} ORDER BY ${columns} LIMIT ?`,
  );
  return (statement.all([...start, limit]) as { transfer_key: string }[]).map((row) => ({
    key: row.transfer_key,
    record: table.toRecord(row),
  }));
}

/** The last part takes what is left. */
function splitKey(key: string, parts: number): string[] {
  const all = key.split(' ');
  const first = all.slice(0, parts - 1);
  return [...first, all.slice(parts - 1).join(' ')];
}
