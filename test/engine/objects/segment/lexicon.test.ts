import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  buildLexicon,
  findSurfacesByPrefix,
  findSurfacesByTypo,
  findTermsOfWord,
} from '../../../../src/engine/objects/segment/lexicon.ts';
import { readString } from '../../../../src/engine/string-table.ts';
import { distance } from '../naive-groups.ts';

function lexiconOf(words: readonly string[]) {
  const lexicon = buildLexicon(new Map(words.map((word, i) => [word, [i, 1000 + i]])));
  const spell = (surfaces: Uint32Array) => Array.from(surfaces, (surface) => readString(lexicon.surfaces, surface));
  return {
    terms: (word: string) => [...findTermsOfWord(lexicon, word)],
    byPrefix: (prefix: string) => spell(findSurfacesByPrefix(lexicon, prefix)),
    byTypo: (word: string) => spell(findSurfacesByTypo(lexicon, word)),
  };
}

test('gives the terms of a word, and none of an unknown word', () => {
  const { terms } = lexiconOf(['python', 'java']);
  expect([terms('java'), terms('jav'), terms('')]).toEqual([[1, 1001], [], []]);
});

test('finds the words with a prefix', () => {
  const { byPrefix } = lexiconOf(['python', 'pyramid', 'py', 'java', '日本語', '日記']);
  expect(byPrefix('py')).toEqual(['py', 'pyramid', 'python']);
  expect(byPrefix('日')).toEqual(['日本語', '日記']);
  expect(byPrefix('q')).toEqual([]);
});

test.each([
  ['left out', 'pthon'],
  ['put in', 'pyythonn'.slice(0, 7)],
  ['replaced', 'pxthon'],
  ['replaced at the beginning', 'bython'],
  ['replaced at the end', 'pythoz'],
  ['swapped with its neighbour', 'pyhton'],
  ['swapped at the end', 'pythno'],
])('a letter %s is found: %s', (_, mistyped) => {
  expect(lexiconOf(['python', 'marathon']).byTypo(mistyped)).toEqual(['python']);
});

test('finds no typos of short words, very long words and words with digits', () => {
  const { byTypo } = lexiconOf(['abc', 'html5', 'x'.repeat(25), 'python']);
  expect(['abd', 'abcd', 'htm15', 'x'.repeat(24)].flatMap(byTypo)).toEqual([]);
  expect(byTypo('pyhton')).toEqual(['python']);
});

test('finds the same typos as a comparison with every word', () => {
  const word = fc.string({ unit: fc.constantFrom(...'abé'), minLength: 4, maxLength: 6 });
  fc.assert(
    fc.property(fc.uniqueArray(word, { maxLength: 40 }), word, (words, wanted) => {
      const expected = words.filter(
        (other) => distance(wanted, other) <= 1 && (wanted.length > 5 || wanted[0] === other[0]),
      );
      expect(lexiconOf(words).byTypo(wanted)).toEqual(expected.sort());
    }),
  );
});
