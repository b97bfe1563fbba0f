import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ErrorCode } from '../../../../src/errors.ts';
import { claimNames } from '../../../../src/faces/lti/protocol/claims.ts';
import type { LaunchWish, PreparedLaunch } from '../../../fakes/lti-platform.ts';
import { tester } from '../../../helpers/open-services.ts';
import { codeOf, type RunningProtocol, startProtocol } from './start-protocol.ts';

let running: RunningProtocol;
beforeAll(async () => {
  running = await startProtocol();
  running.platform.addLink({ id: 'link' });
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => running.close());

type Claims = Record<string, unknown>;
type Change = (prepared: PreparedLaunch) => PreparedLaunch | Promise<PreparedLaunch>;

const now = () => Math.floor(Date.now() / 1_000);

/** Sends a launch, and expects it to be refused with nothing kept but the login where it says
 *  so. */
async function expectRefusal(code: ErrorCode, wish: LaunchWish, change: Change, leavesLogin = false) {
  const { lti, platform, registration } = running;
  const keep = vi.spyOn(lti.deps.launches, 'keepLaunch');
  const prepared = await change(await platform.prepareLaunch(wish));
  const { state } = prepared.fields;
  const { response } = await platform.sendLaunch(prepared);
  expect([await codeOf(response), response.status >= 400]).toEqual([code, true]);
  expect(keep).not.toHaveBeenCalled();
  const deployments = await lti.deps.registrations.listDeployments(registration.id, {
    page: 0,
    pageSize: 10,
  });
  expect(deployments.total).toBe(1);
  expect((await lti.deps.launches.findLogin(state)) !== null, 'the login is left').toBe(leavesLogin);
}

const same: Change = (prepared) => prepared;
const withFields =
  (fields: Partial<PreparedLaunch['fields']>): Change =>
  (prepared) => ({ ...prepared, fields: { ...prepared.fields, ...fields } });
const withToken =
  (token: (text: string) => string): Change =>
  (prepared) =>
    withFields({ id_token: token(prepared.fields.id_token) })(prepared);

test('accepts a good launch', async () => {
  for (const wish of [{}, { link: 'link' }, { forgery: { claims: (claims: Claims) => claims } }])
    expect((await running.platform.launch(wish)).response.status).toBe(303);
});

describe('the token is refused', () => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

  test.each<[string, ErrorCode, (text: string) => string]>([
    ['that is not there', 'LTI_TOKEN_MALFORMED', () => ''],
    ['that is no token', 'LTI_TOKEN_MALFORMED', () => 'hello'],
    ['that is encrypted', 'LTI_TOKEN_MALFORMED', (text) => `${text}.AAAA.AAAA`],
    ['that is two', 'LTI_TOKEN_MALFORMED', (text) => `${text} ${text}`],
    ['that is larger than 64 kB', 'LTI_TOKEN_MALFORMED', (text) => `${text}${'A'.repeat(66_000)}`],
    ['whose claims are no object', 'LTI_TOKEN_MALFORMED', (text) => text.replace(/\.[^.]+\./, `.${encode(['iss'])}.`)],
    ['whose claims are no JSON', 'LTI_TOKEN_MALFORMED', (text) => text.replace(/\.[^.]+\./, '.AAAA.')],
    ['whose header is no JSON', 'LTI_TOKEN_MALFORMED', (text) => text.replace(/^[^.]+/, 'AAAA')],
    ['whose signature is cut off', 'LTI_SIGNATURE_INVALID', (text) => text.slice(0, -20)],
    ['whose signature is gone', 'LTI_SIGNATURE_INVALID', (text) => text.replace(/[^.]+$/, '')],
    [
      'whose claims were changed on the way',
      'LTI_SIGNATURE_INVALID',
      (text) => {
        const [header, body = '', signature] = text.split('.');
        const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Claims;
        return [header, encode({ ...claims, sub: 'ada' }), signature].join('.');
      },
    ],
  ])('%s', (_, code, token) => expectRefusal(code, {}, withToken(token)));
});

describe('the signature is refused', () => {
  test.each<[string, ErrorCode, NonNullable<LaunchWish['forgery']>]>([
    ['of nobody (alg none)', 'LTI_ALG_REFUSED', { signedWith: 'none' }],
    ['by the published key as a secret (HS256)', 'LTI_ALG_REFUSED', { signedWith: 'public-as-secret' }],
    [
      'by HMAC that says it is RS256',
      'LTI_SIGNATURE_INVALID',
      { signedWith: 'public-as-secret', header: { alg: 'RS256' } },
    ],
    ['by nothing that says it is RS256', 'LTI_SIGNATURE_INVALID', { signedWith: 'none', header: { alg: 'RS256' } }],
    ['with another algorithm (RS512)', 'LTI_ALG_REFUSED', { header: { alg: 'RS512' } }],
    ['with another algorithm (PS256)', 'LTI_ALG_REFUSED', { header: { alg: 'PS256' } }],
    ['with an algorithm in other letters', 'LTI_ALG_REFUSED', { header: { alg: 'rs256' } }],
    ['without an algorithm', 'LTI_ALG_REFUSED', { header: { alg: undefined } }],
    ['with a key that is not published', 'LTI_SIGNATURE_INVALID', { signedWith: 'other' }],
    ['with a key of unknown name', 'LTI_KEY_UNKNOWN', { header: { kid: 'another' } }],
    ['with a key without a name', 'LTI_KEY_UNKNOWN', { header: { kid: undefined } }],
    ['with a key whose name is no text', 'LTI_KEY_UNKNOWN', { header: { kid: ['a', 'b'] } }],
    ['with extensions that we do not know', 'LTI_TOKEN_MALFORMED', { header: { crit: ['b64'], b64: false } }],
  ])('%s', (_, code, forgery) => expectRefusal(code, { forgery }, same));

  test('with a key in its header', async () => {
    const jwk = { kty: 'RSA', n: 'AQAB', e: 'AQAB' };
    const header = { jwk, jku: `${running.platform.url}/other-keys` };
    await expectRefusal('LTI_SIGNATURE_INVALID', { forgery: { signedWith: 'other', header } }, same);
    expect(running.platform.requests.map(({ path }) => path)).not.toContain('/other-keys');
  });
});

/** Rightly signed, with other claims. */
const claiming = (change: (claims: Claims) => Claims, wish: LaunchWish = {}): LaunchWish => ({
  ...wish,
  forgery: { claims: (claims) => ({ ...claims, ...change(claims) }) },
});

describe('the parties and times are refused', () => {
  test.each<[string, ErrorCode, (claims: Claims) => Claims]>([
    ['another issuer', 'LTI_ISSUER_WRONG', () => ({ iss: 'https://other.example' })],
    ['the issuer with a slash', 'LTI_ISSUER_WRONG', ({ iss }) => ({ iss: `${iss}/` })],
    ['no issuer', 'LTI_ISSUER_WRONG', () => ({ iss: undefined })],
    ['another audience', 'LTI_AUDIENCE_WRONG', () => ({ aud: 'another-tool' })],
    ['no audience', 'LTI_AUDIENCE_WRONG', () => ({ aud: undefined })],
    ['several audiences without us', 'LTI_AUDIENCE_WRONG', () => ({ aud: ['one', 'two'] })],
    ['two audiences and no authorized party', 'LTI_AZP_WRONG', ({ aud }) => ({ aud: [aud, 'two'] })],
    ['two audiences and another authorized party', 'LTI_AZP_WRONG', ({ aud }) => ({ aud: [aud, 'two'], azp: 'two' })],
    ['one audience and another authorized party', 'LTI_AZP_WRONG', () => ({ azp: 'two' })],
    ['expired', 'LTI_TOKEN_EXPIRED', () => ({ iat: now() - 130, exp: now() - 61 })],
    ['without an end', 'LTI_CLAIMS_INVALID', () => ({ exp: undefined })],
    ['with an end in words', 'LTI_CLAIMS_INVALID', () => ({ exp: '2100-01-01' })],
    ['without a beginning', 'LTI_CLAIMS_INVALID', () => ({ iat: undefined })],
    ['made long ago', 'LTI_TOKEN_OLD', () => ({ iat: now() - 3_700 })],
    ['made in the future', 'LTI_TOKEN_EARLY', () => ({ iat: now() + 120, exp: now() + 200 })],
    ['that holds in the future', 'LTI_TOKEN_EARLY', () => ({ nbf: now() + 120 })],
    ['that holds from a time in words', 'LTI_CLAIMS_INVALID', () => ({ nbf: 'today' })],
    ['expired, from no time', 'LTI_TOKEN_EXPIRED', () => ({ nbf: null, iat: now() - 130, exp: now() - 61 })],
    ['without an end, from no time', 'LTI_CLAIMS_INVALID', () => ({ nbf: null, exp: undefined })],
    ['made long ago, from no time', 'LTI_TOKEN_OLD', () => ({ nbf: null, iat: now() - 3_700 })],
    ['made in the future, from no time', 'LTI_TOKEN_EARLY', () => ({ nbf: null, iat: now() + 120, exp: now() + 200 })],
    ['another audience, from no time', 'LTI_AUDIENCE_WRONG', () => ({ nbf: null, aud: 'another-tool' })],
    ['another nonce', 'LTI_NONCE_WRONG', () => ({ nonce: 'another' })],
    ['no nonce', 'LTI_NONCE_WRONG', () => ({ nonce: undefined })],
  ])('%s', (_, code, change) => expectRefusal(code, claiming(change), same));

  test('but accepts a minute of difference, and two audiences', async () => {
    const good = [
      claiming(() => ({ iat: now() - 100, exp: now() - 30 })),
      claiming(() => ({ iat: now() + 30, nbf: now() + 30, exp: now() + 90 })),
      claiming(({ aud }) => ({ aud: [aud, 'two'], azp: aud })),
      claiming(({ aud }) => ({ aud: [aud] })),
      claiming(({ aud }) => ({ aud: ['two', aud], azp: aud })),
      // Null is as if it were absent.
      claiming(() => ({ nbf: null })),
      claiming(() => ({ azp: null })),
      claiming(() => ({ azp: '' })),
      ...[null, undefined, '', 7].map((target) => claiming(() => ({ [claimNames.targetLinkUri]: target }))),
      // One role in place of a list.
      claiming((claims) => ({ [claimNames.roles]: (claims[claimNames.roles] as readonly string[])[0] })),
    ];
    for (const wish of good) expect((await running.platform.launch(wish)).response.status).toBe(303);
  });
});

describe('the claims are refused', () => {
  const settings = (change: Claims) => (claims: Claims) => ({
    [claimNames.deepLinking]: { ...(claims[claimNames.deepLinking] as Claims), ...change },
  });

  test.each<[string, ErrorCode, (claims: Claims) => Claims]>([
    ['no version', 'LTI_VERSION_WRONG', () => ({ [claimNames.version]: undefined })],
    ['version 1.1', 'LTI_VERSION_WRONG', () => ({ [claimNames.version]: '1.1' })],
    ['no message type', 'LTI_MESSAGE_UNKNOWN', () => ({ [claimNames.messageType]: undefined })],
    [
      'a message that we do not know',
      'LTI_MESSAGE_UNKNOWN',
      () => ({ [claimNames.messageType]: 'LtiSubmissionReviewRequest' }),
    ],
    ['no user', 'LTI_USER_MISSING', () => ({ sub: undefined })],
    ['an empty user', 'LTI_USER_MISSING', () => ({ sub: '' })],
    ['a user that is no text', 'LTI_CLAIMS_INVALID', () => ({ sub: 7 })],
    ['a user of 256 characters', 'LTI_CLAIMS_INVALID', () => ({ sub: 'x'.repeat(256) })],
    ['no roles', 'LTI_CLAIMS_INVALID', () => ({ [claimNames.roles]: undefined })],
    ['roles that are no list', 'LTI_CLAIMS_INVALID', () => ({ [claimNames.roles]: { a: 1 } })],
    ['no deployment', 'LTI_CLAIMS_INVALID', () => ({ [claimNames.deploymentId]: undefined })],
    ['a deployment of 256 characters', 'LTI_CLAIMS_INVALID', () => ({ [claimNames.deploymentId]: 'x'.repeat(256) })],
    ['an unknown deployment', 'LTI_DEPLOYMENT_UNKNOWN', () => ({ [claimNames.deploymentId]: '77' })],
    ['another target', 'LTI_TARGET_UNKNOWN', () => ({ [claimNames.targetLinkUri]: 'https://other.example' })],
    [
      'our target with a query',
      'LTI_TARGET_UNKNOWN',
      () => ({ [claimNames.targetLinkUri]: `${running.lti.url}/lti/launch?placement=1` }),
    ],
    ['no deep-linking settings', 'LTI_CLAIMS_INVALID', () => ({ [claimNames.deepLinking]: undefined })],
    ['no return address', 'LTI_CLAIMS_INVALID', settings({ deep_link_return_url: undefined })],
    ['a script as return address', 'LTI_CLAIMS_INVALID', settings({ deep_link_return_url: 'javascript:alert(1)' })],
    [
      'a return address with a user name',
      'LTI_RETURN_REFUSED',
      settings({ deep_link_return_url: 'https://user@lms.example/return' }),
    ],
    [
      'a return address with a password',
      'LTI_RETURN_REFUSED',
      settings({ deep_link_return_url: 'https://lms.example:pw@evil.example/return' }),
    ],
    [
      'a return address of two lines',
      'LTI_RETURN_REFUSED',
      settings({ deep_link_return_url: 'https://lms.example/re\nturn' }),
    ],
    [
      'a return address that ends with a control character',
      'LTI_RETURN_REFUSED',
      settings({ deep_link_return_url: 'https://lms.example/return\u0000' }),
    ],
    ['no types that are accepted', 'LTI_CLAIMS_INVALID', settings({ accept_types: [] })],
    ['nobody who teaches', 'LTI_ROLE_WRONG', () => ({ [claimNames.roles]: [] })],
  ])('%s', (_, code, change) => expectRefusal(code, claiming(change), same));

  test.each<[string, ErrorCode, (claims: Claims) => Claims]>([
    ['no target', 'LTI_CLAIMS_INVALID', () => ({ [claimNames.targetLinkUri]: undefined })],
    ['no resource link', 'LTI_CLAIMS_INVALID', () => ({ [claimNames.resourceLink]: undefined })],
    ['a resource link without an id', 'LTI_CLAIMS_INVALID', () => ({ [claimNames.resourceLink]: {} })],
  ])('of a resource link: %s', (_, code, change) => expectRefusal(code, claiming(change, { link: 'link' }), same));

  test('of a learner who wants to choose', () => expectRefusal('LTI_ROLE_WRONG', { person: 'lea' }, same));
});

describe('the login is refused', () => {
  test('that was used before', async () => {
    const { platform, lti } = running;
    const prepared = await platform.prepareLaunch();
    expect((await platform.sendLaunch(prepared)).response.status).toBe(303);
    const keep = vi.spyOn(lti.deps.launches, 'keepLaunch');
    const { response } = await platform.sendLaunch(prepared);
    expect(await codeOf(response)).toBe('LTI_STATE_UNKNOWN');
    expect(keep).not.toHaveBeenCalled();
  });

  test('whose two simultaneous launches are one too many', async () => {
    const prepared = await running.platform.prepareLaunch();
    const sent = await Promise.all([1, 2, 3].map(() => running.platform.sendLaunch(prepared)));
    expect(sent.map(({ response }) => response.status).sort()).toEqual([303, 401, 401]);
  });

  test.each(['', 'unknown', 'x'.repeat(5_000)])('with an unknown state (%#)', (state) =>
    expectRefusal('LTI_STATE_UNKNOWN', {}, withFields({ state })),
  );

  test('of another launch of the same browser', async () => {
    const other = await running.platform.prepareLaunch();
    await expectRefusal('LTI_NONCE_WRONG', {}, (prepared) => ({
      ...prepared,
      fields: { ...prepared.fields, state: other.fields.state },
      cookie: `${prepared.cookie}; ${other.cookie}`,
    }));
  });

  test('whose nonce is sent again with a new login', async () => {
    const used = await running.platform.prepareLaunch();
    await running.platform.sendLaunch(used);
    await expectRefusal('LTI_NONCE_WRONG', {}, withFields({ id_token: used.fields.id_token }));
  });

  test('of another browser', async () => {
    const other = await running.platform.prepareLaunch();
    const cookie = other.cookie.replaceAll(/=[^;]+/g, '=somebody-else');
    await expectRefusal('LTI_BINDING_WRONG', {}, (prepared) => ({
      ...prepared,
      cookie: renamed(cookie, prepared),
    }));
  });

  test('without a binding, and leaves the login valid', async () => {
    const change: Change = (prepared) => ({
      ...prepared,
      cookie: '',
      fields: { ...prepared.fields, binding: '' },
    });
    await expectRefusal('LTI_BINDING_MISSING', {}, change, true);
  });

  test('whose binding was posted by another site', async () => {
    const change: Change = (prepared) => {
      const binding = /=([^;]+)/.exec(prepared.cookie)![1]!;
      return { ...prepared, cookie: '', fields: { ...prepared.fields, binding } };
    };
    await expectRefusal('LTI_BINDING_MISSING', {}, change, true);
  });

  /** Cookies with the names of another login. */
  function renamed(cookie: string, { cookie: names }: PreparedLaunch): string {
    const values = cookie.split('; ').map((pair) => pair.split('=')[1]);
    return names
      .split('; ')
      .map((pair, i) => `${pair.split('=')[0]}=${values[i]}`)
      .join('; ');
  }
});

describe('the platform is refused', () => {
  test('that was turned off since the login', async () => {
    const { registrations } = running.lti.deps;
    await expectRefusal('LTI_REGISTRATION_INACTIVE', {}, async (prepared) => {
      await registrations.deactivate(tester, running.registration.id);
      return prepared;
    });
    await registrations.activate(tester, running.registration.id);
  });

  test('that reports an error', async () => {
    const error = { error: 'login_required', error_description: 'The session is over' };
    const { lti } = running;
    const response = await fetch(`${lti.url}/lti/launch`, {
      method: 'POST',
      body: new URLSearchParams(error),
    });
    const page = await response.text();
    expect(page).toContain('login_required: The session is over');
    expect(page).toContain('LTI_PLATFORM_ERROR');
  });
});
