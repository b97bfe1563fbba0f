import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openEncoder } from '../../../src/adapters/meaning/static-encoder.ts';
import { createUpstreams } from '../../../src/adapters/remote/upstreams.ts';
import type { LearningObjectQuery } from '../../../src/domain/learning-object-query.ts';
import type { LearningService } from '../../../src/ports/learning-service.ts';
import type { UpstreamConnection } from '../../../src/ports/upstream.ts';
import { searchOf } from '../../fakes/search-of.ts';
import { type RunningApp, startApp } from '../../helpers/app.ts';
import { loopbackAccess } from '../../helpers/private-access.ts';
import { createStandingClock } from '../local/services.ts';
import { openStarterService } from '../local/starter-service.ts';
import { aFeedback, errorOf } from './start-remote.ts';

/** Our client in front of our own app must give what the engine gives when it is asked in this
 *  process. */
const local = openStarterService({ encoder: openEncoder() });
const PUBLIC_URL = 'https://skills.example.org';
const upstreams = createUpstreams({ privateAccess: loopbackAccess });

let app: RunningApp;
let key: string;
beforeAll(async () => {
  app = await startApp(createStandingClock());
  key = await app.createKey();
});
afterAll(async () => {
  await upstreams.close();
  await app.close();
});

const ways: Readonly<Record<string, () => UpstreamConnection>> = {
  'the API': () => ({ url: app.url, apiKey: key }),
  'the gateway': () => ({
    url: app.url,
    apiKey: key,
    marketplace: { url: `${app.url}/marketplace`, key },
  }),
};

/** What goes over the wire: of a search, all but its own identifier, of an object all but the field
 *  of its cover's drawing, of a term or tag all but its concept; addresses of the app as the other
 *  calls them. */
function comparable(answer: unknown): unknown {
  const { requestId: _own, ...rest } = answer as { requestId?: string };
  const plain = Array.isArray(answer) ? answer : rest;
  const local = ['concept', 'concepts', 'field'];
  const written = JSON.stringify(plain, (name, value) => (local.includes(name) ? undefined : value));
  return JSON.parse(written.replaceAll(app.url, PUBLIC_URL));
}

const question = (changes: Partial<LearningObjectQuery>) => searchOf({ providers: ['youtube'], ...changes });

const operations: readonly (readonly [string, (learning: LearningService) => Promise<unknown>])[] = [
  ['similar', (learning) => learning.ask('similar', { keywords: 'data analyst', lang: 'en' })],
  ['similar with extras', (learning) => learning.ask('similar', { keywords: 'infirmier', lang: 'fr', max: 40 })],
  [
    'similar of a taxonomy',
    (learning) => learning.ask('similar', { keywords: 'nurse', lang: 'en', source: 'ISCO-08' }),
  ],
  ['similar of nothing', (learning) => learning.ask('similar', { keywords: 'qqqqxx', lang: 'en' })],
  ['tagger', (learning) => learning.ask('tagger', { text: 'Nous écrivons Python & SQL 😀.', lang: 'fr', max: 3 })],
  ['suggest', (learning) => learning.ask('suggest', { keywords: 'gestion de pro' })],
  ['suggest of nothing', (learning) => learning.ask('suggest', { keywords: 'qqqqxx' })],
  ['provider', (learning) => learning.ask('listProviders', {})],
  ['type', (learning) => learning.ask('listTypes', {})],
  ['bloom', (learning) => learning.ask('listBlooms', {})],
  ['lang', (learning) => learning.ask('listLanguages', {})],
  ['search-provider', (learning) => learning.ask('searchProvider', question({}))],
  ['a strict search', (learning) => learning.ask('searchProvider', question({ match: 'strict', providers: ['edx'] }))],
  [
    'a search with filters',
    (learning) =>
      learning.ask(
        'searchProvider',
        question({
          keywords: 'c++ & "programming"',
          model: 'extended',
          sort: 'random',
          max: 2,
          page: 1,
          levelMax: 1 / 3,
          learningTimeMax: 600,
          popularityMin: 0.0000001,
          free: true,
          important: new Set(['free', 'provider']),
        }),
      ),
  ],
  ['a search of nothing', (learning) => learning.ask('searchProvider', question({ keywords: 'qqqqxx' }))],
];

describe.each(Object.keys(ways))('through %s', (way) => {
  const remote = () => upstreams.connect(ways[way]!());

  test.each(operations)('%s', async (name, call) => {
    const expected = await call(local.learning);
    // Two empty answers would be alike whatever was asked.
    if (!name.endsWith('of nothing')) expect(JSON.stringify(expected)).toMatch(/title|label|tags":\["|value|name/);
    expect(comparable(await call(remote()))).toEqual(comparable(expected));
  });

  test('feedback is kept', async () => {
    const { requestId, content } = await remote().ask('searchProvider', question({}));
    await remote().ask('feedback', { ...aFeedback, requestId, url: content[0]!.url });
  });

  test('feedback on a search of another is refused', async () => {
    const { requestId, content } = await local.learning.ask('searchProvider', question({}));
    const error = await errorOf(remote().ask('feedback', { ...aFeedback, requestId, url: content[0]!.url }));
    expect(error).toMatchObject({ code: 'REQUEST_ID_INVALID' });
  });

  test('feedback on an object that its search did not return is refused', async () => {
    const { requestId } = await remote().ask('searchProvider', question({}));
    const error = await errorOf(remote().ask('feedback', { ...aFeedback, requestId }));
    expect(error).toMatchObject({
      code: 'REQUEST_ID_INVALID',
      message: expect.stringContaining('did not return'),
    });
  });

  test.each([
    ['PROVIDER_UNKNOWN', question({ providers: ['nobody'] })],
    ['PLACE_UNKNOWN', question({ address: 'Nowhere at all', distanceMax: 10 })],
  ])('%s is the same', async (code, query) => {
    const expected = await errorOf(local.learning.ask('searchProvider', query));
    const error = await errorOf(remote().ask('searchProvider', query));
    expect(error).toMatchObject({ code, message: expected.message });
  });

  test('invalid parameters are listed with their paths', async () => {
    const error = await errorOf(remote().ask('similar', { keywords: 'a', lang: 'english' }));
    expect(error).toMatchObject({ code: 'PARAMETERS_INVALID' });
    expect(error.problems).toEqual([{ path: 'lang', problem: expect.stringContaining('two-letter') }]);
  });

  test('the test of the connection succeeds', async () => {
    const calls = await upstreams.test(ways[way]!());
    expect(calls.map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'ok']);
  });

  test('the demo key may use the Competency API only', async () => {
    const { url, marketplace } = ways[way]!();
    const demo = {
      apiKey: app.demoKey,
      ...(marketplace && { marketplace: { ...marketplace, key: app.demoKey } }),
    };
    const calls = await upstreams.test({ url, ...demo });
    expect(calls.map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'key-refused']);
  });
});

describe('the extension', () => {
  const remote = () => upstreams.connect(ways['the API']!());
  const { lang: _lang, ...anyLanguage } = searchOf();
  const queries: readonly (readonly [string, LearningObjectQuery])[] = [
    ['all providers', searchOf()],
    ['all languages', anyLanguage],
    ['some providers', searchOf({ providers: ['youtube', 'edx'], page: 1 })],
    ['types and objectives', searchOf({ types: ['mooc', 'video'], blooms: ['Apply'], match: 'strict' })],
    ['important types', searchOf({ providers: ['edx'], types: ['book'], important: new Set(['type']) })],
  ];

  test.each(queries)('%s', async (_name, query) => {
    const expected = await local.learning.ask('searchMany', query);
    expect(comparable(await remote().ask('searchMany', query))).toEqual(comparable(expected));
  });

  test('gives facets and highlights where they are wanted', async () => {
    const query = searchOf({ providers: ['youtube', 'edx'] });
    const expected = await local.learning.ask('searchMany', query, { withDetails: true });
    const answer = await remote().ask('searchMany', query, { withDetails: true });
    expect(answer!.facets!.provider.size).toBeGreaterThan(0);
    expect(answer!.facets).toEqual(expected!.facets);
    expect(answer!.highlights).toEqual(expected!.highlights);
    expect(await remote().ask('searchMany', query)).not.toHaveProperty('facets');
  });

  test('refuses an unknown provider as the engine does', async () => {
    const query = searchOf({ providers: ['edx', 'nobody'] });
    expect(await errorOf(remote().ask('searchMany', query))).toMatchObject({ code: 'PROVIDER_UNKNOWN' });
  });
});

test('through the gateway, several providers are not searched at once', async () => {
  const remote = upstreams.connect(ways['the gateway']!());
  expect(await remote.ask('searchMany', searchOf({ providers: ['youtube', 'edx'] }))).toBeNull();
});
