import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isWithinOneEdit } from '../../../src/engine/text/osa-distance.ts';
import { distance } from '../objects/naive-groups.ts';

test('one edit is what the whole matrix says', () => {
  const word = fc.string({ unit: fc.constantFrom(...'abc'), maxLength: 5 });
  fc.assert(
    fc.property(word, word, (a, b) => {
      expect(isWithinOneEdit(a, b)).toBe(distance(a, b) <= 1);
    }),
    { numRuns: 2000 },
  );
});
