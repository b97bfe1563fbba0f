import { expect, it } from 'vitest';
import { buildTermData } from '../../../../src/engine/terms/build-term-data/build-term-data.ts';
import { openTerms } from '../../../../src/engine/terms/concept-view.ts';
import { completeWithOneTypo } from '../../../../src/engine/terms/suggest/complete.ts';
import { sampleConcepts } from '../sample-taxonomy.ts';

const terms = openTerms(buildTermData(sampleConcepts, { mainSource: '' }));

/** How often a word was looked up in the table of typos, and the readings. */
function readCounting(words: readonly string[]) {
  const { typoHash, typoWord } = terms.spelling;
  let lookUps = 0;
  const spelling = {
    get typoHash() {
      lookUps++;
      return typoHash;
    },
    typoWord,
  };
  const found = completeWithOneTypo({ ...terms, spelling }, words).map((typed) => typed.words.join(' '));
  return { lookUps, found };
}

it.each([
  ['the first word, where labels have it but nothing goes on so', 'machines learning', 'machine learning'],
  ['a later word that no label has', 'machine laerning', 'machine learning'],
  ['the last word, which is only begun', 'machine laern', 'machine learn'],
  ['the blank before the last word', 'machinel earning', 'machine learning'],
])('takes back a typo in %s', (_, typed, meant) => {
  expect(readCounting(typed.split(' ')).found).toContain(meant);
});

it('corrects no word after the first that no label continues', () => {
  const words = ['project', ...Array.from({ length: 23 }, () => 'learning')];
  expect(readCounting(words)).toEqual({ lookUps: 2, found: [] });
});

it('corrects no word before one that no label has', () => {
  expect(readCounting(['machine', 'learning', 'xxxxx', 'xxxxx'])).toEqual({ lookUps: 0, found: [] });
  expect(readCounting(['machine', 'laerning']).lookUps).toBe(1);
});
