import { expect, test } from 'vitest';
import { drawUsageChart } from '../../../../src/faces/admin/overview/usage-charts.ts';

const scaleOf = (...counts: number[]) => drawUsageChart(counts)?.scale;

test('nothing counted is nothing drawn', () => {
  expect(drawUsageChart([0, 0, 0])).toBeNull();
  expect(drawUsageChart([])).toBeNull();
});

test.each([
  [1, [1, 0]],
  [2, [2, 1, 0]],
  [3, [4, 2, 0]],
  [5, [6, 3, 0]],
  [7, [8, 4, 0]],
  [9, [10, 5, 0]],
  [10, [10, 5, 0]],
  [11, [20, 10, 0]],
  [99, [100, 50, 0]],
  [1234, [2000, 1000, 0]],
])('the scale for %i reaches it, in whole numbers', (most, scale) => {
  expect(scaleOf(0, most)).toEqual(scale);
});

test('bars are as high as their number, today’s is marked', () => {
  expect(drawUsageChart([50, 0, 100])?.bars).toEqual([
    { height: 50, isToday: false },
    { height: 0, isToday: false },
    { height: 100, isToday: true },
  ]);
});

test('one among thousands can be seen', () => {
  expect(drawUsageChart([1, 8000])?.bars[0]?.height).toBeGreaterThan(1);
});
