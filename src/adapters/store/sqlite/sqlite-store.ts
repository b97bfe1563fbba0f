import type Database from 'libsql';
import { splitRecordKey, toRecordKey } from '#domain/record-key';
import {
  createRepositories,
  type InsightQuery,
  type InsightSum,
  insightCounters,
  insightRecords,
  is,
  latestShortLivedExpiry,
  longLivedRecords,
  type RateCounterRepository,
  type ShelfRecord,
  type Store,
  type StoreDescription,
  type StoreParts,
  type StoreTransfer,
  shelfRecords,
  storeRecords,
  type UsageCount,
} from '#ports/store/store';
import {
  BUSY_MS,
  createDatabaseTidy,
  createDatabaseUnavailableError,
  explainDatabaseFailures,
  openDatabase,
  prepareLater,
  readDatabaseVersion,
  removeExpiredFromDatabase,
  requireDatabaseSpace,
  type Tidy,
} from './database.ts';
import { createImportEntries } from './import-entries.ts';
import { createLeaseQueue } from './lease-queue.ts';
import { createRecordStatements, createRecords } from './records.ts';
import { migrate } from './schema.ts';
import { longLivedTable, type SqlValue, tableOf } from './table.ts';
import { toWhere } from './where.ts';

/** Opens the embedded store: one SQLite file with a write-ahead log, so that a command beside the
 *  running host can use it too. Errors: STORE_UNAVAILABLE, also of every call of the store. */
export function createSqliteStore(path: string): Store {
  const { database, counters } = openSqliteConnections(path);
  const explained = <T extends object>(repository: T) => explainDatabaseFailures(repository, database, path);
  const tidy = createDatabaseTidy(counters);
  const repositories = createRepositories({
    explain: explained,
    open: (description) => createRecords(description.loss === 'none' ? database : counters, description, tidy),
    openQueue: (description, lane) => createLeaseQueue(database, description, lane),
    removeTenant: createSqliteTenantRemoval(database),
    addUsage: createSqliteUsageAddition(counters),
    addToShelf: createShelfAddition(database),
    listTopInsight: (query) => listTopInsight(counters, query),
    rateCounters: createRateCounterRepository(counters, tidy),
    importEntries: createImportEntries(counters),
  });
  return {
    ...repositories,
    transfer: explained(createStoreTransfer(database)),
    ...explained({
      describe: async () => describeSqliteStore(database, path),
      async check() {
        database.prepare('SELECT 1').get();
        requireDatabaseSpace(path);
      },
      async dropRemains(now: Date) {
        removeExpiredFromDatabase(counters, now, Number.POSITIVE_INFINITY);
        emptySqliteLog(database);
      },
    }),
    close: async () => closeSqliteConnections(database, counters),
  };
}

interface Connections {
  readonly database: Database.Database;
  /** The connection for data that may be lost with the machine, as waiting for the disk would cost
   *  more than the request: it changes with every request, and lives for hours at most. Imports,
   *  too: an interrupted one resumes from an earlier place. */
  readonly counters: Database.Database;
}

function openSqliteConnections(path: string): Connections {
  let database: Database.Database | undefined;
  try {
    database = openDatabase(path);
    migrate(database);
    return { database, counters: openDatabase(path, { synchronous: 'NORMAL' }) };
  } catch (cause) {
    // Before it is closed, which may make room.
    const error = createDatabaseUnavailableError(path, cause);
    database?.close();
    throw error;
  }
}

function describeSqliteStore(database: Database.Database, path: string): StoreDescription {
  const sizes = 'page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()';
  const statement = database.prepare(`SELECT sqlite_version() AS version, ${sizes}`);
  const { version, bytes } = statement.get() as { version: string; bytes: number };
  return { kind: 'sqlite', location: path, version, schemaVersion: readDatabaseVersion(database), bytes };
}

/** Closes both connections. The log is written back first: libsql keeps a closed file open until
 *  its statements are collected, so SQLite would leave the log beside the file, and a copy of
 *  the file alone would miss its content. Where that fails, as on a full disk, the log stays,
 *  and nothing is lost. */
function closeSqliteConnections(database: Database.Database, counters: Database.Database): void {
  if (!database.open) return;
  counters.close();
  emptySqliteLog(database);
  database.close();
}

/** Writes the log back without waiting: it stays while others read, or if the disk is full. */
function emptySqliteLog(database: Database.Database): void {
  try {
    database.pragma('busy_timeout = 0');
    database.pragma('wal_checkpoint(TRUNCATE)');
  } catch {
    // Whoever opens the store next tries again.
  } finally {
    database.pragma(`busy_timeout = ${BUSY_MS}`);
  }
}

const isInScope = 'EXISTS (SELECT 1 FROM json_each(tenants) WHERE value = :id)';
const scopeWithout = '(SELECT json_group_array(value) FROM json_each(tenants) WHERE value <> :id)';

/** Returns a function that removes a tenant in one transaction, so that no crash interrupts it.
 *  A scope without the tenant counts as a change, so that nobody who has read the record before
 *  can bring the id back. */
function createSqliteTenantRemoval(database: Database.Database): (id: string) => Promise<void> {
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

/** Reads records in the order of their keys: that of the parts, as in the primary key. */
function createStoreTransfer(database: Database.Database): StoreTransfer {
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

/** Returns a function that adds counts, and drops those of tenants that were removed meanwhile. */
function createSqliteUsageAddition(database: Database.Database): StoreParts['addUsage'] {
  const add = prepareLater(
    database,
    `INSERT INTO usage (tenant_id, day, metric, count) SELECT id, ?, ?, ? FROM tenants WHERE id = ?
     ON CONFLICT (tenant_id, day, metric) DO UPDATE SET count = count + excluded.count`,
  );
  const addAll = database.transaction((counts: readonly UsageCount[]) => {
    for (const { tenantId, day, metric, count } of counts) add.run(day, metric, count, tenantId);
  });
  return async (counts) => {
    if (counts.length > 0) addAll.immediate(counts);
  };
}

function createShelfAddition(database: Database.Database): StoreParts['addToShelf'] {
  const table = tableOf(shelfRecords);
  const ofOwner = 'FROM shelf WHERE tenant_id = ? AND person = ?';
  const count = prepareLater(database, `SELECT count(*) AS total ${ofOwner}`);
  const find = prepareLater(database, `SELECT 1 ${ofOwner} AND address = ?`);
  const insert = prepareLater(database, createRecordStatements(table).insert);
  const add = database.transaction((record: ShelfRecord, capacity: number) => {
    const { tenantId, person, address } = record;
    if (find.get(tenantId, person, address) !== undefined) return 'kept';
    if ((count.get(tenantId, person) as { total: number }).total >= capacity) return 'full';
    insert.run(table.toValues(record));
    return 'added';
  });
  return async (record, capacity) => add.immediate(record, capacity);
}

type WindowRow = { readonly points: number; readonly expires_at: number };

function createRateCounterRepository(database: Database.Database, tidy: Tidy): RateCounterRepository {
  const add = prepareLater(
    database,
    `INSERT INTO rate_windows (name, points, expires_at) VALUES (:name, :points, :expiresAt)
     ON CONFLICT (name) DO UPDATE SET
       points = excluded.points + iif(expires_at > :now AND expires_at <= :latest, points, 0),
       expires_at = iif(expires_at > :now AND expires_at <= :latest, expires_at, excluded.expires_at)
     RETURNING points, expires_at`,
  );
  const toCount = (row: WindowRow) => ({ points: row.points, expiresAt: new Date(row.expires_at) });
  return {
    async addRatePoints(name, points, { now, expiresAt }) {
      tidy(now);
      const latest = latestShortLivedExpiry(expiresAt).getTime();
      const times = { now: now.getTime(), expiresAt: expiresAt.getTime(), latest };
      return toCount(add.get({ name, points, ...times }) as WindowRow);
    },
  };
}

const insightSums = insightCounters.map((counter) => `SUM(${counter}) AS ${counter}`).join(', ');

async function listTopInsight(database: Database.Database, query: InsightQuery): Promise<readonly InsightSum[]> {
  const { scope, kind, by, name, firstDay, lastDay, limit } = query;
  const where = { kind, day: is.between(firstDay, lastDay), name, tenantId: is.inScope(scope) };
  const { sql, values } = toWhere(tableOf(insightRecords), where);
  const statement = prepareLater(
    database,
    `SELECT tenant_id AS tenantId, name, MAX(title) AS title, ${insightSums} FROM insight ${sql}
     GROUP BY tenant_id, name HAVING SUM(${by}) > 0 ORDER BY SUM(${by}) DESC, name, tenant_id LIMIT ?`,
  );
  return statement.all([...values, limit]) as InsightSum[];
}
