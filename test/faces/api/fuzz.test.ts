import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Api, startApi } from './start-api.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ hasLog: false });
});
afterAll(() => api.close());

const names = [
  'keywords lang provider sort match model max page publisher ageMax ageMin learningTimeMax levelMax',
  'levelMin popularityMin address distanceMax free type bloom source text url comment request_id email',
  '__proto__ constructor prototype toString keywords[] max[gt] hasOwnProperty',
].flatMap((line) => line.split(' '));
const nasty = fc.constantFrom(
  ...[
    '',
    '%',
    '%ff',
    '%00',
    '%F0%9F%92%A9',
    '%ED%A0%80',
    'NaN',
    '1e400',
    '-0',
    '0x1',
    '9'.repeat(300),
    'true',
  ],
  ...[
    'null',
    '!important',
    '__proto__',
    'constructor',
    '..%2f..',
    '<script>',
    'https://a.example',
    'a@b.example',
  ],
);
/** What an HTTP client can put on the request line. */
const visible = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
});
const pair = fc
  .tuple(fc.oneof(fc.constantFrom(...names), visible), fc.oneof(nasty, visible, fc.webQueryParameters()))
  .map(([name, value]) => `${name}=${value}`);
const queries = fc.oneof(
  fc.array(pair, { maxLength: 2 }).map((pairs) => ['keywords=a', ...pairs].join('&')),
  visible,
  fc.array(pair, { maxLength: 8 }).map((pairs) => pairs.join('&')),
);

const values = fc.oneof(fc.jsonValue(), nasty, fc.string({ unit: 'binary' }));
const objects = fc
  .array(fc.tuple(fc.constantFrom(...names), values), { maxLength: 8 })
  .map(
    (fields) =>
      `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`,
  );
const bodies = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => Buffer.from(JSON.stringify({ text, url: text, email: text }))),
  objects.map((text) => Buffer.from(text)),
  fc.json().map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);

const lists = ['provider', 'type', 'bloom', 'lang'].map((name) => `/learningobject/v2/${name}`);
const gets = [
  '/domcomp/v1/similar',
  '/domcomp/v1/suggest',
  '/learningobject/v2/search-provider',
  '/learningobject/v2/search',
  '/marketplace/search-provider',
  ...lists,
];

test.each(gets)('any query string to %s is answered in JSON, never with a 5xx', async (path) => {
  await fc.assert(
    fc.asyncProperty(queries, async (query) => {
      const { status, text } = await api.raw('GET', `${path}?${query}`);
      expect(status).toBeLessThan(500);
      JSON.parse(text);
    }),
    { numRuns: 150 },
  );
});

test.each(['/domcomp/v1/tagger', '/learningobject/v2/feedback', '/marketplace/feedback'])(
  'any body to %s is answered in JSON, never with a 5xx',
  async (path) => {
    const types = fc.constantFrom(
      'application/json',
      'application/json',
      'text/plain',
      'application/json; charset=x',
    );
    await fc.assert(
      fc.asyncProperty(bodies, types, queries, async (body, type, query) => {
        const headers = { 'content-type': type, 'content-length': String(body.length) };
        const { status, text } = await api.raw('POST', `${path}?${query}`, headers, body);
        expect(status).toBeLessThan(500);
        JSON.parse(text);
      }),
      { numRuns: 300 },
    );
  },
);

test('any path and method under the prefixes is answered, never with a 5xx', async () => {
  const prefixes = fc.constantFrom(
    '/domcomp/',
    '/learningobject/',
    '/marketplace/',
    '/learningobject/v2/type/',
  );
  const methods = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS');
  await fc.assert(
    fc.asyncProperty(prefixes, visible, methods, async (prefix, rest, method) => {
      const { status, text } = await api.raw(method, prefix + rest);
      expect(status).toBeLessThan(500);
      if (text !== '') JSON.parse(text);
    }),
    { numRuns: 300 },
  );
});

test('the fuzzing reaches the operations, not only their refusals', async () => {
  const { searches, tagger } = api.learning.calls;
  expect((await api.get('/learningobject/v2/search?keywords=a')).status).toBe(200);
  expect(searches.length).toBeGreaterThan(1);
  expect(tagger.length).toBeGreaterThan(0);
});
