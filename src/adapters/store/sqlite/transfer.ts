import type Database from 'libsql';
import { splitRecordKey, toRecordKey } from '../../../domain/record-key.ts';
import type { StoreCollection, StoreTransfer, TransferRecord } from '../../../ports/store/store.ts';
import { activity } from './repositories/activity.ts';
import { adminLinks, adminSessions, admins } from './repositories/admins.ts';
import { apiKeys } from './repositories/api-keys.ts';
import { assistantClients, assistantGrants } from './repositories/assistants.ts';
import { audit } from './repositories/audit.ts';
import { feedback } from './repositories/feedback-table.ts';
import { importEntries } from './repositories/import-entries.ts';
import { imports } from './repositories/imports.ts';
import { insight } from './repositories/insight.ts';
import { linkChecks } from './repositories/link-checks.ts';
import { linkMends } from './repositories/link-mends.ts';
import { ltiDeployments, ltiRegistrations } from './repositories/lti-registrations.ts';
import { objectChanges } from './repositories/object-layers.ts';
import { people } from './repositories/people.ts';
import { ltiLinks, placements } from './repositories/placements.ts';
import { scores } from './repositories/scores.ts';
import { secrets } from './repositories/secrets.ts';
import { shelf } from './repositories/shelf.ts';
import { slackInstallations } from './repositories/slack-installations.ts';
import { tenants } from './repositories/tenants.ts';
import { usage } from './repositories/usage.ts';
import type { Table } from './table.ts';

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
  shelf: plain(shelf),
  ltiRegistrations: plain(ltiRegistrations),
  ltiDeployments: plain(ltiDeployments),
  placements: plain(placements),
  ltiLinks: plain(ltiLinks),
  activity: plain(activity),
  scores: plain(scores),
  slackInstallations: plain(slackInstallations),
  people: plain(people),
  imports: plain(imports),
  importEntries: plain(importEntries),
  linkChecks: plain(linkChecks),
  linkMends: plain(linkMends),
  objectChanges: plain(objectChanges),
  insight: plain(insight),
  assistantClients: plain(assistantClients),
  assistantGrants: plain(assistantGrants),
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

/** Keys are in the order of their parts, so that the primary key gives it. */
function readRecords(
  database: Database.Database,
  table: Table<Plain>,
  { after, limit }: Part,
): TransferRecord[] {
  const columns = table.key.join(', ');
  const later = `WHERE (${columns}) > (${table.key.map(() => '?').join(', ')})`;
  const start = after === null ? [] : splitRecordKey(after, table.key.length);
  const statement = database.prepare(
    table.select(`${after === null ? '' : later} ORDER BY ${columns} LIMIT ?`),
  );
  return (statement.all([...start, limit]) as Record<string, string>[]).map((row) => ({
    key: toRecordKey(table.key.map((column) => `${row[column]}`)),
    record: table.toRecord(row),
  }));
}
