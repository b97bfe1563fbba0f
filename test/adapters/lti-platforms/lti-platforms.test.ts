import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLtiPlatforms } from '../../../src/adapters/lti-platforms/lti-platforms.ts';
import { fetchPlatformKeySet } from '../../../src/adapters/lti-platforms/platform-keys.ts';
import type { LtiPlatforms, PlatformScore } from '../../../src/ports/lti-platforms.ts';
import type { LtiRegistrationRecord } from '../../../src/ports/store/store.ts';
import { type RunningProtocol, startProtocol } from '../../faces/lti/protocol/start-protocol.ts';
import type { FakePlatform } from '../../fakes/lti-platform.ts';

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

/** Empties the gradebook and the caches. */
function take(running: RunningProtocol) {
  ({ platform, registration } = running);
  platforms = createLtiPlatforms(running.lti.platformsDeps);
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

describe('submitScore', () => {
  test('sends a score with its time and the query of the line item', async () => {
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

  test('adds the fields of the product and a user agent', async () => {
    take(canvas);
    await submit({ lineItem: `${platform.url}/line-items/course-1/5` });
    const [sent] = requestsTo('/scores');
    expect(JSON.parse(sent!.body)).toHaveProperty(
      ['https://canvas.instructure.com/lti/submission', 'new_submission'],
      false,
    );
    expect(sent!.headers['user-agent']).toMatch(/^Skilldock\//);
  });

  test.each([
    'Score already exists for the provided timestamp.',
    'Cannot save: a score exists at a later point in time.',
    'Provided timestamp of 2026-11-28T10:00:00Z before last updated timestamp of 2026-11-28T11:00:00.000Z',
  ])('fails with PLATFORM_SCORE_OUTDATED for status 400 and “%s”', async (message) => {
    platform.answerWith('scores', { status: 400, body: JSON.stringify({ non_field_errors: [message] }) });
    await expect(submit()).rejects.toMatchObject({ code: 'PLATFORM_SCORE_OUTDATED' });
  });

  test('fails with PLATFORM_SCORE_OUTDATED for a score that is not later than the last one', async () => {
    const { earnedAt } = scoreOf();
    await submit({ earnedAt });
    await expect(submit({ earnedAt })).rejects.toMatchObject({ code: 'PLATFORM_SCORE_OUTDATED' });
    await submit({ earnedAt: new Date(earnedAt.getTime() + 1_000) });
  });

  test('fails with PLATFORM_REFUSED and the answer of the platform', async () => {
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
  ])('turns status %i into %s', async (status, code) => {
    platform.answerWith('scores', { status, headers: { 'retry-after': '7' } });
    const error = { code, data: { status }, retryAfterSeconds: 7 };
    await expect(submit()).rejects.toMatchObject(error);
  });

  test('fails with PLATFORM_UNREACHABLE while the platform is stopped', async () => {
    await platform.stop();
    await expect(submit()).rejects.toMatchObject({ code: 'PLATFORM_UNREACHABLE', data: { status: null } });
    await platform.restart();
    await submit();
  });

  test('does not call a private address', async () => {
    const lineItem = 'https://10.0.0.1/line-items/5';
    await expect(submit({ lineItem })).rejects.toMatchObject({ code: 'PLATFORM_REFUSED' });
  });
});

describe('access tokens', () => {
  const asked = () => requestsTo('/token').length;
  test('are cached', async () => {
    await submit();
    await submit({ userId: 'liam' });
    expect(asked()).toBe(1);
  });

  test('are requested once by simultaneous calls', async () => {
    const people = ['lea', 'liam', 'lucie'];
    await Promise.all(people.map((userId) => submit({ userId })));
    expect(asked()).toBe(1);
    expect(platform.scores.size).toBe(3);
  });

  test('are requested again, once, when the platform refuses one', async () => {
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
    ['a refusal of the scope', { status: 400, body: '{"error":"invalid_scope"}' }, 'PLATFORM_REFUSED'],
    ['a refusal of the client', { status: 401, body: '{"error":"invalid_client"}' }, 'PLATFORM_REFUSED'],
    ['not JSON', { status: 200, body: '<html>Maintenance</html>' }, 'PLATFORM_UNREACHABLE'],
    ['null', { status: 200, body: 'null' }, 'PLATFORM_UNREACHABLE'],
    ['an object without a token', { status: 200, body: '{"token_type":"Bearer"}' }, 'PLATFORM_UNREACHABLE'],
    ['a failure', { status: 502 }, 'PLATFORM_UNREACHABLE'],
  ])('fail when the answer is %s, and are not cached then', async (_, answer, code) => {
    platform.answerWith('token', answer);
    await expect(submit()).rejects.toMatchObject({ code, data: { part: 'token' } });
    await submit();
  });

  test('are sent as bearer tokens, without a type too', async () => {
    platform.answerWith('token', { status: 200, body: '{"access_token":"mine","expires_in":"soon"}' }, 2);
    platform.answerWith('scores', { status: 204 });
    await submit();
    expect(requestsTo('/scores')[0]!.headers.authorization).toBe('Bearer mine');
  });
});

describe('listMembers', () => {
  const list = () => platforms.listMembers(registration, `${platform.url}/memberships/course-1`);

  test.each(['moodle', 'canvas'] as const)('lists the members on all pages of %s', async (name) => {
    take(name === 'moodle' ? moodle : canvas);
    expect(await list()).toMatchObject([
      { userId: 'ines', name: 'Ines Duarte', isLearner: false, isActive: true },
      { userId: 'lea', name: 'Léa Martin', isLearner: true, isActive: true },
      { userId: 'liam', name: 'Liam O’Brien', isLearner: true, isActive: true },
      { userId: 'lucie', name: 'Lucie Bernard', isLearner: true, isActive: true },
    ]);
    expect(platform.refusals).toEqual([]);
  });

  test('follows a platform within its site, and no further', async () => {
    const address = `${platform.url}/memberships/course-1`;
    const move = (endpoint: 'memberships' | 'keys', location: string) =>
      platform.answerWith(endpoint, { status: 307, headers: { location } });
    move('memberships', address);
    expect(await list()).toHaveLength(4);
    const { outbound } = moodle.lti.platformsDeps;
    move('keys', registration.jwksUri);
    expect(await fetchPlatformKeySet(outbound, registration.jwksUri)).not.toEqual([]);
    take(moodle);
    move('memberships', address.replace('127.0.0.1', 'localhost'));
    await expect(list()).rejects.toMatchObject({ code: 'PLATFORM_UNREACHABLE', data: { part: 'members' } });
  });

  test('requests a list once a minute', async () => {
    expect(await Promise.all([list(), list()])).toHaveLength(2);
    await list();
    expect(requestsTo('/memberships/course-1')).toHaveLength(1);
  });

  const page = (members: unknown, link?: string) => ({
    status: 200,
    headers: { 'content-type': 'application/json', ...(link !== undefined && { link }) },
    body: JSON.stringify({ id: 'x', members }),
  });

  test('asks for groups where the platform has them', async () => {
    const enrolled = [{ group_id: 'g1' }, { group_id: 7 }, { group_id: '' }, {}, null];
    platform.answerWith('memberships', page([{ user_id: 'a', roles: [], group_enrollments: enrolled }]));
    const url = `${platform.url}/memberships/course-1?rlid=1`;
    expect(await platforms.listMembers(registration, url, { withGroups: true })).toMatchObject([
      { groupIds: ['g1', '7'] },
    ]);
    expect(`${platform.requests.at(-1)!.query}`).toBe('rlid=1&groups=true');
  });

  test('leaves out members that it cannot read', async () => {
    const members = [
      { user_id: 7, given_name: 'Zoé', family_name: 'Lang', roles: ['Learner'], status: 'Inactive' },
      { user_id: 'x', roles: null, name: 5 },
      { name: 'Nobody' },
      null,
      'text',
    ];
    platform.answerWith('memberships', page(members));
    expect(await list()).toMatchObject([
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
  ])('stops where the Link header is %s', async (link) => {
    platform.answerWith('memberships', page([{ user_id: 'a', roles: [] }], link), 1_000);
    expect(await list()).toHaveLength(1);
    expect(requestsTo('/memberships/course-1').length).toBeLessThan(4);
    for (const { headers } of platform.requests) expect(headers.host).toBe(new URL(platform.url).host);
  });

  test('follows links without quotes, and links whose query begins twice', async () => {
    for (const link of ['</memberships/course-1?a=1?from=2>; rel=next', '<?from=2>;REL="next"']) {
      // Without cached members.
      platforms = createLtiPlatforms(moodle.lti.platformsDeps);
      platform.answerWith('memberships', page([{ user_id: 'a', roles: [] }], link));
      expect((await list()).map(({ userId }) => userId)).toContain('lucie');
    }
  });

  test.each(['{}', 'null', '[]', 'text'])('fails with PLATFORM_UNREACHABLE for %s', async (body) => {
    platform.answerWith('memberships', { status: 200, body });
    await expect(list()).rejects.toMatchObject({ code: 'PLATFORM_UNREACHABLE' });
  });
});

test.each([
  ['[]', undefined, true],
  ['[]', '</more>; rel="next"', false],
  ['[{"userId":"lea","resultScore":null}]', undefined, true],
  ['[{"userId":"lea"}]', undefined, true],
  ['[{"userId":"lea","resultScore":10}]', undefined, false],
  ['[{"userId":"other","resultScore":10}]', undefined, false],
])('isResultGone for %s (next page: %s) is %j', async (body, link, expected) => {
  take(canvas);
  platform.answerWith('line-items', { status: 200, headers: link === undefined ? {} : { link }, body });
  const lineItem = `${platform.url}/line-items/course-1/5?type_id=2`;
  expect(await platforms.isResultGone(registration, { lineItem, userId: 'lea' })).toBe(expected);
  expect(requestsTo('/results')[0]!.path).toContain('/line-items/course-1/5/results');
});

test('isResultGone fails with its own part where the answer is not a list of results', async () => {
  take(canvas);
  platform.answerWith('line-items', { status: 200, body: '{}' });
  const lineItem = `${platform.url}/line-items/course-1/5`;
  await expect(platforms.isResultGone(registration, { lineItem, userId: 'lea' })).rejects.toMatchObject({
    code: 'PLATFORM_UNREACHABLE',
    data: { part: 'result', status: 200 },
  });
});

describe('provideLineItem', () => {
  const wanted = () => ({
    container: `${platform.url}/line-items/course-1`,
    resourceLinkId: '5',
    resourceId: 'placement-1',
    label: 'Weaving',
    points: 10,
    launched: null,
  });
  const made = () => requestsTo('/line-items/course-1').filter(({ method }) => method === 'POST');

  test('creates a line item once, and finds it by resource id on any page', async () => {
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
    // Without cached line items.
    platforms = createLtiPlatforms(canvas.lti.platformsDeps);
    platform.answerWith('line-items', { status: 200, headers: { link }, body: '[]' });
    expect(await platforms.provideLineItem(registration, wanted())).toBe(first);
    expect(made()).toHaveLength(1);
    expect(platform.refusals).toEqual([]);
  });

  test.each([
    ['the placement of the score', 'placement-4', 0],
    ['no placement', undefined, 0],
    ['another placement', 'placement-5', 1],
  ])('uses the line item of the launch where it is for %s', async (_, resourceId, count) => {
    take(canvas);
    platforms = createLtiPlatforms(canvas.lti.platformsDeps);
    const launched = `${platform.url}/line-items/course-1/launched`;
    const body = JSON.stringify([{ id: launched, resourceId }]);
    platform.answerWith('line-items', { status: 200, body });
    const before = made().length;
    const used = await platforms.provideLineItem(registration, {
      ...wanted(),
      resourceId: 'placement-4',
      launched,
    });
    expect(used === launched).toBe(count === 0);
    expect(made()).toHaveLength(before + count);
  });

  test('uses the line item of the launch where none may be listed', async () => {
    take(canvas);
    platforms = createLtiPlatforms(canvas.lti.platformsDeps);
    platform.answerWith('line-items', { status: 403, body: '' });
    const launched = `${platform.url}/line-items/course-1/launched`;
    expect(await platforms.provideLineItem(registration, { ...wanted(), launched })).toBe(launched);
  });

  test('follows no link to another host', async () => {
    take(canvas);
    const link = '<https://other.example/items>; rel="next"';
    platform.answerWith('line-items', { status: 200, headers: { link }, body: '[]' });
    const other = { ...wanted(), resourceId: 'placement-2' };
    expect(await platforms.provideLineItem(registration, other)).toContain(platform.url);
    for (const { headers } of platform.requests) expect(headers.host).toBe(new URL(platform.url).host);
  });

  test('fails with PLATFORM_UNREACHABLE for an unreadable line item', async () => {
    take(canvas);
    platform.answerWith('line-items', { status: 200, body: '{}' });
    const other = { ...wanted(), resourceId: 'placement-3' };
    await expect(platforms.provideLineItem(registration, other)).rejects.toMatchObject({
      code: 'PLATFORM_UNREACHABLE',
    });
  });
});

describe('check', () => {
  test('finds nothing wrong with a good registration', async () => {
    expect(await platforms.check(registration)).toEqual([
      { part: 'keys', outcome: 'ok', url: `${platform.url}/keys`, detail: null },
      { part: 'token', outcome: 'ok', url: `${platform.url}/token`, detail: null },
    ]);
  });

  test('requests a new token each time', async () => {
    await platforms.check(registration);
    platform.answerWith('token', { status: 401, body: '{"error":"invalid_client"}' }, 2);
    expect((await platforms.check(registration))[1]).toMatchObject({
      outcome: 'refused',
      detail: 'HTTP 401: invalid_client',
    });
  });

  test('accepts a platform that allows one scope', async () => {
    platform.answerWith('token', { status: 400, body: '{"error":"invalid_scope"}' });
    expect((await platforms.check(registration))[1]).toMatchObject({ outcome: 'ok' });
  });

  test.each<[string, { status: number; body?: string }, string, string | RegExp]>([
    ['not a set', { status: 200, body: '<html>' }, 'wrong', /no key set/],
    ['missing', { status: 404 }, 'wrong', 'HTTP 404'],
    ['unusable', { status: 200, body: '{"keys":[]}' }, 'wrong', /RSA key/],
    ['refused', { status: 403 }, 'refused', 'HTTP 403'],
  ])('reports keys that are %s', async (_, answer, outcome, detail) => {
    platform.answerWith('keys', answer);
    expect((await platforms.check(registration))[0]).toMatchObject({
      outcome,
      detail: expect.stringMatching(detail),
    });
  });

  test('shows the answer of a token endpoint in one line, without markup and control characters', async () => {
    platform.answerWith('token', { status: 400, body: `<p>No\u0007\n\u202e way</p>${'x'.repeat(900)}` }, 2);
    const [, { detail, outcome }] = (await platforms.check(registration)) as [
      unknown,
      { detail: string; outcome: string },
    ];
    expect(outcome).toBe('refused');
    expect(detail).toMatch(/^HTTP 400: No way x+$/);
    expect(detail.length).toBeLessThanOrEqual(300);
  });

  test('reports a platform that is stopped as unreachable', async () => {
    await platform.stop();
    expect((await platforms.check(registration)).map(({ outcome }) => outcome)).toEqual(['unreachable', 'unreachable']);
  });
});

test('leaves no rejection unhandled', async () => {
  await new Promise((done) => setImmediate(done));
  expect(unhandled).toEqual([]);
});
