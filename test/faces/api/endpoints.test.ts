import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseProviderResponse } from '../../../src/contract/index.ts';
import { KNOWN_REQUEST_ID } from '../../fakes/learning-service.ts';
import { errorOf } from './error-of.ts';
import { type Api, DEMO_KEY, startApi } from './start-api.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const feedback = {
  url: 'https://example.org/python',
  request_id: KNOWN_REQUEST_ID,
  email: 'ada@example.org',
  source: 'https://school.example.org',
};

describe('Competency API', () => {
  test('similar', async () => {
    const response = await api.get('/domcomp/v1/similar?keywords=python&source=Other&max=3');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toEqual({
      statusCode: 200,
      request: { keywords: 'python', lang: 'en' },
      response: [
        { label: 'Python', source: 'Skilldock', score: 0.9 },
        { label: 'Snakes', source: 'Other' },
      ],
    });
    expect(api.learning.calls.similar.at(-1)).toEqual({
      keywords: 'python',
      lang: 'en',
      source: 'Other',
      max: 3,
    });
  });

  test('tagger', async () => {
    const response = await api.post('/domcomp/v1/tagger', { text: 'We teach Python', lang: 'fr' });
    expect(await response.json()).toEqual({
      statusCode: 200,
      body: { tokenized_text: 'we teach python', lang: 'fr', tags: ['Python', 'Teaching'] },
    });
  });

  test('suggest', async () => {
    const response = await api.get('/domcomp/v1/suggest?keywords=Pyt');
    expect(await response.json()).toEqual({
      statusCode: 200,
      request: { keywords: 'Pyt', keywords_transformed: ['pyt'] },
      response: {
        content: [{ label: 'python course', score: 0.8 }],
        msg: 'B00-These results does not match exactly your query.',
      },
    });
  });

  test('the demo key is enough', async () => {
    const response = await api.get('/domcomp/v1/suggest?keywords=a', { 'x-api-key': DEMO_KEY });
    expect(response.status).toBe(200);
  });
});

describe.each(['/learningobject/v2', '/marketplace'])('%s', (prefix) => {
  test.each([
    ['provider', { statusCode: 200, response: [{ id: 'youtube', '@type': 'provider' }, { id: 'openlearn' }] }],
    ['type', [{ type: 'mooc', description: 'A course' }]],
    ['bloom', { statusCode: 200, response: [{ bloom: 'Understand' }] }],
    ['lang', { statusCode: 200, response: [{ lang: 'en' }] }],
  ])('%s needs no key and may be kept for an hour', async (name, body) => {
    const address = `${api.url}${prefix}/${name}`;
    const response = await fetch(address);
    expect(response.headers.get('cache-control')).toBe('public, max-age=3600');
    expect(await response.json()).toMatchObject(body);
    const etag = response.headers.get('etag')!;
    // Not by fetch, which tells the host to ignore what it sends in If-None-Match.
    const path = `${prefix}/${name}`;
    expect(await api.raw('GET', path, { 'if-none-match': etag })).toMatchObject({ status: 304, text: '' });
    expect((await api.raw('GET', path, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('search-provider', async () => {
    const response = await api.get(
      `${prefix}/search-provider?keywords=python&provider=openlearn&max=2&page=1&levelMax=0.5!important&free=`,
    );
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    expect(await response.json()).toMatchObject({
      statusCode: 200,
      request: { keywords: 'python', provider: 'openlearn', levelMax: '0.5!important', free: '', author: '' },
      response: { content: [{ type: ['MOOC', 'CAREER PROFILE'] }, { title: 'Bare' }], metadata: { page: 1 } },
    });
    expect(api.learning.calls.searches.at(-1)).toMatchObject({
      providers: ['openlearn'],
      max: 2,
      page: 1,
      levelMax: 0.5,
      important: new Set(['level']),
    });
  });

  test('feedback', async () => {
    const before = api.learning.calls.feedback.length;
    const response = await api.post(`${prefix}/feedback`, { ...feedback, comment: 'Très bien' });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ statusCode: 200 });
    expect(api.learning.calls.feedback.slice(before)).toEqual([
      {
        url: feedback.url,
        comment: 'Très bien',
        requestId: KNOWN_REQUEST_ID,
        email: feedback.email,
        source: feedback.source,
      },
    ]);
  });
});

describe('Idempotency-Key', () => {
  const kept = async () => (await api.services.store.transfer.readRecords('feedback', null, 100)).length;
  const give = (key: string, more: object = {}) =>
    api.post('/learningobject/v2/feedback', { ...feedback, ...more }, { 'idempotency-key': key });

  test('the same feedback is kept once, however often it is sent', async () => {
    const before = await kept();
    for (let times = 0; times < 3; times++) expect((await give('first try')).status).toBe(200);
    expect(await kept()).toBe(before + 1);
    expect((await give('second try')).status).toBe(200);
    expect((await give('')).status).toBe(200);
    expect((await give('')).status).toBe(200);
    expect(await kept()).toBe(before + 4);
  });

  test('another feedback under the same key is refused', async () => {
    expect((await give('mine')).status).toBe(200);
    const before = await kept();
    expect(await errorOf(await give('mine', { comment: 'Another' }))).toMatchObject({
      statusCode: 400,
      code: 'PARAMETERS_INVALID',
    });
    expect(await kept()).toBe(before);
  });

  test('one that is too long or cannot be printed is refused before anything is kept', async () => {
    const before = await kept();
    for (const key of ['k'.repeat(201), 'cl\u00e9', 'a\tb']) {
      const { code, details } = await errorOf(await give(key));
      expect(code).toBe('PARAMETERS_INVALID');
      const problem = 'must be a text of 1 to 200 printable ASCII characters';
      expect(details).toEqual([{ path: 'Idempotency-Key', problem }]);
    }
    expect(await kept()).toBe(before);
    expect((await give('k'.repeat(200))).status).toBe(200);
  });
});

describe('search, our extension', () => {
  test('asks all providers, or those that are named', async () => {
    await api.get('/learningobject/v2/search?keywords=a');
    expect(api.learning.calls.searches.at(-1)).toMatchObject({ providers: [], types: [], blooms: [] });
    const response = await api.get(
      '/learningobject/v2/search?keywords=a&provider=youtube&provider=openlearn&type=mooc&bloom=Apply',
    );
    expect(await response.json()).toMatchObject({
      request: { provider: ['youtube', 'openlearn'], type: ['mooc'], bloom: ['Apply'], id: KNOWN_REQUEST_ID },
    });
    expect(api.learning.calls.searches.at(-1)).toMatchObject({
      providers: ['youtube', 'openlearn'],
      types: ['mooc'],
      blooms: ['Apply'],
    });
  });

  test('gives facets and highlights where they are asked for', async () => {
    const one = new Map([['a', 1]]);
    const none = { title: [], description: [] };
    const { searchMany } = api.learning;
    api.learning.searchMany = async (query, options) => ({
      ...(await searchMany(query, options))!,
      facets: { provider: one, type: one, bloom: one, lang: one },
      highlights: [{ title: [[0, 6]], description: [] }, none],
    });
    const search = async (more: string) =>
      parseProviderResponse(await (await api.get(`/learningobject/v2/search?keywords=a${more}`)).json());
    expect(await search('&details=true')).toMatchObject({
      facets: { provider: one },
      highlights: [{ title: [[0, 6]] }, none],
    });
    for (const more of ['', '&details=false']) {
      const answer = await search(more);
      expect(answer).not.toHaveProperty('facets');
      expect(answer).not.toHaveProperty('highlights');
    }
    api.learning.searchMany = searchMany;
  });

  test('is not at the gateway', async () => {
    expect((await api.get('/marketplace/search?keywords=a')).status).toBe(404);
  });
});

describe('HEAD and OPTIONS', () => {
  test('HEAD is a GET without its body', async () => {
    const response = await fetch(`${api.url}/learningobject/v2/provider`, { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(100);
    expect(await response.text()).toBe('');
  });

  test('HEAD needs a key where GET does', async () => {
    const response = await fetch(`${api.url}/domcomp/v1/similar?keywords=a`, { method: 'HEAD' });
    expect(response.status).toBe(401);
  });

  test('OPTIONS says what is allowed, without a key', async () => {
    const response = await fetch(`${api.url}/domcomp/v1/tagger`, { method: 'OPTIONS' });
    expect(response.status).toBe(204);
    expect(response.headers.get('allow')).toBe('POST, OPTIONS');
  });
});

describe('CORS', () => {
  test('a page of any origin may ask before it sends a key', async () => {
    const response = await fetch(`${api.url}/domcomp/v1/tagger`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://school.example.org',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-api-key, content-type',
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-methods')).toContain('POST');
    for (const name of ['x-api-key', 'x-marketplace-key', 'content-type', 'idempotency-key'])
      expect(response.headers.get('access-control-allow-headers')).toContain(name);
  });

  test('answers and errors alike may be read, credentials are never allowed', async () => {
    for (const response of [
      await api.get('/domcomp/v1/suggest?keywords=a', { origin: 'https://x.example' }),
      await api.get('/domcomp/v1/suggest', { origin: 'https://x.example' }),
      await fetch(`${api.url}/learningobject/v2/nothing`),
    ]) {
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('access-control-allow-credentials')).toBeNull();
      expect(response.headers.get('access-control-expose-headers')).toContain('RateLimit-Remaining');
    }
  });
});
