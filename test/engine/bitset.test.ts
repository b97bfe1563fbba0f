import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Bitset,
  createBitset,
  createFullBitset,
  forEachBit,
  hasBit,
  hasCommonBit,
  intersectBitsInto,
  setBit,
  uniteBitsInto,
} from '../../src/engine/bitset.ts';

const SIZE = 100;
const ordinals = fc.uniqueArray(fc.nat(SIZE - 1)).map((list) => list.sort((a, b) => a - b));

function bitsOf(list: readonly number[]): Bitset {
  const bits = createBitset(SIZE);
  for (const index of list) setBit(bits, index);
  return bits;
}

function listOf(bits: Bitset): number[] {
  const list: number[] = [];
  forEachBit(bits, (index) => list.push(index));
  return list;
}

test('behaves like a set', () => {
  fc.assert(
    fc.property(ordinals, ordinals, (a, b) => {
      const both = a.filter((index) => b.includes(index));
      expect(listOf(bitsOf(a))).toEqual(a);
      expect(a.every((index) => hasBit(bitsOf(a), index))).toBe(true);
      const changed = (change: (target: Bitset, other: Bitset) => void) => {
        const target = bitsOf(a);
        change(target, bitsOf(b));
        return listOf(target);
      };
      expect(changed(intersectBitsInto)).toEqual(both);
      expect(changed(uniteBitsInto)).toEqual([...new Set([...a, ...b])].sort((x, y) => x - y));
      expect(hasCommonBit(bitsOf(a), bitsOf(b))).toBe(both.length > 0);
    }),
  );
});

test('fills a set with every ordinal and none beyond', () => {
  for (const size of [0, 1, 31, 32, 33, 64]) {
    expect(listOf(createFullBitset(size))).toEqual(Array.from({ length: size }, (_, i) => i));
  }
});
