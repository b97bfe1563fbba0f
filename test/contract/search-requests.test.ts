import { describe, expect, test } from 'vitest';
import { parseSearchProviderRequest, parseSearchRequest } from '../../src/contract/index.ts';
import { problemsOf } from './problems-of.ts';

const queryOf = (parameters: string) => parseSearchProviderRequest(`keywords=a&${parameters}`).query;
const wrong = (parameters: string) => problemsOf(() => parseSearchProviderRequest(`keywords=a&${parameters}`));

test('a search has the defaults of the specification', () => {
  expect(parseSearchProviderRequest('keywords=python').query).toEqual({
    keywords: 'python',
    lang: 'en',
    providers: ['youtube'],
    types: [],
    blooms: [],
    sort: 'popularity',
    match: 'best-effort',
    model: 'strict',
    max: 10,
    page: 0,
    important: new Set(),
  });
});

test('an empty value is unset', () => {
  expect(queryOf('lang&page=&model=+&publisher&address=%09&distanceMax=')).toEqual(queryOf(''));
  expect(queryOf('lang=&sort=&match=&max=&provider=&free=&ageMin=!important')).toEqual(queryOf(''));
});

test.each([
  ['max', ['0', '21', '1.5', '-1', 'ten', '1e1', 'NaN'], ['1', '20']],
  ['page', ['-1', '10001', '0.5', '9'.repeat(30)], ['0', '10000', '-0']],
  ['ageMin', ['-1', '121', '3.5', '1e5'], ['0', '120']],
  ['ageMax', ['-1', '121', '3.5', '1e5'], ['0', '120']],
  ['learningTimeMin', ['-1', '1000001', '0.5', '1h'], ['0', '1000000']],
  ['learningTimeMax', ['-1', '1000001', '0.5', '1h'], ['0', '1000000']],
  ['levelMin', ['-1.1', '1.1', 'x', '1e-5', '0,5'], ['-1', '1', '0.25', '-0.0']],
  ['levelMax', ['-1.1', '1.1', 'x', '1e-5', '0,5'], ['-1', '1', '0.25', '-0.0']],
  ['popularityMin', ['-0.1', '1.1', 'Infinity'], ['0', '1', '0.3333333333333333']],
  ['free', ['maybe', '2', 'null'], ['true', 'false', 'TRUE', 'yes', '1', 'no', '0']],
  ['sort', ['newest', 'Popularity', 'constructor'], ['random', 'popularity']],
  ['match', ['loose', 'true'], ['strict', 'best-effort']],
  ['model', ['best-effort'], ['extended', 'strict']],
  ['lang', ['eng', 'e', 'EN', '__proto__'], ['fr', 'zz']],
  ['publisher', ['p'.repeat(201)], ['p'.repeat(200), 'Universit%C3%A9']],
  ['provider', ['p'.repeat(101)], ['p'.repeat(100), '__proto__']],
])('%s refuses %j and takes %j', (name, refused, taken) => {
  for (const value of refused) expect(Object.keys(wrong(`${name}=${value}`))).toEqual([name]);
  for (const value of taken) expect(wrong(`${name}=${value}`)).toEqual({});
  for (const value of taken) expect(wrong(`${name}=${value}!important`)).toEqual({});
});

test.each([
  ['address', 'Lyon', 'L'.repeat(301)],
  ['distanceMax', '20000', '20001'],
  ['distanceMax', '0', '1.5'],
])('%s takes %s and no more', (name, taken, refused) => {
  const other = name === 'address' ? 'distanceMax=5' : 'address=Lyon';
  expect(wrong(`${other}&${name}=${taken}`)).toEqual({});
  expect(Object.keys(wrong(`${other}&${name}=${refused}`))).toEqual([name]);
});

describe('!important', () => {
  test.each([
    ['lang=fr', 'lang'],
    ['provider=edx', 'provider'],
    ['publisher=MIT', 'publisher'],
    ['ageMin=3', 'age'],
    ['learningTimeMax=5', 'learningTime'],
    ['levelMin=-0.5', 'level'],
    ['popularityMin=0.5', 'popularity'],
    ['distanceMax=5&address=Lyon', 'distance'],
    ['free=false', 'free'],
  ])('on %s names its filter and changes nothing else', (parameter, filter) => {
    expect(queryOf(`${parameter}!important`)).toEqual({
      ...queryOf(parameter),
      important: new Set([filter]),
    });
    expect(queryOf(`${parameter}+!important`)).toEqual(queryOf(`${parameter}!important`));
  });

  test.each(['sort=random', 'match=strict', 'model=extended', 'max=5', 'page=3'])(
    'on %s, which is no filter, changes nothing',
    (parameter) => {
      expect(queryOf(`${parameter}!important`)).toEqual(queryOf(parameter));
    },
  );

  test('stays in the echo', () => {
    const { echo } = parseSearchProviderRequest('keywords=a!important&levelMax=0.5+!important&max=3');
    expect(echo).toMatchObject({
      keywords: 'a!important',
      levelMax: '0.5 !important',
      max: '3',
      levelMin: '',
    });
  });
});

describe('between parameters', () => {
  test('everything wrong is listed at once', () => {
    const parameters =
      'max=99&sort=x&ageMin=9&ageMax=3&levelMin=1&levelMax=-1&learningTimeMin=2&learningTimeMax=1&address=Lyon&page=0&page=1&levelmim=0';
    expect(Object.keys(problemsOf(() => parseSearchProviderRequest(parameters))).sort()).toEqual(
      'ageMin distanceMax keywords learningTimeMin levelMin levelmim max page sort'.split(' '),
    );
  });

  test('a value that is wrong by itself is named for that alone', () => {
    expect(wrong('levelMin=5&levelMax=-1')).toEqual({ levelMin: 'must be a number from -1 to 1' });
    expect(wrong('levelMin=1&levelMax=-5')).toEqual({ levelMax: 'must be a number from -1 to 1' });
    expect(wrong('address=Lyon&address=Paris&distanceMax=5')).toEqual({
      address: 'is given more than once; give it once',
    });
  });

  test('address and distanceMax need each other; equal ends of a range are fine', () => {
    expect(wrong('distanceMax=5')).toEqual({
      address: 'is required with distanceMax: the place to measure from',
    });
    expect(wrong('address=Lyon')).toHaveProperty('distanceMax');
    expect(wrong('ageMin=5&ageMax=5&levelMin=0&levelMax=-0')).toEqual({});
  });
});

describe('search, our extension', () => {
  test('searches all providers and languages by default', () => {
    const { query, echo } = parseSearchRequest('keywords=a&provider=&type=+');
    expect(query).toMatchObject({ providers: [], types: [], blooms: [] });
    expect(query).not.toHaveProperty('lang');
    expect(echo).toMatchObject({ provider: [], type: [], bloom: [], lang: '', max: '10' });
  });

  test('takes repeated filters, types as results write them, and echoes them as given', () => {
    const { query, echo } = parseSearchRequest(
      'keywords=a&provider=x&provider=y&type=MOOC!important&type=career+profile&bloom=understand',
    );
    expect(query).toMatchObject({
      providers: ['x', 'y'],
      types: ['mooc', 'career profile'],
      blooms: ['Understand'],
      important: new Set(['type']),
    });
    expect(echo).toMatchObject({ provider: ['x', 'y'], type: ['MOOC!important', 'career profile'] });
  });

  test('refuses types and objectives that do not exist, too many of them, and other repeated values', () => {
    expect(problemsOf(() => parseSearchRequest('keywords=a&type=film&type=x&bloom=think&lang=en&lang=fr'))).toEqual({
      type: expect.stringMatching(/^must be at most 50 values, each one of app, article/),
      bloom: expect.stringMatching(/each one of Remember/),
      lang: 'is given more than once; give it once',
    });
    expect(problemsOf(() => parseSearchRequest(`keywords=a${'&provider=x'.repeat(51)}`))).toEqual({
      provider: 'must be at most 50 values, each a text of 1 to 100 characters',
    });
  });
});
