import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashString, hashWithout } from '../../src/engine/hash.ts';

test('hashes a text without a code unit like the shorter text', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.nat(), (text, at) => {
      const skipped = at % text.length;
      expect(hashWithout(text, skipped)).toBe(hashString(text.slice(0, skipped) + text.slice(skipped + 1)));
    }),
  );
});

test('gives the hashes that snapshots contain', () => {
  expect(['', 'a', 'skilldock', 'é'].map(hashString)).toEqual([2872998923, 444641715, 1242362226, 3136788073]);
});
