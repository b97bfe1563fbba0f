import { beforeEach, describe, expect, test } from 'vitest';
import type { LearningService } from '../../../src/ports/learning-service.ts';
import { createStandingClock } from '../local/services.ts';
import { errorOf, searchOf, useRemote } from './start-remote.ts';

const clock = createStandingClock();
const remote = useRemote({ clock, policies: { maxFailures: 10 } });
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
    expect(await learning.searchMany(query)).toMatchObject({ requestId: 'r', quality: 'C00' });
    expect(asked()).toEqual([EXTENSION]);
    // Of what is given several times, the fake shows the last.
    expect(remote.upstream.requests[0]!.query).toMatchObject({ provider: 'b', type: 'mooc', bloom: 'Apply' });
    expect(remote.upstream.requests[0]!.query).not.toHaveProperty('details');
  });

  test('asks for details where they are wanted', async () => {
    remote.upstream.reply('*', ours);
    await learning.searchMany(searchOf(), { withDetails: true });
    expect(remote.upstream.requests[0]!.query).toMatchObject({ details: 'true' });
  });

  test('fails as a Skilldock fails', async () => {
    for (const [status, code, expected] of [
      [404, 'PROVIDER_UNKNOWN', 'PROVIDER_UNKNOWN'],
      [403, 'KEY_UNKNOWN', 'UPSTREAM_KEY_REFUSED'],
      [500, 'INTERNAL', 'UPSTREAM_FAILED'],
      [429, 'RATE_LIMITED', 'UPSTREAM_THROTTLED'],
    ] as const) {
      remote.upstream.reply('*', refusal(status, code));
      expect(await errorOf(learning.searchMany(searchOf()))).toMatchObject({ code: expected });
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
    expect(await learning.searchMany(searchOf())).toBeNull();
    clock.set('2026-03-01T10:59:59Z');
    const other = remote.upstreams.connect(remote.direct({ apiKey: 'another' }));
    expect(await other.searchMany(searchOf())).toBeNull();
    expect(asked()).toEqual([EXTENSION]);
    clock.set('2026-03-01T11:00:01Z');
    remote.upstream.reply('*', ours);
    expect(await learning.searchMany(searchOf())).not.toBeNull();
  });

  test('is null for a minute where a failure of unknown origin answers', async () => {
    remote.upstream.reply('*', { status: 500, body: 'Internal server error' });
    expect(await learning.searchMany(searchOf())).toBeNull();
    expect(await learning.searchMany(searchOf())).toBeNull();
    expect(asked()).toEqual([EXTENSION]);
    clock.set('2026-03-01T10:01:01Z');
    await learning.searchMany(searchOf());
    expect(asked()).toEqual([EXTENSION, EXTENSION]);
  });

  test('is null at a gateway, which is not asked', async () => {
    expect(await remote.upstreams.connect(remote.gateway()).searchMany(searchOf())).toBeNull();
    expect(asked()).toEqual([]);
  });

  test('that gets no answer at all is an error, and is tried again', async () => {
    remote.upstream.reply('*', { breaks: 'reset' });
    for (let n = 0; n < 2; n++)
      expect(await errorOf(learning.searchMany(searchOf()))).toMatchObject({ code: 'UPSTREAM_UNREACHABLE' });
    remote.upstream.reply('*', ours);
    expect(await learning.searchMany(searchOf())).not.toBeNull();
  });
});
