import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorOf } from './error-of.ts';
import { type Api, DEMO_KEY, startApi } from './start-api.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const keyedAddresses = [
  ['/domcomp/v1/similar?keywords=a', 'x-api-key'],
  ['/domcomp/v1/suggest?keywords=a', 'x-api-key'],
  ['/learningobject/v2/search-provider?keywords=a', 'x-api-key'],
  ['/learningobject/v2/search?keywords=a', 'x-api-key'],
  ['/marketplace/search-provider?keywords=a', 'x-marketplace-key'],
] as const;

describe('keys', () => {
  test.each(keyedAddresses)('%s takes its key in %s only', async (path, header) => {
    const other = header === 'x-api-key' ? 'x-marketplace-key' : 'x-api-key';
    const without = await fetch(api.url + path, { headers: { [other]: api.key } });
    expect(without.status).toBe(401);
    expect(without.headers.get('www-authenticate')).toContain(header);
    expect(await errorOf(without)).toMatchObject({ code: 'KEY_MISSING' });
    const unknown = await fetch(api.url + path, { headers: { [header]: 'nobody' } });
    expect(unknown.status).toBe(403);
    expect(unknown.headers.get('www-authenticate')).toBeNull();
    expect(await errorOf(unknown)).toMatchObject({ code: 'KEY_UNKNOWN' });
    const known = await fetch(api.url + path, { headers: { [header]: api.key } });
    expect(known.status).toBe(200);
    expect(known.headers.get('www-authenticate')).toBeNull();
  });

  test.each(['/domcomp/v1/tagger', '/learningobject/v2/feedback', '/marketplace/feedback'])(
    '%s wants a key before it reads a body',
    async (path) => {
      const response = await fetch(api.url + path, { method: 'POST', body: '{' });
      expect(await errorOf(response)).toMatchObject({ statusCode: 401, code: 'KEY_MISSING' });
    },
  );

  test('the demo key is refused outside the Competency API', async () => {
    for (const path of ['/learningobject/v2/search-provider?keywords=a', '/learningobject/v2/search?keywords=a']) {
      const response = await api.get(path, { 'x-api-key': DEMO_KEY });
      expect(await errorOf(response)).toMatchObject({ statusCode: 403, code: 'KEY_SCOPE' });
    }
  });
});

describe('parameters', () => {
  test('all problems at once, by name', async () => {
    const body = await errorOf(await api.get('/learningobject/v2/search-provider?max=0&lang=xyz&levelmax=1'));
    expect(body).toMatchObject({ statusCode: 400, code: 'PARAMETERS_INVALID' });
    expect(body.details!.map(({ path }) => path).sort()).toEqual(['keywords', 'lang', 'levelmax', 'max']);
  });

  test('an unknown provider is 404', async () => {
    for (const provider of ['nowhere', '__proto__', 'constructor']) {
      const response = await api.get(`/learningobject/v2/search-provider?keywords=a&provider=${provider}`);
      expect(await errorOf(response)).toMatchObject({ statusCode: 404, code: 'PROVIDER_UNKNOWN' });
    }
  });

  test('a request id of somebody else is 400', async () => {
    const body = {
      url: 'https://example.org',
      request_id: 'x',
      email: 'a@example.org',
      source: 'https://example.org',
    };
    const response = await api.post('/learningobject/v2/feedback', body);
    expect(await errorOf(response)).toMatchObject({ statusCode: 400, code: 'REQUEST_ID_INVALID' });
  });

  test.each([
    'keywords=%ff',
    'keywords=%',
    'keywords=a%00b',
    'keywords=a&keywords=b',
    'keywords[a]=b',
    'keywords=a&__proto__=b',
    'keywords=a&constructor[prototype]=b',
    `keywords=a&max=${'9'.repeat(400)}`,
  ])('the query %s is 400', async (query) => {
    const { status, text } = await api.raw('GET', `/domcomp/v1/similar?${query}`);
    expect(status).toBe(400);
    expect(JSON.parse(text).details).toHaveLength(query.startsWith('keywords[') ? 2 : 1);
  });
});

describe('paths and methods', () => {
  test.each([
    '/domcomp/v1/nothing',
    '/domcomp',
    '/learningobject/v1/provider',
    '/marketplace/',
    '/marketplace/similar',
  ])('%s is 404', async (path) => {
    const body = await errorOf(await api.get(path));
    expect(body).toMatchObject({ statusCode: 404, code: 'PATH_UNKNOWN' });
    expect(body.message).toContain(`${path}.`);
  });

  test.each(['/domcomp/v1/%ff', '/marketplace/%', '/learningobject/v2/provider%c3'])('%s is 400', async (path) => {
    const { status, text } = await api.raw('GET', path);
    expect(status).toBe(400);
    expect(JSON.parse(text).details).toEqual([expect.objectContaining({ path: 'path' })]);
  });

  test.each([
    ['POST', '/domcomp/v1/similar', 'GET, HEAD, OPTIONS'],
    ['GET', '/domcomp/v1/tagger', 'POST, OPTIONS'],
    ['DELETE', '/learningobject/v2/provider', 'GET, HEAD, OPTIONS'],
    ['PUT', '/marketplace/feedback', 'POST, OPTIONS'],
    ['PATCH', '/learningobject/v2/search', 'GET, HEAD, OPTIONS'],
  ])('%s %s is 405 with Allow, without a key', async (method, path, allow) => {
    const response = await fetch(api.url + path, { method });
    expect(response.headers.get('allow')).toBe(allow);
    expect(await errorOf(response)).toMatchObject({ statusCode: 405, code: 'METHOD_NOT_ALLOWED' });
  });
});
