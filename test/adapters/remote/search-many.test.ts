import { beforeEach, describe, expect, test } from 'vitest';
import type { LearningService } from '../../../src/ports/learning-service.ts';
import { createStandingClock } from '../local/services.ts';
import { errorOf, searchOf, useRemote } from './start-remote.ts';

const clock = createStandingClock();
const remote = useRemote({ clock });
let learning: LearningService;
beforeEach(() => {
  clock.set('2026-03-01T10:00:00Z');
  learning = remote.upstreams.connect(remote.direct());
});

/** `operation` or, for what the fake does not know, the path. */
const asked = () => remote.upstream.requests.map(({ operation, path }) => operation ?? path);
const titles = async (...changes: Parameters<typeof searchOf>) =>
  (await learning.searchProvider(searchOf(...changes))).content.map(({ title }) => title);

const EXTENSION = '/learningobject/v2/search';

describe('several providers', () => {
  test('are searched one by one, and their results given in turn', async () => {
    const answer = await learning.searchProvider(searchOf({ providers: ['tube', 'school'], max: 4 }));
    expect(answer.content.map(({ title }) => title)).toEqual(['tube 0', 'school 0', 'tube 1', 'school 1']);
    expect(answer).toMatchObject({
      requestId: 'search-of-tube',
      page: 0,
      itemsPerPage: 4,
      totalItems: 50,
      hasMore: true,
      quality: 'A00',
    });
    const searches = remote.upstream.requests.filter(({ operation }) => operation === 'search-provider');
    expect(searches.map(({ query }) => query.provider)).toEqual(['tube!important', 'school!important']);
  });

  test('give every result once, over all pages', async () => {
    const all: string[] = [];
    for (let page = 0; page < 7; page++)
      all.push(...(await titles({ providers: ['tube', 'school'], max: 8, page })));
    expect(all).toHaveLength(50);
    expect(new Set(all).size).toBe(50);
    const last = await learning.searchProvider(searchOf({ providers: ['tube', 'school'], max: 8, page: 6 }));
    expect(last).toMatchObject({ hasMore: false, page: 6 });
  });

  test('are read down to a hundred results, and no further', async () => {
    const answer = await learning.searchProvider(
      searchOf({ providers: ['tube', 'school'], max: 20, page: 5 }),
    );
    expect(answer).toMatchObject({ content: [], hasMore: false, totalItems: 50 });
    const first = await learning.searchProvider(searchOf({ providers: ['a', 'b'], max: 20, page: 10_000 }));
    expect(first.content).toEqual([]);
  });

  test('are asked four at a time', async () => {
    remote.upstream.reply('search-provider', { delayMs: 20 });
    const providers = Array.from({ length: 11 }, (_, n) => `p${n}`);
    const answer = await learning.searchProvider(searchOf({ providers }));
    expect(answer.totalItems).toBe(275);
    expect(remote.upstream.mostAtOnce()).toBe(4);
  });

  test('that give the same are not repeated', async () => {
    const same = { title: 'Same', url: 'https://example.org/same' };
    const metadata = { page: 0, 'number item per page': 20, 'total number item': 1, hasMore: false };
    const body = { request: { id: 'r' }, response: { content: [same], metadata, msg: 'B00-' } };
    remote.upstream.reply('search-provider', { body });
    const answer = await learning.searchProvider(searchOf({ providers: ['tube', 'school'] }));
    expect(answer.content).toHaveLength(1);
    expect(answer).toMatchObject({ quality: 'B00', hasMore: false });
  });

  test('of which one fails are answered by the others', async () => {
    remote.upstream.reply('search-provider', { status: 500, body: {} }, {});
    const answer = await learning.searchProvider(searchOf({ providers: ['tube', 'school', 'third'] }));
    expect(answer).toMatchObject({ totalItems: 50, quality: 'B00' });
  });

  test('fail together when all fail, and when the request is at fault', async () => {
    remote.upstream.reply('search-provider', { status: 500, body: {} });
    const query = searchOf({ providers: ['tube', 'school'] });
    expect(await errorOf(learning.searchProvider(query))).toMatchObject({ code: 'UPSTREAM_FAILED' });
    const unknown = { status: 404, body: { message: 'Unknown provider' } };
    remote.upstream.reply('search-provider', {}, unknown);
    expect(await errorOf(learning.searchProvider(query))).toMatchObject({ code: 'PROVIDER_UNKNOWN' });
  });

  test('together have the time of one call', async () => {
    remote.upstream.reply('search-provider', { delayMs: 450 });
    const providers = Array.from({ length: 40 }, (_, n) => `p${n}`);
    const started = performance.now();
    const answer = await learning.searchProvider(searchOf({ providers }));
    expect(performance.now() - started).toBeLessThan(1_500);
    expect(answer).toMatchObject({ quality: 'B00' });
    expect(answer.content).not.toEqual([]);
  });
});

describe('no provider', () => {
  test('means all of the list, which is remembered for an hour, whatever the key', async () => {
    expect(await titles({ max: 3 })).toEqual(['tube 0', 'school 0', 'tube 1']);
    expect(asked()).toEqual([EXTENSION, 'provider', 'search-provider', 'search-provider']);
    remote.upstream.requests.length = 0;
    await remote.upstreams.connect(remote.direct()).searchProvider(searchOf());
    expect(asked()).toEqual(['search-provider', 'search-provider']);
    remote.upstream.requests.length = 0;
    clock.set('2026-03-01T11:00:01Z');
    await learning.searchProvider(searchOf());
    expect(asked()).toEqual([EXTENSION, 'provider', 'search-provider', 'search-provider']);
  });

  test('fails as the list fails', async () => {
    remote.upstream.reply('provider', { status: 500, body: {} });
    expect(await errorOf(learning.searchProvider(searchOf()))).toMatchObject({ code: 'UPSTREAM_FAILED' });
    remote.upstream.reply('provider', { body: { response: [] } });
    expect(await learning.searchProvider(searchOf())).toMatchObject({ content: [], quality: 'C00' });
  });
});

describe('what the specification cannot express', () => {
  test('is kept to where the answer says enough', async () => {
    expect(await titles({ providers: ['tube'], types: ['video'], max: 3 })).toEqual([
      'tube 0',
      'tube 2',
      'tube 4',
    ]);
    expect(await titles({ providers: ['tube'], blooms: ['Create'], max: 3 })).toEqual([]);
  });

  test('any language is the default one', async () => {
    const { lang: _lang, ...query } = searchOf({ providers: ['tube'] });
    await learning.searchProvider(query);
    expect(remote.upstream.requests.at(-1)!.query.lang).toBe('en');
  });
});

describe('the extension of a Skilldock', () => {
  const metadata = { page: 0, 'number item per page': 10, 'total number item': 0, hasMore: false };
  const response = { content: [], metadata, msg: 'C00-' };
  const refusal = (statusCode: number, code: string) => ({
    status: statusCode,
    body: { statusCode, code, message: 'No.', reference: 'r' },
  });

  test('is used where it is recognised, with everything that was asked', async () => {
    remote.upstream.reply('*', { body: { request: { id: 'r', provider: [] }, response } });
    const query = searchOf({ providers: ['a', 'b'], types: ['mooc'], blooms: ['Apply'] });
    expect(await learning.searchProvider(query)).toMatchObject({ requestId: 'r', quality: 'C00' });
    expect(asked()).toEqual([EXTENSION]);
  });

  test('refuses as a Skilldock does', async () => {
    for (const [status, code, ours] of [
      [404, 'PROVIDER_UNKNOWN', 'PROVIDER_UNKNOWN'],
      [403, 'KEY_UNKNOWN', 'UPSTREAM_KEY_REFUSED'],
      [429, 'RATE_LIMITED', 'UPSTREAM_THROTTLED'],
      [500, 'INTERNAL', 'UPSTREAM_FAILED'],
    ] as const) {
      remote.upstream.requests.length = 0;
      remote.upstream.reply('*', refusal(status, code));
      expect(await errorOf(learning.searchProvider(searchOf()))).toMatchObject({ code: ours });
      expect(asked()).toEqual([EXTENSION]);
    }
  });

  test.each([
    ['another search', { body: { request: { id: 'r', provider: '' }, response } }],
    ['a page', { body: '<html></html>' }],
    ['404', { status: 404, body: '' }],
    ['403 of a gateway', { status: 403, body: { message: 'Missing Authentication Token' } }],
    ['400 of another search', { status: 400, body: { message: 'lo_type is required' } }],
    ['an old Skilldock', refusal(404, 'PATH_UNKNOWN')],
  ])('is not there where %s answers', async (_what, reply) => {
    remote.upstream.reply('*', reply, {});
    expect(await titles()).toContain('school 0');
    expect(asked()).toEqual([EXTENSION, 'provider', 'search-provider', 'search-provider']);
  });

  test('is not looked for at a gateway', async () => {
    await remote.upstreams.connect(remote.gateway()).searchProvider(searchOf());
    expect(asked()).toEqual(['provider', 'search-provider', 'search-provider']);
  });

  test('that does not answer at all is an error, and is tried again', async () => {
    remote.upstream.reply('*', { breaks: 'reset' });
    for (let n = 0; n < 2; n++)
      expect(await errorOf(learning.searchProvider(searchOf()))).toMatchObject({
        code: 'UPSTREAM_UNREACHABLE',
      });
    expect(asked()).toEqual([EXTENSION, EXTENSION]);
  });
});
