import { expect, test } from 'vitest';
import { isExcessiveJson } from '../../../src/adapters/remote/send.ts';

const isExcessive = (json: string) => isExcessiveJson(Buffer.from(json));
const list = (count: number, value: string) => `[${Array.from({ length: count }, () => value).join()}]`;
const object = (count: number) => `{${Array.from({ length: count }, (_, n) => `"k${n}":1`).join()}}`;

test('what answers of operations have is not excessive', () => {
  const texts = [
    '',
    'null',
    '{}',
    '[]',
    list(10_000, '{"title":"a","tags":["b","c"]}'),
    object(2_000),
    list(300, object(400)),
  ];
  expect(texts.map(isExcessive)).toEqual(texts.map(() => false));
});

test('signs within texts do not count', () => {
  expect(isExcessive(`["${'[{,'.repeat(100_000)}","\\"${'[{,'.repeat(100_000)}"]`)).toBe(false);
});

test('too deep, too many values and too many names are excessive', () => {
  const texts = ['['.repeat(65), '{"a":'.repeat(65), list(200_001, '1'), list(100_001, '{}'), object(2_001)];
  expect(texts.map(isExcessive)).toEqual(texts.map(() => true));
});

test('what is no JSON is read to its end', () => {
  for (const text of [']'.repeat(1_000), ','.repeat(1_000), '"', '\\', '}{][']) expect(isExcessive(text)).toBe(false);
});
