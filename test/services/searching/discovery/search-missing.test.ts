import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../../src/ports/clock.ts';
import { createSlowProviders } from '../../../../src/services/searching/discovery/search-sessions.ts';
import { errorOf } from '../../../adapters/remote/start-remote.ts';
import type { FakeUpstream } from '../../../fakes/upstream.ts';
import { perProvider } from '../../../fakes/upstream-replies.ts';
import { OBJECTS_PER_PROVIDER } from '../../../fakes/upstream-specification.ts';
import { startSearch, titlesOf } from './search-upstream.ts';

const hanging = { breaks: 'hang' } as const;
const failing = { status: 500, body: '' };
/** Lets a provider answer when it is released. */
function holdBack(upstream: FakeUpstream, provider: string): { release(): void } {
  let release = () => {};
  const until = new Promise<void>((done) => {
    release = done;
  });
  upstream.reply('search-provider', perProvider({ [provider]: { until } }));
  return { release };
}

describe('a provider that is late', () => {
  test('is named, and found on the next page', async () => {
    const { search, searchUntil, upstream, asked } = await startSearch({ providers: ['fast', 'slow'] });
    const slow = holdBack(upstream, 'slow');
    const first = await searchUntil(1);
    expect(first).toMatchObject({ quality: 'A00', isTotalExact: false, hasMore: true });
    expect(first.missing).toEqual([{ id: 'slow', why: 'late', code: null }]);
    expect(titlesOf(first)).toEqual(Array.from({ length: 10 }, (_, rank) => `fast ${rank}`));
    slow.release();
    await expect.poll(async () => (await search()).missing).toEqual([]);
    const second = await search({ page: 1 });
    expect(second).toMatchObject({ quality: 'A00', missing: [] });
    expect(titlesOf(second)).toContain('slow 0');
    expect(titlesOf(await search())).toEqual(titlesOf(first));
    expect(asked().toSorted()).toEqual(['fast 0', 'slow 0']);
  });

  test('fills the page where there was room, when it is asked for again', async () => {
    const options = { providers: ['fast', 'slow'], counts: { fast: 3 } };
    const { search, searchUntil, upstream } = await startSearch(options);
    const slow = holdBack(upstream, 'slow');
    const first = await searchUntil(1);
    expect(titlesOf(first)).toEqual(['fast 0', 'fast 1', 'fast 2']);
    expect(first.hasMore).toBe(true);
    slow.release();
    await expect.poll(async () => (await search()).missing).toEqual([]);
    expect(titlesOf(await search())).toEqual([
      ...titlesOf(first),
      ...[0, 1, 2, 3, 4, 5, 6].map((rank) => `slow ${rank}`),
    ]);
  });

  test('loses nothing to whoever has gone on to the next page', async () => {
    const options = { providers: ['fast', 'slow'], counts: { fast: 3 } };
    const { search, searchUntil, upstream } = await startSearch(options);
    const slow = holdBack(upstream, 'slow');
    const pages = [await searchUntil(1)];
    slow.release();
    while (pages.at(-1)?.hasMore && pages.length < 100) pages.push(await search({ page: pages.length }));
    const titles = pages.flatMap(titlesOf);
    expect(titles).toHaveLength(3 + OBJECTS_PER_PROVIDER);
    expect(new Set(titles).size).toBe(titles.length);
  });

  test('is hardly waited for by other searches, until it answers', async () => {
    const { search, searchUntil, upstream } = await startSearch(
      { providers: ['fast', 'slow'] },
      { slowProviders: createSlowProviders(systemClock) },
    );
    const late = [{ id: 'slow', why: 'late', code: null }];
    upstream.reply('search-provider', perProvider({ slow: hanging }));
    expect((await searchUntil(1, { keywords: 'one' })).missing).toEqual(late);
    // Its time never ends here: what gives up is the moment that is left for those who were late
    // before.
    const second = await search({ keywords: 'two' });
    expect(second.missing).toEqual(late);
    expect(titlesOf(second)).toHaveLength(10);
    // It is well again, and asked all the while.
    upstream.reply('search-provider', {});
    await expect.poll(async () => (await search({ keywords: 'three' })).missing).toEqual([]);
  });

  test('was late before, and is waited for where there is nothing else', async () => {
    const slowProviders = createSlowProviders(systemClock);
    const { search, upstream } = await startSearch(
      { providers: ['slow', 'other'], counts: { other: 0 } },
      { slowProviders },
    );
    slowProviders.add('tenant', 'slow');
    slowProviders.add('tenant', 'other');
    upstream.reply('search-provider', perProvider({ slow: { delayMs: 800 } }));
    expect(titlesOf(await search())).toHaveLength(10);
  });

  test('alone is an error that says so', async () => {
    const { searchUntil, upstream } = await startSearch({});
    upstream.reply('search-provider', hanging);
    expect((await errorOf(searchUntil(0))).code).toBe('UPSTREAM_TIMEOUT');
  });
});

describe('a provider that fails', () => {
  test('is named with its code, and the others answer', async () => {
    const { search, upstream, problems } = await startSearch({ providers: ['a', 'dead', 'throttled'] });
    const throttled = { status: 429, body: { message: 'Too many' }, headers: { 'retry-after': '60' } };
    upstream.reply('search-provider', perProvider({ dead: failing, throttled }));
    const result = await search();
    expect(result.items).toHaveLength(10);
    expect(result.missing.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
      { id: 'dead', why: 'failed', code: 'UPSTREAM_FAILED' },
      { id: 'throttled', why: 'failed', code: 'UPSTREAM_THROTTLED' },
    ]);
    expect(result).toMatchObject({ quality: 'A00', isTotalExact: false });
    expect(problems).toHaveLength(1);
  });

  test('is asked again for the next page, and does not promise one', async () => {
    const options = { providers: ['a', 'dead'], counts: { a: 15 } };
    const { search, upstream } = await startSearch(options);
    upstream.reply('search-provider', perProvider({ dead: failing }));
    expect((await search()).hasMore).toBe(true);
    expect(await search({ page: 1 })).toMatchObject({ hasMore: false, missing: [{ id: 'dead' }] });
    upstream.reply('search-provider', {});
    const again = await search({ page: 1 });
    expect(again).toMatchObject({ hasMore: true, missing: [] });
    expect(titlesOf(again).slice(0, 6)).toEqual([10, 11, 12, 13, 14].map((rank) => `a ${rank}`).concat('dead 0'));
  });

  test('is an error where no other answers, rather one of the request than one of the service', async () => {
    const { search, upstream } = await startSearch({ providers: ['a', 'b'] });
    upstream.reply('search-provider', perProvider({ a: failing, b: failing }));
    expect((await errorOf(search({ keywords: 'x' }))).code).toBe('UPSTREAM_FAILED');
    const refusing = { status: 400, body: { message: 'no' } };
    for (const [one, other] of [
      ['a', 'b'],
      ['b', 'a'],
    ] as const) {
      upstream.reply('search-provider', perProvider({ [one]: failing, [other]: refusing }));
      expect((await errorOf(search({ keywords: 'y' }))).code).toBe('PARAMETERS_INVALID');
    }
  });
});

describe('whoever gives up', () => {
  test('gets his reason at once, and the calls end', async () => {
    const { search, upstream, problems } = await startSearch({ providers: ['a', 'b'] });
    upstream.reply('search-provider', hanging);
    const controller = new AbortController();
    const asked = search({}, { signal: controller.signal });
    await expect.poll(() => upstream.atOnce()).toBe(2);
    controller.abort(new Error('gone'));
    await expect(asked).rejects.toThrow('gone');
    await expect.poll(() => upstream.aborted).toHaveLength(2);
    expect(problems).toEqual([]);
    upstream.reply('search-provider', {});
    expect((await search()).items).toHaveLength(10);
  });

  test('takes nothing from others who wait for the same', async () => {
    const { search, upstream } = await startSearch({ providers: ['a', 'b'] });
    upstream.reply('search-provider', { delayMs: 300 });
    const controller = new AbortController();
    const asked = search({}, { signal: controller.signal });
    const other = search();
    await expect.poll(() => upstream.atOnce()).toBe(2);
    controller.abort(new Error('gone'));
    await expect(asked).rejects.toThrow('gone');
    expect((await other).items).toHaveLength(10);
    expect(upstream.aborted).toEqual([]);
  });
});
