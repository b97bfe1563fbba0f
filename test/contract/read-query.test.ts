import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isQueryNameNearMiss, readQuery } from '../../src/contract/read-query.ts';

const fields = {
  keywords: { type: 'string' },
  max: { type: 'integer' },
  level: { type: 'number' },
  free: { type: 'boolean' },
  provider: { type: 'array' },
} as const;
const read = (raw: string) => readQuery(raw, fields, { readsImportant: true });

describe('values', () => {
  test.each([
    ...['true', 'True', 'TRUE', 'yes', 'Yes', '1'].map((text) => [text, true] as const),
    ...['false', 'False', 'FALSE', 'no', 'NO', '0'].map((text) => [text, false] as const),
    ...['maybe', '2', 'y', 'truee', '01'].map((text) => [text, text] as const),
  ])('%s of a boolean is %s', (text, value) => {
    expect(read(`free=${text}`).values).toEqual({ free: value });
    expect(read(`keywords=${text}`).values).toEqual({ keywords: text });
  });

  test('are decoded, trimmed and typed', () => {
    expect(read('keywords=+caf%C3%A9+noir+&max=5&level=-0.5&free=true').values).toEqual({
      keywords: 'café noir',
      max: 5,
      level: -0.5,
      free: true,
    });
  });

  test.each(['1e5', 'NaN', 'Infinity', '0x10', '1'.repeat(400), '5,5', '٣'])(
    'the number %s stays a text for the schema to refuse',
    (text) => {
      expect(read(`max=${encodeURIComponent(text)}`).values).toEqual({ max: text });
    },
  );

  test('minus zero is zero, and a third may have all its decimals', () => {
    expect(Object.is(read('max=-0').values.max, 0)).toBe(true);
    expect(read(`level=${1 / 3}`).values.level).toBe(1 / 3);
  });

  test('control characters and any script are a part of a text', () => {
    expect(read('keywords=a%01b%0A%F0%9F%90%8D%E4%B8%AD').values.keywords).toBe('a\u0001b\n🐍中');
  });

  test('an empty value is unset', () => {
    expect(read('keywords=&max&level=+&free=!important')).toMatchObject({
      values: {},
      written: {},
      problems: [],
    });
  });

  test('!important is taken off and noted, and kept in the echo', () => {
    const { values, written, important } = read(
      'keywords=python&max=5!important&provider=a&provider=b!important&provider=',
    );
    expect(values).toEqual({ keywords: 'python', max: 5, provider: ['a', 'b'] });
    expect(written).toEqual({ keywords: 'python', max: '5!important', provider: ['a', 'b!important'] });
    expect([...important]).toEqual(['max', 'provider']);
  });

  test('where it means nothing, !important is a part of the value', () => {
    expect(readQuery('keywords=what+is+!important', fields).values).toEqual({
      keywords: 'what is !important',
    });
  });
});

describe('problems', () => {
  const problemsOf = (raw: string) => read(raw).problems.map(({ path }) => path);

  test('a value given twice, unless it may be, even if one is empty', () => {
    expect(problemsOf('max=1&max=2&provider=a&provider=b')).toEqual(['max']);
    expect(problemsOf('max=&max=2')).toEqual(['max']);
  });

  test('bytes that are no UTF-8, half an escape, a NUL', () => {
    expect(problemsOf('keywords=%ff')).toEqual(['keywords']);
    expect(problemsOf('keywords=%e9t%e9')).toEqual(['keywords']);
    expect(problemsOf('keywords=100%')).toEqual(['keywords']);
    expect(problemsOf('%ff=1')).toEqual(['query']);
    expect(problemsOf('keywords=a%00b')).toEqual(['keywords']);
    expect(problemsOf('utm=a%00b&a%00b=1')).toEqual(['utm', 'query']);
  });

  test('names of prototypes and nested names of parameters', () => {
    for (const name of ['__proto__', 'constructor', 'prototype', '__proto__[x]', 'constructor.prototype']) {
      expect(problemsOf(`${name}=1`)).toEqual([name]);
    }
    expect(problemsOf('x[__proto__][y]=1&x.constructor=1')).toEqual(['x[__proto__][y]', 'x.constructor']);
    expect(problemsOf('max[gt]=1&keywords.x=1&max%5B%5D=1&MAX[0]=1')).toEqual([
      'max[gt]',
      'keywords.x',
      'max[]',
      'MAX[0]',
    ]);
  });

  test('a misspelt parameter is named with the likely one', () => {
    expect(read('keyword=a').problems).toEqual([
      { path: 'keyword', problem: 'is not a parameter; is keywords meant?' },
    ]);
    expect(problemsOf('MAX=1&levle=1&porvider=x&fre=1')).toEqual(['MAX', 'levle', 'porvider', 'fre']);
  });

  test('other unknown names are ignored', () => {
    expect(read('utm_source=mail&fbclid=x&toString=1&hasOwnProperty=1&x[y]=1')).toMatchObject({
      values: {},
      problems: [],
    });
  });
});

const crumbs = 'keywords max level provider __proto__ [ ] . = & & + %20 % %00 %ff %e9 é 🐍 1 - e !important ; #'.split(
  ' ',
);

test('reading never throws, and every value is of a known name', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...crumbs), maxLength: 40 }), (raw) => {
      for (const name of Object.keys(read(raw).values)) expect(Object.keys(fields)).toContain(name);
    }),
  );
});

test('one edit is a near miss whichever it is; two are none', () => {
  for (const given of ['levelmax', 'levelMx', 'levelMaxx', 'levelMab', 'levelaMx'])
    expect(isQueryNameNearMiss(given, 'levelMax')).toBe(true);
  for (const given of ['levelMin', 'level', 'lvlMax', 'maxLevel'])
    expect(isQueryNameNearMiss(given, 'levelMax')).toBe(false);
  expect(isQueryNameNearMiss('id', 'ie')).toBe(false);
});
