import { expect, test } from 'vitest';
import { createRandom } from '../../../bench/corpus/random.ts';
import { drawKnownItems, mistype } from '../../../bench/relevance/known-items.ts';
import type { Concept } from '../../../src/engine/terms/types.ts';
import { fold } from '../../../src/engine/text/fold.ts';

const concepts: Concept[] = Array.from('abcdefghijkl', (letter, i) => ({
  id: `x:${i}`,
  source: 'X',
  kind: 'skill',
  labels: { en: `${letter}${letter}${letter}${letter} baking`, fr: `cuisson ${letter}${letter}` },
  altLabels: {},
}));

test('a text with one typo is never the text, letter case and accents aside', () => {
  const random = createRandom(1);
  const typed = Array.from({ length: 400 }, () => mistype('AÀaa', random));
  expect(typed.filter((text) => fold(text) === 'aaaa')).toEqual([]);
  expect(new Set(typed.map((text) => text.length))).toEqual(new Set([3, 4, 5]));
});

test('items are the labels cut short, mistyped and both, the same each time', () => {
  const { kinds, shareTelling } = drawKnownItems(concepts);
  expect([...kinds.keys()]).toEqual(['a beginning', 'one typo', 'a beginning, one typo']);
  expect(kinds.get('one typo')).toHaveLength(24);
  // Twelve labels begin alike as long as they are cut: only the others have a beginning that tells.
  expect(shareTelling).toBe(0.5);
  for (const { typed, label } of kinds.get('a beginning')!) {
    expect(label.startsWith(typed)).toBe(true);
    expect(label).toMatch(/baking$/);
    expect(typed.length).toBeGreaterThanOrEqual(0.4 * label.length);
    expect(typed.length).toBeLessThanOrEqual(0.7 * label.length);
  }
  expect(drawKnownItems(concepts)).toEqual({ kinds, shareTelling });
});
