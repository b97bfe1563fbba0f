import { expect, test } from 'vitest';
import type { SearchAnswer } from '../../../../src/ports/learning-service.ts';
import { createMergedSearch } from '../../../../src/services/searching/discovery/merged-search.ts';
import {
  estimateBytesOfObjects,
  estimateSearchBytes,
} from '../../../../src/services/searching/discovery/results.ts';
import { readArrivedCursorPage } from '../../../../src/services/searching/discovery/search-cursor.ts';
import { searchOf } from '../../../fakes/search-of.ts';
import { objectOf } from './listed-answers.ts';

const LETTERS = 90_000;
const BYTES = 2 * LETTERS;

const answer: SearchAnswer = {
  requestId: 'request',
  content: [{ ...objectOf(1), description: 'x'.repeat(LETTERS) }],
  page: 0,
  itemsPerPage: 20,
  totalItems: 1,
  hasMore: false,
  quality: 'A00',
};
const source = { upstream: 'api.example.org', freshness: 'fresh', answeredAt: new Date() } as const;

test('texts weigh two bytes a letter, wherever they are', () => {
  const bytes = estimateBytesOfObjects({
    title: 'x'.repeat(LETTERS),
    list: ['x'.repeat(LETTERS), undefined, null, 1],
  });
  expect(bytes).toBeGreaterThan(2 * BYTES);
  expect(bytes).toBeLessThan(2 * BYTES + 1_000);
});

test.each([
  ['that fit', {}, true],
  ['that are held back', { types: ['video'], match: 'strict' }, false],
] as const)('a search weighs what came, and of what was read the objects %s', (_name, changes, isKept) => {
  const search = createMergedSearch(searchOf(changes), { ids: ['a'], notAsked: [] });
  const [cursor] = search.cursors;
  expect(estimateSearchBytes(search.cursors)).toBeLessThan(BYTES);
  cursor!.arrived = { value: answer, source };
  expect(estimateSearchBytes(search.cursors)).toBeGreaterThan(BYTES);
  readArrivedCursorPage(cursor!, search.query, search.merge);
  expect(estimateSearchBytes(search.cursors) > BYTES).toBe(isKept);
  expect(estimateSearchBytes(search.cursors)).toBeLessThan(BYTES + 10_000);
});
