import type { TenantScope } from '../../domain/admin.ts';
import type { UsageMetric } from '../../domain/tenant.ts';

export interface UsageCount {
  readonly tenantId: string;
  /** `YYYY-MM-DD` in UTC. */
  readonly day: string;
  readonly metric: UsageMetric;
  readonly count: number;
}

export interface UsageRepository {
  /** Adds to the stored counts; several hosts may do so at once. */
  addUsage(counts: readonly UsageCount[]): Promise<void>;
  /** Summed over the tenants of the scope, for the days from `firstDay` to `lastDay`, both counted; in the order of day
   *  and metric (by its name). Days and metrics without a count are left out. */
  sumUsage(
    scope: TenantScope,
    firstDay: string,
    lastDay: string,
  ): Promise<readonly Omit<UsageCount, 'tenantId'>[]>;
}
