import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allScopes } from '../../../demo/platform/vocabulary.ts';
import type { FakePlatform } from '../../fakes/lti-platform.ts';
import { startPlatform, type TestedPlatform } from './start-platform.ts';

/** What the strict platform of the tests takes as a dynamic registration, and what it refuses. */

const CONFIGURATION = 'https://purl.imsglobal.org/spec/lti-tool-configuration';
const tool = 'https://tool.example:8443';

const good = {
  application_type: 'web',
  client_name: 'Skilldock',
  response_types: ['id_token'],
  grant_types: ['implicit', 'client_credentials'],
  initiate_login_uri: `${tool}/lti/login`,
  redirect_uris: [`${tool}/lti/launch`],
  jwks_uri: `${tool}/lti/keys`,
  token_endpoint_auth_method: 'private_key_jwt',
  scope: allScopes.join(' '),
};
const configuration = {
  domain: 'tool.example:8443',
  target_link_uri: `${tool}/lti/launch`,
  claims: ['iss', 'sub'],
  messages: [{ type: 'LtiDeepLinkingRequest', placements: ['ContentArea', 'editor_button'] }],
};

async function register(platform: FakePlatform, change: object = {}, inConfiguration: object = {}) {
  const opened = new URL(platform.registrationUrl(`${tool}/lti/register?token=x`));
  expect(opened.searchParams.get('token')).toBe('x');
  const bearer = `Bearer ${opened.searchParams.get('registration_token')}`;
  const found = await fetch(opened.searchParams.get('openid_configuration')!, {
    headers: { authorization: bearer },
  });
  const { registration_endpoint: endpoint } = (await found.json()) as { registration_endpoint: string };
  const send = () =>
    fetch(endpoint, {
      method: 'POST',
      headers: { authorization: bearer, 'content-type': 'application/json' },
      body: JSON.stringify({ ...good, [CONFIGURATION]: { ...configuration, ...inConfiguration }, ...change }),
    });
  const response = await send();
  return { status: response.status, text: await response.text(), send };
}

describe.each(['moodle', 'canvas'] as const)('registration at %s', (mode) => {
  let tested: TestedPlatform;
  beforeAll(async () => {
    tested = await startPlatform({ mode });
  });
  afterAll(() => tested.close());

  test('a good one is taken once', async () => {
    const { status, text, send } = await register(tested.platform);
    expect(status).toBe(mode === 'moodle' ? 200 : 201);
    const answer = JSON.parse(text) as Record<string, Record<string, string>>;
    expect(tested.platform.tools.get(String(answer.client_id))).toMatchObject({
      deploymentId: answer[CONFIGURATION]!.deployment_id,
      redirectUris: good.redirect_uris,
      scopes: allScopes,
    });
    expect((await send()).status).toBe(401);
  });

  test.each([
    ['inline keys', { jwks: { keys: [] } }],
    ['no address of keys', { jwks_uri: undefined }],
    ['another response', { response_types: ['code'] }],
    ['no login address', { initiate_login_uri: undefined }],
    ['no redirect address', { redirect_uris: [] }],
    ['another authentication', { token_endpoint_auth_method: 'client_secret_basic' }],
    ['no name', { client_name: '' }],
    ['no configuration', { [CONFIGURATION]: undefined }],
  ])('one with %s is refused', async (_, change) => {
    expect((await register(tested.platform, change)).status).toBe(400);
  });

  test('each has rules of its own', async () => {
    const { platform } = tested;
    const withoutPort = await register(platform, {}, { domain: 'tool.example' });
    const withoutPlacements = await register(platform, {}, { messages: [{ type: 'LtiDeepLinkingRequest' }] });
    const withOtherScope = await register(platform, { scope: `${allScopes.join(' ')} openid` });
    const statuses = [withoutPort, withoutPlacements, withOtherScope].map(({ status }) => status);
    expect(statuses).toEqual(mode === 'moodle' ? [400, 200, 200] : [201, 400, 400]);
  });

  test('Canvas shows its configuration to those only who were sent', async () => {
    const response = await fetch(`${tested.platform.url}/.well-known/openid-configuration`);
    expect(response.status).toBe(mode === 'moodle' ? 200 : 401);
  });
});
