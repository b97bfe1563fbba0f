import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createSearchSessions } from '../../../../src/services/searching/discovery/search-sessions.ts';
import { errorOf } from '../../../adapters/remote/start-remote.ts';
import { createStandingClock } from '../../../fakes/clock.ts';
import { searchOf } from '../../../fakes/search-of.ts';
import { listService, type ProviderList, searchWith } from './listed-answers.ts';
import { listenersOf } from './listeners.ts';
import { startSearch } from './search-upstream.ts';

const providersOf = (count: number) => Array.from({ length: count }, (_, number) => `p${number}`);
const listsOf = (count: number): Record<string, ProviderList> =>
  Object.fromEntries(providersOf(count).map((id, number) => [id, { objects: [number] }]));

describe('many providers', () => {
  test('are asked eight at a time', async () => {
    const service = listService(listsOf(20));
    for (const id of providersOf(20)) service.holdBack(id);
    const times = { patienceMs: 600_000, deadlineMs: 600_000 };
    const searching = searchWith(service.learning, times)(searchOf());
    await expect.poll(() => service.asked).toHaveLength(8);
    service.release(service.asked[0]!.split(' ')[0]!);
    await expect.poll(() => service.asked).toHaveLength(9);
    for (const id of providersOf(20)) service.release(id);
    expect(await searching).toMatchObject({ totalItems: 20, missing: [] });
    expect(service.asked).toHaveLength(20);
  });

  test('that did not come to be asked in time are late, and asked all the same', async () => {
    const service = listService(listsOf(10));
    for (const id of providersOf(10)) service.holdBack(id);
    const search = searchWith(service.learning, { deadlineMs: 20 });
    expect((await errorOf(search(searchOf()))).code).toBe('UPSTREAM_TIMEOUT');
    expect(service.asked).toHaveLength(8);
    for (const id of providersOf(10)) service.release(id);
    await expect.poll(() => service.asked).toHaveLength(10);
    expect(await search(searchOf())).toMatchObject({ totalItems: 10, missing: [] });
  });

  test('that did not come to be asked are not asked any more once nobody waits', async () => {
    const service = listService(listsOf(10));
    for (const id of providersOf(10)) service.holdBack(id);
    const controller = new AbortController();
    const searching = searchWith(service.learning)(searchOf(), { signal: controller.signal });
    await expect.poll(() => service.asked).toHaveLength(8);
    controller.abort(new Error('gone'));
    await expect(searching).rejects.toThrow('gone');
    for (const id of providersOf(10)) service.release(id);
    await new Promise((done) => setImmediate(done));
    expect(service.asked).toHaveLength(8);
  });

  test.each([
    ['all', []],
    ['those that were chosen', providersOf(60)],
  ])('are not all asked: of %s the first fifty, and the others are named', async (_name, providers) => {
    const service = listService(listsOf(60));
    const result = await searchWith(service.learning)(searchOf({ providers }));
    expect(new Set(service.asked)).toEqual(new Set(providersOf(50).map((id) => `${id} 0`)));
    expect(result).toMatchObject({ totalItems: 50, isTotalExact: false, quality: 'A00' });
    expect(result.missing).toEqual(
      providersOf(60)
        .slice(50)
        .map((id) => ({ id, why: 'not-asked', code: null })),
    );
  });
});

test('ten searches at once of many providers leave one another their places', async () => {
  const options = { providers: providersOf(44) };
  const { search, upstream, problems } = await startSearch(options, { deadlineMs: 600_000 });
  upstream.reply('search-provider', { delayMs: 50 });
  const keywords = Array.from({ length: 10 }, (_, number) => `search ${number}`);
  const results = await Promise.all(keywords.map((each) => search({ keywords: each })));
  for (const result of results) expect(result).toMatchObject({ totalItems: 44 * 25, missing: [] });
  expect(problems).toEqual([]);
});

test('those that hang keep none of the others from being asked', async () => {
  const service = listService(listsOf(44));
  const hanging = providersOf(44).filter((_, number) => number % 5 < 2);
  expect(hanging).toHaveLength(18);
  for (const id of hanging) service.holdBack(id);
  const { totalItems, missing } = await searchWith(service.learning, { deadlineMs: 10_000, patienceMs: 50 })(
    searchOf(),
  );
  expect(totalItems).toBe(26);
  expect(missing.map(({ id }) => id).toSorted()).toEqual(hanging.toSorted());
});

test('a search is not begun anew for providers that would not be asked again either', async () => {
  const clock = createStandingClock();
  const service = listService(listsOf(60));
  const search = searchWith(service.learning, { clock, sessions: createSearchSessions({ clock }) });
  await search(searchOf());
  clock.advance(100_000);
  await search(searchOf());
  expect(service.asked).toHaveLength(50);
});

describe('the deadline', () => {
  test('is also of the list of providers', async () => {
    const { learning } = listService(listsOf(2));
    const search = searchWith({ ...learning, listProviders: () => new Promise(() => {}) }, { deadlineMs: 20 });
    expect((await errorOf(search(searchOf()))).code).toBe('UPSTREAM_TIMEOUT');
  });

  test('counts from when the search began, not from when providers are asked', async () => {
    const service = listService(listsOf(2));
    const searchMany = () => sleep(100, null);
    const search = searchWith({ ...service.learning, searchMany }, { deadlineMs: 20 });
    expect((await errorOf(search(searchOf()))).code).toBe('UPSTREAM_TIMEOUT');
    expect(service.asked).toEqual([]);
  });

  test('leaves nothing behind at the signal of the caller', async () => {
    const { signal } = new AbortController();
    await searchWith(listService(listsOf(3)).learning)(searchOf(), { signal });
    expect(listenersOf(signal)).toBe(0);
  });
});

describe('the quality', () => {
  const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);

  test('is exact only where every object of the first page is, and the same for every page', async () => {
    const lists = {
      exact: { objects: range(0, 2) },
      loose: { objects: range(9, 30), quality: 'B00' },
    } as const;
    const search = searchWith(listService(lists).learning);
    expect((await search(searchOf())).quality).toBe('B00');
    const more = { ...lists, exact: { objects: range(100, 30) } };
    const searchMore = searchWith(listService(more).learning);
    const pages = [0, 1, 2, 3].map((page) => searchMore(searchOf({ page, max: 2 })));
    expect((await Promise.all(pages)).map(({ quality }) => quality)).toEqual(['A00', 'A00', 'A00', 'A00']);
  });

  test('is not changed by a provider that is late', async () => {
    const service = listService({ fast: { objects: range(0, 3) }, slow: { objects: range(100, 3) } });
    service.holdBack('slow');
    const result = await searchWith(service.learning, { deadlineMs: 20 })(searchOf());
    expect(result).toMatchObject({ quality: 'A00', missing: [{ id: 'slow' }] });
  });
});

test('whoever looks after the service is not told of what the caller did wrong', async () => {
  const { learning } = listService(listsOf(2));
  const problems: unknown[] = [];
  const onProblem = (error: unknown) => void problems.push(error);
  await errorOf(searchWith(learning, { onProblem })(searchOf({ providers: ['p0', 'nobody'] })));
  expect(problems).toEqual([]);
  const broken = new TypeError('broken');
  const searchProvider = () => Promise.reject(broken);
  const search = searchWith({ ...learning, searchProvider }, { onProblem });
  await expect(search(searchOf({ providers: ['p0', 'p1'] }))).rejects.toThrow('broken');
  expect(problems).toMatchObject([{ code: 'INTERNAL', cause: broken }]);
});
