import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FeedbackListRequest } from '../../../src/ports/store/store.ts';
import { hashApiKey } from '../../../src/services/tenants/api-keys.ts';
import type { RunningApp } from '../../helpers/app.ts';
import { bothWays } from '../../helpers/both-ways.ts';
import { sendRaw } from '../../helpers/send-raw.ts';

describe.each(bothWays)('from $name:', (way) => {
  let app: RunningApp;
  let key: string;
  beforeAll(async () => {
    app = await way.startApp();
    key = await app.createKey();
  });
  afterAll(() => app.close());

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(app.url + path, { headers: { 'x-api-key': key, 'x-marketplace-key': key, ...headers } });

  async function bodyOf<T>(path: string): Promise<T> {
    const response = await get(path);
    expect(response.status, path).toBe(200);
    return (await response.json()) as T;
  }

  interface Search {
    readonly request: Record<string, string>;
    readonly response: {
      readonly content: readonly {
        title: string;
        url: string;
        type: string[];
        provider: string;
        lang: string;
      }[];
      readonly metadata: Record<string, unknown>;
      readonly msg: string;
    };
  }

  describe('the operations give real content', () => {
    test('similar, suggest and tagger', async () => {
      const similar = await bodyOf<{ response: object[] }>('/domcomp/v1/similar?keywords=python');
      expect(similar.response[0]).toMatchObject({ label: 'Python', source: 'Skilldock', score: 1 });
      const suggest = await bodyOf<{ response: { content: object[]; msg: string } }>(
        '/domcomp/v1/suggest?keywords=progr',
      );
      expect(suggest.response.content.length).toBeGreaterThan(3);
      expect(suggest.response.msg).toMatch(/^[AB]00-/);
      const tagger = await fetch(`${app.url}/domcomp/v1/tagger`, {
        method: 'POST',
        headers: { 'x-api-key': app.demoKey, 'content-type': 'application/json' },
        body: JSON.stringify({ text: 'We write Python and SQL.', lang: 'en' }),
      });
      expect(await tagger.json()).toMatchObject({
        body: { lang: 'en', tags: expect.arrayContaining(['SQL']) },
      });
    });

    test.each(['/learningobject/v2', '/marketplace'])('the lists of %s', async (prefix) => {
      const { response: providers } = await bodyOf<{ response: { id: string; logo: { url: string }[] }[] }>(
        `${prefix}/provider`,
      );
      expect(providers.length).toBeGreaterThanOrEqual(14);
      expect(providers.map(({ id }) => id)).toContain('youtube');
      const [logo] = providers[0]!.logo;
      expect((await fetch(logo!.url)).headers.get('content-type')).toContain('image/svg+xml');
      expect(await bodyOf<object[]>(`${prefix}/type`)).toHaveLength(14);
      expect((await bodyOf<{ response: object[] }>(`${prefix}/bloom`)).response).toHaveLength(6);
      expect((await bodyOf<{ response: object[] }>(`${prefix}/lang`)).response).toContainEqual({
        lang: 'fr',
        description: 'French',
      });
    });

    test.each(['/learningobject/v2', '/marketplace'])('a search of %s', async (prefix) => {
      const { request, response } = await bodyOf<Search>(
        `${prefix}/search-provider?keywords=data&provider=edx&max=2&match=strict`,
      );
      expect(request).toMatchObject({ keywords: 'data', provider: 'edx', max: '2', free: '', author: '' });
      expect(response.msg).toMatch(/^A00-/);
      expect(response.metadata).toMatchObject({ page: 0, 'number item per page': 2, hasMore: true });
      expect(response.content).toHaveLength(2);
      for (const { provider, type, lang } of response.content) {
        expect({ provider, lang }).toEqual({ provider: 'edX', lang: 'en' });
        expect(type).toEqual(type.map((name) => name.toUpperCase()));
      }
    });

    test('a search over all providers, by type', async () => {
      const { request, response } = await bodyOf<Search>(
        '/learningobject/v2/search?keywords=python&type=video!important&type=TUTORIAL',
      );
      expect(request.type).toEqual(['video!important', 'TUTORIAL']);
      for (const { type } of response.content)
        expect(type.some((name) => name === 'VIDEO' || name === 'TUTORIAL')).toBe(true);
      expect(new Set(response.content.map(({ provider }) => provider)).size).toBeGreaterThan(1);
    });
  });

  describe('feedback', () => {
    const newest: FeedbackListRequest = {
      scope: null,
      state: null,
      provider: null,
      received: { from: null, until: null },
      search: '',
      sort: 'receivedAt',
      descending: true,
      page: 0,
      pageSize: 100,
    };
    const newestFeedback = async () => (await app.store.feedback.listFeedback(newest)).items[0];
    interface Given {
      readonly url: string;
      readonly requestId: string;
      readonly comment: string;
    }
    const give = async (prefix: string, { url, requestId, comment }: Given) =>
      fetch(`${app.url}${prefix}/feedback`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'x-marketplace-key': key, 'content-type': 'application/json' },
        body: JSON.stringify({
          url,
          request_id: requestId,
          email: 'ada@example.org',
          source: 'https://school.example.org',
          comment,
        }),
      });

    test.each(['/learningobject/v2', '/marketplace'])('to %s on a search is stored', async (prefix) => {
      const found = await bodyOf<Search>(`${prefix}/search-provider?keywords=python`);
      const given = {
        url: found.response.content[0]!.url,
        requestId: found.request.id!,
        comment: `Très bien, ${prefix}`,
      };
      expect((await give(prefix, given)).status).toBe(200);
      await expect.poll(newestFeedback).toMatchObject({ state: 'delivered' });
      expect(await newestFeedback()).toMatchObject({
        ...given,
        tenantId: 'default',
        email: 'ada@example.org',
        source: 'https://school.example.org',
      });
    });

    const search = '/learningobject/v2/search?keywords=python';
    const forge = async (): Promise<Given> => {
      const { request, response } = await bodyOf<Search>(search);
      const requestId = request.id!.slice(0, -1) + (request.id!.endsWith('A') ? 'B' : 'A');
      return { url: response.content[0]!.url, requestId, comment: 'Forged' };
    };
    const misplace = async (): Promise<Given> => {
      const { request } = await bodyOf<Search>(search);
      return { url: 'https://example.org/elsewhere', requestId: request.id!, comment: 'Misplaced' };
    };

    describe.each([
      ['with a forged request_id', forge],
      ['on an address that the search did not return', misplace],
    ])('%s', (_what, makeBad) => {
      // Our own engine knows at once what it issued; an upstream is asked behind the answer.
      if (way.isOwnEngine)
        test('is refused and not stored', async () => {
          const before = await app.store.feedback.listFeedback(newest);
          const response = await give('/learningobject/v2', await makeBad());
          expect(response.status).toBe(400);
          expect(await response.json()).toMatchObject({ code: 'REQUEST_ID_INVALID' });
          expect(await app.store.feedback.listFeedback(newest)).toEqual(before);
        });
      else
        test('is taken, and refused where it belongs', async () => {
          const bad = await makeBad();
          expect((await give('/learningobject/v2', bad)).status).toBe(200);
          await expect.poll(newestFeedback).toMatchObject({ comment: bad.comment, state: 'refused' });
        });
    });

    test('on every object of every page is taken, by the id of that page', async () => {
      const page = async (number: number) => bodyOf<Search>(`${search}&max=20&page=${number}`);
      for (const { request, response } of [await page(0), await page(1)]) {
        expect(response.content).toHaveLength(20);
        for (const { url } of response.content) {
          const given = { url, requestId: request.id!, comment: 'Good' };
          expect((await give('/learningobject/v2', given)).status).toBe(200);
        }
      }
    });
  });

  describe('headers', () => {
    test('every answer carries the security headers, errors included', async () => {
      const api = { frames: "frame-ancestors 'none'", referrer: 'no-referrer' };
      const page = { frames: "frame-ancestors 'self'", referrer: 'strict-origin-when-cross-origin' };
      const expected = {
        '/learningobject/v2/type': api,
        '/domcomp/v1/similar': api,
        '/marketplace/nowhere': api,
        '/nowhere': page,
        '/docs': page,
        '/healthz': page,
      };
      for (const [path, { frames, referrer }] of Object.entries(expected)) {
        const { headers } = await get(path);
        expect(headers.get('content-security-policy'), path).toContain("default-src 'none'");
        expect(headers.get('content-security-policy'), path).toContain(frames);
        expect(headers.get('x-content-type-options')).toBe('nosniff');
        expect(headers.get('referrer-policy')).toBe(referrer);
        expect(headers.get('x-powered-by')).toBeNull();
      }
    });

    test('long answers are packed, and 304 where they are known, packed or not', async () => {
      for (const encoding of ['gzip', 'identity']) {
        const headers = { 'accept-encoding': encoding };
        const known = await get('/learningobject/v2/provider', headers);
        expect(known.headers.get('content-encoding')).toBe(encoding === 'gzip' ? 'gzip' : null);
        expect(known.headers.get('vary')).toContain('Accept-Encoding');
        const again = await sendRaw(app.url, {
          method: 'GET',
          path: '/learningobject/v2/provider',
          headers: { ...headers, 'if-none-match': known.headers.get('etag')! },
        });
        expect(again).toMatchObject({ status: 304, text: '' });
      }
    });

    test('the demo key is told what is left of its day', async () => {
      const { headers } = await get('/domcomp/v1/suggest?keywords=a', { 'x-api-key': app.demoKey });
      expect(headers.get('ratelimit-limit')).toBe('1000');
      expect(Number(headers.get('ratelimit-remaining'))).toBeLessThan(1_000);
      expect(Number(headers.get('ratelimit-reset'))).toBeGreaterThan(0);
    });
  });

  test('a revoked, an ended and a narrow key are refused', async () => {
    const ended = await app.createKey({ expiresAt: new Date('2020-01-01') });
    const narrow = await app.createKey({ scopes: ['competency'] });
    const path = '/learningobject/v2/search?keywords=a';
    expect(await (await get(path, { 'x-api-key': ended })).json()).toMatchObject({ code: 'KEY_UNKNOWN' });
    expect(await (await get(path, { 'x-api-key': narrow })).json()).toMatchObject({ code: 'KEY_SCOPE' });
    const record = await app.store.apiKeys.findApiKeyByHash(hashApiKey(narrow));
    await app.store.apiKeys.revokeApiKey(record!.id, new Date());
    const suggest = () => get('/domcomp/v1/suggest?keywords=a', { 'x-api-key': narrow });
    await expect.poll(async () => (await suggest()).status).toBe(403);
    expect(await (await suggest()).json()).toMatchObject({ code: 'KEY_UNKNOWN' });
  });

  test('metrics know the sizes of the index', async () => {
    const text = await (await get('/metrics')).text();
    const size = Number(/^skilldock_index_entries\{what="objects"\} (\d+)$/m.exec(text)?.[1]);
    expect(size).toBeGreaterThanOrEqual(1_000);
  });
});
