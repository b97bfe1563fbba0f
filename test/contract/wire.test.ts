import { expect, test } from 'vitest';
import { operations, parseSearchProviderRequest, writeProviderResponse } from '../../src/contract/index.ts';
import { bareObject, createFakeLearningService, fullObject } from '../fakes/learning-service.ts';

const learning = createFakeLearningService();
const entry = { value: 'x', description: 'd' };

test('a search has the specified names and spellings', () => {
  const { request, response } = JSON.parse(
    writeProviderResponse(parseSearchProviderRequest('keywords=python'), {
      requestId: 'r1',
      content: [fullObject, bareObject],
      page: 1,
      itemsPerPage: 2,
      totalItems: 5,
      hasMore: true,
      quality: 'B00',
    }),
  );

  expect(request).toMatchObject({ keywords: 'python', publisher: '', author: '', id: 'r1' });
  expect(response.metadata).toEqual({
    page: 1,
    'number item per page': 2,
    'total number item': 5,
    hasMore: true,
  });
  expect(response.msg).toBe('B00-These results does not match exactly your query.');
  expect(response.content[0]).toEqual({
    title: 'Python for everybody',
    url: 'https://example.org/python',
    description: 'An introduction.',
    picture: 'https://example.org/python.png',
    provider: 'YouTube',
    bloom: ['Understand', 'Apply'],
    type: ['MOOC', 'CAREER PROFILE'],
    level: -0.5,
    lang: 'en',
    learningTimeValue: 90,
    learningTimeUnit: 'min',
    address: 'Lyon',
    publisher: ['A university'],
    author: ['Ada'],
    PriceSpecification: {
      '@context': 'https://schema.org',
      '@type': 'PriceSpecification',
      price: 12.5,
      priceCurrency: '€',
      'price-free': true,
    },
  });
  expect(Object.keys(response.content[1]!)).toEqual(['title', 'url', 'bloom', 'type', 'publisher', 'author']);
});

test('the echo of a search has every parameter, unset ones as defaults or empty texts', () => {
  expect(parseSearchProviderRequest('keywords=python').echo).toEqual({
    keywords: 'python',
    lang: 'en',
    provider: 'youtube',
    sort: 'popularity',
    match: 'best-effort',
    model: 'strict',
    max: '10',
    page: '0',
    publisher: '',
    ageMax: '',
    ageMin: '',
    learningTimeMax: '',
    learningTimeMin: '',
    levelMax: '',
    levelMin: '',
    popularityMin: '',
    address: '',
    distanceMax: '',
    free: '',
  });
});

test('types are a bare array, the other lists are in an envelope', async () => {
  expect(operations.listTypes.readRequest({}).writeAnswer([entry])).toEqual([{ type: 'x', description: 'd' }]);
  expect(operations.listBlooms.readRequest({}).writeAnswer([entry])).toEqual({
    statusCode: 200,
    response: [{ bloom: 'x', description: 'd' }],
  });
  expect(operations.listLanguages.readRequest({}).writeAnswer([entry])).toEqual({
    statusCode: 200,
    response: [{ lang: 'x', description: 'd' }],
  });
  const providers = await learning.ask('listProviders', {});
  const provider = {
    '@context': 'https://schema.org',
    '@type': 'provider',
    id: 'youtube',
    logo: [{ colorScheme: 'dark', aspectRatio: 'square' }],
  };
  const answer = operations.listProviders.readRequest({}).writeAnswer(providers) as { response: readonly object[] };
  expect(answer.response[0]).toMatchObject(provider);
});

test('terms, tags and suggestions have the specified names', () => {
  const { similar, tagger, suggest } = operations;
  const terms = [{ label: 'Python', source: 'Own' }];
  expect(similar.readRequest({ query: 'keywords=python' }).writeAnswer(terms)).toEqual({
    statusCode: 200,
    request: { keywords: 'python', lang: 'en' },
    response: [{ label: 'Python', source: 'Own' }],
  });
  const { writeAnswer } = tagger.readRequest({ body: { text: 'We teach' } });
  expect(writeAnswer({ tokenizedText: 'we teach', lang: 'en', tags: ['Teaching'] })).toEqual({
    statusCode: 200,
    body: { tokenized_text: 'we teach', lang: 'en', tags: ['Teaching'] },
  });
  const located = {
    tokenizedText: 'we teach',
    lang: 'en',
    tags: ['Teaching', 'Python'],
    spans: [[3, 8], null],
  } as const;
  expect(writeAnswer(located)).toMatchObject({ body: { spans: [[3, 8], null] } });
  const answer = { keywordsTransformed: ['py'], suggestions: [{ label: 'Python', score: 1 }] };
  expect(suggest.readRequest({ query: 'keywords=PY' }).writeAnswer({ ...answer, quality: 'C00' })).toEqual({
    statusCode: 200,
    request: { keywords: 'PY', keywords_transformed: ['py'] },
    response: {
      content: [{ label: 'Python', score: 1 }],
      msg: 'C00-No result to display for this query.',
    },
  });
});
