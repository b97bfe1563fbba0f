import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { PlatformDetails } from '../../../../src/domain/lti/registration.ts';
import { DEFAULT_TENANT } from '../../../../src/domain/tenant.ts';
import { assets } from '../../../../src/faces/views.ts';
import { tester } from '../../../helpers/open-services.ts';
import { anyRegistration, type RunningLti, startLti } from '../start-lti.ts';
import { codeOf } from './start-protocol.ts';

let lti: RunningLti;
beforeAll(async () => {
  lti = await startLti();
});
afterAll(() => lti.close());

type Fields = Readonly<Record<string, string>>;

const fieldsOf = (more: Fields = {}): Fields => ({
  iss: anyRegistration.issuer,
  client_id: anyRegistration.clientId,
  login_hint: 'ines & co',
  lti_message_hint: '{"cmid":1}',
  target_link_uri: `${lti.url}/lti/launch`,
  lti_deployment_id: '1',
  ...more,
});

const without = (name: string): Fields =>
  Object.fromEntries(Object.entries(fieldsOf()).filter(([key]) => key !== name));

const begin = (fields: Fields, method: 'GET' | 'POST' = 'GET') => {
  const body = new URLSearchParams(fields);
  return method === 'GET' ? fetch(`${lti.url}/lti/login?${body}`) : fetch(`${lti.url}/lti/login`, { method, body });
};

/** The address of the platform that a login page leads to. */
async function leadsTo(response: Response): Promise<URL> {
  const [, href = ''] = /data-on href="([^"]+)"/.exec(await response.text()) ?? [];
  return new URL(href.replaceAll('&amp;', '&').replaceAll('&#39;', "'"));
}

let registered = 0;
const register = (more: Partial<PlatformDetails>) =>
  lti.services.ltiRegistrations.create(tester, {
    ...anyRegistration,
    clientId: `client-${++registered}`,
    tenantId: DEFAULT_TENANT,
    ...more,
  });

describe('a login', () => {
  test.each(['GET', 'POST'] as const)('by %s redirects to the platform', async (method) => {
    const to = await leadsTo(await begin(fieldsOf(), method));
    expect(to.origin + to.pathname).toBe(anyRegistration.authorizationEndpoint);
    expect(Object.fromEntries(to.searchParams)).toEqual({
      scope: 'openid',
      response_type: 'id_token',
      response_mode: 'form_post',
      prompt: 'none',
      client_id: anyRegistration.clientId,
      redirect_uri: `${lti.url}/lti/launch`,
      login_hint: 'ines & co',
      lti_message_hint: '{"cmid":1}',
      // 256 random bits.
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  test('has no message hint where the platform sent none', async () => {
    const to = await leadsTo(await begin(without('lti_message_hint')));
    expect(to.searchParams.has('lti_message_hint')).toBe(false);
  });

  test("keeps the query of the platform's address", async () => {
    const { clientId } = await register({
      authorizationEndpoint: 'https://lms.example.org/auth?id=7&lang=fr',
    });
    const to = await leadsTo(await begin(fieldsOf({ client_id: clientId })));
    expect(to.searchParams.get('id')).toBe('7');
    expect(to.searchParams.get('lang')).toBe('fr');
    expect(to.searchParams.get('scope')).toBe('openid');
  });

  test('has one redirect URI, also for a target with a slash at the end', async () => {
    const to = await leadsTo(await begin(fieldsOf({ target_link_uri: `${lti.url}/lti/launch/` })));
    expect(to.searchParams.get('redirect_uri')).toBe(`${lti.url}/lti/launch`);
  });

  test('is stored with its nonce, its registration and the hash of its binding', async () => {
    const response = await begin(fieldsOf());
    const [cookie = ''] = response.headers.getSetCookie();
    const to = await leadsTo(response);
    const kept = await lti.deps.launches.findLogin(to.searchParams.get('state')!);
    expect(kept).toMatchObject({
      nonce: to.searchParams.get('nonce'),
      registrationId: lti.registration.id,
      bindingHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      storageTarget: null,
    });
    const [, binding = ''] = /=([\w-]{43});/.exec(cookie)!;
    expect(JSON.stringify(kept)).not.toContain(binding);
  });

  test('sets a cookie for frames of other sites, and a plain one for development', async () => {
    const [framed = '', plain = ''] = (await begin(fieldsOf())).headers.getSetCookie();
    for (const part of ['HttpOnly', 'Secure', 'SameSite=None', 'Partitioned', 'Path=/', 'Max-Age=600'])
      expect(framed.split('; ')).toContain(part);
    expect(plain).toMatch(/^skilldock_login_plain_/);
    expect(plain).not.toMatch(/Secure|SameSite/);
  });

  test('reports whether the browser sends its cookie', async () => {
    const response = await begin(fieldsOf());
    const cookie = response.headers.getSetCookie()[0]!.split(';')[0]!;
    const state = (await leadsTo(response)).searchParams.get('state')!;
    const check = async (headers: Fields) =>
      (await fetch(`${lti.url}/lti/login/check?state=${state}`, { headers })).json();
    expect(await check({ cookie })).toEqual({ isKept: true });
    expect(await check({})).toEqual({ isKept: false });
  });

  test('never gives a state twice', async () => {
    const states = await Promise.all(
      Array.from({ length: 20 }, async () => (await leadsTo(await begin(fieldsOf()))).searchParams.get('state')),
    );
    expect(new Set(states).size).toBe(20);
  });

  test('names the storage of the platform on its page', async () => {
    const response = await begin(fieldsOf({ lti_storage_target: 'post_message_forwarding' }));
    const page = await response.text();
    expect(page).toContain('data-storage-target="post_message_forwarding"');
    expect(page).toContain('data-platform-origin="https://lms.example.org"');
    expect(page).toContain(assets.addressOf('lti/login.js'));
  });

  test('escapes parameters on its page', async () => {
    const bad = '"><script>alert(1)</script>';
    const response = await begin(fieldsOf({ login_hint: bad, lti_storage_target: bad }));
    expect(await response.text()).not.toContain('<script>alert');
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self';");
  });
});

describe('the registration', () => {
  test('is the only active one of the issuer where there is no client id', async () => {
    const issuer = 'https://one.example.org';
    const old = await register({ issuer });
    const present = await register({ issuer });
    const fields = { ...without('client_id'), iss: issuer };
    expect(await codeOf(await begin(fields))).toBe('LTI_CLIENT_AMBIGUOUS');
    await lti.services.ltiRegistrations.deactivate(tester, old.id);
    const to = await leadsTo(await begin(fields));
    expect(to.searchParams.get('client_id')).toBe(present.clientId);
  });

  test('is found by issuer and client id together', async () => {
    const issuer = 'https://many.example.org';
    const [, second] = [await register({ issuer }), await register({ issuer })];
    const to = await leadsTo(await begin(fieldsOf({ iss: issuer, client_id: second.clientId })));
    expect(to.searchParams.get('client_id')).toBe(second.clientId);
  });

  test('that is turned off is refused, with and without a client id', async () => {
    const issuer = 'https://off.example.org';
    const { id, clientId } = await register({ issuer });
    await lti.services.ltiRegistrations.deactivate(tester, id);
    for (const fields of [fieldsOf({ iss: issuer, client_id: clientId }), { ...without('client_id'), iss: issuer }]) {
      const page = await (await begin(fields)).text();
      expect(page).toContain('LTI_REGISTRATION_INACTIVE');
      expect(page).not.toContain(anyRegistration.name);
    }
    expect(lti.log.join('')).toContain(anyRegistration.name);
  });

  test('that does not exist is refused, with issuer and client id', async () => {
    const response = await begin(fieldsOf({ iss: 'https://unknown.example' }));
    expect(response.status).toBe(403);
    const page = await response.text();
    expect(page).toContain('LTI_PLATFORM_UNKNOWN');
    expect(page).toContain('https://unknown.example');
  });
});

describe('a login is refused', () => {
  test.each(['iss', 'login_hint', 'target_link_uri'])('without %s', async (name) => {
    expect(await codeOf(await begin(without(name)))).toBe('LTI_REQUEST_INVALID');
  });

  test.each([
    ['iss', 2_000],
    ['client_id', 255],
    ['lti_deployment_id', 255],
    ['deployment_id', 255],
    ['lti_storage_target', 100],
    ['login_hint', 4_000],
    ['lti_message_hint', 4_000],
  ])('with %s of more than %i characters', async (name, max) => {
    const codeFor = async (length: number) => codeOf(await begin(fieldsOf({ [name]: 'x'.repeat(length) }), 'POST'));
    expect(await codeFor(max + 1)).toBe('LTI_REQUEST_INVALID');
    expect(await codeFor(max)).not.toBe('LTI_REQUEST_INVALID');
  });

  test('with a rate limit for logins and failed launches of one address', async () => {
    const full = await startLti();
    onTestFinished(() => full.close());
    for (let i = 0; i < 3_000; i++) await full.services.launches.countAttempt('127.0.0.1');
    const login = await fetch(`${full.url}/lti/login?iss=x`);
    expect([login.status, await codeOf(login)]).toEqual([429, 'LTI_THROTTLED']);
    expect(Number(login.headers.get('retry-after'))).toBeGreaterThan(0);
    const launch = await fetch(`${full.url}/lti/launch`, { method: 'POST' });
    expect(await codeOf(launch)).toBe('LTI_THROTTLED');
  });

  test.each(['https://other.example/lti/launch', '/lti/launch', 'x'])('for the target %s', async (target) => {
    expect(await codeOf(await begin(fieldsOf({ target_link_uri: target })))).toBe('LTI_TARGET_UNKNOWN');
  });

  test.each(['?placement=1', '#part', '//', '/more', '@other.example'])('for our target with %s', async (end) => {
    const target = `${lti.url}/lti/launch${end}`;
    expect(await codeOf(await begin(fieldsOf({ target_link_uri: target })))).toBe('LTI_TARGET_UNKNOWN');
  });

  test('in French for a French browser', async () => {
    const response = await fetch(`${lti.url}/lti/login`, {
      headers: { 'accept-language': 'fr-CH, fr;q=0.9' },
    });
    const page = await response.text();
    expect(page).toContain('<html lang="fr">');
    expect(page).toContain('Cette adresse est réservée aux plateformes');
  });
});
