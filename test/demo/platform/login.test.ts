import { afterAll, beforeAll, expect, test } from 'vitest';
import { claim } from '../../../demo/platform/vocabulary.ts';
import { startPlatform, type TestedPlatform } from './start-platform.ts';

let tested: TestedPlatform;
beforeAll(async () => {
  tested = await startPlatform();
});
afterAll(() => tested.close());

test('a launch brings a signed message to the tool', async () => {
  const { platform, tool, registered } = tested;
  const link = platform.addLink({ title: 'Loops', text: 'About loops', custom: { placement: 'p1' } }, 10);
  const { response, claims, fields } = await platform.launch({ link: link.id, locale: 'fr-CA' });
  expect(response.status).toBe(200);
  expect(tool.launches.at(-1)).toEqual(fields);
  expect(claims).toMatchObject({
    iss: platform.issuer,
    aud: registered.clientId,
    sub: 'lea',
    name: 'Léa Martin',
    locale: 'fr-CA',
    [claim.messageType]: 'LtiResourceLinkRequest',
    [claim.deploymentId]: registered.deploymentId,
    [claim.roles]: expect.arrayContaining(['http://purl.imsglobal.org/vocab/lis/v2/membership#Learner']),
    [claim.resourceLink]: { id: link.id, title: 'Loops', description: 'About loops' },
    [claim.custom]: { placement: 'p1' },
    [claim.grading]: { lineitem: `${platform.url}/line-items/course-1/${link.id}?type_id=1` },
  });
});

test('variables are filled in where the platform knows them', async () => {
  const { platform } = tested;
  const custom = {
    context_history: '$Context.id.history',
    link_history: '$ResourceLink.id.history',
    other: '$Moon.phase',
  };
  const link = platform.addLink({ courseId: 'course-2', custom, history: ['7', '3'] });
  const { claims } = await platform.launch({ link: link.id });
  expect(claims[claim.custom]).toEqual({
    context_history: 'course-1',
    // Moodle knows the histories of courses only.
    link_history: '$ResourceLink.id.history',
    other: '$Moon.phase',
  });
});

const wrong: readonly (readonly [what: string, change: (query: URLSearchParams) => void, reason: string])[] = [
  ['another response type', (query) => query.set('response_type', 'code'), 'response_type must be id_token'],
  ['another response mode', (query) => query.set('response_mode', 'query'), 'response_mode must be form_post'],
  ['a prompt', (query) => query.set('prompt', 'login'), 'prompt must be none'],
  ['no openid', (query) => query.set('scope', 'email'), 'scope must have openid'],
  ['no state', (query) => query.delete('state'), 'state is missing'],
  ['an empty nonce', (query) => query.set('nonce', ''), 'nonce has 0 characters'],
  ['two nonces', (query) => query.append('nonce', 'more'), 'nonce is given 2 times'],
  ['another client', (query) => query.set('client_id', 'other'), 'client_id is not of the tool that was opened'],
  ['another person', (query) => query.set('login_hint', 'liam'), 'login_hint is not of who is signed in'],
  ['an unknown hint', (query) => query.set('lti_message_hint', 'x'), 'lti_message_hint is not known'],
  [
    'a redirect address with more',
    (query) => query.set('redirect_uri', `${query.get('redirect_uri')}/`),
    'redirect_uri is not registered',
  ],
];

test.each(wrong)('an authorization request with %s is refused', async (_, change, reason) => {
  const { authorization } = await tested.platform.prepareLaunch();
  authorization.searchParams.set('lti_message_hint', await freshHint());
  change(authorization.searchParams);
  const response = await fetch(authorization);
  expect(response.status).toBe(400);
  expect(tested.lastRefusal()).toBe(`400 ${reason}`);
});

/** Of a launch that was begun and went no further. */
async function freshHint(): Promise<string> {
  const page = await (await fetch(tested.platform.launchPageUrl())).text();
  return /name="lti_message_hint" value="([^"]+)"/.exec(page)![1]!;
}

test('a hint is good for one authorization request, also where that is refused', async () => {
  const { authorization } = await tested.platform.prepareLaunch();
  expect((await fetch(authorization)).status).toBe(400);
  expect(tested.lastRefusal()).toBe('400 lti_message_hint is not known');
  authorization.searchParams.set('lti_message_hint', await freshHint());
  authorization.searchParams.set('login_hint', 'liam');
  expect((await fetch(authorization)).status).toBe(400);
  authorization.searchParams.set('login_hint', 'ines');
  await fetch(authorization);
  expect(tested.lastRefusal()).toBe('400 lti_message_hint is not known');
});

test('a forged message is what the test made of it', async () => {
  const { fields } = await tested.platform.prepareLaunch({
    forgery: { signedWith: 'none', claims: (claims) => ({ ...claims, sub: 'liam' }) },
  });
  const [header, payload, signature] = fields.id_token.split('.');
  expect(JSON.parse(Buffer.from(header!, 'base64url').toString())).toMatchObject({ alg: 'none' });
  expect(JSON.parse(Buffer.from(payload!, 'base64url').toString())).toMatchObject({ sub: 'liam' });
  expect(signature).toBe('');
});

test('the modes differ as the products do', async () => {
  const canvas = await startPlatform({ mode: 'canvas', platformStorage: true });
  const begun = await fetch(canvas.platform.launchPageUrl());
  const page = await begun.text();
  expect(page).toContain('name="lti_storage_target" value="post_message_forwarding"');
  expect(page).toContain('name="canvas_region"');
  const { claims } = await canvas.platform.prepareLaunch({ placement: 'assignment_selection' });
  expect(claims).toMatchObject({
    iss: 'https://canvas.instructure.com',
    [claim.deepLinkingSettings]: { accept_multiple: false, accept_lineitem: true, data: expect.any(String) },
  });
  const moodle = await tested.platform.prepareLaunch();
  expect(moodle.claims[claim.deepLinkingSettings]).not.toHaveProperty('data');
  expect(moodle.claims).not.toHaveProperty([claim.memberships]);
  await canvas.close();
});
