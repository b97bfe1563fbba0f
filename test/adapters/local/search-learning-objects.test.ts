import { expect, test } from 'vitest';
import { type FoundObjects, rememberSearches } from '../../../src/adapters/local/search-learning-objects.ts';
import { createStandingClock, searchFor } from './services.ts';

function counted() {
  const clock = createStandingClock('2026-03-01T23:00:00Z');
  let searches = 0;
  const search = rememberSearches(clock, async (): Promise<FoundObjects> => {
    searches++;
    return { answer: { hits: [], total: searches, fitting: 0, exact: false }, quality: 'C00', wishes: [] };
  });
  return { clock, search, searches: () => searches };
}

test('a query that comes again is not worked out again', async () => {
  const { search, searches } = counted();
  const first = await search(searchFor('python'), {});
  expect(await search(searchFor('python'), {})).toBe(first);
  expect(searches()).toBe(1);
});

test.each([
  ['another page', searchFor('python', { page: 1 }), {}],
  ['another filter', searchFor('python', { free: true }), {}],
  ['a filter that may not yield', searchFor('python', { important: new Set(['lang'] as const) }), {}],
  ['details', searchFor('python'), { withDetails: true }],
])('%s makes another query', async (_what, query, options) => {
  const { search, searches } = counted();
  await search(searchFor('python'), {});
  await search(query, options);
  expect(searches()).toBe(2);
});

test('a shuffle is remembered for its day', async () => {
  const { clock, search, searches } = counted();
  const shuffled = searchFor('python', { sort: 'random' });
  await search(shuffled, {});
  await search(shuffled, {});
  expect(searches()).toBe(1);
  clock.set('2026-03-02T00:30:00Z');
  await search(shuffled, {});
  expect(searches()).toBe(2);
});
