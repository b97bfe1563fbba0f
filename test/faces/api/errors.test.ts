import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorResponse } from '../../../src/contract/index.ts';
import { AppError } from '../../../src/errors.ts';
import { type Api, DEMO_KEY, startApi } from './start-api.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

/** The error of an answer, checked against its schema and its own status. */
async function errorOf(response: Response) {
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  expect(response.headers.get('cache-control')).toContain('no-store');
  const body = errorResponse.parse(await response.json());
  expect(body.statusCode).toBe(response.status);
  expect(body.reference).toMatch(/\S/);
  return body;
}

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
    for (const path of [
      '/learningobject/v2/search-provider?keywords=a',
      '/learningobject/v2/search?keywords=a',
    ]) {
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
    expect(await errorOf(await api.get(path))).toMatchObject({ statusCode: 404, code: 'PATH_UNKNOWN' });
  });

  test.each(['/domcomp/v1/%ff', '/marketplace/%', '/learningobject/v2/provider%c3'])(
    '%s is 400',
    async (path) => {
      const { status, text } = await api.raw('GET', path);
      expect(status).toBe(400);
      expect(JSON.parse(text).details).toEqual([expect.objectContaining({ path: 'path' })]);
    },
  );

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

describe('bodies', () => {
  const tagger = '/domcomp/v1/tagger';

  test('over 64 kB is 413, just under it is not', async () => {
    const response = await api.post(tagger, { text: 'a', padding: 'x'.repeat(64 * 1024) });
    expect(await errorOf(response)).toMatchObject({ statusCode: 413, code: 'BODY_TOO_LARGE' });
    expect((await api.post(tagger, { text: 'a', padding: 'x'.repeat(64 * 1024 - 100) })).status).toBe(200);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', ''])(
    'the type %j is 415',
    async (type) => {
      const response = await api.post(tagger, '{"text":"a"}', { 'content-type': type });
      expect(await errorOf(response)).toMatchObject({ statusCode: 415, code: 'MEDIA_TYPE_UNSUPPORTED' });
    },
  );

  test('another charset or an unknown encoding is 415', async () => {
    for (const headers of [
      { 'content-type': 'application/json; charset=latin1' },
      { 'content-encoding': 'rot13' },
    ]) {
      const response = await api.post(tagger, '{"text":"a"}', headers as Record<string, string>);
      expect(await errorOf(response)).toMatchObject({ statusCode: 415 });
    }
  });

  test('JSON with a charset, in upper case, is read', async () => {
    const response = await api.post(tagger, '{"text":"a"}', {
      'content-type': 'Application/JSON; charset=UTF-8',
    });
    expect(response.status).toBe(200);
  });

  test.each(['{', '{"text":"a"', 'nothing', '{"text":"a"}}', "{'text':'a'}"])(
    'the body %s is 400',
    async (body) => {
      expect(await errorOf(await api.post(tagger, body))).toMatchObject({
        statusCode: 400,
        code: 'BODY_MALFORMED',
      });
    },
  );

  test('bytes that are no UTF-8 are 400, although they would parse', async () => {
    const body = Buffer.concat([Buffer.from('{"text":"caf'), Buffer.from([0xe9]), Buffer.from('"}')]);
    const before = api.learning.calls.tagger.length;
    expect(await errorOf(await api.post(tagger, body))).toMatchObject({
      statusCode: 400,
      code: 'BODY_MALFORMED',
    });
    expect(api.learning.calls.tagger).toHaveLength(before);
  });

  test('no body is 400 and lists what is missing', async () => {
    const answer = await errorOf(await api.post(tagger, ''));
    expect(answer).toMatchObject({ statusCode: 400, details: [{ path: 'text' }] });
  });

  test.each(['[]', 'null', '5', '"text"'])('the body %j is 400 and no object', async (body) => {
    const answer = await errorOf(await api.post(tagger, body));
    expect(answer.details).toContainEqual({ path: 'body', problem: 'must be a JSON object' });
  });

  test('brackets within brackets are read without a hang', async () => {
    const body = `{"text":"a","deep":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;
    expect((await api.post(tagger, body)).status).toBe(200);
  });
});

describe('limits', () => {
  test('every keyed answer says what is left, errors included', async () => {
    const limited = await startApi({ personalLimits: { perSecond: 1_000, perDay: 3 } });
    const left = [];
    for (const query of ['?keywords=a', '', '?keywords=a', '?keywords=a']) {
      const response = await limited.get(`/domcomp/v1/similar${query}`);
      left.push([
        response.status,
        response.headers.get('ratelimit-limit'),
        response.headers.get('ratelimit-remaining'),
      ]);
    }
    expect(left).toEqual([
      [200, '3', '2'],
      [400, '3', '1'],
      [200, '3', '0'],
      [429, '3', '0'],
    ]);
    await limited.close();
  });

  test('a used-up key is 429 with the seconds to wait, other keys go on', async () => {
    const limited = await startApi({ demoLimits: { perSecond: 1_000, perDay: 1 } });
    const ask = () => limited.get('/domcomp/v1/suggest?keywords=a', { 'x-api-key': DEMO_KEY });
    expect((await ask()).status).toBe(200);
    const refused = await ask();
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(86_000);
    expect(wait).toBeLessThanOrEqual(86_400);
    expect(refused.headers.get('ratelimit-reset')).toBe(String(wait));
    expect(await errorOf(refused)).toMatchObject({ statusCode: 429, code: 'RATE_LIMITED' });
    expect((await limited.get('/domcomp/v1/suggest?keywords=a')).status).toBe(200);
    await limited.close();
  });

  test('lists are not counted', async () => {
    const limited = await startApi({ personalLimits: { perSecond: 1_000, perDay: 1 } });
    for (let i = 0; i < 3; i++) expect((await limited.get('/learningobject/v2/type')).status).toBe(200);
    expect((await limited.get('/domcomp/v1/similar?keywords=a')).status).toBe(200);
    await limited.close();
  });
});

describe('errors of the host', () => {
  const secret = 'SELECT * FROM /var/lib/secrets';

  test.each([
    ['an unexpected one', new TypeError(secret), 500, 'INTERNAL'],
    ['an internal one', new AppError('SNAPSHOT_INVALID', secret), 500, 'SNAPSHOT_INVALID'],
    ['a store that is gone', new AppError('STORE_UNAVAILABLE', secret), 503, 'STORE_UNAVAILABLE'],
    ['a bad answer of a service', new AppError('RESPONSE_INVALID', secret), 502, 'RESPONSE_INVALID'],
  ])('%s keeps its message to the log, under the reference', async (_, error, statusCode, code) => {
    const broken = await startApi({ learning: { similar: () => Promise.reject(error) } });
    const response = await broken.get('/domcomp/v1/similar?keywords=a');
    const text = await response.clone().text();
    expect(text).not.toContain('secrets');
    const body = await errorOf(response);
    expect(body).toMatchObject({ statusCode, code });
    const logged = broken.log.find((line) => line.includes(secret));
    expect(logged).toContain(body.reference);
    await broken.close();
  });

  test('without a log there still is a reference, another each time', async () => {
    const silent = await startApi({ hasLog: false });
    const [a, b] = [
      await errorOf(await silent.get('/domcomp/x')),
      await errorOf(await silent.get('/domcomp/x')),
    ];
    expect(a.reference).toMatch(/^[0-9a-f-]{36}$/);
    expect(a.reference).not.toBe(b.reference);
    await silent.close();
  });
});
