import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createGrowableUint8, createGrowableUint32, seekDoc } from '../../src/engine/arrays.ts';
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

test('seeking gives the first document that is not below, at or after where it starts', () => {
  const docs = fc.uniqueArray(fc.nat(300)).map((list) => Uint32Array.from(list).sort());
  fc.assert(
    fc.property(docs, fc.nat(310), fc.nat(40), (list, doc, from) => {
      const start = Math.min(from, list.length);
      const found = list.subarray(start).findIndex((one) => one >= doc);
      expect(seekDoc(list, doc, start)).toBe(found < 0 ? list.length : start + found);
    }),
    propertyRuns(1000),
  );
});
