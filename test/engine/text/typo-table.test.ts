import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  buildTypoTable,
  findTypos,
  isLikelyTypo,
  isWithinOneEdit,
  MAX_TYPO_WORDS,
} from '../../../src/engine/text/typo-table.ts';
import { propertyRuns } from '../../helpers/draw.ts';
import { distance } from '../objects/naive-groups.ts';

const near = (words: readonly string[], word: string) =>
  Array.from(
    findTypos(buildTypoTable(words), word, (i) => words[i]!),
    (i) => words[i]!,
  );

test('finds the same typos as a comparison with every word', () => {
  const word = fc.string({ unit: fc.constantFrom(...'abé'), minLength: 4, maxLength: 6 });
  fc.assert(
    fc.property(fc.uniqueArray(word, { maxLength: 40 }), word, (words, wanted) => {
      const isNear = (other: string) => distance(wanted, other) <= 1 && (wanted.length > 5 || wanted[0] === other[0]);
      const isMoved = (other: string) => wanted.length > 5 && moveLetters(wanted, 1).includes(other);
      expect(near(words, wanted)).toEqual(words.filter((other) => isNear(other) || isMoved(other)));
    }),
    propertyRuns(2000),
  );
});

/** The word with each letter from a place on in a place up to two further. */
const moveLetters = (word: string, from: number) =>
  [...word].flatMap((letter, i) =>
    [-2, -1, 1, 2].flatMap((by) => {
      const left = word.slice(0, i) + word.slice(i + 1);
      const at = i + by;
      return i < from || at < from || at >= word.length ? [] : [left.slice(0, at) + letter + left.slice(at)];
    }),
  );

test('finds words of any language with a letter up to two places off', () => {
  const words = ['python', 'comptable', 'buchhaltung', 'guitarra', 'excellence'];
  for (const word of words)
    for (const typed of moveLetters(word, 1).filter((moved) => moved !== word)) {
      expect(near(words, typed), typed).toEqual([word]);
      expect(isLikelyTypo(typed, word), typed).toBe(true);
    }
});

test('finds no typos of short words, very long words and words with digits', () => {
  const words = ['abc', 'html5', 'x'.repeat(25), 'python'];
  expect(['abd', 'abcd', 'htm15', 'x'.repeat(24)].flatMap((word) => near(words, word))).toEqual([]);
  expect(near(words, 'pyhton')).toEqual(['python']);
});

test.each([
  ['begginer', 'beginner'],
  ['accomodattion', 'accommodation'],
  ['fotoshop', 'photoshop'],
  ['phantasy', 'fantasy'],
])('finds a word that sounds alike: %s, %s', (typed, wanted) => {
  expect(near([wanted, 'photography', 'beginning'], typed)).toEqual([wanted]);
});

test('prefers words that are one edit away to words that sound alike', () => {
  expect(near(['letters', 'leters'], 'leterrs')).toEqual(['leters']);
});

test.each([
  ['excell', 'excel', true],
  ['funkton', 'funktion', true],
  ['pyhton', 'python', true],
  ['pithon', 'python', true],
  ['immanuel', 'emmanuel', false],
  ['bython', 'python', false],
  ['scared', 'shared', false],
  ['viens', 'vies', false],
])('%s for %s: likely is %s', (word, other, isLikely) => {
  expect(isLikelyTypo(word, other)).toBe(isLikely);
});

test('leaves out words beyond the size of the table', () => {
  const words = new Array<string>(MAX_TYPO_WORDS + 1).fill('');
  words[5] = 'python';
  words[MAX_TYPO_WORDS - 1] = 'marathon';
  words[MAX_TYPO_WORDS] = 'welding';
  const table = buildTypoTable(words);
  const find = (word: string) => [...findTypos(table, word, (i) => words[i]!)];
  expect(['pyton', 'maraton', 'weldin'].map(find)).toEqual([[5], [MAX_TYPO_WORDS - 1], []]);
});

test('recognises one edit as the full edit distance does', () => {
  const word = fc.string({ unit: fc.constantFrom(...'abc'), maxLength: 5 });
  fc.assert(
    fc.property(word, word, (a, b) => {
      expect(isWithinOneEdit(a, b)).toBe(distance(a, b) <= 1);
    }),
    propertyRuns(2000),
  );
});
