import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SearchResult } from '../../../../src/services/searching/discovery/results.ts';
import type { SearchLearningObjects } from '../../../../src/services/searching/discovery/search.ts';
import { createSearchSessions } from '../../../../src/services/searching/discovery/search-sessions.ts';
import { errorOf } from '../../../adapters/remote/start-remote.ts';
import { createStandingClock } from '../../../fakes/clock.ts';
import { searchOf } from '../../../fakes/search-of.ts';
import { propertyRuns } from '../../../helpers/draw.ts';
import { answersOf } from './discovery-parts.ts';
import { listService, type ProviderList, searchWith } from './listed-answers.ts';

const titles = ({ items }: SearchResult) => items.map(({ object }) => object.title);
const pageOf = (search: SearchLearningObjects, page: number, max: number) =>
  search(searchOf({ providers: [], page, max }));

/** From the first page to the one that says there is no more. */
async function walk(search: SearchLearningObjects, max: number): Promise<SearchResult[]> {
  const pages: SearchResult[] = [];
  do pages.push(await pageOf(search, pages.length, max));
  while (pages.at(-1)!.hasMore && pages.length < 501);
  return pages;
}

const quality = fc.constantFrom('A00' as const, 'B00' as const);
const list = fc.record({ quality, objects: fc.uniqueArray(fc.nat(120), { maxLength: 50 }) });
const anyLists = fc
  .array(list, { minLength: 1, maxLength: 5 })
  .map((lists): Record<string, ProviderList> => Object.fromEntries(lists.map((each, i) => [`p${i}`, each])));
const max = fc.integer({ min: 1, max: 20 });
const everything = (lists: Readonly<Record<string, ProviderList>>) =>
  [...new Set(Object.values(lists).flatMap(({ objects }) => objects.map(String)))].sort();

describe('the pages of any lists', () => {
  test('have each object once, and end', async () => {
    await fc.assert(
      fc.asyncProperty(anyLists, max, async (lists, max) => {
        const pages = await walk(searchWith(listService(lists).learning), max);
        expect(pages.flatMap(titles).sort()).toEqual(everything(lists));
        for (const page of pages.slice(0, -1)) expect(page.items).toHaveLength(max);
        expect(pages.at(-1)).toMatchObject({ totalItems: everything(lists).length, isTotalExact: true });
      }),
    );
  });

  test('are the same in whatever order they are asked for, and by another process', async () => {
    await fc.assert(
      fc.asyncProperty(anyLists, max, fc.array(fc.nat(6)), async (lists, max, order) => {
        const pages = (await walk(searchWith(listService(lists).learning), max)).map(titles);
        const other = searchWith(listService(lists).learning);
        for (const page of order) expect(titles(await pageOf(other, page, max))).toEqual(pages[page] ?? []);
      }),
    );
  });

  test('are the same when they are asked for at once', async () => {
    await fc.assert(
      fc.asyncProperty(anyLists, max, fc.shuffledSubarray([0, 1, 2, 3]), async (lists, max, order) => {
        const pages = (await walk(searchWith(listService(lists).learning), max)).map(titles);
        const service = listService(lists);
        const other = searchWith(service.learning);
        const together = await Promise.all(order.map((page) => pageOf(other, page, max)));
        expect(together.map(titles)).toEqual(order.map((page) => pages[page] ?? []));
        expect(new Set(service.asked).size).toBe(service.asked.length);
      }),
    );
  });

  test('keep what they showed when providers are late, and lose nothing of these', async () => {
    await fc.assert(
      fc.asyncProperty(anyLists, max, fc.array(fc.nat(3), { maxLength: 3 }), async (lists, max, order) => {
        const service = listService(lists);
        const late = Object.keys(lists).slice(1);
        for (const id of late) service.holdBack(id);
        const search = searchWith(service.learning, { deadlineMs: 5 });
        const shown = new Map<number, string[]>();
        for (const page of order) shown.set(page, titles(await pageOf(search, page, max)));
        for (const id of late) service.release(id);
        await setImmediate();
        const pages = (await walk(search, max)).map(titles);
        for (const [page, objects] of shown) expect((pages[page] ?? []).slice(0, objects.length)).toEqual(objects);
        expect(pages.flat().sort()).toEqual(everything(lists));
      }),
      propertyRuns(50),
    );
  });

  test('give no provider more than its share while others have something left', async () => {
    const apart = anyLists.map((lists) =>
      Object.fromEntries(
        Object.entries(lists).map(([id, { quality, objects }], index) => [
          id,
          { quality: quality!, objects: objects.map((number) => number + 1000 * index) },
        ]),
      ),
    );
    await fc.assert(
      fc.asyncProperty(apart, max, async (lists, max) => {
        const pages = await walk(searchWith(listService(lists).learning), max);
        const providers = pages.map(({ items }) => items.map(({ providerId }) => providerId!));
        for (const [number, own] of providers.entries()) {
          const later = providers.slice(number + 1).flat();
          const share = Math.ceil((2 * max) / (new Set([...own, ...later]).size + 1));
          const counts = new Map(own.map((id) => [id, own.filter((other) => other === id).length]));
          const hasTooMuch = [...counts.values()].some((count) => count > share);
          if (hasTooMuch) for (const id of later) expect(counts.get(id) ?? 0).toBeGreaterThanOrEqual(share);
        }
      }),
    );
  });
});

describe('a page', () => {
  const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);

  test('has something of a loose list behind the exact one, and not before its turn', async () => {
    const { learning } = listService({
      exact: { objects: range(0, 40) },
      loose: { objects: range(100, 40), quality: 'B00' },
    });
    const { items } = await pageOf(searchWith(learning), 0, 10);
    expect(items.map(({ providerId }) => providerId)).toEqual([...Array(7).fill('exact'), ...Array(3).fill('loose')]);
  });

  test('has nothing of a list that claims to be empty', async () => {
    const { learning } = listService({
      exact: { objects: range(0, 3) },
      none: { objects: range(100, 3), quality: 'C00' },
    });
    const result = await pageOf(searchWith(learning), 0, 10);
    expect(titles(result)).toEqual(['0', '1', '2']);
    expect(result).toMatchObject({ totalItems: 3, isTotalExact: true, quality: 'A00', hasMore: false });
  });

  test('is read on for in the exact list while the loose one has plenty', async () => {
    const { learning } = listService({
      exact: { objects: range(0, 40) },
      loose: { objects: range(100, 40), quality: 'B00' },
    });
    const { items } = await pageOf(searchWith(learning), 1, 20);
    expect(items.filter(({ providerId }) => providerId === 'exact')).toHaveLength(14);
  });

  test('is read for with no more calls than it needs', async () => {
    const service = listService({ a: { objects: range(0, 100) }, b: { objects: range(100, 100) } });
    const search = searchWith(service.learning);
    await pageOf(search, 0, 20);
    await pageOf(search, 1, 20);
    expect(service.asked.toSorted()).toEqual(['a 0', 'b 0']);
    await pageOf(search, 2, 20);
    expect(service.asked.toSorted()).toEqual(['a 0', 'a 1', 'b 0', 'b 1']);
  });

  test('does not wait again for a provider that was late, as long as others fill it', async () => {
    const service = listService({ fast: { objects: range(0, 40) }, slow: { objects: range(100, 40) } });
    service.holdBack('slow');
    const sessions = createSearchSessions({ clock: createStandingClock() });
    const missing = [{ id: 'slow', why: 'late', code: null }];
    const impatient = searchWith(service.learning, { sessions, deadlineMs: 5 });
    expect((await pageOf(impatient, 0, 10)).missing).toEqual(missing);
    // Were it to wait, it would be longer than the test may take.
    const patient = searchWith(service.learning, { sessions, deadlineMs: 3_600_000 });
    expect((await pageOf(patient, 1, 10)).missing).toEqual(missing);
  });

  test('that was not shown is still filled, when one behind it was asked for too early', async () => {
    const service = listService({ fast: { objects: range(0, 3) }, slow: { objects: range(100, 40) } });
    service.holdBack('slow');
    const search = searchWith(service.learning, { deadlineMs: 5 });
    expect(await pageOf(search, 2, 10)).toMatchObject({ items: [], hasMore: true });
    service.release('slow');
    await setImmediate();
    expect((await pageOf(search, 0, 10)).items).toHaveLength(10);
  });

  test('is as fresh as the least fresh provider, and each object as its own', async () => {
    const { learning } = listService({ a: { objects: range(0, 4) }, b: { objects: range(100, 4) } });
    const answers = answersOf(learning);
    const search = searchWith(learning, {
      answers: {
        async ask(operation, request, options) {
          const { value, source } = await answers.ask(operation, request, options);
          const isStale = 'providers' in request && request.providers[0] === 'b';
          return { value, source: { ...source, freshness: isStale ? 'stale' : 'fresh' } };
        },
      },
    });
    const { items, source } = await pageOf(search, 0, 10);
    expect(source.freshness).toBe('stale');
    const freshness = new Map(items.map((item) => [item.providerId, item.source.freshness]));
    expect(freshness).toEqual(
      new Map([
        ['a', 'fresh'],
        ['b', 'stale'],
      ]),
    );
  });

  test('is refused where a provider that was asked for is not known', async () => {
    const { learning } = listService({ a: { objects: range(0, 4) } });
    const asked = searchWith(learning)(searchOf({ providers: ['a', 'nobody'] }));
    expect((await errorOf(asked)).code).toBe('PROVIDER_UNKNOWN');
  });

  test('is given without a provider that is in the list but not known any more', async () => {
    const { learning } = listService({ a: { objects: range(0, 4) } });
    const providers = [...(await learning.ask('listProviders', {})), { id: 'gone', name: '', logos: [], url: '' }];
    const search = searchWith({ ...learning, listProviders: async () => providers });
    const missing = [{ id: 'gone', why: 'failed', code: 'PROVIDER_UNKNOWN' }];
    expect(await pageOf(search, 0, 10)).toMatchObject({ totalItems: 4, isTotalExact: false, missing });
  });

  test('is not given beyond 500 objects', async () => {
    const lists = { a: { objects: range(0, 900) }, b: { objects: range(1000, 900) } };
    const pages = await walk(searchWith(listService(lists).learning), 20);
    expect(pages).toHaveLength(25);
    expect(new Set(pages.flatMap(titles)).size).toBe(500);
    expect(await pageOf(searchWith(listService(lists).learning), 25, 20)).toMatchObject({
      items: [],
      hasMore: false,
    });
  });
});
