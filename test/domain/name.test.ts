import { expect, test } from 'vitest';
import { cleanName, findNameProblem, MAX_NAME_LENGTH } from '../../src/domain/name.ts';

test('a name is kept composed, with single blanks', () => {
  expect(cleanName('  Universite\u0301\u00a0 de   Lyon ')).toBe('Université de Lyon');
});

test.each(['Ada', 'Lycée n° 4', '東京大学', 'مدرسة', '4', 'x'.repeat(MAX_NAME_LENGTH)])(
  '%j can be used',
  (name) => {
    expect(findNameProblem(name)).toBeNull();
  },
);

test.each([
  ['', 'empty'],
  ['—', 'empty'],
  ['a\u0000', 'unprintable'],
  ['a\nb', 'unprintable'],
  ['a\u200bb', 'unprintable'],
  ['a\u202eb', 'unprintable'],
  ['a\ud800', 'unprintable'],
  ['x'.repeat(MAX_NAME_LENGTH + 1), 'too-long'],
])('%j cannot', (name, problem) => {
  expect(findNameProblem(name)).toBe(problem);
});

test('length counts characters, not their halves', () => {
  expect(findNameProblem('🎓'.repeat(MAX_NAME_LENGTH - 1).concat('a'))).toBeNull();
});
