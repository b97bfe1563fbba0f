import { expect, it } from 'vitest';
import { buildTermData } from '../../../../src/engine/terms/build-term-data/build-term-data.ts';
import { openTerms } from '../../../../src/engine/terms/concept-view.ts';
import { measureSteadiness } from '../../../../src/engine/terms/tagger/build-coverage.ts';
import type { Concept } from '../../../../src/engine/terms/types.ts';

const concept = (id: string, label: string, ...altLabels: string[]): Concept => ({
  id,
  source: 'S',
  kind: 'skill',
  labels: { en: label },
  altLabels: { en: altLabels },
});

it('measures words that all labels of a concept share as steadier', () => {
  const data = buildTermData(
    [
      concept('a', 'manage budgets', 'oversee budgets', 'handle budgets'),
      concept('b', 'manage staff', 'oversee staff', 'lead staff'),
      concept('c', 'yoga'),
    ],
    { mainSource: 'S' },
  );
  const steadiness = measureSteadiness(data.concepts, data.labels, data.vocabulary.idf.length);
  const of = (word: string) => steadiness[openTerms(data).lexicon.findTerm(word, 0)]!;
  expect(of('budgets')).toBeGreaterThan(of('manage'));
  expect(of('staff')).toBeGreaterThan(of('oversee'));
  // A word that no concept tells anything about has the average: between the two.
  expect(of('yoga')).toBeGreaterThan(of('manage'));
  expect(of('yoga')).toBeLessThan(of('budgets'));
  expect(Math.max(...steadiness)).toBeLessThanOrEqual(1);
});
