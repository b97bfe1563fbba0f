import { describe, expect, test } from 'vitest';
import { operations, parseProviderResponse } from '../../src/contract/index.ts';
import { pathOfProblem } from './problems-of.ts';

const bare = { title: 'Bare', url: 'https://example.org/bare' };

/** What a service may answer to a search, with one learning object. */
function searchWith(object: object = {}) {
  const metadata: Record<string, unknown> = { 'number item per page': 1, 'total number item': 3 };
  return {
    request: { id: 'r1' } as Record<string, unknown>,
    response: { content: [{ ...bare, ...object }], metadata, msg: 'A00-fine' },
  };
}
const objectOf = (object: object) => parseProviderResponse(searchWith(object)).content[0]!;

describe('a search is read', () => {
  test('with the least it can have', () => {
    expect(parseProviderResponse(searchWith())).toEqual({
      requestId: 'r1',
      content: [{ ...bare, bloom: [], type: [], publisher: [], author: [] }],
      page: 0,
      itemsPerPage: 1,
      totalItems: 3,
      hasMore: true,
      quality: 'A00',
    });
  });

  test('where fields are unknown, null or empty', () => {
    const unknown = { stars: 4, reviews: [{ by: null }], PriceSpecification: { vat: 0.2 } };
    const nothing = { level: null, bloom: null, lang: '', description: '', provider: '', address: null };
    expect(objectOf({ ...unknown, ...nothing })).toEqual(objectOf({}));
    expect(parseProviderResponse({ ...searchWith(), took: 5, statusCode: null }).requestId).toBe('r1');
  });

  test('where an unknown field is nested ever so deeply', () => {
    const depth = 100_000;
    const deep: unknown = JSON.parse('['.repeat(depth) + ']'.repeat(depth));
    expect(objectOf({ deep })).toEqual(objectOf({}));
  });

  test('with types in upper case, or one type and one objective alone', () => {
    expect(objectOf({ type: ['MOOC', 'Career Profile'] }).type).toEqual(['mooc', 'career profile']);
    expect(objectOf({ type: 'VIDEO', bloom: 'Apply' })).toMatchObject({ type: ['video'], bloom: ['Apply'] });
  });

  test('with people and organizations as objects', () => {
    const author = [{ name: 'Ada', '@type': 'Person' }, 'Bob'];
    expect(objectOf({ author, publisher: [{ name: 'A university' }] })).toMatchObject({
      author: ['Ada', 'Bob'],
      publisher: ['A university'],
    });
  });

  test.each([
    [{ price: 0 }, { amount: 0, free: true }],
    [{ price: 9 }, { amount: 9, free: false }],
    [
      { price: 9, 'price-free': true },
      { amount: 9, free: true },
    ],
    [{ price: null, 'price-free': false, priceCurrency: '' }, { free: false }],
    [{ priceCurrency: '€' }, undefined],
  ])('with a price of %j', (PriceSpecification, price) => {
    expect(objectOf({ PriceSpecification }).price).toEqual(price);
  });

  test('without a length of an unknown unit or a thumbnail that is no web address', () => {
    const object = objectOf({
      learningTimeValue: 2,
      learningTimeUnit: 'days',
      picture: 'javascript:alert(1)',
    });
    expect(object).toEqual(objectOf({}));
  });

  test('with hasMore worked out where it is absent', () => {
    const wire = searchWith();
    wire.response.metadata.page = 2;
    expect(parseProviderResponse(wire).hasMore).toBe(false);
    wire.response.metadata.page = 1;
    expect(parseProviderResponse(wire).hasMore).toBe(true);
  });
});

describe('the Competency API is read', () => {
  test('without its envelope and echo', () => {
    expect(operations.similar.readAnswer({ response: [] })).toEqual([]);
    expect(operations.tagger.readAnswer({ body: { tokenized_text: 'a', lang: 'en', tags: null } }).tags).toEqual([]);
    expect(operations.suggest.readAnswer({ response: { content: [], msg: 'C00-' } })).toEqual({
      keywordsTransformed: [],
      suggestions: [],
      quality: 'C00',
    });
  });

  test('where terms have no score', () => {
    const response = [
      { label: 'x', source: 's' },
      { label: 'y', source: 's', score: null, links: {} },
    ];
    expect(operations.similar.readAnswer({ response })).toEqual([
      { label: 'x', source: 's' },
      { label: 'y', source: 's' },
    ]);
  });

  test('with confidence for a score, unless there is a score', () => {
    const wire = (suggestion: object) => ({
      request: { keywords_transformed: null },
      response: { content: [{ label: 'x', ...suggestion }], msg: 'A00-fine' },
    });
    const scoreOf = (suggestion: object) => operations.suggest.readAnswer(wire(suggestion)).suggestions[0]!.score;
    expect(scoreOf({ confidence: 0.4 })).toBe(0.4);
    expect(scoreOf({ score: 0, confidence: 0.4 })).toBe(0);
    expect(pathOfProblem(() => scoreOf({}))).toBe('response.content.0.score');
  });
});

test('objectives and languages are read with and without an envelope, types and providers as specified', () => {
  const bloom = [{ bloom: 'Apply', description: 'd', icon: null }];
  expect(operations.listBlooms.readAnswer(bloom)).toEqual([{ value: 'Apply', description: 'd' }]);
  expect(operations.listBlooms.readAnswer({ response: bloom })).toEqual(operations.listBlooms.readAnswer(bloom));
  const lang = [{ lang: 'fr', description: 'd' }];
  expect(operations.listLanguages.readAnswer({ statusCode: 200, response: lang })).toEqual(
    operations.listLanguages.readAnswer(lang),
  );
  expect(operations.listTypes.readAnswer([{ type: 'mooc', description: 'd' }])).toEqual([
    { value: 'mooc', description: 'd' },
  ]);
  const provider = { id: 'a', name: 'A', logo: [], url: 'https://a.example', license: null };
  expect(operations.listProviders.readAnswer({ response: [provider] })).toEqual([
    { id: 'a', name: 'A', logos: [], url: 'https://a.example' },
  ]);
});

test('any object is an answer to a feedback', () => {
  expect(operations.feedback.readAnswer({})).toBeUndefined();
  expect(pathOfProblem(() => operations.feedback.readAnswer('thanks'))).toBe('body');
});

describe('an answer that breaks the specification is refused with the path', () => {
  test.each<[string, (wire: ReturnType<typeof searchWith>) => void]>([
    ['request.id', ({ request }) => delete request.id],
    ['response.content.0.title', ({ response }) => Object.assign(response.content[0]!, { title: null })],
    ['response.content.0.url', ({ response }) => Object.assign(response.content[0]!, { url: 'javascript:0' })],
    [
      'response.metadata.total number item',
      ({ response }) => Object.assign(response.metadata, { 'total number item': 'many' }),
    ],
  ])('%s', (path, spoil) => {
    const wire = searchWith();
    spoil(wire);
    expect(pathOfProblem(() => parseProviderResponse(wire))).toBe(path);
  });

  test.each<[string, () => unknown]>([
    ['response.0.label', () => operations.similar.readAnswer({ response: [{ source: 's' }] })],
    ['body.tokenized_text', () => operations.tagger.readAnswer({ body: { lang: 'en' } })],
    ['response.content', () => operations.suggest.readAnswer({ response: { msg: 'C00-' } })],
    ['response.0.bloom', () => operations.listBlooms.readAnswer({ response: [{ description: 'd' }] })],
    ['0.lang', () => operations.listLanguages.readAnswer([{ description: 'd' }])],
    ['body', () => operations.listTypes.readAnswer({ response: [] })],
    ['response.0.id', () => operations.listProviders.readAnswer({ response: [{ name: 'A', logo: [], url: 'x' }] })],
    ['body', () => operations.listProviders.readAnswer('<html>')],
  ])('%s (%#)', (path, parse) => {
    expect(pathOfProblem(parse)).toBe(path);
  });
});

test('an answer with more in its lists than can be checked is refused, wherever that is', () => {
  const objects = (count: number) => Array.from({ length: count }, () => ({}));
  for (const answer of [objects(500_000), { response: objects(20_000) }])
    expect(() => operations.listProviders.readAnswer(answer)).toThrow(/does not follow its specification at body/);
  const listed = searchWith({ author: Array(200_000).fill(1) });
  expect(pathOfProblem(() => parseProviderResponse(listed))).toBe('body');
  // What nobody asked about may be long.
  const long = { embedding: Array(4_096).fill(0.5) };
  expect(objectOf(long)).toEqual(objectOf({}));
});
