import { expect, it } from 'vitest';
import { buildTermData } from '../../../../src/engine/terms/build-term-data/build-term-data.ts';
import { openConceptTerms } from '../../../../src/engine/terms/concept-view.ts';
import { readWithOneTypo } from '../../../../src/engine/terms/suggest/complete.ts';
import { sampleConcepts } from '../sample-taxonomy.ts';

const terms = openConceptTerms(buildTermData(sampleConcepts, { ownSource: '' }));

/** Words that were looked up in the table of typos, and the readings found. */
function readCounting(words: readonly string[]) {
  const tried: string[] = [];
  const spelling = {
    findTypos(word: string) {
      tried.push(word);
      return terms.spelling.findTypos(word);
    },
  };
  const found = readWithOneTypo({ ...terms, spelling }, words).map((typed) => typed.words.join(' '));
  return { tried, found };
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
  expect(readCounting(words)).toEqual({ tried: ['project', 'learning'], found: [] });
});

it('corrects no word before one that no label has', () => {
  expect(readCounting(['machine', 'learning', 'xxxxx', 'xxxxx'])).toEqual({ tried: [], found: [] });
  expect(readCounting(['machine', 'laerning']).tried).toEqual(['laerning']);
});
