import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Launch } from '../../../../src/domain/lti/launch.ts';
import { claimNames } from '../../../../src/faces/lti/protocol/claims.ts';
import { assets } from '../../../../src/faces/views.ts';
import type { LaunchWish, PreparedLaunch, SentLaunch } from '../../../fakes/lti-platform.ts';
import { tester } from '../../../helpers/open-services.ts';
import { codeOf, type RunningProtocol, startProtocol } from './start-protocol.ts';

let running: RunningProtocol;
beforeAll(async () => {
  running = await startProtocol();
  running.platform.addLink({ id: 'link', title: 'A talk', custom: { placement: 'p1' } }, 10);
});
afterAll(() => running.close());

async function launchOf({ location, response }: SentLaunch): Promise<Launch> {
  if (location === null) throw new Error(await codeOf(response));
  const audience = location.pathname === '/lti/picker' ? 'deep-linking' : 'resource-link';
  return running.lti.deps.launches.getLaunch(location.searchParams.get('launch')!, audience);
}

const launch = async (wish?: LaunchWish) => launchOf(await running.platform.launch(wish));
const claiming = (claims: Record<string, unknown>, wish: LaunchWish = {}): LaunchWish => ({
  ...wish,
  forgery: { claims: (signed) => ({ ...signed, ...claims }) },
});

describe('a launch', () => {
  test('of an instructor who chooses redirects to the picker, and is stored', async () => {
    const sent = await running.platform.launch({ locale: 'fr-CA' });
    expect([sent.response.status, sent.location!.pathname]).toEqual([303, '/lti/picker']);
    const { platform, registration } = running;
    expect(await launchOf(sent)).toMatchObject({
      tenantId: registration.tenantId,
      registrationId: registration.id,
      product: 'moodle',
      issuer: platform.issuer,
      deploymentId: '1',
      platformOrigin: platform.url,
      user: { id: 'ines', name: 'Ines Duarte', email: 'ines@school.example' },
      role: 'instructor',
      mayChange: true,
      isAdministrator: false,
      locale: 'fr-CA',
      context: { id: 'course-1', label: 'DATA-1', title: 'Introduction to data analysis' },
      resourceLink: null,
      deepLinking: {
        acceptTypes: ['ltiResourceLink'],
        acceptMultiple: true,
        // It does not say, but it takes them.
        acceptLineItem: true,
        data: null,
      },
    });
  });

  test('of a learner redirects to the object', async () => {
    const sent = await running.platform.launch({ link: 'link' });
    expect(sent.location!.pathname).toBe('/lti/object');
    expect(await launchOf(sent)).toMatchObject({
      role: 'learner',
      custom: { placement: 'p1' },
      deepLinking: null,
      resourceLink: { id: 'link', title: 'A talk' },
      presentation: { target: 'iframe', returnUrl: expect.stringMatching(`^${running.platform.url}/return`) },
      grading: { lineItem: expect.stringContaining('/line-items/course-1/') },
      membershipsUrl: `${running.platform.url}/memberships/course-1`,
    });
  });

  test('of an administrator is marked', async () => {
    expect(await launch({ person: 'ada' })).toMatchObject({ role: 'instructor', isAdministrator: true });
  });

  test('removes the cookies of its login, lets the browser know its person, and is not cached', async () => {
    const { response } = await running.platform.launch();
    expect(response.headers.get('cache-control')).toBe('no-store');
    const cookies = response.headers.getSetCookie();
    expect(cookies).toHaveLength(3);
    expect(cookies.pop()).toMatch(/^skilldock_person=v1\S+; Path=\/; HttpOnly; SameSite=Lax$/);
    for (const cookie of cookies) expect(cookie).toMatch(/^skilldock_login_\S+=; .*Max-Age=0/);
  });

  test('has its own token in each picker of a course', async () => {
    const [first, second] = await Promise.all([launch(), launch()]);
    expect(first.id).not.toBe(second.id);
    expect(first.deepLinking!.returnUrl).not.toBe(second.deepLinking!.returnUrl);
  });

  test('needs neither course, name, presentation nor services', async () => {
    const bare = Object.fromEntries(
      ['context', 'custom', 'presentation', 'platform', 'grading', 'memberships'].map((name) => [
        claimNames[name as keyof typeof claimNames],
        undefined,
      ]),
    );
    const wish = claiming(
      { ...bare, name: undefined, given_name: undefined, family_name: undefined },
      { link: 'link' },
    );
    expect(await launch(wish)).toMatchObject({
      context: null,
      custom: {},
      user: { name: null },
      presentation: { target: null, returnUrl: null },
      grading: null,
      membershipsUrl: null,
    });
  });

  test('leaves out unusable claims and unresolved variables', async () => {
    const wish = claiming(
      {
        [claimNames.context]: { title: 'Without an id' },
        [claimNames.custom]: { a: '$Context.id.history', b: '', c: null, d: 7, e: ['x'], f: '$5 off' },
        [claimNames.presentation]: { locale: 'fr', return_url: 'javascript:alert(1)' },
        [claimNames.grading]: 'none',
        name: `A\u202eB ${'x'.repeat(500)}`,
        'https://other.example/claim': { a: 1 },
      },
      { link: 'link' },
    );
    const kept = await launch(wish);
    expect(kept).toMatchObject({
      context: null,
      custom: { d: '7', f: '$5 off' },
      presentation: { returnUrl: null },
      locale: 'fr',
      grading: null,
    });
    expect(kept.user.name).toMatch(/^A B x{196}$/);
  });

  test('accepts settings that are written as text, and the target of the token', async () => {
    const settings = {
      deep_link_return_url: `${running.platform.url}/deep-linking`,
      accept_types: ['link', 'unheard-of'],
      accept_multiple: 'false',
      accept_lineitem: 'true',
      data: 'opaque',
    };
    const wish = claiming({ [claimNames.deepLinking]: settings, [claimNames.targetLinkUri]: undefined });
    expect((await launch(wish)).deepLinking).toEqual({
      returnUrl: settings.deep_link_return_url,
      acceptTypes: ['link', 'unheard-of'],
      acceptMultiple: false,
      targets: [],
      acceptLineItem: true,
      autoCreate: false,
      title: null,
      text: null,
      data: 'opaque',
    });
  });
});

test('stores the product that it names, where none was chosen', async () => {
  const { lti, platform, registration } = running;
  const { registrations } = lti.deps;
  const given = await registrations.getRegistration(registration.id);
  const generic = { ...given, product: 'generic' } as const;
  await registrations.change(tester, given.id, given.version, generic);
  expect(await launch()).toMatchObject({ product: 'moodle' });
  const [kept] = await registrations.listRegistrationsOfIssuer(platform.issuer);
  expect(kept).toMatchObject({ id: given.id, product: 'moodle' });
});

describe('the deployment', () => {
  test('is added where the registration accepts new ones', async () => {
    const open = await startProtocol({ acceptsNewDeployments: true });
    const wish = claiming({ [claimNames.deploymentId]: 'second' });
    expect((await open.platform.launch(wish)).response.status).toBe(303);
    const listed = await open.lti.deps.registrations.listDeployments(open.registration.id, {
      page: 0,
      pageSize: 10,
    });
    expect(listed.items.map(({ deploymentId }) => deploymentId).sort()).toEqual(['1', 'second']);
    await open.close();
  });

  test('is refused where there are too many, with a reason for administrators', async () => {
    const full = await startProtocol({ acceptsNewDeployments: true });
    const { registration, lti } = full;
    const { store, clock } = lti.services;
    const rest = { registrationId: registration.id, tenantId: registration.tenantId };
    for (let i = 2; i <= 1_000; i++)
      await store.ltiRegistrations.addDeployment({ ...rest, deploymentId: `${i}`, firstSeenAt: clock.now() });
    const { response } = await full.platform.launch(claiming({ [claimNames.deploymentId]: 'another' }));
    expect(await response.text()).toMatch(/Maximum number of deployments<\/dt>\s*<dd>1,000/);
    await full.close();
  });
});

describe('keys of the platform', () => {
  const keyRequests = () => running.platform.requests.filter(({ path }) => path === '/keys').length;

  test('are fetched once for many launches', async () => {
    await running.platform.launch();
    const before = keyRequests();
    await Promise.all(Array.from({ length: 5 }, () => running.platform.launch()));
    expect(keyRequests()).toBe(before);
  });

  test('are fetched again when a key is replaced under its old id', async () => {
    await running.platform.launch();
    const before = keyRequests();
    running.platform.rotateKeys({ keepsId: true });
    expect((await running.platform.launch()).response.status).toBe(303);
    expect((await running.platform.launch()).response.status).toBe(303);
    expect(keyRequests()).toBe(before + 1);
  });

  test('are not fetched for every bad signature', async () => {
    const before = keyRequests();
    for (let n = 0; n < 4; n++) {
      const { response } = await running.platform.launch({ forgery: { signedWith: 'other' } });
      expect(await codeOf(response)).toBe('LTI_SIGNATURE_INVALID');
    }
    expect(keyRequests() - before).toBeLessThanOrEqual(1);
  });
});

describe('a launch without its cookie', () => {
  const prepare = () => running.platform.prepareLaunch({ keepsCookies: false });
  const post = (prepared: PreparedLaunch, binding: string) =>
    fetch(prepared.action, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: running.lti.url },
      body: new URLSearchParams({ ...prepared.fields, binding }),
    });

  test('gets a page that looks for the binding elsewhere', async () => {
    const prepared = await prepare();
    const { response } = await running.platform.sendLaunch(prepared);
    expect(response.status).toBe(200);
    const page = await response.text();
    expect(page).toContain(`name="id_token" value="${prepared.fields.id_token}"`);
    expect(page).toContain(`data-platform-origin="${running.platform.url}"`);
    expect(page).toContain(assets.addressOf('lti/binding.js'));
    expect(await running.lti.deps.launches.findLogin(prepared.fields.state)).not.toBeNull();
  });

  test('continues with the binding that the page found', async () => {
    const prepared = await running.platform.prepareLaunch();
    const [, binding = ''] = /=([^;]+)/.exec(prepared.cookie)!;
    expect((await post(prepared, binding)).status).toBe(303);
  });

  test('is refused with another binding', async () => {
    expect(await codeOf(await post(await prepare(), 'another'))).toBe('LTI_BINDING_WRONG');
  });

  test('is refused without a binding, and does not offer to begin again', async () => {
    const response = await post(await prepare(), '');
    expect(response.status).toBe(401);
    const page = await response.text();
    expect(page).toContain('LTI_BINDING_MISSING');
    expect(page).toContain('Allow cookies');
    expect(page).not.toMatch(/<a |<button/);
  });
});

describe('the addresses of the tool', () => {
  test('of launches shows a page in two languages when it is opened', async () => {
    const response = await fetch(`${running.lti.url}/lti/launch?anything=1`);
    expect(response.status).toBe(200);
    const page = await response.text();
    expect(page).toContain('Open this in your course');
    expect(page).toMatch(/<section lang="fr">\s*<h2>Ouvrez ce contenu dans votre cours/);
  });

  test('of keys gives our public keys, cached for a minute', async () => {
    const response = await fetch(`${running.lti.url}/lti/keys`);
    expect(response.headers.get('cache-control')).toBe('public, max-age=60');
    const { keys } = (await response.json()) as { keys: Record<string, string>[] };
    const own = keys.find(({ kid }) => kid === running.registration.keyId);
    expect(own).toMatchObject({ kty: 'RSA', alg: 'RS256', use: 'sig' });
    for (const key of keys) expect(Object.keys(key)).not.toContain('d');
  });
});

describe('a refusal', () => {
  test('is logged with its reference and cause, without token and name', async () => {
    const { platform, lti } = running;
    const { response } = await platform.launch(claiming({ [claimNames.deploymentId]: 'unknown' }));
    const page = await response.text();
    const [, reference = ''] = /<code>([0-9a-f-]{36})<\/code>/.exec(page)!;
    const line = lti.log.find((text) => text.includes(reference) && text.includes('LTI_DEPLOYMENT_UNKNOWN'));
    expect(JSON.parse(line!)).toMatchObject({ facts: { deploymentId: 'unknown' } });
    expect(lti.log.join('\n')).not.toMatch(/eyJ|Duarte/);
  });

  test('may be framed by any site, and runs no script', async () => {
    const { response } = await running.platform.launch({ person: 'lea' });
    const policy = response.headers.get('content-security-policy')!;
    expect(policy).toMatch(/frame-ancestors 'self' https: /);
    expect(policy).toContain("script-src 'self';");
    expect(response.headers.get('x-frame-options')).toBeNull();
  });

  test('leaves out the advice for administrators for learners', async () => {
    const learner = await running.platform.launch(claiming({ [claimNames.deploymentId]: '9' }, { link: 'link' }));
    expect(await learner.response.text()).not.toContain('<details');
    const admin = await running.platform.launch(claiming({ [claimNames.deploymentId]: '9' }, { person: 'ada' }));
    expect(await admin.response.text()).toMatch(/<details open>[\s\S]*Deployment ID[\s\S]*<dd>9<\/dd>/);
  });

  test('of a disabled tenant has its own text', async () => {
    const { tenants, registrations } = running.lti.deps;
    const tenant = await tenants.createTenant(tester, 'A school');
    const tool = running.platform.addTool(running.lti.url);
    await registrations.create(tester, {
      ...running.platform.detailsOf(tool.clientId),
      tenantId: tenant.id,
      origin: 'manual',
      deploymentIds: [tool.deploymentId],
    });
    const prepared = await running.platform.prepareLaunch({ tool: tool.clientId });
    await tenants.disableTenant(tester, tenant.id);
    const { response } = await running.platform.sendLaunch(prepared);
    expect(await codeOf(response)).toBe('LTI_TENANT_DISABLED');
  });
});
