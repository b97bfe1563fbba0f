import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { tester } from '../../../helpers/open-services.ts';
import { type Registration, type Shown, startRegistration } from './start-registration.ts';

const CONFIGURATION = '.well-known';

let running: Registration;
let link: string;

beforeAll(async () => {
  running = await startRegistration();
});
beforeEach(async () => {
  const { platform } = running;
  link = await running.makeLink();
  for (const list of [platform.requests, platform.registrations]) list.length = 0;
});
afterAll(() => running.close());

/** Nothing was kept, and the link is as good as before. */
async function expectNothingDone(page: Shown): Promise<void> {
  const { registrations, ltiRegistrationLinks } = running.lti.deps;
  expect(page.text).toContain('The registration link still works:');
  expect(await registrations.listRegistrationsOfIssuer(running.platform.issuer)).toEqual([]);
  await ltiRegistrationLinks.getLink(new URL(link).searchParams.get('token')!);
}

/** Opens the link with another configuration than the platform's own. */
async function openWith(configuration: string): Promise<Shown> {
  const address = new URL(link);
  address.searchParams.set('openid_configuration', configuration);
  address.searchParams.set('registration_token', 'any');
  return running.open(address.href);
}

async function goodConfiguration(): Promise<Record<string, unknown>> {
  const { platform } = running;
  const answer = await fetch(`${platform.url}/.well-known/openid-configuration`);
  return (await answer.json()) as Record<string, unknown>;
}

async function openWhere(change: Record<string, unknown>): Promise<Shown> {
  const body = JSON.stringify({ ...(await goodConfiguration()), ...change });
  running.platform.answerWith(CONFIGURATION, { status: 200, body });
  return running.open(running.platform.registrationUrl(link));
}

test.each(['', 'made-up', 'a'.repeat(5_000)])('refuses the invalid link %#', async (token) => {
  const { platform, open, lti } = running;
  const page = await open(platform.registrationUrl(`${lti.url}/lti/register?token=${token}`));
  expect(page.status).toBe(404);
  expect(page.text).toContain('This registration link does not work');
  // Whoever has no link makes us call nobody.
  expect(platform.requests).toEqual([]);
});

test.each([
  'http://lms.example.org/configuration',
  'https://user:password@lms.example.org/configuration',
  'file:///etc/passwd',
  'not an address',
  `https://lms.example.org/${'a'.repeat(3_000)}`,
])('fetches no configuration from %s', async (configuration) => {
  const page = await openWith(configuration);
  expect(page.status).toBe(400);
  expect(page.text).toContain('The platform’s address is not valid');
  await expectNothingDone(page);
});

test('cuts an answer of unfinished markup in short time', async () => {
  running.platform.answerWith(CONFIGURATION, { status: 200, body: '<'.repeat(60_000) });
  const page = await running.open(running.platform.registrationUrl(link));
  expect(page.text).toContain('<<<');
  expect(page.text.length).toBeLessThan(20_000);
  await expectNothingDone(page);
});

test('does not call a private network', async () => {
  const page = await openWith('https://192.168.1.1/configuration');
  expect(page.text).toContain('The platform is in a private network');
  await expectNothingDone(page);
});

test('names a platform that does not answer', async () => {
  const { platform } = running;
  await platform.stop();
  const page = await running.open(platform.registrationUrl(link));
  expect(page.status).toBe(400);
  expect(page.text).toContain('The platform does not answer');
  expect(page.text).toContain(new URL(platform.url).host);
  await platform.restart();
  await expectNothingDone(page);
});

describe('a configuration', () => {
  test('that moved within its site is read, and none that moved to another', async () => {
    const { platform } = running;
    const address = new URL(platform.registrationUrl(link)).searchParams.get('openid_configuration')!;
    const move = (location: string) => platform.answerWith(CONFIGURATION, { status: 302, headers: { location } }, 1);
    move(address);
    expect((await running.open(platform.registrationUrl(link))).status).toBe(200);
    move(address.replace('127.0.0.1', 'localhost'));
    const page = await running.open(platform.registrationUrl(link));
    expect(page.status).toBe(400);
    expect(page.text).toContain('The platform does not answer');
  });

  test.each([
    [401, '', 'The platform rejected its own token'],
    [403, '', 'The platform rejected its own token'],
    [500, 'oops', 'configuration is not valid'],
    [302, '', 'configuration is not valid'],
    [200, '<html>not JSON</html>', 'configuration is not valid'],
    [200, '', 'configuration is not valid'],
    [200, '[]', 'configuration is not valid'],
    [200, 'null', 'configuration is not valid'],
  ])('answered with %i and %j is refused', async (status, body, words) => {
    running.platform.answerWith(CONFIGURATION, { status, body });
    const page = await running.open(running.platform.registrationUrl(link));
    expect(page.status).toBe(400);
    expect(page.text).toContain(words);
    await expectNothingDone(page);
  });

  test('of another issuer is refused', async () => {
    const page = await openWhere({ issuer: 'https://canvas.instructure.com' });
    expect(page.text).toContain('The configuration belongs to another issuer');
    await expectNothingDone(page);
  });

  test('of the same name at another port is refused', async () => {
    const page = await openWhere({ issuer: 'http://127.0.0.1:1' });
    expect(page.text).toContain('The configuration belongs to another issuer');
  });

  test.each([
    ['registration_endpoint', undefined],
    ['registration_endpoint', 'http://lms.example.org/register'],
    ['token_endpoint', 'javascript:alert(1)'],
    ['jwks_uri', ''],
    ['authorization_endpoint', 7],
    ['issuer', ''],
    ['issuer', 'ftp://lms.example.org'],
    ['issuer', 'https://user@lms.example.org'],
    ['scopes_supported', 'openid'],
  ])('with the %s %j is refused, with the name of the field', async (name, value) => {
    const page = await openWhere({ [name]: value });
    expect(page.text).toContain('configuration is not valid');
    expect(page.text).toContain(name);
    await expectNothingDone(page);
  });

  test('that is too large is refused', async () => {
    const page = await openWhere({ more: 'x'.repeat(2_000_000) });
    expect(page.status).toBe(400);
    await expectNothingDone(page);
  });

  test('without scopes is accepted, and the page lists what is missing', async () => {
    const page = await openWhere({ scopes_supported: [] });
    expect(page.status).toBe(200);
    expect(page.text).toContain('Grades cannot be sent to its gradebook.');
  });

  test('is escaped on the page', async () => {
    running.platform.answerWith(CONFIGURATION, { status: 200, body: '<script>alert(1)</script>' });
    const page = await running.open(running.platform.registrationUrl(link));
    expect(page.html).not.toContain('<script>alert');
  });
});

describe('a registration', () => {
  test.each([
    [400, 'domain must be that', 'The platform rejected the registration'],
    [401, 'The token was used', 'The platform rejected the registration'],
    [500, 'oops', 'The platform rejected the registration'],
    [200, 'not JSON', 'The platform’s answer is incomplete'],
    [201, '{}', 'The platform’s answer is incomplete'],
    [200, '{"client_id":""}', 'The platform’s answer is incomplete'],
    [200, '{"client_id":"a\\u0000b"}', 'The platform’s answer is incomplete'],
    [200, '{"client_id":"a","deployment_id":"\\u0007"}', 'The platform’s answer is incomplete'],
  ])('that is answered with %i and %j stores nothing', async (status, body, words) => {
    const { platform, register } = running;
    platform.answerWith('register', { status, body });
    const page = await register(link);
    expect(page.status).toBe(400);
    expect(page.text).toContain(words);
    await expectNothingDone(page);
  });

  test('that the platform refuses shows its answer', async () => {
    running.platform.answerWith('register', { status: 400, body: '<b>domain</b> is wrong' });
    expect((await running.register(link)).text).toContain('domain is wrong');
  });

  test('with a changed draft is not sent', async () => {
    const { open, send, platform } = running;
    const page = await open(platform.registrationUrl(link));
    const changed = await send(page, { draft: 'v1.00000000.AAAA' });
    expect(changed.text).toContain('This form is no longer valid');
    expect(platform.registrations).toEqual([]);
    await expectNothingDone(changed);
  });

  test('that was confirmed with another link is not sent', async () => {
    const { open, send, platform, makeLink } = running;
    const page = await open(platform.registrationUrl(link));
    const other = new URL(await makeLink()).searchParams.get('token')!;
    expect((await send(page, { token: other })).text).toContain('This form is no longer valid');
    expect(platform.registrations).toEqual([]);
  });

  test('in a tenant that was disabled meanwhile is refused', async () => {
    const { lti, platform, open, send, makeLink } = running;
    const other = await lti.services.tenants.createTenant(tester, 'Other');
    const theirs = await makeLink(other.id);
    const shown = await open(platform.registrationUrl(theirs));
    await lti.services.tenants.disableTenant(tester, other.id);
    for (const page of [await open(platform.registrationUrl(theirs)), await send(shown)])
      expect(page.text).toContain('The institution is disabled');
    expect(platform.registrations).toEqual([]);
  });

  test('of a client that another tenant has is refused', async () => {
    const { lti, platform, register } = running;
    const other = await lti.services.tenants.createTenant(tester, 'Third');
    const theirs = { ...platform.detailsOf('theirs'), tenantId: other.id, deploymentIds: [] };
    const { id } = await lti.deps.registrations.create(tester, { ...theirs, origin: 'manual' });
    platform.answerWith('register', { status: 200, body: '{"client_id":"theirs"}' });
    const page = await register(link);
    expect(page.status).toBe(409);
    expect(page.text).toContain('This platform is connected to another tenant');
    await lti.deps.registrations.remove(tester, id);
    await expectNothingDone(page);
  });

  test('may be tried again with the same link', async () => {
    running.platform.answerWith('register', { status: 500, body: 'oops' });
    await expectNothingDone(await running.register(link));
    expect((await running.register(link)).text).toContain('is connected');
  });
});
