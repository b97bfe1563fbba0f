import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { claim } from '../../../demo/platform/vocabulary.ts';
import { type ReturnWish, startPlatform, type TestedPlatform } from './start-platform.ts';

let moodle: TestedPlatform;
let canvas: TestedPlatform;
beforeAll(async () => {
  [moodle, canvas] = await Promise.all([startPlatform(), startPlatform({ mode: 'canvas' })]);
});
afterAll(() => Promise.all([moodle.close(), canvas.close()]));
beforeEach(() => moodle.platform.links.clear());
afterEach(() => {
  moodle.platform.outcomes.length = 0;
});

const item = (more: object = {}) => ({
  type: 'ltiResourceLink',
  title: 'Loops',
  custom: { placement: 'p1' },
  ...more,
});
const titles = () => [...moodle.platform.links.values()].map(({ title }) => title);

test('what was chosen stands in the course, in this order', async () => {
  const items = [item({ lineItem: { scoreMaximum: 10, label: 'Points' } }), item({ title: 'Two', window: {} })];
  const response = await moodle.choose({ items });
  expect(response.status).toBe(200);
  const [first, second] = [...moodle.platform.links.values()];
  expect(first).toMatchObject({
    title: 'Loops',
    custom: { placement: 'p1' },
    target: 'iframe',
    url: moodle.registered.targetLinkUri,
  });
  expect(first!.lineItemId).not.toBeNull();
  expect(second).toMatchObject({ title: 'Two', target: 'window', lineItemId: null });
  expect(moodle.platform.outcomes.at(-1)).toMatchObject({ linkIds: [first!.id, second!.id], dropped: [] });
});

test('an empty list closes the choice and places nothing', async () => {
  expect((await moodle.choose()).status).toBe(200);
  expect(titles()).toEqual([]);
});

test('a reported failure discards the items', async () => {
  await moodle.choose({ items: [item()], claims: { [claim.errorMessage]: 'Sorry' } });
  expect(titles()).toEqual([]);
  expect(moodle.platform.outcomes.at(-1)).toMatchObject({ errorMessage: 'Sorry' });
});

test('Moodle loses what it does not like, and the ungraded item after it', async () => {
  const items = [
    item({ title: 'Fine', lineItem: { scoreMaximum: 100 } }),
    item({ title: 'Too much', lineItem: { scoreMaximum: 101 } }),
    item({ title: 'After' }),
    item({ title: 'Again fine' }),
    item({ title: 'Half', lineItem: { scoreMaximum: 7.5 } }),
    item({ title: 'x'.repeat(300) }),
    item({ title: 'Name', custom: { 'Big-Name': '1' } }),
  ];
  await moodle.choose({ items });
  expect(titles()).toEqual(['Fine', 'Again fine']);
  expect(moodle.platform.outcomes.at(-1)!.dropped).toHaveLength(5);
});

const wrong: readonly (readonly [what: string, wish: ReturnWish, reason: RegExp])[] = [
  ['another issuer', { claims: { iss: 'someone' } }, /^401 .*"iss"/],
  ['another audience', { claims: { aud: 'someone' } }, /^401 .*"aud"/],
  ['an expired token', { claims: { iat: 1_000, exp: 2_000 } }, /^401 .*"exp"/],
  ['an issue time to come', { claims: { iat: 9_999_999_998, exp: 9_999_999_999 } }, /^401 .*iat is in the future/],
  ['no nonce', { claims: { nonce: undefined } }, /^401 .*it has no nonce/],
  ['no kid', { forgery: { header: { kid: undefined } } }, /^401 .*no kid/],
  ['another key', { forgery: { signedWith: 'other' } }, /^401 .*signature verification failed/],
  ['no signature', { forgery: { signedWith: 'none' } }, /^401 .*alg/],
  ['another message', { claims: { [claim.messageType]: 'LtiResourceLinkRequest' } }, /message_type must be/],
  ['another deployment', { claims: { [claim.deploymentId]: '99' } }, /deployment_id must be/],
  ['a type that is not wanted', { items: [{ type: 'html', html: '<p>' }] }, /items of type html are not wanted/],
  ['an address that is none', { items: [item({ url: 'javascript:alert(1)' })] }, /the content items are wrong: 0\.url/],
  [
    'a custom value that is no text',
    { items: [item({ custom: { a: ['b'] } })] },
    /the content items are wrong: 0\.custom/,
  ],
  ['no points', { items: [item({ lineItem: { label: 'x' } })] }, /0\.lineItem\.scoreMaximum/],
  ['no list', { items: { '0': item() } }, /the content items are wrong/],
];

test.each(wrong)('a choice with %s is refused', async (_, wish, reason) => {
  const response = await moodle.choose(wish);
  expect(response.ok).toBe(false);
  expect(moodle.lastRefusal()).toMatch(reason);
  expect(titles()).toEqual([]);
});

test('Canvas wants its data back, and as many items as the place takes', async () => {
  await canvas.choose({ claims: { [claim.data]: 'other' } });
  expect(canvas.lastRefusal()).toMatch(/claim\/data is not what was sent/);
  await canvas.choose({ items: [item(), item()], placement: 'assignment_selection' });
  expect(canvas.lastRefusal()).toBe('400 one item is wanted, not 2');
  await canvas.choose({ items: [item({ lineItem: { scoreMaximum: 5 } })], placement: 'link_selection' });
  expect(canvas.lastRefusal()).toBe('400 line items are not wanted');
});

test('a choice is made once', async () => {
  const { platform } = moodle;
  const { claims } = await platform.prepareLaunch();
  const { deep_link_return_url: url } = claims[claim.deepLinkingSettings] as { deep_link_return_url: string };
  const { clientId, deploymentId } = moodle.registered;
  const now = Math.floor(Date.now() / 1000);
  const answer = {
    iss: clientId,
    aud: platform.issuer,
    iat: now,
    exp: now + 300,
    [claim.messageType]: 'LtiDeepLinkingResponse',
    [claim.version]: '1.3.0',
    [claim.deploymentId]: deploymentId,
    [claim.contentItems]: [item()],
  };
  const jwt = await moodle.tool.sign({ ...answer, nonce: 'first' });
  expect((await platform.returnChoice(url, jwt)).status).toBe(200);
  expect((await platform.returnChoice(url, jwt)).status).toBe(400);
  expect((await platform.returnChoice(url, await moodle.tool.sign({ ...answer, nonce: 'second' }))).status).toBe(400);
  expect(titles()).toEqual(['Loops']);
});
