import { isInAdminScope, type TenantScope } from '#domain/admin';
import { type UsageMetric, usageMetrics } from '#domain/tenant';
import type { Clock } from '#ports/clock';
import type { Store, UsageCount } from '#ports/store/store';

export interface UsageReport {
  /** `YYYY-MM-DD` in UTC, the oldest first, without gaps; the last is today. */
  readonly days: readonly string[];
  readonly counts: Readonly<Record<UsageMetric, readonly number[]>>;
  readonly totals: Readonly<Record<UsageMetric, number>>;
}

/** Counts the use of each tenant, and stores the counts every second: no request waits. */
export type Usage = ReturnType<typeof createUsage>;

export interface UsageDeps extends Pick<Store, 'usage'> {
  readonly clock: Clock;
  onProblem(error: unknown): void;
}

const FLUSH_MS = 1000;
const DAY_MS = 86_400_000;

export function createUsage({ usage, clock, onProblem }: UsageDeps) {
  let gathered = new Map<string, UsageCount>();
  /** Flushes run one after the other: the counts of a failed one belong to the next. */
  let storing = Promise.resolve();
  const timer = setInterval(() => void flushUsage().catch(onProblem), FLUSH_MS).unref();

  function addUsage({ tenantId, day, metric, count }: UsageCount): void {
    const name = `${tenantId} ${day} ${metric}`;
    const before = gathered.get(name)?.count ?? 0;
    gathered.set(name, { tenantId, day, metric, count: before + count });
  }

  async function storeUsage(): Promise<void> {
    if (gathered.size === 0) return;
    const counts = [...gathered.values()];
    gathered = new Map();
    try {
      await usage.addUsage(counts);
    } catch (error) {
      for (const count of counts) addUsage(count);
      throw error;
    }
  }

  function flushUsage(): Promise<void> {
    const stored = storing.then(storeUsage);
    storing = stored.catch(() => undefined);
    return stored;
  }

  return {
    count: (tenantId: string, metric: UsageMetric) =>
      addUsage({ tenantId, day: formatDay(clock.now()), metric, count: 1 }),
    /** Reports the last `length` days, with the counts that this host has not stored yet. */
    async report(scope: TenantScope, length: number): Promise<UsageReport> {
      await flushUsage().catch(onProblem);
      const now = clock.now();
      const days = Array.from({ length }, (_, day) => formatDay(new Date(now.getTime() - (length - 1 - day) * DAY_MS)));
      const lastDay = formatDay(now);
      const [firstDay = lastDay] = days;
      const stored = await usage.sumUsage(scope, firstDay, lastDay);
      const unstored = [...gathered.values()].filter(({ tenantId }) => isInAdminScope(scope, tenantId));
      return toUsageReport(days, [...stored, ...unstored]);
    },
    /** Stores the collected counts; counts that fail are stored with the next flush. */
    flush: flushUsage,
    async close(): Promise<void> {
      clearInterval(timer);
      await flushUsage();
    },
  };
}

const formatDay = (instant: Date): string => instant.toISOString().slice(0, 10);

function toUsageReport(days: readonly string[], counted: readonly Omit<UsageCount, 'tenantId'>[]): UsageReport {
  const counts = mapUsageMetrics(() => days.map(() => 0));
  for (const { day, metric, count } of counted) {
    const index = days.indexOf(day);
    const before = counts[metric][index];
    if (before !== undefined) counts[metric][index] = before + count;
  }
  const totals = mapUsageMetrics((metric) => counts[metric].reduce((sum, count) => sum + count, 0));
  return { days, counts, totals };
}

function mapUsageMetrics<T>(make: (metric: UsageMetric) => T): Record<UsageMetric, T> {
  return Object.fromEntries(usageMetrics.map((metric) => [metric, make(metric)])) as Record<UsageMetric, T>;
}
