import { describe, expect, test } from 'vitest';
import type {
  InsightQuery,
  InsightRecord,
  PendingCounts,
  PendingSearch,
  Store,
} from '../../../src/ports/store/store.ts';
import { type OpenStore, race } from './opened-store.ts';
import { at, awkwardText, tenant } from './records.ts';

const none = { asked: 0, poor: 0, empty: 0, unopened: 0, opened: 0, placed: 0, finished: 0 };

export const insightOf = (name: string, changes: Partial<InsightRecord> = {}): InsightRecord => ({
  tenantId: 'lyon',
  day: '2026-03-01',
  kind: 'search',
  name,
  title: name,
  ...none,
  ...changes,
});

const wanted = (changes: Partial<InsightQuery> = {}): InsightQuery => ({
  scope: null,
  kind: 'search',
  by: 'asked',
  firstDay: '2026-01-01',
  lastDay: '2026-12-31',
  limit: 100,
  ...changes,
});

const MOST = 100;
const once: PendingCounts = { asked: 1, poor: 0, empty: 0, unopened: 1 };
const limits = { people: 3, maxPending: 100, now: at(0), expiresAt: at(60) };
const asking = (mark: string, person: string, changes: Partial<PendingSearch> = {}): PendingSearch => ({
  tenantId: 'lyon',
  mark,
  person,
  ...once,
  ...changes,
});

export function describeInsight(open: OpenStore): void {
  const openInsight = async (records: readonly InsightRecord[] = []) => {
    const { store, openAnother } = await open();
    for (const id of ['lyon', 'paris']) await store.tenants.addTenant(tenant(id));
    await store.insight.addInsight(records, MOST);
    return { insight: store.insight, store, openAnother };
  };
  const namesIn = async ({ insight }: Pick<Store, 'insight'>, changes?: Partial<InsightQuery>) =>
    (await insight.listTopInsight(wanted(changes))).map(({ name }) => name);

  describe('insight', () => {
    test('adds up by tenant and name, over the days asked for', async () => {
      const { insight } = await openInsight([
        insightOf('python', { asked: 3, poor: 1 }),
        insightOf('python', { asked: 2, unopened: 4, title: 'Python' }),
        insightOf('python', { day: '2026-03-02', asked: 1, unopened: -1, title: 'Python' }),
        insightOf('python', { tenantId: 'paris', asked: 40 }),
        insightOf('python', { kind: 'object', opened: 7 }),
      ]);
      await insight.addInsight([], MOST);
      const lyon = { tenantId: 'lyon', name: 'python', ...none };
      expect(await insight.listTopInsight(wanted({ scope: ['lyon'] }))).toEqual([
        { ...lyon, title: 'Python', asked: 6, poor: 1, unopened: 3 },
      ]);
      const [one] = await insight.listTopInsight(wanted({ scope: ['lyon'], lastDay: '2026-03-01' }));
      expect(one).toMatchObject({ asked: 5, unopened: 4 });
      expect(await insight.listTopInsight(wanted({ firstDay: '2026-03-03' }))).toEqual([]);
      expect(await insight.listTopInsight(wanted({ scope: [] }))).toEqual([]);
      expect(await insight.listTopInsight(wanted({ kind: 'object', by: 'opened' }))).toMatchObject([
        { ...lyon, opened: 7 },
      ]);
    });

    test('lists the most first, ties by name and tenant, and nothing without a count', async () => {
      const store = await openInsight([
        insightOf('b', { asked: 2, poor: 2 }),
        insightOf('a', { asked: 2 }),
        insightOf('a', { tenantId: 'paris', asked: 2 }),
        insightOf(awkwardText, { asked: 9, poor: 1 }),
        insightOf('none', {}),
        insightOf('less than none', { unopened: -1 }),
      ]);
      const all = await store.insight.listTopInsight(wanted());
      expect(all.map(({ tenantId, name }) => `${tenantId} ${name}`)).toEqual([
        `lyon ${awkwardText}`,
        'lyon a',
        'paris a',
        'lyon b',
      ]);
      expect(await namesIn(store, { limit: 1 })).toEqual([awkwardText]);
      expect(await namesIn(store, { by: 'poor' })).toEqual(['b', awkwardText]);
      expect(await namesIn(store, { by: 'unopened' })).toEqual([]);
    });

    test('sums one name alone', async () => {
      const { store } = await open();
      await store.tenants.addTenant(tenant('lyon'));
      const opened = { kind: 'object', opened: 2 } as const;
      await store.insight.addInsight([insightOf('a', opened), insightOf('b', opened)], MOST);
      const found = await store.insight.listTopInsight(wanted({ kind: 'object', by: 'opened', name: 'b' }));
      expect(found).toMatchObject([{ name: 'b', opened: 2 }]);
      expect(await store.insight.listTopInsight(wanted({ kind: 'object', by: 'opened', name: 'c' }))).toEqual([]);
    });

    test('knows which words have a record, also without a count', async () => {
      const { insight } = await openInsight([
        insightOf('a', { asked: 1 }),
        insightOf('a', { day: '2026-03-02' }),
        insightOf('b'),
        insightOf('c', { kind: 'object' }),
        insightOf('d', { tenantId: 'paris' }),
      ]);
      expect([...(await insight.findExistingSearches('lyon', ['a', 'b', 'c', 'd', awkwardText]))].sort()).toEqual([
        'a',
        'b',
      ]);
      expect(await insight.findExistingSearches('lyon', [])).toEqual([]);
    });

    test('has a bounded number of records a day, to which counts are still added', async () => {
      const { insight, ...store } = await openInsight();
      const records = ['a', 'b', 'c', 'a'].map((name) => insightOf(name, { asked: 1 }));
      await insight.addInsight(records, 2);
      expect(await namesIn({ insight })).toEqual(['a', 'b']);
      await insight.addInsight([insightOf('b', { asked: 5 }), insightOf('d', { asked: 9 })], 2);
      expect(await namesIn({ insight })).toEqual(['b', 'a']);
      // Other days, kinds and tenants have a bound of their own.
      const others = [{ day: '2026-03-02' }, { kind: 'object' }, { tenantId: 'paris' }] as const;
      await insight.addInsight(
        others.map((other) => insightOf('e', { asked: 1, ...other })),
        2,
      );
      expect(await store.store.transfer.readRecords('insight', null, 100)).toHaveLength(5);
    });

    test('drops what is of a tenant that is gone', async () => {
      const store = await openInsight();
      await store.insight.addInsight([insightOf('a', { tenantId: 'gone', asked: 1 })], MOST);
      await store.insight.addInsight([insightOf('b', { asked: 1 })], MOST);
      expect(await namesIn(store)).toEqual(['b']);
      expect(
        await store.insight.addPendingSearch(asking('m', 'a', { tenantId: 'gone' }), {
          ...limits,
          people: 1,
        }),
      ).toBeNull();
    });

    test('loses nothing where several hosts count at once', async () => {
      const { insight, store, openAnother } = await openInsight();
      await race([store, await openAnother()], 20, (handle, number) =>
        handle.insight.addInsight([insightOf('a', { asked: number })], MOST),
      );
      expect(await insight.listTopInsight(wanted())).toMatchObject([{ asked: 190 }]);
    });

    test('gives what waited once enough different people have asked', async () => {
      const { insight } = await openInsight();
      const ask = (mark: string, person: string, changes: Partial<PendingSearch> = {}) =>
        insight.addPendingSearch(asking(mark, person, changes), limits);
      expect(await ask('m', 'ada')).toBeNull();
      expect(await ask('m', 'ada', { poor: 1, empty: 1, unopened: 0 })).toBeNull();
      expect(await ask('m', 'bob', { asked: 0, unopened: -1 })).toBeNull();
      expect(await ask('other', 'cy')).toBeNull();
      expect(await ask('m', 'cy', { tenantId: 'paris' })).toBeNull();
      expect(await ask('m', 'cy')).toEqual({ asked: 3, poor: 1, empty: 1, unopened: 1 });
      // It begins anew.
      expect(await ask('m', 'dan')).toBeNull();
      expect(await ask('m', 'eve')).toBeNull();
      expect(await ask('m', 'fay')).toEqual({ asked: 3, poor: 0, empty: 0, unopened: 3 });
    });

    test('forgets what has waited too long', async () => {
      const { insight } = await openInsight();
      for (const person of ['ada', 'bob']) await insight.addPendingSearch(asking('m', person), limits);
      const later = { ...limits, now: at(60), expiresAt: at(120) };
      expect(await insight.addPendingSearch(asking('m', 'cy'), later)).toBeNull();
      expect(await insight.addPendingSearch(asking('m', 'ada'), later)).toBeNull();
      expect(await insight.addPendingSearch(asking('m', 'bob'), later)).toEqual({
        ...once,
        asked: 3,
        unopened: 3,
      });
    });

    test('lets no more wait than it may', async () => {
      const { insight } = await openInsight();
      const few = { ...limits, people: 2, maxPending: 1 };
      expect(await insight.addPendingSearch(asking('a', 'ada'), few)).toBeNull();
      expect(await insight.addPendingSearch(asking('b', 'ada'), few)).toBeNull();
      expect(await insight.addPendingSearch(asking('b', 'bob'), few)).toBeNull();
      expect(await insight.addPendingSearch(asking('a', 'bob'), few)).toMatchObject({ asked: 2 });
    });

    test('gives it to one only where several hosts ask at once', async () => {
      const { store, openAnother } = await openInsight();
      const given = await race([store, await openAnother()], 8, (handle, number) =>
        handle.insight.addPendingSearch(asking('m', `person ${number}`), { ...limits, people: 8 }),
      );
      expect(given.filter((one) => one !== null)).toEqual([{ ...once, asked: 8, unopened: 8 }]);
    });

    test('removes old days and what has waited too long, so many at a time', async () => {
      const { insight, ...rest } = await openInsight(
        ['2026-01-01', '2026-01-02', '2026-02-01'].map((day) => insightOf('a', { day, asked: 1 })),
      );
      await insight.addPendingSearch(asking('m', 'ada'), { ...limits, people: 2 });
      expect(await insight.removeOldInsight('2026-02-01', at(0), 1)).toBe(true);
      expect(await insight.removeOldInsight('2026-02-01', at(60), 2)).toBe(false);
      expect(await insight.listTopInsight(wanted())).toMatchObject([{ asked: 1 }]);
      expect(await rest.store.transfer.readRecords('insight', null, 10)).toHaveLength(1);
      // It would have been the second one.
      expect(await insight.addPendingSearch(asking('m', 'bob'), { ...limits, people: 2 })).toBeNull();
    });
  });
}
