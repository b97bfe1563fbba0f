import type Database from 'libsql';
import type { UsageCount, UsageRepository } from '../../../../ports/store/store.ts';
import { integer, text } from '../columns.ts';
import { joinListConditions, matchListScope } from '../list-page.ts';
import { defineTable } from '../table.ts';

export const usage = defineTable<UsageCount>('usage_counts', {
  columns: { tenantId: text(), day: text(), metric: text(), count: integer },
  key: ['tenantId', 'day', 'metric'],
});

export function createUsageRepository(database: Database.Database): UsageRepository {
  // Counts are collected before they are written. A count of a tenant that was removed meanwhile is dropped here, as it must not
  // make the others fail.
  const add = database.prepare(
    `INSERT INTO usage_counts (tenant_id, day, metric, count) SELECT id, ?, ?, ? FROM tenants WHERE id = ?
     ON CONFLICT (tenant_id, day, metric) DO UPDATE SET count = count + excluded.count`,
  );
  const addAll = database.transaction((counts: readonly UsageCount[]) => {
    for (const { tenantId, day, metric, count } of counts) add.run(day, metric, count, tenantId);
  });
  return {
    async addUsage(counts) {
      if (counts.length > 0) addAll.immediate(counts);
    },
    async sumUsage(scope, firstDay, lastDay) {
      const days = { sql: 'day BETWEEN ? AND ?', values: [firstDay, lastDay] };
      const { sql, values } = joinListConditions([days, ...matchListScope(scope)]);
      const sums = database.prepare(
        `SELECT day, metric, SUM(count) AS count FROM usage_counts ${sql} GROUP BY day, metric ORDER BY day, metric`,
      );
      return sums.all([...values]) as Omit<UsageCount, 'tenantId'>[];
    },
  };
}
