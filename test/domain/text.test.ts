import { expect, test } from 'vitest';
import { cleanName, cleanText, findNameProblem, MAX_NAME_LENGTH, parseEndOfDay } from '../../src/domain/text.ts';

test('a day ends with its last millisecond in UTC', () => {
  expect(parseEndOfDay('2028-02-29')).toEqual(new Date('2028-02-29T23:59:59.999Z'));
  expect(parseEndOfDay('9999-12-31')).toEqual(new Date('9999-12-31T23:59:59.999Z'));
});

test.each(['2027-02-29', '2027-04-31', '2027-13-01', '+010000-01-01', '27-1-1', 'tomorrow', ''])(
  '%j is no day',
  (text) => {
    expect(parseEndOfDay(text)).toBeNull();
  },
);

test('a name is stored composed, with single blanks', () => {
  expect(cleanName('  Universite\u0301\u00a0 de   Lyon ')).toBe('Université de Lyon');
});

test.each(['Ada', 'Lycée n° 4', '東京大学', 'مدرسة', '4', 'x'.repeat(MAX_NAME_LENGTH)])('%j can be used', (name) => {
  expect(findNameProblem(name)).toBeNull();
});

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

test('length counts characters, not UTF-16 units', () => {
  expect(findNameProblem('🎓'.repeat(MAX_NAME_LENGTH - 1).concat('a'))).toBeNull();
});

test.each([
  [' data\u0000analysis\u200b ', 'data analysis'],
  ['می\u200cخواهم', 'می\u200cخواهم'],
  ['10\u202f%', '10\u202f%'],
  ['\u200b\u0007\ufeff', ''],
  ['\u2060\u200d \u00ad\u3164', ''],
])('%j is cleaned to %j', (text, clean) => {
  expect(cleanText(text)).toBe(clean);
});
