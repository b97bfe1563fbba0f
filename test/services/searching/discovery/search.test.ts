import { describe, expect, test } from 'vitest';
import { createSearchSessions } from '../../../../src/services/searching/discovery/search-sessions.ts';
import { errorOf } from '../../../adapters/remote/start-remote.ts';
import { createStandingClock } from '../../../fakes/clock.ts';
import { perProvider } from '../../../fakes/upstream-replies.ts';
import { OBJECTS_PER_PROVIDER } from '../../../fakes/upstream-specification.ts';
import { startSearch, titlesOf, walkPages } from './search-upstream.ts';

const failing = { status: 500, body: '' };

describe('one provider', () => {
  test('is one call, of exactly what was asked', async () => {
    const { search, upstream } = await startSearch({});
    const result = await search({ providers: ['tube'], max: 7 });
    // The first call asks for what an upstream of the specification does not have; nobody asks for it again.
    expect(upstream.requests).toHaveLength(2);
    expect(upstream.requests[1]).toMatchObject({
      operation: 'search-provider',
      query: { provider: 'tube', max: '7', page: '0' },
    });
    await search({ providers: ['tube'], max: 6 });
    expect(upstream.requests).toHaveLength(3);
    expect(result).toMatchObject({
      page: 0,
      itemsPerPage: 7,
      totalItems: 25,
      isTotalExact: true,
      hasMore: true,
    });
    expect(result.items[0]).toMatchObject({
      object: { title: 'tube 0' },
      requestId: 'search-of-tube',
      providerId: 'tube',
      quality: 'A00',
      source: { upstream: 'api.example.org' },
    });
  });

  test('is one more call for a page in the middle, which is compared with the one before it', async () => {
    const { search, asked } = await startSearch({});
    expect(titlesOf(await search({ providers: ['tube'], max: 7, page: 1 }))[0]).toBe('tube 7');
    expect(asked().toSorted()).toEqual(['tube 0', 'tube 1']);
  });

  test('without a language is asked for English, strictly about the provider', async () => {
    const { search, upstream } = await startSearch({});
    const result = await search({
      providers: ['tube'],
      lang: undefined,
      important: new Set(['lang', 'free']),
      free: true,
    });
    const [asked] = upstream.requests.filter(({ operation }) => operation === 'search-provider');
    expect(asked!.query).toMatchObject({
      lang: 'en',
      provider: 'tube!important',
      free: 'true!important',
      max: '20',
    });
    expect(titlesOf(result)).toEqual(Array.from({ length: 10 }, (_, rank) => `tube ${rank}`));
    expect(result).toMatchObject({ totalItems: 25, isTotalExact: true });
  });

  test('in random order stays in the order that was shown', async () => {
    const { search, upstream, asked } = await startSearch({});
    const shuffle = () => Math.random() - 0.5;
    upstream.reply('search-provider', {
      change: (body) => ({
        ...body,
        response: { ...body.response, content: body.response.content.sort(shuffle) },
      }),
    });
    const random = { providers: ['tube'], sort: 'random' } as const;
    const first = titlesOf(await search(random));
    const second = titlesOf(await search({ ...random, page: 1 }));
    expect(titlesOf(await search(random))).toEqual(first);
    expect(new Set([...first, ...second]).size).toBe(20);
    expect(asked()).toEqual(['tube 0']);
  });
});

describe('several providers', () => {
  test('are asked at once, and give every object once over all pages', async () => {
    const started = await startSearch({ providers: ['a', 'b', 'c'], counts: { b: 41, c: 0 } });
    const pages = await walkPages(started, { max: 7 });
    const titles = pages.flatMap(titlesOf);
    expect(titles).toHaveLength(OBJECTS_PER_PROVIDER + 41);
    expect(new Set(titles).size).toBe(titles.length);
    expect(started.asked().toSorted()).toEqual(['a 0', 'a 1', 'b 0', 'b 1', 'b 2', 'c 0']);
    expect(pages[0]).toMatchObject({ quality: 'A00', missing: [] });
    expect(pages.at(-1)).toMatchObject({ totalItems: 66, isTotalExact: true, hasMore: false });
  });

  test('are only those that were asked for', async () => {
    const { search, upstream } = await startSearch({ providers: ['a', 'b', 'c'] });
    const { items } = await search({ providers: ['b', 'c'], max: 20 });
    expect(new Set(items.map(({ providerId }) => providerId))).toEqual(new Set(['b', 'c']));
    expect(upstream.requests.some(({ operation }) => operation === 'provider')).toBe(false);
  });

  test('give an object that all of them have once, and count it once', async () => {
    const same = (_: string, rank: number) => ({ url: `http://www.example.org/${rank}/?utm_source=x` });
    const started = await startSearch({ providers: ['a', 'b'], objects: same });
    const pages = await walkPages(started, { max: 20 });
    expect(pages.flatMap(titlesOf)).toHaveLength(OBJECTS_PER_PROVIDER);
    expect(pages.at(-1)).toMatchObject({ totalItems: OBJECTS_PER_PROVIDER, isTotalExact: true });
  });

  test('find nothing together', async () => {
    const { search } = await startSearch({ providers: ['a', 'b'], counts: { a: 0, b: 0 } });
    expect(await search()).toMatchObject({
      items: [],
      totalItems: 0,
      hasMore: false,
      quality: 'C00',
      missing: [],
    });
  });

  test('are none, which is not to say that nothing was found', async () => {
    const { search } = await startSearch({ providers: [] });
    const { code, kind, message } = await errorOf(search());
    expect([code, kind]).toEqual(['RESPONSE_INVALID', 'unavailable']);
    expect(message).toMatch(/^api\.example\.org lists no providers/);
  });

  test('give a total that can be true', async () => {
    const { search, upstream } = await startSearch({ providers: ['a', 'b'] });
    const claim = 9_007_199_254_740_000;
    upstream.reply('search-provider', {
      change: (body) => {
        body.response.metadata['total number item'] = claim;
        return body;
      },
    });
    const all = await search();
    expect(all).toMatchObject({ isTotalExact: false });
    expect(all.totalItems).toBeLessThanOrEqual(2_000_000_000);
    for (const changes of [{}, { sort: 'random' }] as const) {
      const one = await search({ providers: ['a'], ...changes });
      expect(one).toMatchObject({ totalItems: 1_000_000_000, isTotalExact: false });
    }
  });
});

describe('a session', () => {
  test('is not shared between tenants or connections', async () => {
    const clock = createStandingClock();
    const sessions = createSearchSessions({ clock });
    const one = await startSearch({ providers: ['a', 'b'] }, { sessions, scope: async () => 'one' });
    const other = await startSearch({ providers: ['c', 'd'] }, { sessions, scope: async () => 'other' });
    await one.search();
    expect((await other.search()).items.map(({ providerId }) => providerId)).toContain('c');
  });

  test('says that what it kept is not fresh any more', async () => {
    const clock = createStandingClock();
    const { search } = await startSearch({ providers: ['a', 'b'] }, { clock });
    const first = await search();
    expect([first.source.freshness, first.items[0]!.source.freshness]).toEqual(['fresh', 'fresh']);
    clock.advance(60_000);
    const again = await search();
    expect([again.source.freshness, again.items[0]!.source.freshness]).toEqual(['cached', 'cached']);
  });

  test('goes on for whoever leafs, and begins anew with a first page after five minutes', async () => {
    const clock = createStandingClock();
    const sessions = createSearchSessions({ clock });
    const { search, asked } = await startSearch({ providers: ['a', 'b'] }, { clock, sessions });
    const titles = titlesOf(await search({ max: 5 }));
    for (let page = 1; page < 4; page++) {
      clock.advance(200_000);
      titles.push(...titlesOf(await search({ max: 5, page })));
    }
    expect(new Set(titles).size).toBe(20);
    expect(asked()).toHaveLength(2);
    await search({ max: 5 });
    expect(asked()).toHaveLength(4);
  });

  test('begins anew after a minute where the first page lacked a provider', async () => {
    const clock = createStandingClock();
    const sessions = createSearchSessions({ clock });
    const { search, upstream } = await startSearch({ providers: ['a', 'b'] }, { clock, sessions });
    upstream.reply('search-provider', perProvider({ b: failing }));
    await search();
    upstream.reply('search-provider', {});
    expect(titlesOf(await search())).not.toContain('b 0');
    clock.advance(60_000);
    expect(titlesOf(await search())).toContain('b 0');
  });
});
