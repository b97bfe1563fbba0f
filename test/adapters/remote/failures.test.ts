import { createServer } from 'node:net';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createUpstreams } from '../../../src/adapters/remote/upstreams.ts';
import type { ErrorCode } from '../../../src/errors.ts';
import { searchOf } from '../../fakes/search-of.ts';
import { UPSTREAM_KEY, type UpstreamReply } from '../../fakes/upstream.ts';
import type { UpstreamOperation } from '../../fakes/upstream-specification.ts';
import { loopbackAccess } from '../../helpers/private-access.ts';
import { createStandingClock } from '../local/services.ts';
import { callAll, errorOf, operations, useRemote } from './start-remote.ts';

const remote = useRemote({
  clock: createStandingClock('2026-03-01T10:00:00Z'),
  // Who is throttled has no time to wait for his turn.
  policies: { maxWaitMs: 0 },
});
/** Where no answer comes in time; what is late is so by much more. */
const HANG_MS = 600;

const page = (title: string) => `<!DOCTYPE html><html><head><title>${title}</title></head><body>…</body></html>`;
const skilldock = (statusCode: number, code: string, message: string) => ({
  status: statusCode,
  body: { statusCode, code, message, reference: 'r-1' },
});

const anywhere: readonly (readonly [what: string, reply: UpstreamReply, code: ErrorCode])[] = [
  ['401', { status: 401, body: { message: 'Unauthorized' } }, 'UPSTREAM_KEY_REFUSED'],
  ['403', { status: 403, body: '' }, 'UPSTREAM_KEY_REFUSED'],
  ['a Skilldock’s KEY_SCOPE', skilldock(403, 'KEY_SCOPE', 'Not with this key.'), 'UPSTREAM_KEY_REFUSED'],
  ['403 for an unknown path', { status: 403, body: { message: 'Missing Authentication Token' } }, 'UPSTREAM_FAILED'],
  ['429', { status: 429, body: { message: 'Limit Exceeded' } }, 'UPSTREAM_THROTTLED'],
  ['429 with a page', { status: 429, body: page('Slow down') }, 'UPSTREAM_THROTTLED'],
  ['404', { status: 404, body: page('Not Found') }, 'UPSTREAM_FAILED'],
  ['404 of a framework', { status: 404, body: { detail: 'Not Found' } }, 'UPSTREAM_FAILED'],
  ['405', { status: 405, body: { message: 'No' } }, 'UPSTREAM_FAILED'],
  ['400 that cannot be read', { status: 400, body: page('Bad Request') }, 'UPSTREAM_FAILED'],
  ['400 without a body', { status: 400, body: '' }, 'UPSTREAM_FAILED'],
  ['a Skilldock’s BODY_MALFORMED', skilldock(400, 'BODY_MALFORMED', 'No JSON.'), 'UPSTREAM_FAILED'],
  ['500', { status: 500, body: { message: 'Oops' } }, 'UPSTREAM_FAILED'],
  ['502 with a page', { status: 502, body: page('502 Bad Gateway') }, 'UPSTREAM_FAILED'],
  ['503 packed', { status: 503, body: page('Away'), isPacked: true }, 'UPSTREAM_FAILED'],
  ['304 that nobody asked for', { status: 304, body: '' }, 'UPSTREAM_FAILED'],
  ['500 within 200', { body: { statusCode: 500, body: 'Oops' } }, 'UPSTREAM_FAILED'],
  ['401 within 200', { body: { statusCode: 401 } }, 'UPSTREAM_KEY_REFUSED'],
  ['a page', { body: page('Sign in to the Wi-Fi') }, 'RESPONSE_INVALID'],
  ['truncated JSON', { body: '{"statusCode":200,"respon' }, 'RESPONSE_INVALID'],
  ['JSON of something else', { body: '"hello"' }, 'RESPONSE_INVALID'],
  ['null', { body: 'null' }, 'RESPONSE_INVALID'],
];

/** What happens on the way, whatever is asked. */
const onTheWay: typeof anywhere = [
  ['more than 2 MB', { body: ' '.repeat(2 * 1024 * 1024 + 1) }, 'RESPONSE_INVALID'],
  ['a failure that nests without end', { status: 503, body: '['.repeat(1_000_000) }, 'UPSTREAM_FAILED'],
  ['what nests without end', { body: `{"data":${'['.repeat(500)}${']'.repeat(500)}}` }, 'RESPONSE_INVALID'],
  ['more than 2 MB when unpacked', { body: ' '.repeat(20 * 1024 * 1024), isPacked: true }, 'RESPONSE_INVALID'],
  ['what cannot be unpacked', { body: page('Hello'), isPacked: true, breaks: 'truncated' }, 'RESPONSE_INVALID'],
  ['no answer', { breaks: 'hang' }, 'UPSTREAM_TIMEOUT'],
  ['half an answer', { breaks: 'hang-in-body' }, 'UPSTREAM_TIMEOUT'],
  ['a late answer', { delayMs: 1_500 }, 'UPSTREAM_TIMEOUT'],
  ['a reset', { breaks: 'reset' }, 'UPSTREAM_UNREACHABLE'],
  ['a reset in the answer', { breaks: 'reset-in-body' }, 'UPSTREAM_UNREACHABLE'],
];

/** A GET and a POST. */
const few: readonly UpstreamOperation[] = ['suggest', 'feedback'];

describe.each(operations)('%s fails with an AppError', (operation) => {
  test.each(few.includes(operation) ? [...anywhere, ...onTheWay] : anywhere)('of %s', async (_what, reply, code) => {
    remote.upstream.reply('*', reply);
    const upstreams = code === 'UPSTREAM_TIMEOUT' ? remote.upstreamsWith({ timeoutMs: HANG_MS }) : remote.upstreams;
    const error = await errorOf(callAll[operation](upstreams.connect(remote.direct())));
    expect(error).toMatchObject({ code });
    expect(error.message).toMatch(/^\S.*\.$/);
    expect(inspect(error, { depth: 9 })).not.toContain(UPSTREAM_KEY);
  });
});

describe('a request at fault', () => {
  const failWith = (operation: UpstreamOperation, reply: UpstreamReply) => {
    remote.upstream.reply(operation, reply);
    return errorOf(callAll[operation](remote.upstreams.connect(remote.direct())));
  };

  test.each([400, 422])('%i with a reason is PARAMETERS_INVALID with that reason', async (status) => {
    for (const body of [
      { message: 'keywords are too long' },
      { error: { message: 'keywords are too long' } },
      { error: 'keywords are too long' },
      { statusCode: status, body: '{"message":"keywords are too long"}' },
    ]) {
      const error = await failWith('similar', { status, body });
      expect(error).toMatchObject({ code: 'PARAMETERS_INVALID', message: 'keywords are too long' });
    }
  });

  test('passes on the problems that a Skilldock lists', async () => {
    const details = [{ path: 'max', problem: 'must be a whole number' }];
    const { status, body } = skilldock(400, 'PARAMETERS_INVALID', 'Because of max.');
    const error = await failWith('search-provider', { status, body: { ...body, details } });
    expect(error).toMatchObject({ code: 'PARAMETERS_INVALID', problems: details });
  });

  test.each<UpstreamOperation>(['provider', 'type', 'bloom', 'lang'])(
    'is nothing of the list %s, for which nothing is given',
    async (operation) => {
      const reply = skilldock(400, 'PARAMETERS_INVALID', 'Because of max.');
      for (const refused of [reply, { status: 400, body: { message: 'A parameter is missing' } }])
        expect(await failWith(operation, refused)).toMatchObject({ code: 'UPSTREAM_FAILED' });
    },
  );

  test.each([
    ['a Skilldock', skilldock(404, 'PROVIDER_UNKNOWN', 'There is no provider "x".')],
    ['another', { status: 404, body: { message: 'Provider not found' } }],
  ])('an unknown provider at %s', async (_whose, reply) => {
    expect(await failWith('search-provider', reply)).toMatchObject({ code: 'PROVIDER_UNKNOWN' });
  });

  test('is PLACE_UNKNOWN where a Skilldock says so', async () => {
    const error = await failWith('search-provider', skilldock(400, 'PLACE_UNKNOWN', 'No place.'));
    expect(error).toMatchObject({ code: 'PLACE_UNKNOWN', message: 'No place.' });
  });

  test.each([
    ['a Skilldock', skilldock(400, 'REQUEST_ID_INVALID', 'Not issued here.')],
    ['another', { status: 400, body: { message: 'request_id is unknown' } }],
    ['a third', { status: 404, body: { message: 'No such requestId' } }],
  ])('a request_id that is refused by %s', async (_whose, reply) => {
    expect(await failWith('feedback', reply)).toMatchObject({ code: 'REQUEST_ID_INVALID' });
  });

  test('a reason is shown in one clean line of at most 300 characters', async () => {
    const message = `\u001b[31mRed\u202e\n\n  and ${'long '.repeat(200)}`;
    const error = await failWith('similar', { status: 400, body: { message } });
    expect(error.message).toMatch(/^\[31mRed and long long/);
    expect(error.message.length).toBeLessThanOrEqual(300);
  });
});

describe('the seconds to wait', () => {
  test.each([
    ['7', 7],
    ['0', 1],
    ['Sun, 01 Mar 2026 10:02:00 GMT', 120],
    ['Sun, 01 Mar 2026 09:00:00 GMT', 1],
    ['999999999', 3_600],
    ['soon', undefined],
  ])('Retry-After: %s', async (header, seconds) => {
    remote.upstream.reply('*', { status: 429, body: {}, headers: { 'retry-after': header } });
    const upstreams = remote.upstreamsWith({ policies: { maxRetries: 0 } });
    const error = await errorOf(upstreams.connect(remote.direct()).ask('listTypes', {}));
    expect(error).toMatchObject({ code: 'UPSTREAM_THROTTLED', kind: 'rate_limited' });
    expect(error.retryAfterSeconds).toBe(seconds);
  });
});

describe('keys', () => {
  test('that are wrong are refused without being repeated, though the service repeats them', async () => {
    const apiKey = 'a wrong key (with $pecial signs)';
    const learning = remote.upstreams.connect(remote.direct({ apiKey }));
    const error = await errorOf(learning.ask('suggest', { keywords: 'a' }));
    expect(error).toMatchObject({ code: 'UPSTREAM_KEY_REFUSED', kind: 'unavailable' });
    expect(error.message).toContain('The key "•••" is not known');
    expect(inspect(error, { depth: 9 })).not.toContain(apiKey);
  });

  test('are crossed out wherever and however a service repeats them', async () => {
    const texts = [UPSTREAM_KEY, UPSTREAM_KEY.toUpperCase(), encodeURIComponent(UPSTREAM_KEY)];
    for (const reply of [
      { status: 400, body: { message: `no ${texts.join(' no ')}` } },
      { status: 500, body: page(texts.join()) },
      { body: texts.join() },
      { status: 302, headers: { location: `https://elsewhere.example/${UPSTREAM_KEY}` } },
    ]) {
      remote.upstream.reply('*', reply);
      const error = await errorOf(callAll.suggest(remote.upstreams.connect(remote.direct())));
      const shown = inspect(error, { depth: 9 }).toLowerCase();
      for (const text of texts) expect(shown).not.toContain(text.toLowerCase());
    }
  });

  test('that no header can carry are not sent', async () => {
    for (const apiKey of ['new\r\nline: 1', 'clé', '\u0000key', 'key\n']) {
      const error = await errorOf(callAll.suggest(remote.upstreams.connect(remote.direct({ apiKey }))));
      expect(error).toMatchObject({ code: 'UPSTREAM_KEY_REFUSED' });
      expect(inspect(error)).not.toContain(apiKey);
    }
    expect(remote.upstream.requests).toEqual([]);
  });

  test('that are empty are not sent', async () => {
    const error = await errorOf(callAll.suggest(remote.upstreams.connect(remote.direct({ apiKey: '' }))));
    expect(error.message).toContain('a request without a key');
    expect(remote.upstream.requests[0]!.headers).not.toHaveProperty('x-api-key');
  });
});

describe('connections', () => {
  test('to a port where nobody listens', async () => {
    const learning = remote.upstreams.connect({ url: 'http://127.0.0.1:1' });
    const error = await errorOf(learning.ask('listTypes', {}));
    expect(error).toMatchObject({ code: 'UPSTREAM_UNREACHABLE', kind: 'unavailable' });
    expect(error.message).toContain('nothing listens there');
  });

  test('to a port that speaks no HTTP are RESPONSE_INVALID', async () => {
    const server = createServer((socket) => void socket.write('220 mail.example.org ESMTP\r\n'));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as { port: number };
    const error = await errorOf(remote.upstreams.connect({ url: `http://127.0.0.1:${port}` }).ask('listTypes', {}));
    server.close();
    expect(error).toMatchObject({ code: 'RESPONSE_INVALID' });
  });

  test('by TLS to a port without TLS are unreachable', async () => {
    const url = remote.upstream.url.replace('http:', 'https:');
    const error = await errorOf(remote.upstreams.connect({ url }).ask('listTypes', {}));
    expect(error).toMatchObject({ code: 'UPSTREAM_UNREACHABLE' });
    expect(error.message).toContain('no safe connection');
  });

  test('whose name is never resolved end when the time is over', async () => {
    const upstreams = createUpstreams({ privateAccess: loopbackAccess, timeoutMs: 100, lookup: () => {} });
    const error = await errorOf(upstreams.connect({ url: 'http://slow.example' }).ask('listTypes', {}));
    expect(error).toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    await upstreams.close();
  });

  test('that are made too late carry no call', async () => {
    let resolveName = () => {};
    const upstreams = createUpstreams({
      privateAccess: loopbackAccess,
      timeoutMs: 50,
      lookup(_host, _options, callback) {
        resolveName = () => callback(null, [{ address: '127.0.0.1', family: 4 }]);
      },
    });
    const url = remote.upstream.url.replace('127.0.0.1', 'slow.example');
    const error = await errorOf(callAll.feedback(upstreams.connect({ ...remote.direct(), url })));
    expect(error).toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    resolveName();
    // Comes after whatever the late connection carries.
    await remote.upstreams.connect(remote.direct()).ask('listTypes', {});
    expect(remote.upstream.requests.map(({ operation }) => operation)).toEqual(['type']);
    await upstreams.close();
  });

  test('have a separate time limit', async () => {
    let lookups = 0;
    const upstreams = createUpstreams({
      privateAccess: loopbackAccess,
      // Longer than the test may take.
      timeoutMs: 60_000,
      // Were it this one that ends, it would be called another thing.
      attemptTimeoutMs: 2_000,
      connectTimeoutMs: 100,
      lookup: () => void lookups++,
    });
    // As when a firewall drops everything: nothing can have been taken, but it is not waited for
    // three times.
    for (const operation of few) {
      const error = await errorOf(callAll[operation](upstreams.connect({ url: 'http://slow.example' })));
      expect(error).toMatchObject({ code: 'UPSTREAM_UNREACHABLE', data: { connection: 'late' } });
      expect(error.message).toContain('no connection came about in time');
    }
    expect(lookups).toBe(2);
    await upstreams.close();
  });

  test('fail when the upstreams are closed', async () => {
    remote.upstream.reply('*', { breaks: 'hang' });
    const upstreams = createUpstreams({ privateAccess: loopbackAccess });
    const failed = errorOf(upstreams.connect(remote.direct()).ask('listTypes', {}));
    await expect.poll(() => remote.upstream.requests).toHaveLength(1);
    await upstreams.close();
    expect(await failed).toMatchObject({ code: 'UPSTREAM_UNREACHABLE' });
  });
});

test('an unknown provider is asked for once, and not through the extension', async () => {
  remote.upstream.reply('search-provider', skilldock(404, 'PROVIDER_UNKNOWN', 'None.'));
  const learning = remote.upstreams.connect(remote.direct());
  await errorOf(learning.ask('searchProvider', searchOf({ providers: ['nobody'] })));
  expect(remote.upstream.requests).toHaveLength(1);
});
