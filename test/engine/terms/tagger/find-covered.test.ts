import fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildTermData } from '../../../../src/engine/terms/build-term-data/build-term-data.ts';
import { openTerms, readLabelText } from '../../../../src/engine/terms/concept-view.ts';
import { createCoveredLabelFinder } from '../../../../src/engine/terms/tagger/find-covered.ts';
import type { AddHit } from '../../../../src/engine/terms/tagger/tag-collector.ts';
import { findNeededShare } from '../../../../src/engine/terms/tagger/tag-weights.ts';
import type { Concept } from '../../../../src/engine/terms/types.ts';
import { propertyRuns } from '../../../helpers/draw.ts';

const words = ['bread', 'steel', 'piano', 'river', 'glass', 'tiger', 'cloud', 'maple'];
const someWords = (max: number) => fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: max });

function conceptsOf(labels: readonly (readonly string[])[]): Concept[] {
  return labels.map((label, i) => ({
    id: String(i),
    source: 'S',
    kind: 'skill',
    labels: { en: label.join(' ') },
    altLabels: {},
  }));
}

const noFloor = () => 0;

it('finds exactly the labels of which a text has two words and enough, and whole labels', () => {
  fc.assert(
    fc.property(fc.array(someWords(5), { minLength: 1, maxLength: 30 }), someWords(8), (labels, text) => {
      const terms = openTerms(buildTermData(conceptsOf(labels), { mainSource: 'S' }));
      const { vocabulary, lexicon } = terms;
      const content = { ...lexicon.readContent(text, 0), lang: 0, inCapitals: new Set<string>() };
      const found = new Map<number, boolean>();
      createCoveredLabelFinder(terms)(content, ({ label, whole }) => found.set(label, whole), noFloor);
      for (const [label, own] of labels.entries()) {
        const distinct = [...new Set(own)];
        const idfOf = (word: string) => vocabulary.idf[lexicon.findTerm(word, 0)]!;
        const mass = distinct.reduce((sum, word) => sum + idfOf(word), 0);
        const here = distinct.filter((word) => text.includes(word));
        const share = here.reduce((sum, word) => sum + idfOf(word), 0) / mass;
        const isStretch = ` ${text.join(' ')} `.includes(` ${own.join(' ')} `);
        const name = readLabelText(terms, label);
        if (isStretch) expect(found.get(label), name).toBe(true);
        // Nearer to the limit than rounding it may be either.
        const least = findNeededShare(mass / vocabulary.maxIdf[0]!);
        if (here.length >= 2 && share > least + 1e-4) expect(found.has(label), name).toBe(true);
        if (share < least - 1e-4 && !isStretch && here.length < distinct.length)
          expect(found.has(label), name).toBe(false);
        if (!isStretch && found.has(label) && distinct.length > 1) expect(found.get(label), name).toBe(false);
      }
    }),
    propertyRuns(40),
  );
});

it('finds all labels with the same two words', () => {
  const same = Array.from({ length: 1100 }, () => ['bread', 'steel']);
  const others = Array.from({ length: 2000 }, (_, i) => [`other${i}`]);
  const terms = openTerms(buildTermData(conceptsOf([...same, ...others]), { mainSource: 'S' }));
  const content = {
    ...terms.lexicon.readContent(['steel', 'river', 'bread'], 0),
    lang: 0,
    inCapitals: new Set<string>(),
  };
  const found = new Set<number>();
  createCoveredLabelFinder(terms)(content, ({ label }) => found.add(label), noFloor);
  expect([...found].sort((a, b) => a - b)).toEqual(same.map((_, label) => label));
});

it.each([
  ['bread steel river', true],
  ['river bread steel', true],
  ['bread bread steel steel', true],
  ['bread steel', true],
  ['steel bread', false],
  ['bread river steel', false],
])('in %j a label of two words stands as a whole: %j', (text, isWhole) => {
  const terms = openTerms(buildTermData(conceptsOf([['bread', 'steel'], ['river'], ['cloud']]), { mainSource: 'S' }));
  const content = {
    ...terms.lexicon.readContent(text.split(' '), 0),
    lang: 0,
    inCapitals: new Set<string>(),
  };
  const whole = new Set<string>();
  const addWhole: AddHit = (hit) => {
    if (hit.whole) whole.add(readLabelText(terms, hit.label));
  };
  createCoveredLabelFinder(terms)(content, addWhole, noFloor);
  expect(whole.has('bread steel')).toBe(isWhole);
});
