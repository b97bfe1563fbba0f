import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createStandingClock } from '../../fakes/clock.ts';
import { perProvider } from '../../fakes/upstream-replies.ts';
import {
  type AppInFront,
  everyAddress,
  plainWays,
  smallCatalogue,
  startInFront,
} from '../../helpers/plain-upstream.ts';
import { errorOf } from './error-of.ts';

const MINUTE_MS = 60_000;

interface Answer {
  readonly request: { readonly id: string };
  readonly response: {
    readonly content: readonly {
      readonly url: string;
      readonly type: string[];
      readonly request_id?: string;
    }[];
    readonly metadata: Readonly<Record<string, unknown>>;
    readonly missing?: unknown;
  };
}

describe.each(plainWays)('the API in front of a service that is asked $name:', ({ isGateway }) => {
  const clock = createStandingClock();
  let host: AppInFront;
  let key: string;
  beforeEach(async () => {
    host = await startInFront({ isGateway, clock, ...smallCatalogue });
    key = await host.app.createKey();
  });
  afterEach(() => host.close());

  const get = (path: string) => fetch(host.app.url + path, { headers: { 'x-api-key': key } });

  async function search(parameters: string): Promise<Answer> {
    const response = await get(`/learningobject/v2/search?keywords=data${parameters}`);
    expect(response.status).toBe(200);
    return (await response.json()) as Answer;
  }

  const give = (feedback: object, idempotencyKey: string) =>
    fetch(`${host.app.url}/learningobject/v2/feedback`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
      body: JSON.stringify(feedback),
    });

  test('search goes through everything that all providers have, once', async () => {
    const found: string[] = [];
    let hasMore = true;
    for (let page = 0; hasMore && page < 50; page++) {
      const { content, metadata } = (await search(`&page=${page}`)).response;
      if (page === 0) expect(new Set(content.map(({ url }) => new URL(url).host)).size).toBe(3);
      found.push(...content.map(({ url }) => url));
      hasMore = metadata.hasMore === true;
    }
    expect(found.sort()).toEqual(everyAddress(smallCatalogue));
  });

  test('search keeps to a type, and says that its total is about so many', async () => {
    const { content, metadata } = (await search('&type=mooc&max=5')).response;
    expect(content.map(({ type }) => type)).toEqual(Array(5).fill(['MOOC']));
    expect(metadata).toMatchObject({ isTotalExact: false, hasMore: true });
  });

  test('search names a provider that fails, and gives the others', async () => {
    host.upstream.reply('search-provider', perProvider({ school: { status: 500, body: '' } }));
    const { content, metadata, missing } = (await search('')).response;
    expect(content).toHaveLength(10);
    expect(missing).toEqual([{ id: 'school', why: 'failed' }]);
    expect(metadata.isTotalExact).toBe(false);
  });

  test('search says nothing of this where all is well', async () => {
    const { response } = await search('&provider=books&lang=en');
    expect(response.content).toHaveLength(7);
    expect(response).not.toHaveProperty('missing');
    expect(response.metadata).not.toHaveProperty('isTotalExact');
  });

  test('what was found before is given while it is good, and no longer when the service has gone', async () => {
    const path = '/learningobject/v2/search-provider?keywords=data&provider=tube';
    const contentOf = async () => ((await (await get(path)).json()) as Answer).response.content;
    const before = await contentOf();
    await host.upstream.stop();
    clock.advance(5 * MINUTE_MS);
    expect(await contentOf()).toEqual(before);
    clock.advance(6 * MINUTE_MS);
    const refused = await get(path);
    expect(refused.status).toBe(502);
    expect(await errorOf(refused)).toMatchObject({ code: 'UPSTREAM_UNREACHABLE' });
  });

  test('feedback is delivered once, with an id of its own and that of the search', async () => {
    const { request, response } = await search('');
    const object = response.content.find(({ url }) => url.startsWith('https://school.'))!;
    const feedback = {
      url: object.url,
      comment: 'Very clear.',
      request_id: object.request_id ?? request.id,
      email: 'ada@example.org',
      source: 'https://school.example.org/course/7',
    };
    const idempotencyKey = randomUUID();
    for (let times = 0; times < 2; times++) expect((await give(feedback, idempotencyKey)).status).toBe(200);
    const delivered = () => host.upstream.requests.filter(({ operation }) => operation === 'feedback');
    await expect.poll(delivered).toHaveLength(1);
    const [only] = delivered();
    expect(only!.body).toMatchObject({ ...feedback, request_id: 'search-of-school' });
    expect(only!.headers['idempotency-key']).toMatch(/\S/);
    expect(only!.headers['idempotency-key']).not.toBe(idempotencyKey);
    expect(only!.path).toContain(isGateway ? '/gateway/' : '/learningobject/');
  });

  test('whoever is refused because our key is used up is told what it allows, and when to come back', async () => {
    const used = {
      status: 429,
      body: { message: 'Slow down' },
      headers: { 'ratelimit-policy': '5;w=60', 'ratelimit-limit': '5', 'retry-after': '40' },
    };
    host.upstream.reply('search-provider', used);
    const ask = (keywords: string) => get(`/learningobject/v2/search-provider?keywords=${keywords}&provider=tube`);
    await ask('first');
    const refused = await ask('second');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(30);
    const { code, message } = await errorOf(refused);
    expect(code).toBe('UPSTREAM_THROTTLED');
    expect(message).toMatch(
      /^The key of this host at the service behind it allows 5 requests a minute\. Try again in \d+ s\.$/,
    );
  });
});
