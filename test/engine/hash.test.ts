import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashString, hashWithout } from '../../src/engine/hash.ts';

test('leaving out a code unit hashes as the text without it', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.nat(), (text, at) => {
      const skipped = at % text.length;
      expect(hashWithout(text, skipped)).toBe(hashString(text.slice(0, skipped) + text.slice(skipped + 1)));
    }),
  );
});

test('hashes stay what they are, because snapshots hold them', () => {
  expect(['', 'a', 'skilldock', 'é'].map(hashString)).toEqual([
    2872998923, 444641715, 1242362226, 3136788073,
  ]);
});
