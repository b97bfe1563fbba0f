import { beforeEach, describe, expect, test } from 'vitest';
import type { LearningService } from '../../../src/ports/learning-service.ts';
import { searchOf } from '../../fakes/search-of.ts';
import type { UpstreamReply } from '../../fakes/upstream.ts';
import { createStandingClock } from '../local/services.ts';
import { errorOf, useRemote } from './start-remote.ts';

const clock = createStandingClock();
const MAX_FAILURES = 2;
const remote = useRemote({ clock, probeTimeoutMs: 10_000, policies: { maxFailures: MAX_FAILURES } });
/** Where nothing answers, and an answer may come after it. */
const HANG_MS = 1_000;
let learning: LearningService;
beforeEach(() => {
  clock.set('2026-03-01T10:00:00Z');
  learning = remote.upstreams.connect(remote.direct());
});

/** `operation` or, for what the fake does not know, the path. */
const asked = () => remote.upstream.requests.map(({ operation, path }) => operation ?? path);

const EXTENSION = '/learningobject/v2/search';
const metadata = { page: 0, 'number item per page': 10, 'total number item': 0, hasMore: false };
const response = { content: [], metadata, msg: 'C00-' };
const ours = { body: { request: { id: 'r', provider: [] }, response } };
const refusal = (statusCode: number, code: string) => ({
  status: statusCode,
  body: { statusCode, code, message: 'No.', reference: 'r' },
});

describe('a search of several providers', () => {
  test('is asked of the extension where it is recognised, with everything that was asked', async () => {
    remote.upstream.reply('*', ours);
    const query = searchOf({ providers: ['a', 'b'], types: ['mooc'], blooms: ['Apply'] });
    expect(await learning.ask('searchMany', query)).toMatchObject({ requestId: 'r', quality: 'C00' });
    expect(asked()).toEqual([EXTENSION]);
    // Of what is given several times, the fake shows the last.
    expect(remote.upstream.requests[0]!.query).toMatchObject({ provider: 'b', type: 'mooc', bloom: 'Apply' });
    expect(remote.upstream.requests[0]!.query).not.toHaveProperty('details');
  });

  test('asks for details where they are wanted', async () => {
    remote.upstream.reply('*', ours);
    await learning.ask('searchMany', searchOf(), { withDetails: true });
    expect(remote.upstream.requests[0]!.query).toMatchObject({ details: 'true' });
  });

  test('fails as a Skilldock fails', async () => {
    const policies = { maxRetries: 0, maxFailures: 10, memoryMs: 0 };
    const patient = remote.upstreamsWith({ policies }).connect(remote.direct());
    for (const [status, code, expected] of [
      [404, 'PROVIDER_UNKNOWN', 'PROVIDER_UNKNOWN'],
      [403, 'KEY_UNKNOWN', 'UPSTREAM_KEY_REFUSED'],
      [500, 'INTERNAL', 'UPSTREAM_FAILED'],
      [429, 'RATE_LIMITED', 'UPSTREAM_THROTTLED'],
    ] as const) {
      remote.upstream.reply('*', refusal(status, code));
      expect(await errorOf(patient.ask('searchMany', searchOf()))).toMatchObject({ code: expected });
    }
    expect(new Set(asked())).toEqual(new Set([EXTENSION]));
  });

  test.each([
    ['another search', { body: { request: { id: 'r', provider: '' }, response } }],
    ['a page', { body: '<html></html>' }],
    ['404', { status: 404, body: '' }],
    ['403 of a gateway', { status: 403, body: { message: 'Missing Authentication Token' } }],
    ['400 of another search', { status: 400, body: { message: 'lo_type is required' } }],
    ['an old Skilldock', refusal(404, 'PATH_UNKNOWN')],
  ])('is null where %s answers, which is remembered for an hour, whatever the key', async (_what, reply) => {
    remote.upstream.reply('*', reply);
    expect(await learning.ask('searchMany', searchOf())).toBeNull();
    clock.set('2026-03-01T10:59:59Z');
    const other = remote.upstreams.connect(remote.direct({ apiKey: 'another' }));
    expect(await other.ask('searchMany', searchOf())).toBeNull();
    expect(asked()).toEqual([EXTENSION]);
    clock.set('2026-03-01T11:00:01Z');
    remote.upstream.reply('*', ours);
    expect(await learning.ask('searchMany', searchOf())).not.toBeNull();
  });

  test('is null for a minute where a failure of unknown origin answers', async () => {
    remote.upstream.reply('*', { status: 500, body: 'Internal server error' });
    expect(await learning.ask('searchMany', searchOf())).toBeNull();
    expect(await learning.ask('searchMany', searchOf())).toBeNull();
    expect(asked()).toEqual([EXTENSION]);
    clock.set('2026-03-01T10:01:01Z');
    await learning.ask('searchMany', searchOf());
    expect(asked()).toEqual([EXTENSION, EXTENSION]);
  });

  test('is null at a gateway, which is not asked', async () => {
    expect(await remote.upstreams.connect(remote.gateway()).ask('searchMany', searchOf())).toBeNull();
    expect(asked()).toEqual([]);
  });
});

const unanswered: readonly (readonly [what: string, reply: UpstreamReply])[] = [
  ['nothing', { breaks: 'hang' }],
  ['half an answer', { breaks: 'hang-in-body' }],
  ['a reset', { breaks: 'reset' }],
  ['too much', { body: ' '.repeat(2 * 1024 * 1024 + 1) }],
  ['what cannot be unpacked', { isPacked: true, breaks: 'truncated' }],
  ['too many requests', { status: 429, body: {} }],
  ['a part of our answer', { body: { request: { id: 'r', provider: [] } } }],
];

/** A service, or a proxy before it, may do anything at an address that the specification does not show. */
describe('while it is unknown whether there is an extension', () => {
  test.each(unanswered)('%s is none for a minute, and keeps nobody from searching', async (_what, reply) => {
    const probeTimeoutMs = reply.breaks?.startsWith('hang') ? HANG_MS : 10_000;
    learning = remote.upstreamsWith({ probeTimeoutMs }).connect(remote.direct());
    remote.upstream.reply('*', ({ path }) => (path === EXTENSION ? reply : undefined));
    const failures = MAX_FAILURES + 1;
    for (let n = 0; n < failures; n++) {
      expect(await learning.ask('searchMany', searchOf())).toBeNull();
      const found = await learning.ask('searchProvider', searchOf({ providers: ['tube'] }));
      expect(found.content).toHaveLength(10);
      clock.set(`2026-03-01T10:${n + 1}5:00Z`);
    }
    expect(asked()).toEqual(Array(failures).fill([EXTENSION, 'search-provider']).flat());
    clock.set('2026-03-01T11:00:00Z');
    expect(await learning.ask('searchMany', searchOf())).toBeNull();
    expect(await learning.ask('searchMany', searchOf())).toBeNull();
    expect(asked()).toHaveLength(2 * failures + 1);
    clock.set('2026-03-01T11:01:01Z');
    remote.upstream.reply('*', ours);
    expect(await learning.ask('searchMany', searchOf())).not.toBeNull();
  });

  test('one search probes for all', async () => {
    learning = remote.upstreamsWith({ probeTimeoutMs: HANG_MS }).connect(remote.direct());
    remote.upstream.reply('*', { breaks: 'hang' });
    const found = await Promise.all(Array.from({ length: 9 }, () => learning.ask('searchMany', searchOf())));
    expect(found).toEqual(Array(9).fill(null));
    expect(asked()).toEqual([EXTENSION]);
  });

  test('the next search probes when the caller of the first goes away', async () => {
    const caller = new AbortController();
    const reason = new Error('gone');
    remote.upstream.reply('*', { breaks: 'hang' }, ours);
    const gone = learning.ask('searchMany', searchOf(), { signal: caller.signal });
    const next = learning.ask('searchMany', searchOf());
    await expect.poll(asked).toEqual([EXTENSION]);
    caller.abort(reason);
    await expect(gone).rejects.toBe(reason);
    expect(await next).not.toBeNull();
    expect(asked()).toEqual([EXTENSION, EXTENSION]);
  });
});

describe('after the extension was recognised', () => {
  beforeEach(async () => {
    remote.upstream.reply('*', ours);
    expect(await learning.ask('searchMany', searchOf())).not.toBeNull();
    remote.upstream.requests.length = 0;
  });

  test.each([
    ['nothing', { breaks: 'hang' }, 'UPSTREAM_TIMEOUT', 1],
    ['a reset', { breaks: 'reset' }, 'UPSTREAM_UNREACHABLE', 3],
    ['a failure of unknown origin', { status: 502, body: '' }, 'UPSTREAM_FAILED', 3],
    ['too much', { body: ' '.repeat(2 * 1024 * 1024 + 1) }, 'RESPONSE_INVALID', 1],
  ] as const)('%s is an error', async (_what, reply, code, calls) => {
    const attemptTimeoutMs = code === 'UPSTREAM_TIMEOUT' ? HANG_MS : 10_000;
    const upstreams = remote.upstreamsWith({ attemptTimeoutMs, policies: { maxFailures: 5 } });
    const known = upstreams.connect(remote.direct());
    await known.ask('searchMany', searchOf());
    remote.upstream.requests.length = 0;
    remote.upstream.reply('*', reply);
    expect(await errorOf(known.ask('searchMany', searchOf()))).toMatchObject({ code });
    expect(asked()).toEqual(Array(calls).fill(EXTENSION));
  });

  test('it stays recognised as long as it answers every hour', async () => {
    for (const time of ['10:50', '11:40', '12:30']) {
      clock.set(`2026-03-01T${time}:00Z`);
      expect(await learning.ask('searchMany', searchOf())).not.toBeNull();
    }
    remote.upstream.reply('*', { breaks: 'reset' });
    expect(await errorOf(learning.ask('searchMany', searchOf()))).toMatchObject({
      code: 'UPSTREAM_UNREACHABLE',
    });
    clock.set('2026-03-01T13:30:01Z');
    expect(await learning.ask('searchMany', searchOf())).toBeNull();
  });

  test('an answer of something else ends that for a minute', async () => {
    remote.upstream.reply('*', { body: '<html></html>' });
    expect(await learning.ask('searchMany', searchOf())).toBeNull();
    expect(await learning.ask('searchMany', searchOf())).toBeNull();
    expect(asked()).toEqual([EXTENSION]);
    clock.set('2026-03-01T10:01:01Z');
    remote.upstream.reply('*', ours);
    expect(await learning.ask('searchMany', searchOf())).not.toBeNull();
  });
});
