import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLtiPlatforms } from '../../../../src/faces/lti/platform-services/platform-services.ts';
import type { LtiPlatforms, PlatformScore } from '../../../../src/ports/lti-platforms.ts';
import type { LtiRegistrationRecord } from '../../../../src/ports/store/store.ts';
import type { FakePlatform } from '../../../fakes/lti-platform.ts';
import { type RunningProtocol, startProtocol } from '../protocol/start-protocol.ts';

let moodle: RunningProtocol;
let canvas: RunningProtocol;
let platform: FakePlatform;
let platforms: LtiPlatforms;
let registration: LtiRegistrationRecord;

beforeAll(async () => {
  moodle = await startProtocol();
  canvas = await startProtocol({ mode: 'canvas', hasSharedIssuer: false });
  for (const { platform } of [moodle, canvas]) platform.addLink({ id: '5' }, 10);
});
beforeEach(() => take(moodle));
afterAll(() => Promise.all([moodle.close(), canvas.close()]));

/** With a gradebook and a host that have nothing in them yet. */
function take(running: RunningProtocol) {
  ({ platform, registration } = running);
  platforms = createLtiPlatforms(running.lti.deps);
  (platform.scores as Map<string, unknown>).clear();
  for (const list of [platform.requests, platform.refusals]) list.length = 0;
  for (const endpoint of ['token', 'scores', 'memberships', 'keys'] as const)
    platform.answerWith(endpoint, { status: 500 }, 0);
}

const unhandled: unknown[] = [];
process.on('unhandledRejection', (reason) => unhandled.push(reason));

const scoreOf = (more: Partial<PlatformScore> = {}): PlatformScore => ({
  lineItem: `${platform.url}/line-items/course-1/5?type_id=1`,
  userId: 'lea',
  points: 10,
  earnedAt: new Date(Math.floor(Date.now() / 1_000) * 1_000 - 5_000),
  ...more,
});

const requestsTo = (end: string) => platform.requests.filter(({ path }) => path.endsWith(end));
const submit = (more?: Partial<PlatformScore>) => platforms.submitScore(registration, scoreOf(more));

describe('a score', () => {
  test('arrives with the time it was earned at, and with the query of its line item', async () => {
    const score = scoreOf();
    await platforms.submitScore(registration, score);
    expect([...platform.scores.values()]).toMatchObject([
      {
        lineItemId: '5',
        userId: 'lea',
        scoreGiven: 10,
        scoreMaximum: 10,
        activityProgress: 'Completed',
        gradingProgress: 'FullyGraded',
        timestamp: score.earnedAt,
      },
    ]);
    expect(platform.refusals).toEqual([]);
  });

  test('has what the product wants beside it, and says who sends it', async () => {
    take(canvas);
    await submit({ lineItem: `${platform.url}/line-items/course-1/5` });
    const [sent] = requestsTo('/scores');
    expect(JSON.parse(sent!.body)).toHaveProperty(
      ['https://canvas.instructure.com/lti/submission', 'new_submission'],
      false,
    );
    expect(sent!.headers['user-agent']).toMatch(/^Skilldock\//);
  });

  test('that is not later than the one before is outdated', async () => {
    const { earnedAt } = scoreOf();
    await submit({ earnedAt });
    await expect(submit({ earnedAt })).rejects.toMatchObject({ code: 'PLATFORM_SCORE_OUTDATED' });
    await submit({ earnedAt: new Date(earnedAt.getTime() + 1_000) });
  });

  test('that the platform does not want is refused, with what it says', async () => {
    await expect(submit({ userId: 'ines' })).rejects.toMatchObject({
      code: 'PLATFORM_REFUSED',
      data: { status: 400, part: 'score', detail: expect.stringContaining('ines') },
    });
  });

  test.each([
    [503, 'PLATFORM_UNREACHABLE'],
    [500, 'PLATFORM_UNREACHABLE'],
    [408, 'PLATFORM_UNREACHABLE'],
    [429, 'PLATFORM_THROTTLED'],
    [403, 'PLATFORM_REFUSED'],
    [404, 'PLATFORM_REFUSED'],
    [302, 'PLATFORM_REFUSED'],
  ])('answered with %i is %s', async (status, code) => {
    platform.answerWith('scores', { status, headers: { 'retry-after': '7' } });
    const error = { code, data: { status }, retryAfterSeconds: 7 };
    await expect(submit()).rejects.toMatchObject(error);
  });

  test('for which nobody is there may arrive later', async () => {
    await platform.stop();
    await expect(submit()).rejects.toMatchObject({ code: 'PLATFORM_UNREACHABLE', data: { status: null } });
    await platform.restart();
    await submit();
  });

  test('for an address that is not called is refused', async () => {
    const lineItem = 'https://10.0.0.1/line-items/5';
    await expect(submit({ lineItem })).rejects.toMatchObject({ code: 'PLATFORM_REFUSED' });
  });
});

describe('a token', () => {
  const asked = () => requestsTo('/token').length;
  test('is used again', async () => {
    await submit();
    await submit({ userId: 'liam' });
    expect(asked()).toBe(1);
  });

  test('is asked for once by many at the same time', async () => {
    const people = ['lea', 'liam', 'lucie'];
    await Promise.all(people.map((userId) => submit({ userId })));
    expect(asked()).toBe(1);
    expect(platform.scores.size).toBe(3);
  });

  test('that the platform takes no more is asked for anew, once', async () => {
    await submit();
    platform.answerWith('scores', { status: 401 });
    await submit({ userId: 'liam' });
    expect(asked()).toBe(2);
    platform.answerWith('scores', { status: 401 }, 2);
    await expect(submit({ userId: 'lucie' })).rejects.toMatchObject({
      code: 'PLATFORM_REFUSED',
      data: { status: 401 },
    });
    expect(asked()).toBe(3);
  });

  test.each<[string, { status: number; body?: string }, string]>([
    ['refused', { status: 400, body: '{"error":"invalid_scope"}' }, 'PLATFORM_REFUSED'],
    ['refused for who asks', { status: 401, body: '{"error":"invalid_client"}' }, 'PLATFORM_REFUSED'],
    ['no JSON', { status: 200, body: '<html>Maintenance</html>' }, 'PLATFORM_UNREACHABLE'],
    ['null', { status: 200, body: 'null' }, 'PLATFORM_UNREACHABLE'],
    ['without a token', { status: 200, body: '{"token_type":"Bearer"}' }, 'PLATFORM_UNREACHABLE'],
    ['a failure', { status: 502 }, 'PLATFORM_UNREACHABLE'],
  ])('%s says so, and nothing is kept of it', async (_, answer, code) => {
    platform.answerWith('token', answer);
    await expect(submit()).rejects.toMatchObject({ code, data: { part: 'token' } });
    await submit();
  });

  test('without a type is one to bear', async () => {
    platform.answerWith('token', { status: 200, body: '{"access_token":"mine","expires_in":"soon"}' }, 2);
    platform.answerWith('scores', { status: 204 });
    await submit();
    expect(requestsTo('/scores')[0]!.headers.authorization).toBe('Bearer mine');
  });
});

describe('members', () => {
  const list = () => platforms.listMembers(registration, `${platform.url}/memberships/course-1`);

  test.each(['moodle', 'canvas'] as const)('of %s come from all pages', async (name) => {
    take(name === 'moodle' ? moodle : canvas);
    expect(await list()).toEqual([
      { userId: 'ines', name: 'Ines Duarte', isLearner: false, isActive: true },
      { userId: 'lea', name: 'Léa Martin', isLearner: true, isActive: true },
      { userId: 'liam', name: 'Liam O’Brien', isLearner: true, isActive: true },
      { userId: 'lucie', name: 'Lucie Bernard', isLearner: true, isActive: true },
    ]);
    expect(platform.refusals).toEqual([]);
  });

  test('are asked for once by all who ask within a minute', async () => {
    expect(await Promise.all([list(), list()])).toHaveLength(2);
    await list();
    expect(requestsTo('/memberships/course-1')).toHaveLength(1);
  });

  const page = (members: unknown, link?: string) => ({
    status: 200,
    headers: { 'content-type': 'application/json', ...(link !== undefined && { link }) },
    body: JSON.stringify({ id: 'x', members }),
  });

  test('are those that can be read', async () => {
    const members = [
      { user_id: 7, given_name: 'Zoé', family_name: 'Lang', roles: ['Learner'], status: 'Inactive' },
      { user_id: 'x', roles: null, name: 5 },
      { name: 'Nobody' },
      null,
      'text',
    ];
    platform.answerWith('memberships', page(members));
    expect(await list()).toEqual([
      { userId: '7', name: 'Zoé Lang', isLearner: true, isActive: false },
      { userId: 'x', name: null, isLearner: false, isActive: true },
    ]);
  });

  test.each([
    ['<>; rel="next"'],
    ['nonsense'],
    ['<https://other.example/memberships>; rel="next"'],
    ['</memberships/course-1>; rel="next"'],
    ['<http://[>; rel=next'],
    ['<x>'],
    [`<${'x'.repeat(3_000)}>`],
  ])('end where the next page is %s', async (link) => {
    platform.answerWith('memberships', page([{ user_id: 'a', roles: [] }], link), 1_000);
    expect(await list()).toHaveLength(1);
    expect(requestsTo('/memberships/course-1').length).toBeLessThan(4);
    for (const { headers } of platform.requests) expect(headers.host).toBe(new URL(platform.url).host);
  });

  test('are found where the query of the next page begins twice, or its quotes are left out', async () => {
    for (const link of ['</memberships/course-1?a=1?from=2>; rel=next', '<?from=2>;REL="next"']) {
      // One that has read nothing yet.
      platforms = createLtiPlatforms(moodle.lti.deps);
      platform.answerWith('memberships', page([{ user_id: 'a', roles: [] }], link));
      expect((await list()).map(({ userId }) => userId)).toContain('lucie');
    }
  });

  test.each(['{}', 'null', '[]', 'text'])('that are none (%s) are a failure', async (body) => {
    platform.answerWith('memberships', { status: 200, body });
    await expect(list()).rejects.toMatchObject({ code: 'PLATFORM_UNREACHABLE' });
  });
});

describe('a line item', () => {
  const wanted = () => ({
    container: `${platform.url}/line-items/course-1`,
    resourceLinkId: '5',
    resourceId: 'placement-1',
    label: 'Weaving',
    points: 10,
  });
  const made = () => requestsTo('/line-items/course-1').filter(({ method }) => method === 'POST');

  test('is made once, and found again by what it is for, also on a later page', async () => {
    take(canvas);
    const first = await platforms.provideLineItem(registration, wanted());
    expect(made().map(({ body }) => JSON.parse(body))).toEqual([
      {
        scoreMaximum: 10,
        label: 'Weaving',
        resourceId: 'placement-1',
        resourceLinkId: '5',
        tag: 'completion',
      },
    ]);
    const link = '</line-items/course-1?page=2>; rel="next"';
    // One that remembers nothing.
    platforms = createLtiPlatforms(canvas.lti.deps);
    platform.answerWith('line-items', { status: 200, headers: { link }, body: '[]' });
    expect(await platforms.provideLineItem(registration, wanted())).toBe(first);
    expect(made()).toHaveLength(1);
    expect(platform.refusals).toEqual([]);
  });

  test('is looked for nowhere else', async () => {
    take(canvas);
    const link = '<https://other.example/items>; rel="next"';
    platform.answerWith('line-items', { status: 200, headers: { link }, body: '[]' });
    const other = { ...wanted(), resourceId: 'placement-2' };
    expect(await platforms.provideLineItem(registration, other)).toContain(platform.url);
    for (const { headers } of platform.requests) expect(headers.host).toBe(new URL(platform.url).host);
  });

  test('that cannot be read is a failure that may pass', async () => {
    take(canvas);
    platform.answerWith('line-items', { status: 200, body: '{}' });
    const other = { ...wanted(), resourceId: 'placement-3' };
    await expect(platforms.provideLineItem(registration, other)).rejects.toMatchObject({
      code: 'PLATFORM_UNREACHABLE',
    });
  });
});

describe('a check', () => {
  test('of a good registration finds nothing', async () => {
    expect(await platforms.check(registration)).toEqual([
      { part: 'keys', outcome: 'ok', url: `${platform.url}/keys`, detail: null },
      { part: 'token', outcome: 'ok', url: `${platform.url}/token`, detail: null },
    ]);
  });

  test('asks anew each time', async () => {
    await platforms.check(registration);
    platform.answerWith('token', { status: 401, body: '{"error":"invalid_client"}' }, 2);
    expect((await platforms.check(registration))[1]).toMatchObject({
      outcome: 'refused',
      detail: 'HTTP 401: invalid_client',
    });
  });

  test('is content with one service that is allowed', async () => {
    platform.answerWith('token', { status: 400, body: '{"error":"invalid_scope"}' });
    expect((await platforms.check(registration))[1]).toMatchObject({ outcome: 'ok' });
  });

  test.each<[string, { status: number; body?: string }, string, string | RegExp]>([
    ['no set', { status: 200, body: '<html>' }, 'wrong', /no key set/],
    ['nothing', { status: 404 }, 'wrong', 'HTTP 404'],
    ['no usable key', { status: 200, body: '{"keys":[]}' }, 'wrong', /RSA key/],
    ['a refusal', { status: 403 }, 'refused', 'HTTP 403'],
  ])('of keys that are %s says so', async (_, answer, outcome, detail) => {
    platform.answerWith('keys', answer);
    expect((await platforms.check(registration))[0]).toMatchObject({
      outcome,
      detail: expect.stringMatching(detail),
    });
  });

  test('of a token endpoint that answers a page with odd characters makes one line of it', async () => {
    platform.answerWith('token', { status: 400, body: `<p>No\u0007\n\u202e way</p>${'x'.repeat(900)}` }, 2);
    const [, { detail, outcome }] = (await platforms.check(registration)) as [
      unknown,
      { detail: string; outcome: string },
    ];
    expect(outcome).toBe('refused');
    expect(detail).toMatch(/^HTTP 400: No way x+$/);
    expect(detail.length).toBeLessThanOrEqual(300);
  });

  test('of a platform that is not there says so', async () => {
    await platform.stop();
    expect((await platforms.check(registration)).map(({ outcome }) => outcome)).toEqual([
      'unreachable',
      'unreachable',
    ]);
  });
});

test('nothing was left to fail unseen', async () => {
  await new Promise((done) => setImmediate(done));
  expect(unhandled).toEqual([]);
});
