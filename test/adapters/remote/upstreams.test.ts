import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { createUpstreams } from '../../../src/adapters/remote/upstreams.ts';
import type { LearningService } from '../../../src/ports/learning-service.ts';
import { searchOf } from '../../fakes/search-of.ts';
import { perProvider, rateLimited } from '../../fakes/upstream-replies.ts';
import { loopbackAccess } from '../../helpers/private-access.ts';
import { errorOf, useRemote } from './start-remote.ts';

const remote = useRemote({
  timeoutMs: 8_000,
  policies: { maxFailures: 3, maxFailuresOfService: 8, maxAtOnce: 3, maxQueued: 5 },
});

const another = () => remote.upstreams.connect(remote.direct({ apiKey: 'the key of another tenant' }));
const suggest = (learning: LearningService) => learning.ask('suggest', { keywords: 'data' });
const codeOf = (called: Promise<unknown>) =>
  called.then(
    () => 'ok',
    (error) => error.code,
  );
const many = (count: number, call: () => Promise<unknown>) =>
  Promise.all(Array.from({ length: count }, () => codeOf(call())));

describe('a service that fails', () => {
  test('is paused for all keys, but not for a test', async () => {
    const learning = remote.upstreams.connect(remote.direct());
    remote.upstream.reply('*', { status: 500, body: '' });
    for (let n = 0; n < 3; n++) await errorOf(suggest(learning));
    const error = await errorOf(suggest(another()));
    expect(error).toMatchObject({ code: 'UPSTREAM_PAUSED', kind: 'unavailable' });
    expect(error.retryAfterSeconds).toBeGreaterThan(0);
    expect(remote.upstream.requests).toHaveLength(3);
    const outcomes = (await remote.upstreams.test(remote.direct())).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(['server-error', 'server-error', 'server-error']);
    expect(remote.upstream.requests).toHaveLength(6);
  });

  test('in one operation or provider is still called for others', async () => {
    const learning = remote.upstreams.connect(remote.direct());
    const searchIn = (id: string) => learning.ask('searchProvider', searchOf({ providers: [id] }));
    remote.upstream.reply('search-provider', perProvider({ tube: { status: 500, body: '' } }));
    for (let n = 0; n < 5; n++) await errorOf(searchIn('tube'));
    expect((await errorOf(searchIn('tube'))).code).toBe('UPSTREAM_PAUSED');
    expect(remote.upstream.requests).toHaveLength(3);
    expect(await codeOf(searchIn('school'))).toBe('ok');
    // The same provider, and so the same breaker.
    const must = searchOf({ providers: ['tube'], important: new Set(['provider']) });
    expect(await codeOf(learning.ask('searchProvider', must))).toBe('UPSTREAM_PAUSED');
    expect(await codeOf(suggest(learning))).toBe('ok');
  });

  test('in all of them is paused as a whole', async () => {
    const learning = remote.upstreams.connect(remote.direct());
    remote.upstream.reply('*', { status: 500, body: '' });
    for (const list of ['listTypes', 'listBlooms', 'listLanguages'] as const)
      for (let n = 0; n < 3; n++) await errorOf(learning.ask(list, {}));
    expect(remote.upstream.requests).toHaveLength(8);
    expect((await errorOf(learning.ask('listProviders', {}))).code).toBe('UPSTREAM_PAUSED');
    expect(remote.upstream.requests).toHaveLength(8);
  });

  test('does not pause other services', async () => {
    await errorOf(suggest(remote.upstreams.connect({ url: 'http://127.0.0.1:1' })));
    expect(await codeOf(suggest(remote.upstreams.connect({ url: 'http://127.0.0.1:1' })))).toBe('UPSTREAM_PAUSED');
    expect(await codeOf(suggest(remote.upstreams.connect(remote.direct())))).toBe('ok');
  });
});

describe('a service that is slow', () => {
  test('has a limited number of running and waiting calls for each key', async () => {
    remote.upstream.reply('suggest', { delayMs: 300 });
    const learning = remote.upstreams.connect(remote.direct());
    const outcomes = await many(12, () => suggest(learning));
    expect(outcomes).toEqual([...Array(8).fill('ok'), ...Array(4).fill('UPSTREAM_BUSY')]);
    expect(remote.upstream.mostAtOnce()).toBe(3);
  });

  test('is called no longer than the whole time, waiting included', async () => {
    const timeoutMs = 3_000;
    const upstreams = createUpstreams({
      privateAccess: loopbackAccess,
      timeoutMs,
      policies: { maxAtOnce: 1 },
    });
    const learning = upstreams.connect(remote.direct());
    // The first is answered a second before its time is over, the second would be after it.
    remote.upstream.reply('suggest', { delayMs: 1_700 });
    const notAsked = expect.stringMatching(/^UPSTREAM_(TIMEOUT|BUSY)$/);
    expect(await many(4, () => suggest(learning))).toEqual(['ok', 'UPSTREAM_TIMEOUT', notAsked, notAsked]);
    // What waited till the end of its time is not asked after it.
    expect(remote.upstream.requests).toHaveLength(2);
    await upstreams.close();
  });
});

describe('a key with a limit', () => {
  test.each([
    ['that is stated', { hasHeaders: true }],
    ['that only refusals show', {}],
    ['that refusals show without saying when to come back', { saysWhen: false }],
  ])('%s is kept to once it is known, and everyone is served', async (_what, ways) => {
    // Patient enough for a busy machine, where requests arrive much less evenly than they are sent.
    const patience = { maxRetries: 6, maxWaitMs: 10_000 };
    const upstreams = createUpstreams({
      privateAccess: loopbackAccess,
      timeoutMs: 25_000,
      policies: patience,
    });
    const learning = upstreams.connect(remote.direct());
    remote.upstream.reply('suggest', rateLimited({ perSecond: 5, ...ways }));
    expect(await many(10, () => suggest(learning))).toEqual(Array(10).fill('ok'));
    // Five did not pass at first, and a few may have met the edge of a second; blind retries would
    // be refused many times.
    expect(remote.upstream.requests.length).toBeLessThanOrEqual(20);
    expect(await many(5, () => suggest(learning))).toEqual(Array(5).fill('ok'));
    await upstreams.close();
  });

  test('slows no calls with another key', async () => {
    remote.upstream.reply('*', { status: 429, body: {}, headers: { 'retry-after': '60' } });
    await errorOf(suggest(remote.upstreams.connect(remote.direct())));
    remote.upstream.reply('*', {});
    const error = await errorOf(suggest(remote.upstreams.connect(remote.direct())));
    expect(error).toMatchObject({ code: 'UPSTREAM_THROTTLED', kind: 'rate_limited', retryAfterSeconds: 60 });
    expect(await codeOf(suggest(another()))).toBe('ok');
    expect(remote.upstream.requests).toHaveLength(2);
  });
});

test('many calls for one caller listen to his signal only as long as they run, and warn of nothing', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on('warning', note);
  const upstreams = createUpstreams({ privateAccess: loopbackAccess });
  const learning = upstreams.connect(remote.direct());
  const { signal } = new AbortController();
  await many(40, () => learning.ask('suggest', { keywords: 'data' }, { signal }));
  await many(40, () => learning.ask('searchMany', searchOf(), { signal }));
  await many(40, () => learning.ask('searchProvider', searchOf({ providers: ['tube'] }), { signal }));
  await new Promise((done) => setImmediate(done));
  process.off('warning', note);
  expect(warnings).toEqual([]);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  await upstreams.close();
});
