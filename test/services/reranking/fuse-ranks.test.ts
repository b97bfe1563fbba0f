import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fuseRanks } from '../../../src/services/reranking/likeness.ts';

test('where both orders agree, nothing moves', () => {
  expect(fuseRanks([0.9, 0.5, 0.4, -0.1])).toEqual([0, 1, 2, 3]);
});

test('where likeness says nothing, nothing moves', () => {
  expect(fuseRanks([0.5, 0.5, 0.5])).toEqual([0, 1, 2]);
});

test('what is most alike rises, but not over what both orders put before it', () => {
  // Both places of each, from 1: 1 and 2, 2 and 4, 3 and 3, 4 and 1.
  expect(fuseRanks([0.8, 0.2, 0.7, 0.9])).toEqual([0, 3, 1, 2]);
});

test('where both orders say as much, likeness decides', () => {
  expect(fuseRanks([0.1, 0.2])).toEqual([1, 0]);
});

test('everything is there once, and nothing falls behind what is before it in both orders', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { maxLength: 60 }), (likeness) => {
      const order = fuseRanks(likeness);
      expect(order.toSorted((a, b) => a - b)).toEqual(likeness.map((_, index) => index));
      order.forEach((later, place) => {
        for (const earlier of order.slice(0, place))
          expect(later < earlier && likeness[later]! > likeness[earlier]!).toBe(false);
      });
    }),
  );
});
