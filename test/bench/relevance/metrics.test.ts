import { expect, test } from 'vitest';
import {
  averagePrecision,
  mean,
  normalizedGain,
  reciprocalRank,
  rPrecision,
  success,
} from '../../../bench/relevance/metrics.ts';

const ranked = ['a', 'b', 'c', 'd', 'e'];

test('the reciprocal rank is that of the first relevant one', () => {
  expect(reciprocalRank(ranked, new Set(['a', 'c']))).toBe(1);
  expect(reciprocalRank(ranked, new Set(['d', 'c']))).toBe(1 / 3);
  expect(reciprocalRank(ranked, new Set(['z']))).toBe(0);
});

test('precision at k is of the most there could be: of k, or of all relevant ones where they are fewer', () => {
  expect(rPrecision(ranked, new Set(['b', 'd', 'e', 'z']), 2)).toBe(1 / 2);
  expect(rPrecision(ranked, new Set(['b', 'd', 'e', 'z']), 5)).toBe(3 / 4);
  expect(rPrecision(ranked, new Set(['b']), 5)).toBe(1);
  expect(rPrecision(ranked, new Set(['e']), 4)).toBe(0);
});

test('the average precision is over all relevant ones, also those that are not there', () => {
  // 1/1 for a, 2/3 for c.
  expect(averagePrecision(ranked, new Set(['a', 'c']))).toBeCloseTo((1 + 2 / 3) / 2, 12);
  expect(averagePrecision(ranked, new Set(['a', 'c', 'y', 'z']))).toBeCloseTo((1 + 2 / 3) / 4, 12);
  expect(averagePrecision(ranked, new Set(['z']))).toBe(0);
});

test('success is 1 from the rank of the first relevant one', () => {
  expect([1, 2, 3].map((k) => success(ranked, new Set(['b', 'e']), k))).toEqual([0, 1, 1]);
});

test('gain is 1 for the best order, and less for any other', () => {
  const grades = new Map([
    ['a', 3],
    ['b', 1],
  ]);
  expect(normalizedGain(['a', 'b'], grades, 10)).toBe(1);
  // (1 + 7 / log2 3) / (7 + 1 / log2 3)
  expect(normalizedGain(['b', 'a'], grades, 10)).toBeCloseTo(0.7098, 4);
  expect(normalizedGain(['c'], grades, 10)).toBe(0);
  // Of two ranks: 1 / (7 + 1 / log2 3); what comes later counts in the best order only.
  expect(normalizedGain(['b', 'c', 'a'], grades, 2)).toBeCloseTo(0.131, 4);
});

test('the mean of nothing is 0', () => {
  expect(mean([0.5, 1, 0])).toBe(0.5);
  expect(mean([])).toBe(0);
});
