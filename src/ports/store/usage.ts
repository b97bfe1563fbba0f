import type { TenantScope } from '#domain/admin';
import type { UsageMetric } from '#domain/tenant';
import { describeRecord, field, is, type OpenRecords, type RecordOf } from './record.ts';

export const usageRecords = describeRecord('usage', {
  fields: {
    tenantId: field.ofTenant,
    /** `YYYY-MM-DD` in UTC. */
    day: field.text(),
    metric: field.text<UsageMetric>(),
    count: field.integer,
  },
  impersonal: 'tenantId day metric count',
  key: ['tenantId', 'day', 'metric'],
  indexes: [['day'], { fields: ['tenantId', 'day'], in: 'mongo' }],
  loss: 'moments',
  hasShortRows: true,
});

export type UsageCount = RecordOf<typeof usageRecords>;
export type UsageRepository = ReturnType<typeof createUsageRepository>;

export function createUsageRepository(open: OpenRecords, addUsage: (counts: readonly UsageCount[]) => Promise<void>) {
  const records = open(usageRecords);
  return {
    /** Adds to the stored counts; several hosts may do so at once. */
    addUsage,
    /** Returns sums from `firstDay` to `lastDay`, inclusive, in the order of day and metric. */
    async sumUsage(
      scope: TenantScope,
      firstDay: string,
      lastDay: string,
    ): Promise<readonly Omit<UsageCount, 'tenantId'>[]> {
      const where = { day: is.between(firstDay, lastDay), tenantId: is.inScope(scope) };
      const sums = await records.summarize(['day', 'metric'], where, { sum: 'count' });
      return sums.map(({ day, metric, sum: count }) => ({ day, metric, count }));
    },
  };
}
