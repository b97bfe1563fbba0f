import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createUsage } from '../../../src/services/host/usage.ts';
import type { StandingClock } from '../../fakes/clock.ts';
import { type OpenedServices, openServices, tester } from '../../helpers/open-services.ts';

let services: OpenedServices<StandingClock>;
beforeEach(async () => {
  services = await openServices();
});
afterEach(async () => {
  vi.useRealTimers();
  await services.close();
});

const stored = () => services.store.usage.sumUsage(null, '2026-01-01', '2026-12-31');

test('counts are stored within a second', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const usage = createUsage({ usage: services.store.usage, clock: services.clock, onProblem: () => {} });
  for (let i = 0; i < 3; i++) usage.count('default', 'searches');
  expect(await stored()).toEqual([]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(await stored()).toEqual([{ day: '2026-03-01', metric: 'searches', count: 3 }]);
  await usage.close();
});

test('closing stores the rest', async () => {
  services.usage.count('default', 'feedback');
  await services.usage.close();
  expect(await stored()).toEqual([{ day: '2026-03-01', metric: 'feedback', count: 1 }]);
});

test('what could not be stored is kept and stored once', async () => {
  const problems: unknown[] = [];
  let isFull = true;
  const usage = createUsage({
    usage: {
      ...services.store.usage,
      addUsage: (counts) => (isFull ? Promise.reject(new Error('full')) : services.store.usage.addUsage(counts)),
    },
    clock: services.clock,
    onProblem: (error) => problems.push(error),
  });
  usage.count('default', 'searches');
  await expect(usage.flush()).rejects.toThrow('full');
  usage.count('default', 'searches');
  expect((await usage.report(null, 1)).totals.searches).toBe(2);
  expect(problems).toHaveLength(1);
  isFull = false;
  await Promise.all([usage.flush(), usage.flush()]);
  expect(await stored()).toEqual([{ day: '2026-03-01', metric: 'searches', count: 2 }]);
  await usage.close();
});

describe('a report', () => {
  test('has every day of the last ones, without gaps, to today', async () => {
    services.usage.count('default', 'searches');
    services.clock.set('2026-03-03T23:59:59.999Z');
    services.usage.count('default', 'searches');
    services.usage.count('default', 'searches');
    services.usage.count('default', 'zero-result-searches');
    const report = await services.usage.report(null, 4);
    expect(report.days).toEqual(['2026-02-28', '2026-03-01', '2026-03-02', '2026-03-03']);
    expect(report.counts.searches).toEqual([0, 1, 0, 2]);
    expect(report.counts['zero-result-searches']).toEqual([0, 0, 0, 1]);
    expect(report.counts.launches).toEqual([0, 0, 0, 0]);
    expect(report.totals).toMatchObject({ searches: 3, 'zero-result-searches': 1, feedback: 0 });
  });

  test('leaves out what is older and what is of others', async () => {
    const { id } = await services.tenants.createTenant(tester, 'School');
    services.usage.count('default', 'searches');
    services.clock.set('2026-03-05T00:00:00Z');
    services.usage.count(id, 'searches');
    expect((await services.usage.report([id], 30)).totals.searches).toBe(1);
    expect((await services.usage.report([], 30)).totals.searches).toBe(0);
    expect((await services.usage.report(null, 4)).totals.searches).toBe(1);
    expect((await services.usage.report(null, 5)).totals.searches).toBe(2);
  });
});

describe('searches of a tenant', () => {
  const query = { keywords: 'python', providers: [], types: [], blooms: [] } as never;

  test('are counted when they are answered, apart where nothing was found', async () => {
    const learning = services.learningOf('default');
    await learning.ask('searchProvider', query);
    const { searchMany } = services.local;
    services.local.searchMany = async (asked, options) => ({
      ...(await searchMany(asked, options))!,
      content: [],
      totalItems: 0,
    });
    await learning.ask('searchProvider', query);
    services.local.searchMany = () => Promise.reject(new Error('broken'));
    await learning.ask('searchProvider', query).catch(() => undefined);
    const { totals } = await services.usage.report(null, 1);
    expect(totals).toMatchObject({ searches: 2, 'zero-result-searches': 1 });
  });

  test('every other operation reaches the service as it is, and counts nothing', async () => {
    const learning = services.learningOf('default');
    expect(await learning.ask('similar', { keywords: 'a', lang: 'en' })).toHaveLength(2);
    expect(await learning.ask('tagger', { text: 'a', lang: 'en' })).toMatchObject({ lang: 'en' });
    expect(await learning.ask('suggest', { keywords: 'A' })).toMatchObject({ keywordsTransformed: ['a'] });
    for (const list of ['listProviders', 'listTypes', 'listBlooms', 'listLanguages'] as const)
      expect((await learning.ask(list, {})).length).toBeGreaterThan(0);
    const { totals } = await services.usage.report(null, 1);
    expect(Object.values(totals).filter((count) => count !== 0)).toEqual([]);
  });
});
