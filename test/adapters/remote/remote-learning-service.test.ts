import { describe, expect, test } from 'vitest';
import { searchOf } from '../../fakes/search-of.ts';
import { MARKETPLACE_KEY, UPSTREAM_KEY } from '../../fakes/upstream.ts';
import { aFeedback, callAll, operations, useRemote } from './start-remote.ts';

const remote = useRemote();

const keyed = ['similar', 'tagger', 'suggest', 'search-provider', 'feedback'];
const competency = ['similar', 'tagger', 'suggest'];

describe('the nine operations', () => {
  test('are called at their addresses, with a key only where one is needed', async () => {
    const learning = remote.upstreams.connect(remote.direct());
    for (const call of Object.values(callAll)) await call(learning);
    const { requests } = remote.upstream;
    expect(requests.map(({ operation }) => operation)).toEqual(Object.keys(callAll));
    for (const { operation, path, headers } of requests) {
      const version = competency.includes(operation!) ? '/domcomp/v1' : '/learningobject/v2';
      expect(path).toBe(`${version}/${operation}`);
      expect(headers['x-api-key']).toBe(keyed.includes(operation!) ? UPSTREAM_KEY : undefined);
      expect(headers).toMatchObject({ accept: 'application/json', 'user-agent': 'skilldock' });
    }
  });

  test('of learning objects go through the gateway with its key, the others do not', async () => {
    const learning = remote.upstreams.connect(remote.gateway());
    for (const call of Object.values(callAll)) await call(learning);
    for (const { operation, path, headers } of remote.upstream.requests) {
      const isDirect = competency.includes(operation!);
      expect(path).toBe(isDirect ? `/domcomp/v1/${operation}` : `/gateway/lo/${operation}`);
      expect(headers['x-api-key']).toBe(isDirect ? UPSTREAM_KEY : undefined);
      const isMarketKeyed = !isDirect && keyed.includes(operation!);
      expect(headers['x-marketplace-key']).toBe(isMarketKeyed ? MARKETPLACE_KEY : undefined);
    }
  });

  test('give the answers of the service as domain types', async () => {
    const learning = remote.upstreams.connect(remote.direct());
    expect(await callAll.similar(learning)).toEqual([
      { label: 'Data analysis', source: 'Own index', score: 0.9 },
      { label: 'Data analytics', source: 'Synonyms' },
      { label: 'Analyste de données', source: 'ROME', score: 0.4 },
    ]);
    expect(await callAll.tagger(learning)).toEqual({
      tokenizedText: 'we teach sql',
      lang: 'en',
      tags: ['SQL', 'Teaching'],
    });
    expect(await callAll.suggest(learning)).toEqual({
      keywordsTransformed: ['commu'],
      suggestions: [
        { label: 'communication interne', score: 0.8 },
        { label: 'communication orale', score: 0.5 },
      ],
      quality: 'B00',
    });
    const [provider] = await learning.ask('listProviders', {});
    expect(provider).toMatchObject({ id: 'tube', name: 'TUBE', license: 'https://tube.example/brand' });
    expect(provider!.logos).toHaveLength(4);
    expect(await learning.ask('listTypes', {})).toContainEqual({ value: 'mooc', description: 'A course' });
    expect(await learning.ask('listBlooms', {})).toEqual([{ value: 'Understand', description: 'Explain ideas' }]);
    expect(await learning.ask('listLanguages', {})).toEqual([{ value: 'fr', description: 'French' }]);
  });

  test('a search carries every parameter and gives objects', async () => {
    const learning = remote.upstreams.connect(remote.direct());
    const query = searchOf({
      providers: ['school'],
      match: 'strict',
      model: 'extended',
      sort: 'random',
      max: 3,
      page: 2,
      publisher: 'A & B',
      ageMin: 12,
      levelMin: -0.5,
      popularityMin: 0,
      address: 'Lyon',
      distanceMax: 20,
      free: true,
      important: new Set(['free']),
    });
    const answer = await learning.ask('searchProvider', query);
    expect(remote.upstream.requests[0]!.query).toEqual({
      keywords: 'python',
      lang: 'en',
      provider: 'school',
      match: 'strict',
      model: 'extended',
      sort: 'random',
      max: '3',
      page: '2',
      publisher: 'A & B',
      ageMin: '12',
      levelMin: '-0.5',
      popularityMin: '0',
      address: 'Lyon',
      distanceMax: '20',
      free: 'true!important',
    });
    expect(answer).toMatchObject({
      requestId: 'search-of-school',
      page: 2,
      itemsPerPage: 3,
      totalItems: 25,
      hasMore: true,
      quality: 'A00',
    });
    expect(answer.content[0]).toEqual({
      title: 'school 6',
      url: 'https://school.example/6',
      provider: 'SCHOOL',
      type: ['video'],
      bloom: ['Understand'],
      lang: 'en',
      learningTime: { value: 3, unit: 'min' },
      publisher: [],
      author: [],
      price: { amount: 0, free: true },
    });
  });

  test('feedback with an id carries it in a header, as a strict service may refuse a field', async () => {
    const learning = remote.upstreams.connect(remote.direct());
    await learning.ask('feedback', { ...aFeedback, id: 'feedback-7' });
    await learning.ask('feedback', aFeedback);
    const [first, second] = remote.upstream.requests;
    expect(first!.headers['idempotency-key']).toBe('feedback-7');
    expect(first!.body).toEqual(second!.body);
    expect(second!.headers).not.toHaveProperty('idempotency-key');
  });

  test('a search is sent as specified, without its other filters', async () => {
    const learning = remote.upstreams.connect(remote.direct());
    const { lang: _any, ...query } = searchOf({ providers: ['tube'], types: ['video'], blooms: ['Apply'] });
    await learning.ask('searchProvider', query, { withDetails: true });
    const { query: asked } = remote.upstream.requests[0]!;
    expect(asked).toMatchObject({ lang: 'en', provider: 'tube' });
    for (const name of ['type', 'bloom', 'details']) expect(asked).not.toHaveProperty(name);
  });

  test('feedback is sent as the specification writes it', async () => {
    await remote.upstreams.connect(remote.direct()).ask('feedback', aFeedback);
    const { requestId, ...rest } = aFeedback;
    expect(remote.upstream.requests[0]!.body).toEqual({ ...rest, request_id: requestId });
    expect(remote.upstream.requests[0]!.headers['content-type']).toBe('application/json');
  });
});

describe('what a service may do', () => {
  test.each(operations)('%s may be packed and wrongly labelled', async (operation) => {
    const learning = remote.upstreams.connect(remote.direct());
    const plain = await callAll[operation](learning);
    remote.upstream.reply(operation, { isPacked: true });
    expect(await callAll[operation](learning)).toEqual(plain);
    remote.upstream.reply(operation, { headers: { 'content-type': 'text/html; charset=iso-8859-1' } });
    expect(await callAll[operation](learning)).toEqual(plain);
    expect(remote.upstream.requests[0]!.headers['accept-encoding']).toBe('gzip');
  });

  test('a feedback may be answered with 201, 204 or nothing', async () => {
    const learning = remote.upstreams.connect(remote.direct());
    for (const status of [200, 201, 204]) {
      remote.upstream.reply('feedback', { status, body: '' });
      await expect(learning.ask('feedback', aFeedback)).resolves.toBeUndefined();
    }
  });

  test('a default number of terms and tags is not sent, as a strict service would refuse it', async () => {
    const learning = remote.upstreams.connect(remote.direct());
    await learning.ask('similar', { keywords: 'a', lang: 'en', max: 20 });
    await learning.ask('tagger', { text: 'a', lang: 'en', max: 10, guesses: true, spans: true });
    const [similar, tagger] = remote.upstream.requests;
    expect(similar!.query).toEqual({ keywords: 'a', lang: 'en' });
    expect(tagger!.body).toEqual({ text: 'a', lang: 'en' });
  });

  test('surplus terms and tags are cut, and those of other sources left out', async () => {
    const learning = remote.upstreams.connect(remote.direct());
    const terms = Array.from({ length: 60 }, (_, n) => ({ label: `${n}`, source: n % 2 ? 'A' : 'B' }));
    remote.upstream.reply('*', { body: { statusCode: 200, response: terms } });
    expect(await learning.ask('similar', { keywords: 'a', lang: 'en' })).toHaveLength(20);
    const few = await learning.ask('similar', { keywords: 'a', lang: 'en', source: 'A', max: 2 });
    expect(few.map(({ label }) => label)).toEqual(['1', '3']);
    const tags = terms.map(({ label }) => label);
    remote.upstream.reply('*', { body: { body: { tokenized_text: '', lang: 'en', tags } } });
    expect((await learning.ask('tagger', { text: 'a', lang: 'en' })).tags).toHaveLength(10);
  });
});

describe('a search that lies', () => {
  const search = async (metadata: object, changes = {}) => {
    remote.upstream.reply('search-provider', {
      change: (body) => ({
        ...body,
        response: { ...body.response, metadata: { ...body.response.metadata, ...metadata } },
      }),
    });
    const learning = remote.upstreams.connect(remote.direct());
    return learning.ask('searchProvider', searchOf({ providers: ['tube'], ...changes }));
  };

  test('about its page gives the requested page', async () => {
    expect(await search({ page: 7 }, { page: 1 })).toMatchObject({ page: 1 });
  });

  test('about its total has at least the objects so far', async () => {
    expect(await search({ 'total number item': 3 }, { page: 1 })).toMatchObject({ totalItems: 20 });
  });

  test('about further pages ends at an empty page', async () => {
    expect(await search({ hasMore: true }, { page: 3 })).toMatchObject({ content: [], hasMore: false });
    expect(await search({ hasMore: true }, { page: 2 })).toMatchObject({ hasMore: true });
  });

  test('about the length of a page is cut', async () => {
    const objects = Array.from({ length: 30 }, (_, n) => ({
      title: `${n}`,
      url: `https://tube.example/${n}`,
    }));
    remote.upstream.reply('search-provider', {
      change: (body) => ({ ...body, response: { ...body.response, content: objects } }),
    });
    const learning = remote.upstreams.connect(remote.direct());
    expect((await learning.ask('searchProvider', searchOf({ providers: ['tube'], max: 4 }))).content).toHaveLength(4);
  });
});

test('the address may end in a slash and have a path of its own', async () => {
  remote.upstream.reply('*', { body: [] });
  for (const url of ['', '/', '/base', '/base/'].map((path) => remote.upstream.url + path)) {
    await remote.upstreams.connect({ url }).ask('listTypes', {});
    await remote.upstreams.connect({ url, marketplace: { url } }).ask('listTypes', {});
  }
  expect(remote.upstream.requests.map(({ path }) => path)).toEqual([
    '/learningobject/v2/type',
    '/type',
    '/learningobject/v2/type',
    '/type',
    '/base/learningobject/v2/type',
    '/base/type',
    '/base/learningobject/v2/type',
    '/base/type',
  ]);
});
