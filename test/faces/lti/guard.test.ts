import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DEFAULT_TENANT } from '../../../src/domain/tenant.ts';
import { tester } from '../../helpers/open-services.ts';
import { anyRegistration, type RunningLti, resourceLinkLaunch, startLti } from './start-lti.ts';

let lti: RunningLti;
beforeEach(async () => {
  lti = await startLti();
});
afterEach(() => lti.close());

/** As scripts of the pages ask, which are told the code. */
async function ask(path: string, token: string): Promise<{ status: number; code: string | undefined }> {
  const response = await fetch(`${lti.url}/lti${path}`, { headers: { authorization: `Bearer ${token}` } });
  const { code } = response.ok ? {} : ((await response.json()) as { code?: string });
  return { status: response.status, code };
}

test('refuses a page without the token of a launch', async () => {
  expect(await ask('/picker', await lti.launchToken())).toEqual({ status: 200, code: undefined });
  expect(await ask('/picker', 'v1.00000000.AAAA')).toMatchObject({ status: 401, code: 'LAUNCH_INVALID' });
});

test('refuses the pages of another kind of launch, and the picker to learners', async () => {
  const [choosing, learning] = [await lti.launchToken(), await lti.launchToken(resourceLinkLaunch)];
  expect(await ask('/object', choosing)).toMatchObject({ code: 'LAUNCH_INVALID' });
  expect(await ask('/picker', learning)).toMatchObject({ status: 403, code: 'ROLE_INSUFFICIENT' });
});

test.each([
  [
    'its registration is turned off',
    () => lti.services.ltiRegistrations.deactivate(tester, lti.registration.id),
    'LTI_REGISTRATION_INACTIVE',
  ],
  [
    'its registration is removed',
    () => lti.services.ltiRegistrations.remove(tester, lti.registration.id),
    'LTI_PLATFORM_UNKNOWN',
  ],
  [
    'its registration is made anew',
    async () => {
      await lti.services.ltiRegistrations.remove(tester, lti.registration.id);
      await lti.services.ltiRegistrations.create(tester, anyRegistration);
    },
    'LTI_PLATFORM_UNKNOWN',
  ],
  [
    'its deployment is removed, though new ones are let in',
    () => lti.services.ltiRegistrations.removeDeployment(tester, lti.registration.id, '1'),
    'LTI_DEPLOYMENT_UNKNOWN',
  ],
])('ends a launch when %s', async (_, end, code) => {
  const token = await lti.launchToken();
  await end();
  expect(await ask('/picker', token)).toEqual({ status: 403, code });
});

test('ends a launch when its tenant is disabled', async () => {
  const { id: tenantId } = await lti.services.tenants.createTenant(tester, 'Law school');
  const made = { ...anyRegistration, tenantId, clientId: 'another' };
  const { id: registrationId } = await lti.services.ltiRegistrations.create(tester, made);
  const token = await lti.launchToken({ tenantId, registrationId, clientId: 'another' });
  expect((await ask('/picker', token)).status).toBe(200);
  await lti.services.tenants.disableTenant(tester, tenantId);
  expect(await ask('/picker', token)).toEqual({ status: 403, code: 'LTI_TENANT_DISABLED' });
  expect(tenantId).not.toBe(DEFAULT_TENANT);
});

test('shows facts of the registration to administrators of the platform only, and always logs them', async () => {
  const tokens = [await lti.launchToken(), await lti.launchToken({ isAdministrator: true })];
  await lti.services.ltiRegistrations.deactivate(tester, lti.registration.id);
  const show = async (token = '') =>
    (await fetch(`${lti.url}/lti/picker?${new URLSearchParams({ launch: token })}`)).text();
  const [teacher, administrator] = [await show(tokens[0]), await show(tokens[1])];
  for (const page of [teacher, administrator]) expect(page).toContain('LTI_REGISTRATION_INACTIVE');
  expect(teacher).not.toContain(anyRegistration.name);
  expect(administrator).toContain(anyRegistration.name);
  expect(lti.log.filter((line) => line.includes(anyRegistration.name))).toHaveLength(2);
});

describe('a form', () => {
  const post = (path: string, bytes: number, headers = {}) =>
    fetch(`${lti.url}/lti${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: `text=${'x'.repeat(bytes)}`,
    });

  test.each([
    ['/launch', 300_000, 413],
    ['/picker/plan', 300_000, 413],
    ['/picker/plan', 200_000, 401],
    ['/picker/choose', 3_000_000, 401],
    ['/picker/choose', 5_000_000, 413],
  ])('for %s with %i bytes is answered with %i', async (path, bytes, status) => {
    expect((await post(path, bytes)).status).toBe(status);
  });

  test('is not read before the token of the header is checked', async () => {
    const headers = { authorization: 'Bearer v1.00000000.AAAA' };
    expect((await post('/picker/plan', 300_000, headers)).status).toBe(401);
  });
});
