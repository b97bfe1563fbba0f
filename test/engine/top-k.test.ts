import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTopK } from '../../src/engine/top-k.ts';

const offers = fc.array(fc.record({ rank: fc.nat(5), tie: fc.nat(3) }), { maxLength: 300 });

test('keeps the best by rank, tie and item, in any order of offers', () => {
  fc.assert(
    fc.property(offers, fc.integer({ min: 1, max: 200 }), (list, capacity) => {
      const items = list.map((offer, item) => ({ ...offer, item }));
      const top = createTopK(capacity);
      for (const { rank, tie, item } of [...items].reverse()) top.offer(rank, tie, item);
      const best = items.sort((a, b) => b.rank - a.rank || a.tie - b.tie || a.item - b.item).slice(0, capacity);
      const finished = top.finish();
      expect([...finished.items]).toEqual(best.map(({ item }) => item));
      expect([...finished.ranks]).toEqual(best.map(({ rank }) => rank));
    }),
  );
});

test('accepts a capacity beyond the number of offers', () => {
  const top = createTopK(2 ** 31);
  top.offer(1, 0, 7);
  expect([...top.finish().items]).toEqual([7]);
});
