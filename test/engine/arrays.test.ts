import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createGrowableUint8, createGrowableUint32, seekPlace } from '../../src/engine/arrays.ts';
import { propertyRuns } from '../helpers/draw.ts';

test('a growable keeps all that was pushed while it grows', () => {
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

test('seeking gives the first place that is not below, at or after where it starts', () => {
  const places = fc.uniqueArray(fc.nat(300)).map((list) => Uint16Array.from(list).sort());
  fc.assert(
    fc.property(places, fc.nat(310), fc.nat(40), fc.nat(40), (list, place, from, left) => {
      const [start, end] = [Math.min(from, list.length), Math.max(0, list.length - left)];
      const found = list.subarray(start, Math.max(start, end)).findIndex((one) => one >= place);
      expect(seekPlace(list, place, start, end)).toBe(found < 0 ? Math.max(start, end) : start + found);
    }),
    propertyRuns(1000),
  );
});
