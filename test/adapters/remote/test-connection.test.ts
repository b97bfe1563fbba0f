import { describe, expect, test } from 'vitest';
import { createUpstreams } from '../../../src/adapters/remote/upstreams.ts';
import { noPrivateAccess } from '../../../src/domain/private-hosts.ts';
import type { UpstreamCall, UpstreamConnection, UpstreamOutcome } from '../../../src/ports/upstream.ts';
import { MARKETPLACE_KEY, UPSTREAM_KEY, type UpstreamReply } from '../../fakes/upstream.ts';
import { useRemote } from './start-remote.ts';

const remote = useRemote();
/** Of a whole test in which something hangs. */
const HANG_MS = 2_000;

const run = (connection: UpstreamConnection, signal?: AbortSignal) => remote.upstreams.test(connection, signal);
const runImpatiently = (timeoutMs: number) => remote.upstreamsWith({ timeoutMs }).test(remote.direct());
const outcomes = (calls: readonly UpstreamCall[]) => calls.map(({ outcome }) => outcome);

test('a connection that works', async () => {
  const calls = await run(remote.direct());
  const base = remote.upstream.url;
  expect(calls).toEqual([
    {
      operation: 'provider',
      url: `${base}/learningobject/v2/provider`,
      outcome: 'ok',
      status: 200,
      milliseconds: expect.any(Number),
      detail: null,
    },
    expect.objectContaining({ operation: 'suggest', url: `${base}/domcomp/v1/suggest`, outcome: 'ok' }),
    expect.objectContaining({
      operation: 'search-provider',
      url: `${base}/learningobject/v2/search-provider`,
      outcome: 'ok',
    }),
  ]);
  const search = remote.upstream.requests.find(({ operation }) => operation === 'search-provider');
  expect(search!.query).toMatchObject({ provider: 'tube', max: '1' });
  for (const { milliseconds } of calls) expect(Number.isInteger(milliseconds)).toBe(true);
});

test('a gateway that works', async () => {
  const calls = await run(remote.gateway());
  expect(outcomes(calls)).toEqual(['ok', 'ok', 'ok']);
  expect(calls.map(({ url }) => url.slice(remote.upstream.url.length))).toEqual([
    '/gateway/lo/provider',
    '/domcomp/v1/suggest',
    '/gateway/lo/search-provider',
  ]);
});

describe('keys', () => {
  test('that are missing are named', async () => {
    const [provider, suggest, search] = await run({ url: remote.upstream.url });
    expect(provider).toMatchObject({ outcome: 'ok' });
    for (const call of [suggest, search])
      expect(call).toMatchObject({ outcome: 'key-missing', status: 401, detail: 'Key is missing' });
  });

  test('that are wrong, and are not repeated', async () => {
    const calls = await run(remote.direct({ apiKey: 'wrong-key' }));
    expect(outcomes(calls)).toEqual(['ok', 'key-refused', 'key-refused']);
    expect(calls[1]).toMatchObject({ status: 403, detail: 'The key "•••" is not known' });
    expect(JSON.stringify(calls)).not.toContain('wrong-key');
  });

  test('of the gateway may be wrong alone', async () => {
    const { url } = remote.upstream;
    const marketplace = { url: remote.upstream.marketplaceUrl, key: UPSTREAM_KEY };
    expect(outcomes(await run({ url, apiKey: MARKETPLACE_KEY, marketplace }))).toEqual([
      'ok',
      'key-refused',
      'key-refused',
    ]);
    expect(outcomes(await run({ url, marketplace: { url: marketplace.url } }))).toEqual([
      'ok',
      'key-missing',
      'key-missing',
    ]);
  });

  test('that no header can carry', async () => {
    const calls = await run(remote.direct({ apiKey: 'two\nlines' }));
    expect(outcomes(calls)).toEqual(['ok', 'key-refused', 'key-refused']);
    expect(calls[1]).toMatchObject({ status: null, url: `${remote.upstream.url}/domcomp/v1/suggest` });
    expect(JSON.stringify(calls)).not.toContain('two');
  });
});

const page = (title: string) => `<html><title>${title}</title>`;
const replies: readonly (readonly [string, UpstreamReply, UpstreamOutcome, number | null, string | RegExp])[] = [
  ['403 without a key known', { status: 403, body: { message: 'Forbidden' } }, 'key-refused', 403, 'Forbidden'],
  ['401, no key seen', { status: 401, body: { message: 'No API key found' } }, 'key-missing', 401, 'No API key found'],
  [
    'a Skilldock that sees no key',
    { status: 401, body: { statusCode: 401, code: 'KEY_MISSING', message: 'Send one.', reference: 'r' } },
    'key-missing',
    401,
    'Send one.',
  ],
  [
    'an unknown path at Amazon',
    { status: 403, body: { message: 'Missing Authentication Token' } },
    'not-found',
    403,
    'Missing Authentication Token',
  ],
  ['429', { status: 429, body: { message: 'Slow' } }, 'throttled', 429, 'Slow'],
  ['404', { status: 404, body: page('Nothing here') }, 'not-found', 404, 'Nothing here'],
  ['404 without a word', { status: 404, body: '' }, 'not-found', 404, /failed to answer .* \(404\)/],
  ['405', { status: 405, body: '' }, 'not-found', 405, /405/],
  ['400', { status: 400, body: { message: 'Strange request' } }, 'not-the-service', 400, 'Strange request'],
  ['a page', { body: page('Welcome to nginx!') }, 'not-the-service', 200, 'Welcome to nginx!'],
  ['other JSON', { body: { hello: 'world' } }, 'not-the-service', 200, /does not follow its specification/],
  ['truncated JSON', { body: '{"statusCode"' }, 'not-the-service', 200, '{"statusCode"'],
  ['too much', { body: ' '.repeat(3_000_000) }, 'not-the-service', null, /larger than 2 MB/],
  ['500', { status: 500, body: { message: 'Oops' } }, 'server-error', 500, 'Oops'],
  ['503 with a page', { status: 503, body: page('Be right back') }, 'server-error', 503, 'Be right back'],
  ['500 within 200', { body: { statusCode: 500, body: 'Oops' } }, 'server-error', 200, 'Oops'],
  [
    'a redirect',
    { status: 301, headers: { location: 'https://new.example/x?y' } },
    'not-the-service',
    301,
    'Redirect to https://new.example',
  ],
  ['a hang', { breaks: 'hang' }, 'timed-out', null, /did not answer/],
  ['a hang in the answer', { breaks: 'hang-in-body' }, 'timed-out', null, /did not answer/],
  ['a reset', { breaks: 'reset' }, 'unreachable', null, /broken off/],
];

test.each(replies)('%s', async (_what, reply, outcome, status, detail) => {
  remote.upstream.reply('*', reply);
  const calls = await (outcome === 'timed-out' ? runImpatiently(HANG_MS) : run(remote.direct()));
  expect(calls.map(({ operation }) => operation)).toEqual(['provider', 'suggest', 'search-provider']);
  // The list needs no key, so its refusal says that one is missing.
  const ofList = outcome === 'key-refused' ? 'key-missing' : outcome;
  expect(calls[0]).toMatchObject({ outcome: status === 401 ? 'key-missing' : ofList, status });
  // The time is that of the whole test: the search has what the list has left of it.
  if (outcome === 'timed-out') expect(calls[2]!.milliseconds).toBeLessThan(HANG_MS);
  for (const call of calls.slice(1)) {
    expect(call).toMatchObject({ outcome, status });
    expect(call.detail).toMatch(detail);
    expect(call.detail!.length).toBeLessThanOrEqual(300);
  }
});

test('an error page longer than anyone reads is cut', async () => {
  remote.upstream.reply('*', { status: 500, body: { message: `\u0007${'long '.repeat(500)}` } });
  const [call] = await run(remote.direct());
  expect(call!.detail).toHaveLength(300);
  expect(call!.detail).toMatch(/^long long/);
});

describe('addresses', () => {
  test.each([
    ['https://ada:secret@api.example.org', '/learningobject/v2/provider'],
    ['not an address secret', '/learningobject/v2/provider'],
    ['https://api.example.org/?key=secret', '/learningobject/v2/provider'],
  ])('%s is refused and not shown', async (url, shown) => {
    const calls = await run({ url, apiKey: UPSTREAM_KEY });
    expect(outcomes(calls)).toEqual(['address-refused', 'address-refused', 'address-refused']);
    expect(calls[0]).toMatchObject({ url: shown, status: null });
    expect(JSON.stringify(calls)).not.toContain('secret');
  });

  test('in private networks are refused where they are not allowed', async () => {
    const upstreams = createUpstreams({ privateAccess: noPrivateAccess });
    const calls = await upstreams.test(remote.direct());
    expect(outcomes(calls)).toEqual(['address-refused', 'address-refused', 'address-refused']);
    expect(calls[0]!.url).toBe(`${remote.upstream.url}/learningobject/v2/provider`);
    expect(remote.upstream.requests).toEqual([]);
    await upstreams.close();
  });

  test('of the gateway may be wrong alone', async () => {
    const calls = await run({ ...remote.direct(), marketplace: { url: `${remote.upstream.url}/nowhere` } });
    expect(outcomes(calls)).toEqual(['not-found', 'ok', 'not-found']);
  });

  test('that do not answer or resolve are unreachable', async () => {
    expect(outcomes(await run({ url: 'http://127.0.0.1:1' }))).toEqual(Array(3).fill('unreachable'));
    const lookup = (_host: string, _options: object, callback: (error: Error, none: []) => void) =>
      callback(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), []);
    const upstreams = createUpstreams({ privateAccess: noPrivateAccess, lookup });
    const [call] = await upstreams.test({ url: 'https://nowhere.example' });
    expect(call).toMatchObject({ outcome: 'unreachable', status: null });
    expect(call!.detail).toContain('its name cannot be resolved (ENOTFOUND)');
    await upstreams.close();
  });
});

describe('time', () => {
  test('a list that hangs leaves time for the search, which then asks for no provider', async () => {
    remote.upstream.reply('provider', { breaks: 'hang' });
    expect(outcomes(await runImpatiently(2 * HANG_MS))).toEqual(['timed-out', 'ok', 'ok']);
    const search = remote.upstream.requests.find(({ operation }) => operation === 'search-provider');
    expect(search!.query).not.toHaveProperty('provider');
  });

  test('independent calls run beside each other', async () => {
    for (const operation of ['provider', 'suggest', 'search-provider'] as const)
      remote.upstream.reply(operation, { delayMs: 300 });
    expect(outcomes(await run(remote.direct()))).toEqual(['ok', 'ok', 'ok']);
    expect(remote.upstream.mostAtOnce()).toBe(2);
  });

  test('ends when its caller gives up', async () => {
    remote.upstream.reply('*', { breaks: 'hang' });
    const stop = new AbortController();
    // Longer than the test may take.
    const patient = remote.upstreamsWith({ timeoutMs: 60_000, probeTimeoutMs: 60_000 });
    const asked = patient.test(remote.direct(), stop.signal);
    await expect.poll(() => remote.upstream.requests.length).toBeGreaterThan(0);
    stop.abort();
    expect(outcomes(await asked)).toEqual(Array(3).fill('timed-out'));
    expect(outcomes(await run(remote.direct(), AbortSignal.abort()))).toEqual(Array(3).fill('timed-out'));
  });
});

test('a service without providers is searched all the same', async () => {
  remote.upstream.reply('provider', { body: { statusCode: 200, response: [] } });
  expect(outcomes(await run(remote.direct()))).toEqual(['ok', 'ok', 'ok']);
});
