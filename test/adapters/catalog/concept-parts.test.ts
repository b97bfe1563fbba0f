import { expect, test } from 'vitest';
import { mergeConceptParts } from '../../../src/adapters/catalog/concept-parts.ts';

test('merges the parts of a concept, the first value of a field first', () => {
  const merged = mergeConceptParts('a:1', [
    { links: { related: ['a:2', 'a:1'] } },
    { source: 'A', kind: 'skill', labels: { en: 'one' }, altLabels: { en: ['uno', 'one'] } },
    { source: 'B', kind: 'topic', labels: { en: 'first', fr: 'un' }, altLabels: { en: ['uno'] } },
    { links: { related: ['a:3', 'a:2'], broader: [] }, description: { fr: 'Le premier.' } },
    { kind: 'nonsense', labels: { en: 5 } },
  ]);
  expect(merged).toEqual({
    id: 'a:1',
    source: 'A',
    kind: 'skill',
    labels: { en: 'one', fr: 'un' },
    altLabels: { en: ['uno', 'first'] },
    description: { fr: 'Le premier.' },
    links: { related: ['a:2', 'a:3'] },
  });
});

test('parts without a label make no concept', () => {
  expect(mergeConceptParts('a:1', [{ source: 'A', kind: 'skill', links: { sameAs: ['b:1'] } }])).toBeNull();
  expect(mergeConceptParts('a:1', [])).toBeNull();
});

test('merged parts are limited', () => {
  const labelled = (i: number) => ({
    altLabels: { en: Array.from({ length: 3_000 }, (_, n) => `label ${i} ${n}`) },
  });
  const first = {
    source: 'A',
    kind: 'skill',
    labels: { en: 'one' },
    description: { en: 'word '.repeat(9_000) },
  };
  const merged = mergeConceptParts('a:1', [first, labelled(1), labelled(2)]);
  expect(merged?.altLabels.en).toHaveLength(5_000);
  expect(merged?.description?.en?.length).toBeLessThanOrEqual(5_000);
});
