import type Database from 'libsql';
import {
  type InsightRecord,
  type InsightRepository,
  type InsightSum,
  insightCounters,
  insightRecords,
  is,
  type PendingCounts,
  type PendingLimits,
  type PendingSearch,
  searchCounters,
} from '#ports/store/store';
import { prepareLater } from './database.ts';
import { tableOf } from './table.ts';
import { toWhere } from './where.ts';

const sums = insightCounters.map((counter) => `SUM(${counter}) AS ${counter}`).join(', ');

export function createInsightRepository(database: Database.Database): InsightRepository {
  const add = createAdding(database);
  const wait = createWaiting(database);
  const existing = prepareLater(
    database,
    `SELECT DISTINCT name FROM insight WHERE tenant_id = ? AND kind = 'search' AND name IN (SELECT value FROM json_each(?))`,
  );
  const removeDays = prepareLater(
    database,
    `DELETE FROM insight WHERE (tenant_id, day, kind, name) IN
       (SELECT tenant_id, day, kind, name FROM insight WHERE day < ? LIMIT ?)`,
  );
  const removeExpired = prepareLater(database, 'DELETE FROM insight_waiting WHERE expires_at <= ?');
  return {
    async addInsight(records, mostADay) {
      if (records.length > 0) add.immediate(records, mostADay);
    },
    findExistingSearches: async (tenantId, names) =>
      (existing.all(tenantId, JSON.stringify(names)) as { name: string }[]).map(({ name }) => name),
    addPendingSearch: async (search, limits) => wait.immediate(search, limits),
    async listTopInsight({ scope, kind, by, name, firstDay, lastDay, limit }) {
      const { sql, values } = toWhere(tableOf(insightRecords), {
        kind,
        day: is.between(firstDay, lastDay),
        name,
        tenantId: is.inScope(scope),
      });
      const statement = prepareLater(
        database,
        `SELECT tenant_id AS tenantId, name, MAX(title) AS title, ${sums} FROM insight ${sql}
         GROUP BY tenant_id, name HAVING SUM(${by}) > 0 ORDER BY SUM(${by}) DESC, name, tenant_id LIMIT ?`,
      );
      return statement.all([...values, limit]) as InsightSum[];
    },
    async removeOldInsight(day, now, limit) {
      removeExpired.run(now.getTime());
      return removeDays.run(day, limit).changes === limit;
    },
  };
}

/** Drops records of removed tenants, which would make the others fail. */
function createAdding(database: Database.Database) {
  const update = prepareLater(
    database,
    `UPDATE insight SET title = ?, ${insightCounters.map((counter) => `${counter} = ${counter} + ?`).join(', ')}
     WHERE tenant_id = ? AND day = ? AND kind = ? AND name = ?`,
  );
  const { all, toValues } = tableOf(insightRecords);
  const insert = prepareLater(
    database,
    `INSERT INTO insight (${all}) SELECT ${all.map(() => '?')} FROM tenants WHERE id = ?
       AND (SELECT COUNT(*) FROM insight WHERE tenant_id = ? AND day = ? AND kind = ?) < ?`,
  );
  return database.transaction((records: readonly InsightRecord[], mostADay: number) => {
    for (const record of records) {
      const { tenantId, day, kind, name, title } = record;
      const counts = insightCounters.map((counter) => record[counter]);
      const { changes } = update.run([title, ...counts, tenantId, day, kind, name]);
      if (changes === 0) insert.run([...toValues(record), tenantId, tenantId, day, kind, mostADay]);
    }
  });
}

type Waiting = PendingCounts & { readonly people: string };

function createWaiting(database: Database.Database) {
  const find = prepareLater(
    database,
    'SELECT * FROM insight_waiting WHERE tenant_id = ? AND mark = ? AND expires_at > ?',
  );
  const findTenant = prepareLater(database, 'SELECT 1 FROM tenants WHERE id = ?');
  const remove = prepareLater(database, 'DELETE FROM insight_waiting WHERE tenant_id = ? AND mark = ?');
  const change = prepareLater(
    database,
    'UPDATE insight_waiting SET people = ?, asked = ?, poor = ?, empty = ?, unopened = ? WHERE tenant_id = ? AND mark = ?',
  );
  const begin = prepareLater(
    database,
    `INSERT INTO insight_waiting (people, asked, poor, empty, unopened, tenant_id, mark, expires_at)
     SELECT ?, ?, ?, ?, ?, ?, ?, ? WHERE (SELECT COUNT(*) FROM insight_waiting WHERE tenant_id = ?) < ?`,
  );
  return database.transaction((search: PendingSearch, limits: PendingLimits): PendingCounts | null => {
    const { tenantId, mark, person } = search;
    if (findTenant.get(tenantId) === undefined) return null;
    const before = find.get(tenantId, mark, limits.now.getTime()) as Waiting | undefined;
    const others: string[] = before === undefined ? [] : JSON.parse(before.people);
    const people = [...new Set([...others, person])];
    const counts = searchCounters.map((counter) => (before?.[counter] ?? 0) + search[counter]);
    if (before !== undefined && people.length < limits.people) {
      change.run([JSON.stringify(people), ...counts, tenantId, mark]);
      return null;
    }
    remove.run(tenantId, mark);
    if (people.length >= limits.people)
      return Object.fromEntries(searchCounters.map((name, i) => [name, counts[i]])) as unknown as PendingCounts;
    const { expiresAt, most } = limits;
    begin.run([JSON.stringify(people), ...counts, tenantId, mark, expiresAt.getTime(), tenantId, most]);
    return null;
  });
}
