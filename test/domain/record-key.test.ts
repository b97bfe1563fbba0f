import { expect, test } from 'vitest';
import { splitRecordKey, toRecordKey } from '../../src/domain/record-key.ts';

/** In order, and with what could be taken for the blank between two parts, or for an escape. */
const texts = [
  '',
  '\0',
  '\t',
  ' ',
  '  ',
  ' a',
  '!',
  '!P',
  '"',
  'P',
  'a',
  'a ',
  'a b',
  'a!Pb',
  'ab',
  'é',
  '\uff21',
  '🐍',
];
const lists = texts.flatMap((first) => texts.flatMap((second) => texts.map((third) => [first, second, third])));

const compare = (left: string, right: string) => Buffer.compare(Buffer.from(left), Buffer.from(right));

test('parts are restored from a key', () => {
  for (const parts of lists) expect(splitRecordKey(toRecordKey(parts), 3)).toEqual(parts);
  expect(splitRecordKey(toRecordKey([' a b']), 1)).toEqual([' a b']);
});

test('keys are in the order of their parts', () => {
  const keys = lists.map(toRecordKey);
  expect(keys.toSorted(compare)).toEqual(keys);
  expect(new Set(keys).size).toBe(keys.length);
});

test('plain parts are not escaped', () => {
  expect(toRecordKey(['lyon-2', 'slack:T1:U1', 'example.org/a b!'])).toBe('lyon-2 slack:T1:U1 example.org/a b!');
  expect(toRecordKey(['lyon', 'Ada L', ''])).toBe('lyon Ada!PL ');
});
