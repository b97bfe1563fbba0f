import { describe, expect, test } from 'vitest';
import { operations } from '../../src/contract/index.ts';
import { problemsOf } from './problems-of.ts';

const readSimilar = (query: string) => operations.similar.readRequest({ query }).request;
const readSuggest = (query: string) => operations.suggest.readRequest({ query }).request;
const readTagger = (body: unknown) => operations.tagger.readRequest({ body }).request;

test('similar, tagger and suggest have defaults', () => {
  expect(readSimilar('keywords=python')).toEqual({ keywords: 'python', lang: 'en', max: 20 });
  expect(readTagger({ text: ' python ' })).toEqual({ text: 'python', lang: 'en', max: 10 });
  expect(readSuggest('keywords=python')).toEqual({ keywords: 'python' });
});

test('everything that is wrong is listed', () => {
  expect(problemsOf(() => readSimilar('lang=english&max=101&source='))).toEqual({
    keywords: 'is required: a text of 1 to 500 characters',
    lang: 'must be a two-letter language code such as en or fr',
    max: 'must be a whole number from 1 to 100',
  });
  expect(problemsOf(() => readTagger({ lang: 1, max: '5', txet: 'x', source: {} }))).toEqual({
    text: 'is required: a text of 1 to 20,000 characters',
    lang: 'must be a two-letter language code such as en or fr',
    source: 'must be a text of 1 to 100 characters',
    max: 'must be a whole number from 1 to 50',
    txet: 'is not a parameter; is text meant?',
  });
});

describe('lengths are counted', () => {
  test.each([
    [500, (text: string) => readSuggest(`keywords=${text}`)],
    [500, (text: string) => readSimilar(`keywords=${text}`)],
    [20_000, (text: string) => readTagger({ text })],
    [100, (source: string) => readTagger({ text: 'a', source })],
  ])('up to %i (%#)', (longest, parse) => {
    expect(problemsOf(() => parse('é'.repeat(longest)))).toEqual({});
    expect(Object.values(problemsOf(() => parse('é'.repeat(longest + 1))))).toHaveLength(1);
  });
});

test('a blank text is no text, and whitespace within is kept', () => {
  expect(problemsOf(() => readTagger({ text: ' \n\t ' }))).toHaveProperty('text');
  expect(problemsOf(() => readSimilar('keywords=+%09+'))).toHaveProperty('keywords');
  expect(readTagger({ text: '\ta\n\u0001b ' }).text).toBe('a\n\u0001b');
});

describe('a body', () => {
  test.each([[null], [[]], ['text'], [5], [undefined], [true]])('of %j is refused', (body) => {
    expect(problemsOf(() => readTagger(body))).toMatchObject({ body: 'must be a JSON object' });
  });

  test('may have fields that are null or empty: they are unset', () => {
    expect(readTagger({ text: 'a', lang: '', source: null, max: null })).toEqual(readTagger({ text: 'a' }));
  });

  test('may have unknown fields, but no prototype names and no NUL', () => {
    const body: unknown = JSON.parse('{"text":"a\\u0000b","__proto__":{"max":1},"constructor":1,"id":7}');
    expect(problemsOf(() => readTagger(body))).toEqual({
      text: 'contains a NUL character',
      ['__proto__']: 'is not a name that can be used here',
      constructor: 'is not a name that can be used here',
    });
  });

  test.each([[0], [51], [1.5], [-0], [1e300], ['10'], [true], [[1]], [{ $gt: 1 }]])('refuses a max of %j', (max) => {
    expect(Object.keys(problemsOf(() => readTagger({ text: 'a', max })))).toEqual(['max']);
  });
});
