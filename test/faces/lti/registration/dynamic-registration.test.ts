import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DEFAULT_TENANT } from '../../../../src/domain/tenant.ts';
import type { LtiRegistrationRecord } from '../../../../src/ports/store/store.ts';
import { tester } from '../../../helpers/open-services.ts';
import { fieldOf, valuesOf } from '../../admin/read-page.ts';
import { type Registration, startRegistration } from './start-registration.ts';

const TOOL = 'https://purl.imsglobal.org/spec/lti-tool-configuration';

let running: Registration;

afterEach(() => running.close());

async function listOfPlatform(): Promise<readonly LtiRegistrationRecord[]> {
  return running.lti.deps.registrations.listRegistrationsOfIssuer(running.platform.issuer);
}

async function deploymentsOf({ id }: LtiRegistrationRecord): Promise<string[]> {
  const { items } = await running.lti.deps.registrations.listDeployments(id, { page: 0, pageSize: 100 });
  return items.map(({ deploymentId }) => deploymentId);
}

describe('a Moodle', () => {
  beforeEach(async () => {
    running = await startRegistration({ mode: 'moodle' });
  });

  test('shows what will be registered before it registers', async () => {
    const { open, makeLink, platform } = running;
    const page = await open(platform.registrationUrl(await makeLink()));
    expect(page.status).toBe(200);
    expect(page.text).toContain('Connect Moodle to Skilldock');
    expect(page.text).toContain(platform.issuer);
    expect(page.text).toContain('E-mail addresses are not requested.');
    expect(platform.registrations).toEqual([]);
    expect(await listOfPlatform()).toEqual([]);
  });

  test('may frame the page, and nobody else may', async () => {
    const { open, makeLink, platform } = running;
    const { headers } = await open(platform.registrationUrl(await makeLink()));
    expect(headers.get('content-security-policy')).toContain(`frame-ancestors 'self' ${platform.url};`);
    expect(headers.get('x-frame-options')).toBeNull();
  });

  test('sends its registration token to its configuration', async () => {
    const { open, makeLink, platform } = running;
    const address = platform.registrationUrl(await makeLink());
    await open(address);
    const token = new URL(address).searchParams.get('registration_token');
    expect(platform.requests.at(-1)?.headers.authorization).toBe(`Bearer ${token}`);
  });

  test('is registered with its deployment, in the tenant of the link', async () => {
    const { register, makeLink, platform } = running;
    const done = await register(await makeLink(), { name: ' Moodle of the school ' });
    expect(done.status).toBe(200);
    expect(done.text).toContain('Moodle of the school is connected');
    expect(done.text).toContain('Activate');
    const [registration] = await listOfPlatform();
    expect(registration).toMatchObject({
      ...platform.detailsOf('client-1'),
      name: 'Moodle of the school',
      tenantId: DEFAULT_TENANT,
      origin: 'dynamic',
      status: 'active',
      acceptsNewDeployments: false,
    });
    expect(await deploymentsOf(registration!)).toEqual(['1']);
  });

  test('receives the tool with its placements', async () => {
    const { register, makeLink, platform, lti } = running;
    await register(await makeLink());
    const [sent] = platform.registrations;
    expect(sent).toMatchObject({
      application_type: 'web',
      response_types: ['id_token'],
      grant_types: ['client_credentials', 'implicit'],
      token_endpoint_auth_method: 'private_key_jwt',
      initiate_login_uri: `${lti.url}/lti/login`,
      redirect_uris: [`${lti.url}/lti/launch`],
      jwks_uri: `${lti.url}/lti/keys`,
      logo_uri: `${lti.url}/assets/icon-plain.svg`,
    });
    expect(sent).not.toHaveProperty('jwks');
    expect(sent![TOOL]).toMatchObject({
      domain: new URL(lti.url).host,
      target_link_uri: `${lti.url}/lti/launch`,
      custom_parameters: { context_history: '$Context.id.history', link_history: '$ResourceLink.id.history' },
      claims: ['iss', 'sub', 'name', 'given_name', 'family_name'],
      messages: [{ type: 'LtiDeepLinkingRequest', placements: ['ContentArea'] }, { type: 'LtiResourceLinkRequest' }],
    });
  });

  test('uses the link up', async () => {
    const { register, open, makeLink, platform } = running;
    const link = await makeLink();
    await register(link);
    const again = await open(platform.registrationUrl(link));
    expect(again.status).toBe(404);
    expect(again.text).toContain('This registration link does not work');
    expect(await listOfPlatform()).toHaveLength(1);
  });

  test('registers once where the form is sent twice at the same time', async () => {
    const { open, send, makeLink, platform } = running;
    const page = await open(platform.registrationUrl(await makeLink()));
    const answers = await Promise.all([send(page), send(page)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(await listOfPlatform()).toHaveLength(1);
  });

  test('is registered a second time when it registers again', async () => {
    const { register, open, send, makeLink, platform } = running;
    await register(await makeLink());
    const page = await open(platform.registrationUrl(await makeLink()));
    expect(page.text).toContain('This platform is already connected');
    expect(valuesOf(page.html, 'replaces')).toEqual(['']);
    await send(page);
    expect((await listOfPlatform()).map(({ clientId }) => clientId).sort()).toEqual(['client-1', 'client-2']);
  });

  test('renews an earlier registration that the administrator selects', async () => {
    const { register, open, send, makeLink, platform } = running;
    await register(await makeLink());
    const [before] = await listOfPlatform();
    const page = await open(platform.registrationUrl(await makeLink()));
    expect(page.html).toContain(`name="replaces" id="replaces-0" value="${before!.id}"`);
    const done = await send(page, { replaces: before!.id });
    expect(done.text).toContain('connection renewed');
    const after = await listOfPlatform();
    expect(after).toHaveLength(1);
    expect(after[0]).toMatchObject({ id: before!.id, clientId: 'client-2', keyId: before!.keyId });
    expect((await deploymentsOf(after[0]!)).sort()).toEqual(['1', '2']);
  });

  test('is told what an update of the tool resets, and not to activate it again', async () => {
    const { register, open, send, makeLink, platform } = running;
    await register(await makeLink(), { name: 'Moodle of the school' });
    const done = await send(await open(platform.registrationUrl(await makeLink(), 'client-1')));
    expect(done.text).toContain('Moodle of the school: connection renewed');
    expect(done.text).not.toContain('Activate');
    expect(done.text).toContain('Show in activity chooser and as a preconfigured tool');
    expect((await listOfPlatform()).map(({ name, clientId }) => [name, clientId])).toEqual([
      ['Moodle of the school', 'client-1'],
    ]);
  });

  test('is renewed by an update without a choice, under the name that the page shows', async () => {
    const { register, open, send, makeLink, platform } = running;
    await register(await makeLink(), { name: 'Moodle of the school' });
    const update = async () => open(platform.registrationUrl(await makeLink(), 'client-1'));
    const page = await update();
    expect(page.text).toContain('Moodle updates its existing tool');
    expect(page.html).not.toContain('name="replaces"');
    expect(fieldOf(page.html, 'name')).toBe('Moodle of the school');
    await send(page, { name: 'Our Moodle' });
    expect((await listOfPlatform()).map(({ name, clientId }) => [name, clientId])).toEqual([
      ['Our Moodle', 'client-1'],
    ]);
    // Of several, only the platform says afterwards which one it was.
    await register(await makeLink(), { name: 'Second' });
    const unnamed = await update();
    expect(unnamed.text).toContain('The connection keeps its name.');
    expect(fieldOf(unnamed.html, 'name')).toBeUndefined();
    await send(unnamed);
    expect((await listOfPlatform()).map(({ name }) => name).sort()).toEqual(['Our Moodle', 'Second']);
  });

  test('is told to activate a new tool', async () => {
    const { register, open, send, makeLink, platform } = running;
    await register(await makeLink());
    const [before] = await listOfPlatform();
    const page = await open(platform.registrationUrl(await makeLink()));
    expect((await send(page, { replaces: before!.id })).text).toContain('Activate');
  });

  test('has an active registration after its renewal', async () => {
    const { register, makeLink, lti } = running;
    await register(await makeLink());
    const [before] = await listOfPlatform();
    await lti.deps.registrations.deactivate(tester, before!.id);
    await register(await makeLink(), { replaces: before!.id });
    expect((await listOfPlatform())[0]).toMatchObject({ id: before!.id, status: 'active' });
  });

  test('does not renew a registration of another tenant', async () => {
    const { register, open, makeLink, lti, platform } = running;
    await register(await makeLink());
    const [theirs] = await listOfPlatform();
    const other = await lti.services.tenants.createTenant(tester, 'Other');
    const page = await open(platform.registrationUrl(await makeLink(other.id)));
    expect(page.text).not.toContain('already connected');
    await running.send(page, { replaces: theirs!.id });
    const after = await listOfPlatform();
    expect(after.map(({ tenantId }) => tenantId).sort()).toEqual([DEFAULT_TENANT, other.id].sort());
    expect(after.find(({ id }) => id === theirs!.id)?.clientId).toBe('client-1');
  });

  test('is named after its host where no usable name is typed', async () => {
    const { register, makeLink, platform } = running;
    await register(await makeLink(), { name: ' \u{200b} ' });
    expect((await listOfPlatform())[0]?.name).toBe(new URL(platform.url).host);
  });

  test('is named after its address with its path, with a number where the name is taken', async () => {
    await running.close();
    running = await startRegistration({ mode: 'moodle', sitePath: '/moodle/' });
    const { register, makeLink, platform } = running;
    for (let i = 0; i < 3; i++) await register(await makeLink());
    const name = `${new URL(platform.url).host}/moodle`;
    const names = (await listOfPlatform()).map((registration) => registration.name).sort();
    expect(names).toEqual([name, `${name} (2)`, `${name} (3)`]);
  });

  test('keeps its name after a renewal, unless another one is typed', async () => {
    const { register, open, send, makeLink, platform } = running;
    await register(await makeLink(), { name: 'Moodle of the school' });
    const [{ id } = { id: '' }] = await listOfPlatform();
    const renew = async (typed: object) =>
      send(await open(platform.registrationUrl(await makeLink())), { replaces: id, ...typed });
    await renew({});
    expect((await listOfPlatform())[0]?.name).toBe('Moodle of the school');
    await renew({ name: 'Moodle of Lyon' });
    expect((await listOfPlatform())[0]?.name).toBe('Moodle of Lyon');
  });

  test('shows the page in French', async () => {
    const { makeLink, platform } = running;
    const address = platform.registrationUrl(await makeLink());
    const answer = await fetch(address, { headers: { 'accept-language': 'fr-CA' } });
    expect(await answer.text()).toContain('Connecter Moodle à Skilldock');
  });
});

describe('a Canvas', () => {
  test('receives its placements, its privacy level, and only scopes that it offers', async () => {
    running = await startRegistration({ mode: 'canvas', hasSharedIssuer: false });
    const { register, makeLink, platform } = running;
    const done = await register(await makeLink());
    expect(done.text).toContain('Continue in Canvas:');
    const [sent] = platform.registrations;
    expect(sent!.logo_uri).toMatch(/\/icon\.svg$/);
    const tool = sent![TOOL] as { messages: { type: string; placements: string[] }[] };
    expect(tool).toMatchObject({
      'https://canvas.instructure.com/lti/privacy_level': 'name_only',
      'https://canvas.instructure.com/lti/tool_id': 'skilldock',
    });
    expect(tool.messages).toHaveLength(1);
    expect(tool.messages[0]).toMatchObject({ type: 'LtiDeepLinkingRequest' });
    expect(tool.messages[0]!.placements).toContain('module_index_menu_modal');
    expect(await listOfPlatform()).toHaveLength(1);
  });

  test('may be framed by schools on other domains', async () => {
    running = await startRegistration({ mode: 'canvas', hasSharedIssuer: false });
    const { headers } = await running.open(running.platform.registrationUrl(await running.makeLink()));
    expect(headers.get('content-security-policy')).toMatch(/frame-ancestors [^;]* https: /);
  });

  test('is refused with the shared issuer at another host', async () => {
    running = await startRegistration({ mode: 'canvas' });
    const { open, makeLink, platform } = running;
    const page = await open(platform.registrationUrl(await makeLink()));
    expect(page.status).toBe(400);
    expect(page.text).toContain('The configuration belongs to another issuer');
  });
});

describe('the registration link in a browser', () => {
  test('explains where to paste it, and stays valid', async () => {
    running = await startRegistration();
    const { open, register, makeLink } = running;
    const link = await makeLink();
    const page = await open(link);
    expect(page.status).toBe(200);
    expect(page.text).toContain('Paste this address into your learning platform');
    expect(fieldOf(page.html, 'draft')).toBeUndefined();
    expect((await register(link)).status).toBe(200);
  });
});
