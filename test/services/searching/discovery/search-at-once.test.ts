import { describe, expect, test } from 'vitest';
import type { CallOptions, OperationHandlers } from '../../../../src/ports/learning-service.ts';
import { createFakeLearningService, type HandlerService } from '../../../fakes/learning-service.ts';
import { searchOf } from '../../../fakes/search-of.ts';
import { objectOf, searchWith } from './listed-answers.ts';

const highlight = { title: [[0, 1]], description: [] } as const;
const facets = { provider: new Map([['a', 2]]), type: new Map(), bloom: new Map(), lang: new Map() };

/** A service that searches all providers at once. */
function ownService(asked: (CallOptions | undefined)[] = []): HandlerService {
  const fake = createFakeLearningService();
  return {
    ...fake,
    listProviders: () => Promise.reject(new Error('nobody needs the list')),
    searchProvider: () => Promise.reject(new Error('nobody searches one by one')),
    async searchMany({ page, max }, options) {
      asked.push(options);
      const answer = { requestId: 'request', page, itemsPerPage: max, totalItems: 2, hasMore: false };
      const content = [objectOf(1), objectOf(2)];
      return { ...answer, content, quality: 'B00', facets, highlights: [highlight, highlight] };
    },
  };
}

test('what a service searches at once is asked for at once, with details where they are wanted', async () => {
  const asked: (CallOptions | undefined)[] = [];
  const search = searchWith(ownService(asked));
  await search(searchOf({}));
  const result = await search(searchOf({ types: ['mooc'], max: 2 }), { withDetails: true });
  expect(asked).toMatchObject([{}, { withDetails: true }]);
  expect(asked[0]?.withDetails ?? false).toBe(false);
  expect(result).toMatchObject({
    requestId: 'request',
    totalItems: 2,
    isTotalExact: true,
    quality: 'B00',
    missing: [],
    facets,
  });
  expect(result.items).toMatchObject([
    { object: objectOf(1), requestId: 'request', providerId: null, quality: 'B00', highlight },
    { object: objectOf(2) },
  ]);
});

test('objects of an answer that was put together keep the searches that gave them', async () => {
  const service = ownService();
  const requestIds = ['request', 'other'];
  const searchMany: OperationHandlers['searchMany'] = async (query) => ({
    ...(await service.ask('searchMany', query))!,
    requestIds,
  });
  const { items } = await searchWith({ ...service, searchMany })(searchOf({}));
  expect(items.map(({ requestId }) => requestId)).toEqual(requestIds);
});

test('objects that do not fit say how they stand to the words', async () => {
  const service = ownService();
  const searchMany: OperationHandlers['searchMany'] = async (query) => ({
    ...(await service.ask('searchMany', query))!,
    tiers: ['fitting', 'other-language'],
  });
  const { items } = await searchWith({ ...service, searchMany })(searchOf({}));
  expect(items.map(({ tier }) => tier)).toEqual([undefined, 'other-language']);
});

test('what the service says is missing in its answer is missing here', async () => {
  const own = ownService();
  const missing = [{ id: 'tube', why: 'late' }] as const;
  const search = searchWith({
    ...own,
    searchMany: async (request, options) => ({
      ...(await own.searchMany(request, options))!,
      missing,
      isTotalExact: false,
    }),
  });
  expect(await search(searchOf({}))).toMatchObject({
    isTotalExact: false,
    missing: [{ id: 'tube', why: 'late', code: null }],
  });
});

test('a single provider of such a search is known', async () => {
  const { items } = await searchWith(ownService())(searchOf({ providers: ['a'], types: ['mooc'] }));
  expect(items.map(({ providerId }) => providerId)).toEqual(['a', 'a']);
});

test('the signal reaches the service', async () => {
  const asked: (CallOptions | undefined)[] = [];
  const { signal } = new AbortController();
  await searchWith(ownService(asked))(searchOf({}), { signal });
  expect(asked[0]?.signal).toBe(signal);
});

test('a provider that promises more and gives nothing is not believed', async () => {
  const answer = { requestId: 'request', content: [], page: 9, itemsPerPage: 10, totalItems: 99 } as const;
  const searchProvider = async () => ({ ...answer, hasMore: true, quality: 'A00' as const });
  const result = await searchWith({ ...ownService(), searchProvider, searchMany: async () => null })(
    searchOf({ providers: ['a'], page: 9 }),
  );
  expect(result).toMatchObject({ items: [], hasMore: false });
});

describe('a provider that is paged', () => {
  interface Service {
    readonly totalItems: number;
    /** Numbers of the objects of a page. */
    page(page: number, max: number): readonly number[];
  }

  /** Gives a page of the only provider, and what was asked for it. */
  function openProvider({ totalItems, page: pageOf }: Service) {
    const asked: number[] = [];
    const searchProvider: OperationHandlers['searchProvider'] = async ({ page, max }) => {
      asked.push(page);
      const content = pageOf(page, max).map(objectOf);
      return {
        requestId: 'request',
        content,
        page,
        itemsPerPage: max,
        totalItems,
        hasMore: true,
        quality: 'A00',
      };
    };
    const learning = { ...createFakeLearningService(), searchProvider, searchMany: async () => null };
    const search = searchWith(learning);
    return {
      asked,
      learning,
      turnTo: (page: number, max = 10) => search(searchOf({ providers: ['a'], page, max })),
    };
  }

  const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);

  test('and gives the same page again has ended there', async () => {
    const { turnTo } = openProvider({ totalItems: 700, page: (_, max) => range(0, max) });
    expect(await turnTo(0)).toMatchObject({ hasMore: true, totalItems: 700 });
    expect(await turnTo(1)).toMatchObject({
      items: [],
      page: 1,
      hasMore: false,
      totalItems: 10,
      isTotalExact: false,
    });
  });

  test('may repeat some of a page', async () => {
    const { turnTo } = openProvider({ totalItems: 700, page: (page, max) => range(page * (max - 1), max) });
    const { items, hasMore, totalItems } = await turnTo(1);
    expect([items.length, hasMore, totalItems]).toEqual([10, true, 700]);
  });

  test('is given though the page before cannot be had', async () => {
    const { learning } = openProvider({ totalItems: 700, page: (page, max) => range(page * max, max) });
    const searchProvider: OperationHandlers['searchProvider'] = (query, options) =>
      query.page === 0 ? Promise.reject(new Error('no')) : learning.searchProvider(query, options);
    const search = searchWith({ ...learning, searchProvider });
    expect((await search(searchOf({ providers: ['a'], page: 1 }))).items).toHaveLength(10);
  });

  test('is not given beyond 500 objects', async () => {
    const { turnTo, asked } = openProvider({ totalItems: 900, page: (page, max) => range(page * max, max) });
    expect(await turnTo(23, 20)).toMatchObject({ hasMore: true });
    const last = await turnTo(24, 20);
    expect([last.items.length, last.hasMore]).toEqual([20, false]);
    asked.splice(0);
    expect(await turnTo(25, 20)).toMatchObject({ items: [], page: 25, hasMore: false, totalItems: 900 });
    expect(asked).toEqual([0]);
  });
});
