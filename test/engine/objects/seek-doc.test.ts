import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seekDoc } from '../../../src/engine/arrays.ts';

test('seeking gives the first document that is not below, at or after where it starts', () => {
  const docs = fc.uniqueArray(fc.nat(300)).map((list) => Uint32Array.from(list).sort());
  fc.assert(
    fc.property(docs, fc.nat(310), fc.nat(40), (list, doc, from) => {
      const start = Math.min(from, list.length);
      const found = list.subarray(start).findIndex((one) => one >= doc);
      expect(seekDoc(list, doc, start)).toBe(found < 0 ? list.length : start + found);
    }),
    { numRuns: 1000 },
  );
});
