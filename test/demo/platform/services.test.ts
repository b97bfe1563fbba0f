import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mediaType, scope } from '../../../demo/platform/vocabulary.ts';
import type { TokenWish } from '../../fakes/lti/tool.ts';
import { startPlatform, type TestedPlatform } from './start-platform.ts';

let tested: TestedPlatform;
beforeAll(async () => {
  tested = await startPlatform();
});
afterAll(() => tested.close());

const seconds = () => Math.floor(Date.now() / 1000);

test('a tool that proves who it is gets a token', async () => {
  const { tool, details } = tested;
  const { tokenEndpoint, clientId } = details;
  const response = await tool.requestToken({ tokenEndpoint, clientId, scope: scope.score });
  expect(response.headers.get('content-type')).toBe('text/html');
  expect(await response.json()).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: scope.score });
});

const wrongTokens: readonly (readonly [what: string, wish: Partial<TokenWish>, reason: RegExp])[] = [
  ['another audience', { claims: { aud: 'https://elsewhere.example' } }, /"aud"/],
  ['an issue time to come', { claims: { iat: seconds() + 60 } }, /iat is in the future/],
  ['no issue time', { claims: { iat: undefined } }, /"iat"/],
  ['no expiry', { claims: { exp: undefined } }, /"exp"/],
  ['a long life', { claims: { exp: seconds() + 9_000 } }, /lives longer/],
  ['no jti', { claims: { jti: undefined } }, /it has no jti/],
  ['another subject', { claims: { sub: 'other' } }, /sub of the assertion/],
  ['an unknown client', { claims: { iss: 'other', sub: 'other' } }, /no such client/],
  ['no kid', { forgery: { header: { kid: undefined } } }, /no kid/],
  ['an unknown kid', { forgery: { header: { kid: 'other' } } }, /no applicable key/],
  ['another key', { forgery: { signedWith: 'other' } }, /signature verification failed/],
  ['HMAC', { forgery: { signedWith: 'public-as-secret' } }, /alg/],
  ['another grant', { fields: { grant_type: 'password' } }, /grant_type must be/],
  ['a scope that is not allowed', { scope: 'https://other.example/all' }, /not allowed to this tool/],
];

test.each(wrongTokens)('a request for a token with %s is refused', async (_, wish, reason) => {
  const { tokenEndpoint, clientId } = tested.details;
  const response = await tested.tool.requestToken({ tokenEndpoint, clientId, scope: scope.score, ...wish });
  expect(response.ok).toBe(false);
  expect(await response.json()).toMatchObject({
    error: expect.any(String),
    error_description: expect.stringMatching(reason),
  });
});

test('an assertion is good for one token', async () => {
  const { tokenEndpoint, clientId } = tested.details;
  const claims = { jti: randomUUID() };
  const ask = () => tested.tool.requestToken({ tokenEndpoint, clientId, scope: scope.score, claims });
  expect((await ask()).status).toBe(200);
  expect((await ask()).status).toBe(401);
  expect(tested.lastRefusal()).toContain('jti was used before');
});

interface ScoreWish {
  readonly score?: object;
  readonly url?: (url: string) => string;
  readonly type?: string;
  readonly token?: string;
}

const graded = () => tested.platform.addLink({}, 10);
const scoreUrl = (linkId: string) => `${tested.platform.url}/line-items/course-1/${linkId}/scores?type_id=1`;

async function sendScore(linkId: string, { score, url = (same) => same, type, token }: ScoreWish = {}) {
  const body = {
    userId: 'lea',
    scoreGiven: 10,
    scoreMaximum: 10,
    activityProgress: 'Completed',
    gradingProgress: 'FullyGraded',
    timestamp: new Date().toISOString(),
    ...score,
  };
  const response = await fetch(url(scoreUrl(linkId)), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token ?? (await tested.token(scope.score))}`,
      'content-type': type ?? mediaType.score,
    },
    body: JSON.stringify(body),
  });
  return response.status;
}

test('a score stands in the gradebook', async () => {
  const { id } = graded();
  expect(await sendScore(id, { score: { comment: 'Done' } })).toBe(204);
  expect(tested.platform.scores.get(`${id} lea`)).toMatchObject({ scoreGiven: 10, comment: 'Done' });
});

test('scores follow each other by whole seconds', async () => {
  const { id } = graded();
  const at = (ms: number) => ({ score: { timestamp: new Date(1_700_000_000_000 + ms).toISOString() } });
  expect(await sendScore(id, at(0))).toBe(204);
  expect(await sendScore(id, at(999))).toBe(409);
  expect(await sendScore(id, at(-5_000))).toBe(409);
  expect(await sendScore(id, at(1_000))).toBe(204);
});

test.each([
  ['a teacher', { score: { userId: 'ines' } }, 400, /is not a learner/],
  ['who does not take part', { score: { userId: 'uma' } }, 400, /does not take part/],
  ['nobody', { score: { userId: 'nobody' } }, 400, /does not take part/],
  ['more than the maximum', { score: { scoreGiven: 11 } }, 400, /over scoreMaximum/],
  ['points without a maximum', { score: { scoreMaximum: undefined } }, 400, /needs scoreMaximum/],
  ['an unknown progress', { score: { activityProgress: 'Done' } }, 400, /activityProgress/],
  ['a time without a zone', { score: { timestamp: '2026-01-01T10:00:00' } }, 400, /timestamp/],
  ['a time to come', { score: { timestamp: '2999-01-01T10:00:00Z' } }, 400, /in the future/],
  ['plain JSON', { type: 'application/json' }, 415, /content type must be/],
  ['the query lost', { url: (url: string) => url.split('?')[0]! }, 404, /query \?type_id=1/],
  ['another course', { url: (url: string) => url.replace('course-1', 'course-2') }, 404, /no such line item/],
  ['a bad token', { token: 'other' }, 401, /access token/],
] as const)('a score for %s is refused', async (_, wish, status, reason) => {
  const { id } = graded();
  expect(await sendScore(id, wish)).toBe(status);
  expect(tested.lastRefusal()).toMatch(reason);
  expect(tested.platform.scores.has(`${id} lea`)).toBe(false);
});

test('a token is good for what it was asked for', async () => {
  expect(await sendScore(graded().id, { token: await tested.token(scope.memberships) })).toBe(403);
});

async function read(url: string, accept: string, wanted: string): Promise<Response> {
  return fetch(url, { headers: { authorization: `Bearer ${await tested.token(wanted)}`, accept } });
}

test('line items can be read, one or all', async () => {
  const { id } = graded();
  const all = await read(
    `${tested.platform.url}/line-items/course-1?type_id=1`,
    mediaType.lineItems,
    scope.lineItemReadonly,
  );
  const one = await read(
    `${tested.platform.url}/line-items/course-1/${id}?type_id=1`,
    mediaType.lineItem,
    scope.lineItem,
  );
  expect(one.headers.get('content-type')).toBe(mediaType.lineItem);
  const item = (await one.json()) as object;
  expect(item).toMatchObject({ scoreMaximum: 10, resourceLinkId: id });
  expect(await all.json()).toContainEqual(item);
});

async function readMembers(platform: TestedPlatform, first: string): Promise<string[][]> {
  const token = await platform.token(scope.memberships);
  const pages: string[][] = [];
  for (let next: string | undefined = first; next !== undefined && pages.length < 10; ) {
    const response: Response = await fetch(next, {
      headers: { authorization: `Bearer ${token}`, accept: mediaType.memberships },
    });
    const { members } = (await response.json()) as { members: { user_id: string; roles: string[] }[] };
    pages.push(members.map(({ user_id: id, roles }) => `${id} ${roles.join()}`));
    next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  }
  return pages;
}

test('Moodle gives members all at once, or page by page with an odd address', async () => {
  const url = `${tested.platform.url}/memberships/course-1`;
  const everyone = ['ines Instructor', 'lea Learner', 'liam Learner', 'lucie Learner'];
  expect(await readMembers(tested, url)).toEqual([everyone]);
  expect(await readMembers(tested, `${url}?limit=3`)).toEqual([everyone.slice(0, 3), everyone.slice(3)]);
});

test('Canvas gives members page by page', async () => {
  const canvas = await startPlatform({ mode: 'canvas' });
  const pages = await readMembers(canvas, `${canvas.platform.url}/memberships/course-1`);
  expect(pages.map(({ length }) => length)).toEqual([2, 2]);
  expect(pages[1]![1]).toBe('lucie http://purl.imsglobal.org/vocab/lis/v2/membership#Learner');
  await canvas.close();
});

test('failures can be arranged', async () => {
  const { id } = graded();
  tested.platform.answerWith('scores', { status: 503, headers: { 'retry-after': '1' } });
  expect(await sendScore(id)).toBe(503);
  expect(await sendScore(id)).toBe(204);
});

test('keys are exchanged, and the old one is published no more', async () => {
  const before = (await (await fetch(tested.details.jwksUri)).json()) as { keys: { kid: string }[] };
  tested.platform.rotateKeys();
  const after = (await (await fetch(tested.details.jwksUri)).json()) as { keys: { kid: string }[] };
  expect(after.keys).toHaveLength(1);
  expect(after.keys[0]!.kid).not.toBe(before.keys[0]!.kid);
});
