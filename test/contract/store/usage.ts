import { describe, expect, test } from 'vitest';
import type { UsageCount } from '../../../src/ports/store/store.ts';
import { type OpenStore, race } from './opened-store.ts';
import { tenant } from './records.ts';

const count = (tenantId: string, day: string, metric: UsageCount['metric'], added: number): UsageCount => ({
  tenantId,
  day,
  metric,
  count: added,
});

export function describeUsage(open: OpenStore): void {
  const openUsage = async (counts: readonly UsageCount[] = []) => {
    const { store, openAnother } = await open();
    for (const id of ['lyon', 'paris']) await store.tenants.addTenant(tenant(id));
    await store.usage.addUsage(counts);
    return { usage: store.usage, store, openAnother };
  };
  const sample = [
    count('lyon', '2026-03-02', 'searches', 5),
    count('lyon', '2026-03-01', 'zero-result-searches', 1),
    count('lyon', '2026-03-01', 'searches', 3),
    count('paris', '2026-03-01', 'searches', 40),
    count('paris', '2026-02-28', 'feedback', 2),
  ];

  describe('usage', () => {
    test('adds up, also within one call', async () => {
      const { usage } = await openUsage([
        count('lyon', '2026-03-01', 'searches', 3),
        count('lyon', '2026-03-01', 'searches', 4),
      ]);
      await usage.addUsage([count('lyon', '2026-03-01', 'searches', 10)]);
      await usage.addUsage([]);
      expect(await usage.sumUsage(null, '2026-03-01', '2026-03-01')).toEqual([
        { day: '2026-03-01', metric: 'searches', count: 17 },
      ]);
    });

    test('loses nothing where several hosts count at once', async () => {
      const { usage, store, openAnother } = await openUsage();
      await race([store, await openAnother()], 20, (handle, number) =>
        handle.usage.addUsage([
          count('lyon', '2026-03-01', 'searches', number),
          count('paris', '2026-03-01', 'launches', 1),
        ]),
      );
      expect(await usage.sumUsage(null, '2026-03-01', '2026-03-01')).toEqual([
        { day: '2026-03-01', metric: 'launches', count: 20 },
        { day: '2026-03-01', metric: 'searches', count: 190 },
      ]);
    });

    test('is summed over tenants, in the order of day and metric', async () => {
      const { usage } = await openUsage(sample);
      expect(await usage.sumUsage(null, '2026-01-01', '2026-12-31')).toEqual([
        { day: '2026-02-28', metric: 'feedback', count: 2 },
        { day: '2026-03-01', metric: 'searches', count: 43 },
        { day: '2026-03-01', metric: 'zero-result-searches', count: 1 },
        { day: '2026-03-02', metric: 'searches', count: 5 },
      ]);
    });

    test('is summed for the scope and the days asked for, both ends counted', async () => {
      const { usage } = await openUsage(sample);
      expect(await usage.sumUsage(['lyon', 'none'], '2026-03-01', '2026-03-01')).toEqual([
        { day: '2026-03-01', metric: 'searches', count: 3 },
        { day: '2026-03-01', metric: 'zero-result-searches', count: 1 },
      ]);
      expect(await usage.sumUsage(['paris'], '2026-02-28', '2026-03-02')).toHaveLength(2);
      expect(await usage.sumUsage([], '2026-01-01', '2026-12-31')).toEqual([]);
      expect(await usage.sumUsage(null, '2026-03-03', '2026-12-31')).toEqual([]);
    });
  });
}
