import { expect, test } from 'vitest';
import type { LearningService, SearchOptions } from '../../../src/ports/learning-service.ts';
import { searchOf } from '../../adapters/remote/start-remote.ts';
import { createFakeLearningService } from '../../fakes/learning-service.ts';
import { objectOf, searchWith } from './listed-answers.ts';

const highlight = { title: [[0, 1]], description: [] } as const;
const facets = { provider: new Map([['a', 2]]), type: new Map(), bloom: new Map(), lang: new Map() };

/** A service that searches all providers at once. */
function ownService(asked: (SearchOptions | undefined)[] = []): LearningService {
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
  const asked: (SearchOptions | undefined)[] = [];
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

test('a single provider of such a search is known', async () => {
  const { items } = await searchWith(ownService())(searchOf({ providers: ['a'], types: ['mooc'] }));
  expect(items.map(({ providerId }) => providerId)).toEqual(['a', 'a']);
});

test('the signal reaches the service', async () => {
  const asked: (SearchOptions | undefined)[] = [];
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
