import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { operations, parseProviderResponse } from '../../src/contract/index.ts';
import { pathOfProblem } from './problems-of.ts';

const good = { title: 'Good', url: 'https://example.org/good' };

interface Page {
  readonly metadata?: object;
  readonly msg?: unknown;
}

function search(content: readonly unknown[], { metadata = {}, msg = 'A00-fine' }: Page = {}) {
  const counts = { page: 0, 'number item per page': 10, 'total number item': 40, hasMore: true };
  return parseProviderResponse({
    request: { id: 'r1' },
    response: { content, metadata: { ...counts, ...metadata }, msg },
  });
}
const objectOf = (fields: object) => search([{ ...good, ...fields }]).content[0]!;

describe('a field that makes no sense counts as absent', () => {
  test.each<object>([
    { description: 7 },
    { level: 'easy' },
    { level: '' },
    { level: '1e999' },
    { lang: ['en'] },
    { picture: 'cover.png' },
    { picture: 7 },
    { provider: { name: 'A' } },
    { bloom: { name: 'Apply' } },
    { type: 7 },
    { learningTimeValue: 'long', learningTimeUnit: 'h' },
    { learningTimeValue: 2, learningTimeUnit: 7 },
    { address: 7 },
    { publisher: 7 },
    { author: [7, {}, null] },
    { PriceSpecification: 'free' },
    { PriceSpecification: { price: 'free', priceCurrency: 7, 'price-free': 'yes' } },
  ])('%j', (fields) => {
    expect(objectOf(fields)).toEqual(objectOf({}));
  });

  test('and nothing else of its list', () => {
    expect(objectOf({ author: ['Ada', 7, { name: 'Bob' }], bloom: ['Apply', null] })).toMatchObject({
      author: ['Ada', 'Bob'],
      bloom: ['Apply'],
    });
    expect(objectOf({ author: 'Ada' }).author).toEqual(['Ada']);
  });
});

test('numbers are read where they are texts', () => {
  const read = objectOf({
    level: '0.5',
    learningTimeValue: ' 90 ',
    learningTimeUnit: 'min',
    PriceSpecification: { price: '9.50' },
  });
  expect(read).toMatchObject({
    level: 0.5,
    learningTime: { value: 90, unit: 'min' },
    price: { amount: 9.5, free: false },
  });
  expect(search([], { metadata: { page: '2', 'total number item': '40' } })).toMatchObject({
    page: 2,
    totalItems: 40,
  });
});

describe('an item that cannot be used is left out, and the others stay', () => {
  test.each<unknown>([
    { ...good, url: '/relative' },
    { ...good, url: 'javascript:alert(1)' },
    { ...good, url: `https://example.org/${'x'.repeat(2_000)}` },
    { ...good, url: undefined },
    { ...good, title: '  ' },
    { ...good, title: 7 },
    null,
    'an item',
  ])('%j', (odd) => {
    expect(search([odd, good]).content).toEqual([objectOf({})]);
    expect(pathOfProblem(() => search([odd, odd]))).toMatch(/^response\.content\.0/);
  });

  test('with what belongs to it', () => {
    const { content, requestIds, tiers, highlights } = parseProviderResponse({
      request: { id: 'r1', provider: [] },
      response: {
        content: [
          {
            ...good,
            url: 'nowhere',
            request_id: 'r2',
            tier: 'close',
            highlight: { title: [[0, 1]], description: [] },
          },
          { ...good, tier: 'golden', highlight: { title: [[0, 1]], description: [] } },
          {
            ...good,
            request_id: 'r3',
            tier: 'other-language',
            highlight: { title: [[1, 2]], description: [] },
          },
        ],
        metadata: { 'number item per page': 3, 'total number item': 3 },
        msg: 'A00-fine',
      },
    });
    expect(content).toHaveLength(2);
    expect(requestIds).toEqual(['r1', 'r3']);
    expect(tiers).toEqual(['fitting', 'other-language']);
    expect(highlights).toEqual([
      { title: [[0, 1]], description: [] },
      { title: [[1, 2]], description: [] },
    ]);
  });
});

describe('the code of a message', () => {
  test.each([
    ['A00 - These results are our best effort', 'A00'],
    [' B00- so so', 'B00'],
    ['C00', 'C00'],
    ['A000-', 'B00'],
    ['fine', 'B00'],
    [null, 'B00'],
    [7, 'B00'],
  ])('of %j is read as %s', (msg, quality) => {
    expect(search([good], { msg }).quality).toBe(quality);
  });

  test('is C00 where nobody says it and there is nothing', () => {
    expect(search([], { msg: 'fine' }).quality).toBe('C00');
    expect(operations.suggest.readAnswer({ response: { content: [] } }).quality).toBe('C00');
  });

  test('refuses no suggestions', () => {
    const content = [{ label: 'a', score: 1 }];
    expect(operations.suggest.readAnswer({ response: { content, msg: 'A00 - fine' } }).quality).toBe('A00');
    expect(operations.suggest.readAnswer({ response: { content } }).quality).toBe('B00');
  });
});

describe('what is too long is cut', () => {
  test('texts and lists of an item', () => {
    const long = 'x'.repeat(6_000);
    const read = objectOf({
      title: long,
      description: long,
      provider: long,
      address: long,
      lang: long,
      author: Array.from({ length: 60 }, () => long),
      publisher: [{ name: long }],
      bloom: long,
      PriceSpecification: { price: 1, priceCurrency: long },
    });
    const lengths = {
      title: read.title.length,
      description: read.description!.length,
      names: [read.provider!, read.address!, read.lang!, read.price!.currency!].map(({ length }) => length),
      lists: [...read.author, ...read.publisher, ...read.bloom].map(({ length }) => length),
    };
    expect(lengths).toEqual({
      title: 500,
      description: 5_000,
      names: [300, 300, 300, 300],
      lists: Array.from({ length: 52 }, () => 300),
    });
  });

  test('never within a character', () => {
    expect(objectOf({ title: `${'x'.repeat(499)}😀` }).title).toBe('x'.repeat(499));
    expect(objectOf({ title: `${'x'.repeat(498)}😀` }).title).toHaveLength(500);
  });
});

describe('an entry of a list that cannot be read is left out', () => {
  test('providers, which may do without logos and home page', () => {
    const logo = { url: 'https://a.example/l.svg', colorScheme: 'dark', aspectRatio: 'square' };
    const response = [
      { name: 'no id' },
      7,
      { id: 'a', name: 'A', logo: [logo, { ...logo, colorScheme: 'blue' }], url: 7, license: 'none' },
      { id: 'b', name: 'B' },
    ];
    expect(operations.listProviders.readAnswer({ response })).toEqual([
      { id: 'a', name: 'A', logos: [logo], url: '' },
      { id: 'b', name: 'B', logos: [], url: '' },
    ]);
  });

  test('types, objectives and languages, which may do without a description', () => {
    const odd = [{ description: 'd' }, 'mooc', null];
    expect(operations.listTypes.readAnswer([...odd, { type: 'book', description: 7 }])).toEqual([
      { value: 'book', description: '' },
    ]);
    expect(operations.listBlooms.readAnswer([...odd, { bloom: 'Apply' }])).toEqual([
      { value: 'Apply', description: '' },
    ]);
    expect(operations.listLanguages.readAnswer({ response: [...odd, { lang: 'fr', description: 'd' }] })).toEqual([
      { value: 'fr', description: 'd' },
    ]);
  });

  test('terms, tags and suggestions', () => {
    expect(
      operations.similar.readAnswer({ response: [{ source: 's' }, { label: 'a', source: 's', score: '0.5' }] }),
    ).toEqual([{ label: 'a', source: 's', score: 0.5 }]);
    const body = { tokenized_text: 'a', lang: 'en', tags: ['a', null, 7] };
    expect(operations.tagger.readAnswer({ body }).tags).toEqual(['a']);
    const content = [{ label: 'none' }, { label: 'a', score: 'high', confidence: '0.5' }];
    expect(operations.suggest.readAnswer({ response: { content, msg: 'A00-' } }).suggestions).toEqual([
      { label: 'a', score: 0.5 },
    ]);
  });

  test('but not where there is no other', () => {
    expect(pathOfProblem(() => operations.listTypes.readAnswer([{ description: 'd' }, {}]))).toBe('0.type');
    expect(operations.listTypes.readAnswer([])).toEqual([]);
  });
});

test('what is cut does not keep the rest in memory', () => {
  setFlagsFromString('--expose_gc');
  const collect = runInNewContext('gc') as () => void;
  const heapUsed = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const text = JSON.stringify({
    request: { id: 'r' },
    response: {
      content: [{ title: 'a', url: 'https://example.org', description: 'long '.repeat(20_000) }],
      metadata: { page: 0, 'number item per page': 10, 'total number item': 1, hasMore: false },
      msg: 'A00-These results are our best effort to answer your query.',
    },
  });
  const before = heapUsed();
  const answers = Array.from({ length: 200 }, () => parseProviderResponse(JSON.parse(text)));
  const bytesOfEach = (heapUsed() - before) / answers.length;
  expect(answers[0]!.content[0]!.description).toHaveLength(5_000);
  expect(bytesOfEach).toBeLessThan(30_000);
});
