import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createGrowableUint8, createGrowableUint32, seekInArray, sortByKey } from '../../src/engine/arrays.ts';
import { propertyRuns } from '../helpers/draw.ts';

test('keeps all pushed values while it grows', () => {
  const values = Array.from({ length: 5000 }, (_, i) => i * 7);
  const words = createGrowableUint32();
  const bytes = createGrowableUint8();
  for (const value of values) {
    words.push(value);
    bytes.push(value & 255);
  }
  expect([...words.finish()]).toEqual(values);
  expect([...bytes.finish()]).toEqual(values.map((value) => value & 255));
  expect([words.length, words.at(4999)]).toEqual([5000, 4999 * 7]);
});

test('seeks the first place that is not less', () => {
  const places = fc.uniqueArray(fc.nat(300)).map((list) => Uint16Array.from(list).sort());
  fc.assert(
    fc.property(places, fc.nat(310), fc.nat(40), fc.nat(40), (list, place, from, left) => {
      const [start, end] = [Math.min(from, list.length), Math.max(0, list.length - left)];
      const found = list.subarray(start, Math.max(start, end)).findIndex((one) => one >= place);
      expect(seekInArray(list, place, start, end)).toBe(found < 0 ? Math.max(start, end) : start + found);
    }),
    propertyRuns(1000),
  );
});

test('keeps the order of equal keys when sorting', () => {
  const key = fc.oneof(fc.nat(5), fc.integer({ min: 0, max: 2 ** 32 - 1 }));
  fc.assert(
    fc.property(fc.array(key), (list) => {
      const order = [...list.keys()].sort((a, b) => list[a]! - list[b]!);
      const sorted = sortByKey(Uint32Array.from(list), Uint32Array.from(list.keys()));
      expect([...sorted.values]).toEqual(order);
      expect([...sorted.keys]).toEqual(order.map((i) => list[i]));
    }),
    propertyRuns(1000),
  );
});
