import { createHash, createPublicKey, sign, verify } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { PlatformDetails } from '../../../../src/domain/lti/registration.ts';
import type { LtiRegistrationRecord } from '../../../../src/ports/store/store.ts';
import type { NewRegistration } from '../../../../src/services/courses/lti-registrations/lti-registrations.ts';
import type { StandingClock } from '../../../fakes/clock.ts';
import { type OpenedServices, openServices, tester } from '../../../helpers/open-services.ts';
import { anyPlatform } from '../launch-samples.ts';

const first = { page: 0, pageSize: 100 };

let services: OpenedServices<StandingClock>;

beforeEach(async () => {
  services = await openServices();
});

afterEach(() => services.close());

const create = (change: Partial<NewRegistration> = {}) =>
  services.ltiRegistrations.create(tester, { ...anyPlatform, ...change });

const refusal = (work: Promise<unknown>) => work.then(() => null).catch((error: unknown) => error);

const secrets = () => services.store.secrets.listSecrets(null, 100);

async function trail(): Promise<unknown[]> {
  const { items } = await services.audit.listEntries({
    scope: null,
    search: '',
    action: null,
    period: { from: null, until: null },
    ascending: true,
    ...first,
  });
  return items
    .filter(({ action }) => action.startsWith('registration.'))
    .map(({ action, target, details, actor }) => ({ action, target, details, by: actor.kind }));
}

async function deploymentsOf({ id }: LtiRegistrationRecord): Promise<string[]> {
  const { items } = await services.ltiRegistrations.listDeployments(id, first);
  return items.map(({ deploymentId }) => deploymentId);
}

describe('a new registration', () => {
  test('is active, can be looked up by its client, and has the given deployments', async () => {
    const record = await create({ name: ' The  LMS ', deploymentIds: ['1', '2', '1'] });
    const now = services.clock.now();
    expect(record).toMatchObject({ name: 'The LMS', status: 'active', origin: 'manual', version: 1 });
    expect(record).toMatchObject({ createdAt: now, updatedAt: now });
    const { ltiRegistrations } = services;
    expect(await ltiRegistrations.getRegistration(record.id)).toEqual(record);
    expect(await ltiRegistrations.findRegistrationOfClient(record.issuer, record.clientId)).toEqual(record);
    expect(await ltiRegistrations.listRegistrationsOfIssuer(record.issuer)).toEqual([record]);
    expect(await deploymentsOf(record)).toEqual(['1', '2']);
  });

  test('has a signing key whose public part is listed', async () => {
    const record = await create();
    const [jwk] = await services.ltiRegistrations.listPublicKeys();
    const { keyId, privateKey } = await services.ltiRegistrations.signingKeyOf(record);
    const signature = sign('sha256', Buffer.from('text'), privateKey);
    const key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
    expect(verify('sha256', Buffer.from('text'), key, signature)).toBe(true);
    expect(key.asymmetricKeyDetails).toMatchObject({ modulusLength: 2048 });
    expect(privateKey).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
    expect(jwk).toEqual({
      kty: 'RSA',
      e: 'AQAB',
      n: expect.stringMatching(/^[\w-]{342}$/),
      kid: keyId,
      alg: 'RS256',
      use: 'sig',
    });
    const { n } = jwk!;
    const thumbprint = createHash('sha256').update(`{"e":"AQAB","kty":"RSA","n":"${n}"}`);
    expect(keyId).toBe(thumbprint.digest('base64url'));
    const other = await create({ clientId: 'client-2' });
    expect(other.keyId).not.toBe(keyId);
  });

  test('stores its private key sealed among the secrets of the tenant', async () => {
    const record = await create();
    const [secret, ...others] = await secrets();
    expect(secret).toMatchObject({
      tenantId: 'default',
      name: `lti-key:${record.id}`,
      boundTo: record.keyId,
    });
    expect(secret!.sealed).toMatch(/^v1\./);
    expect(others).toEqual([]);
    expect(JSON.stringify(record)).not.toContain('PRIVATE');
  });

  test('is in the audit trail', async () => {
    await create();
    const details = { issuer: 'https://lms.example.org', clientId: 'client-1', origin: 'manual' };
    expect(await trail()).toEqual([{ action: 'registration.created', target: 'LMS', details, by: 'admin' }]);
  });

  test('may use plain HTTP on this machine', async () => {
    const [issuer, base] = ['http://localhost:8080', 'http://127.0.0.1:8080'];
    const record = await create({
      issuer,
      authorizationEndpoint: `${base}/auth`,
      tokenEndpoint: `${base}/token`,
      jwksUri: 'http://[::1]:8080/keys',
    });
    expect(record.issuer).toBe(issuer);
  });

  test('is refused with all problems at once', async () => {
    const wrong = {
      issuer: 'lms.example.org',
      clientId: ' ',
      name: '…',
      deploymentIds: ['1', 'a\nb'],
      product: 'webct' as PlatformDetails['product'],
      tokenAudience: 'a'.repeat(256),
      authorizationEndpoint: 'http://lms.example.org/auth',
      tokenEndpoint: 'https://me:pass@lms.example.org/',
      jwksUri: `https://lms.example.org/${'k'.repeat(2_000)}`,
    };
    const error = await refusal(create(wrong));
    expect(error).toMatchObject({ code: 'FORM_INVALID' });
    const { problems } = error as { problems: readonly { path: string; reason: string }[] };
    expect(problems.map(({ path, reason }) => [path, reason])).toEqual([
      ['issuer', 'lti-address'],
      ['clientId', 'lti-identifier'],
      ['name', 'name-empty'],
      ['product', 'lti-product'],
      ['authorizationEndpoint', 'lti-address'],
      ['tokenEndpoint', 'lti-address-secret'],
      ['jwksUri', 'lti-address'],
      ['tokenAudience', 'lti-identifier'],
      ['deploymentIds[1]', 'lti-identifier'],
    ]);
    expect(await secrets()).toEqual([]);
  });

  test.each(['/auth', 'https:lms.example.org', 'javascript:alert(1)', 'https://', 'http://localhost.example.org/'])(
    'is refused with the address %s',
    async (authorizationEndpoint) => {
      const problems = [expect.objectContaining({ path: 'authorizationEndpoint', reason: 'lti-address' })];
      expect(await refusal(create({ authorizationEndpoint }))).toMatchObject({
        code: 'FORM_INVALID',
        problems,
      });
    },
  );

  test('is refused where issuer and client are registered, also by another tenant', async () => {
    await create();
    const { id: tenantId } = await services.tenants.createTenant(tester, 'School');
    expect(await refusal(create({ tenantId }))).toMatchObject({ code: 'REGISTRATION_TAKEN' });
    expect((await create({ tenantId, clientId: 'client-2' })).tenantId).toBe(tenantId);
  });

  test('that is created twice at once exists once, with one key', async () => {
    const made = await Promise.allSettled([create(), create(), create()]);
    const reasons = made.filter((each) => each.status === 'rejected').map(({ reason }) => reason.code);
    expect(reasons).toEqual(['REGISTRATION_TAKEN', 'REGISTRATION_TAKEN']);
    expect(await secrets()).toHaveLength(1);
    expect(await services.ltiRegistrations.listPublicKeys()).toHaveLength(1);
  });

  test('is refused for a tenant that is unknown or disabled', async () => {
    const { id: tenantId } = await services.tenants.createTenant(tester, 'School');
    await services.tenants.disableTenant(tester, tenantId);
    expect(await refusal(create({ tenantId }))).toMatchObject({ code: 'TENANT_DISABLED' });
    expect(await refusal(create({ tenantId: 'none' }))).toMatchObject({ code: 'TENANT_UNKNOWN' });
    expect(await secrets()).toEqual([]);
  });
});

describe('the product of a platform that was entered as generic', () => {
  const generic = { product: 'generic' } as const;
  const canvas = { ...generic, issuer: 'https://canvas.test.instructure.com' };

  test('is set from the issuer, where that names it', async () => {
    expect((await create(canvas)).product).toBe('canvas');
    const other = await create({ ...generic, clientId: 'client-2' });
    expect(other.product).toBe('generic');
    const { ltiRegistrations } = services;
    const changed = await ltiRegistrations.change(tester, other.id, 1, { ...other, ...canvas });
    expect(changed.product).toBe('canvas');
  });

  test('is set from the first launch that names it', async () => {
    const { ltiRegistrations } = services;
    const record = await create(generic);
    await ltiRegistrations.noteProduct(record, 'generic');
    await Promise.all([1, 2].map(() => ltiRegistrations.noteProduct(record, 'canvas')));
    const noted = await ltiRegistrations.getRegistration(record.id);
    expect(noted).toMatchObject({ product: 'canvas', version: 2 });
    await ltiRegistrations.noteProduct(noted, 'moodle');
    expect(await ltiRegistrations.getRegistration(record.id)).toEqual(noted);
    const details = { 'registration.product': 'generic → canvas' };
    expect((await trail()).slice(1)).toEqual([
      { action: 'registration.changed', target: 'LMS', details, by: 'system' },
    ]);
  });
});

describe('public keys', () => {
  test('are cached for a minute, and read again after a change on this host', async () => {
    const read = vi.spyOn(services.store.ltiRegistrations, 'listPublicKeys');
    const { ltiRegistrations, clock } = services;
    const count = async () => (await ltiRegistrations.listPublicKeys()).length;
    const first = await create();
    expect(await Promise.all([count(), count()])).toEqual([1, 1]);
    expect(read).toHaveBeenCalledTimes(1);
    await create({ clientId: 'client-2' });
    expect(await count()).toBe(2);
    await ltiRegistrations.remove(tester, first.id);
    expect(await count()).toBe(1);
    // As another host does it.
    await services.secrets.putSecret('default', `lti-key:${first.id}`, {
      plain: 'key',
      boundTo: first.keyId,
    });
    await services.store.ltiRegistrations.addRegistration(first);
    expect(await count()).toBe(1);
    clock.advance(60_001);
    expect(await count()).toBe(2);
    expect(read).toHaveBeenCalledTimes(4);
  });

  test('are read again after a failure', async () => {
    await create();
    const { ltiRegistrations } = services;
    const error = new Error('The store is away.');
    vi.spyOn(services.store.ltiRegistrations, 'listPublicKeys').mockRejectedValueOnce(error);
    await expect(ltiRegistrations.listPublicKeys()).rejects.toBe(error);
    expect(await ltiRegistrations.listPublicKeys()).toHaveLength(1);
  });

  test('are listed only where the private key is readable; the others are renewed on request', async () => {
    const { ltiRegistrations, store, clock } = services;
    const [lost, kept] = [await create(), await create({ clientId: 'client-2' })];
    const [secret] = (await secrets()).filter(({ boundTo }) => boundTo === lost.keyId);
    await store.secrets.resealSecret(secret!, `${secret!.sealed.slice(0, -6)}AAAAAA`);
    clock.advance(60_000);
    const keyIds = async () => (await ltiRegistrations.listPublicKeys()).map(({ kid }) => kid);
    expect(await keyIds()).toEqual([kept.keyId]);
    expect(await ltiRegistrations.renewUnreadableKeys(tester)).toBe(1);
    const renewed = await ltiRegistrations.getRegistration(lost.id);
    expect(renewed).toMatchObject({ version: 2, publicKey: { kid: renewed.keyId } });
    expect(renewed.keyId).not.toBe(lost.keyId);
    expect((await ltiRegistrations.signingKeyOf(renewed)).privateKey).toMatch(/PRIVATE KEY/);
    expect((await keyIds()).toSorted()).toEqual([kept.keyId, renewed.keyId].toSorted());
    expect((await trail()).at(-1)).toMatchObject({
      action: 'registration.changed',
      details: { 'registration.keyId': `${lost.keyId} → ${renewed.keyId}` },
    });
    expect(await ltiRegistrations.renewUnreadableKeys(tester)).toBe(0);
  });

  test('are at most a thousand: the next registration is refused', async () => {
    const record = await create();
    const { ltiRegistrations } = services.store;
    for (let i = 2; i <= 1_000; i++)
      await ltiRegistrations.addRegistration({ ...record, id: `r${i}`, clientId: `c${i}` });
    expect(await refusal(create({ clientId: 'one more' }))).toMatchObject({ code: 'REGISTRATIONS_FULL' });
    expect(await secrets()).toHaveLength(1);
    await services.ltiRegistrations.remove(tester, 'r2');
    expect(await create({ clientId: 'one more' })).toMatchObject({ clientId: 'one more' });
  });
});

describe('a change', () => {
  const change = (record: LtiRegistrationRecord, details: Partial<PlatformDetails>) =>
    services.ltiRegistrations.change(tester, record.id, record.version, { ...record, ...details });

  test('is stored, and keeps the signing key', async () => {
    const record = await create();
    services.clock.advance(1_000);
    const changed = await change(record, { name: 'New LMS', issuer: 'https://new.example.org' });
    const { clock, ltiRegistrations } = services;
    const expected = { ...record, name: 'New LMS', issuer: 'https://new.example.org' };
    expect(changed).toEqual({ ...expected, version: 2, updatedAt: clock.now() });
    expect(await ltiRegistrations.getRegistration(record.id)).toEqual(changed);
    expect(await ltiRegistrations.signingKeyOf(changed)).toEqual(await ltiRegistrations.signingKeyOf(record));
    expect((await trail()).at(-1)).toMatchObject({
      action: 'registration.changed',
      target: 'New LMS',
      details: {
        'registration.name': 'LMS → New LMS',
        'registration.issuer': 'https://lms.example.org → https://new.example.org',
      },
    });
  });

  test('without a difference changes nothing', async () => {
    const record = await create();
    expect(await change(record, {})).toEqual(record);
    expect(await trail()).toHaveLength(1);
  });

  test('is refused when it is invalid, outdated, for an unknown ID, or conflicts with another registration', async () => {
    const record = await create();
    await create({ clientId: 'client-2' });
    expect(await refusal(change(record, { name: '' }))).toMatchObject({ code: 'FORM_INVALID' });
    expect(await refusal(change(record, { clientId: 'client-2' }))).toMatchObject({
      code: 'REGISTRATION_TAKEN',
    });
    expect(await refusal(change({ ...record, id: 'none' }, {}))).toMatchObject({
      code: 'REGISTRATION_UNKNOWN',
    });
    await change(record, { product: 'canvas' });
    expect(await refusal(change(record, { name: 'Late' }))).toMatchObject({ code: 'CHANGED_MEANWHILE' });
    await services.ltiRegistrations.deactivate(tester, record.id);
    expect(await services.ltiRegistrations.getRegistration(record.id)).toMatchObject({
      name: 'LMS',
      version: 3,
    });
  });
});

test('is deactivated and activated, each once in the audit trail', async () => {
  const { id } = await create();
  const { ltiRegistrations } = services;
  const status = async () => (await ltiRegistrations.getRegistration(id)).status;
  for (let i = 0; i < 2; i++) await ltiRegistrations.deactivate(tester, id);
  expect(await status()).toBe('inactive');
  for (let i = 0; i < 2; i++) await ltiRegistrations.activate(tester, id);
  expect(await status()).toBe('active');
  expect(await trail()).toMatchObject([
    { action: 'registration.created' },
    { action: 'registration.deactivated' },
    { action: 'registration.activated' },
  ]);
  for (const change of [ltiRegistrations.activate, ltiRegistrations.deactivate])
    expect(await refusal(change(tester, 'none'))).toMatchObject({ code: 'REGISTRATION_UNKNOWN' });
});

test('is removed with its key and its deployments', async () => {
  const record = await create();
  const { ltiRegistrations } = services;
  await ltiRegistrations.remove(tester, record.id);
  expect(await ltiRegistrations.findRegistrationOfClient(record.issuer, record.clientId)).toBeNull();
  expect(await deploymentsOf(record)).toEqual([]);
  expect(await secrets()).toEqual([]);
  expect(await refusal(ltiRegistrations.signingKeyOf(record))).toMatchObject({ code: 'SECRET_UNREADABLE' });
  expect(await refusal(ltiRegistrations.remove(tester, record.id))).toMatchObject({
    code: 'REGISTRATION_UNKNOWN',
  });
  expect((await trail()).at(-1)).toMatchObject({ action: 'registration.removed', target: 'LMS' });
  expect((await create()).keyId).not.toBe(record.keyId);
});

describe('a deployment', () => {
  test('that is new is added once, where the registration accepts new ones', async () => {
    const { ltiRegistrations } = services;
    const open = await create();
    expect(await ltiRegistrations.admitDeployment(open, '2')).toBe(true);
    expect(await ltiRegistrations.admitDeployment(open, '2')).toBe(true);
    expect((await deploymentsOf(open)).sort()).toEqual(['1', '2']);
    const closed = await create({ clientId: 'client-2', acceptsNewDeployments: false });
    expect(await ltiRegistrations.admitDeployment(closed, '1')).toBe(true);
    expect(await ltiRegistrations.admitDeployment(closed, '2')).toBe(false);
    expect(await deploymentsOf(closed)).toEqual(['1']);
    const added = (await trail()).filter((each) => JSON.stringify(each).includes('deployment-added'));
    expect(added).toEqual([
      {
        action: 'registration.deployment-added',
        target: 'LMS',
        details: { deploymentId: '2' },
        by: 'system',
      },
    ]);
  });

  test('with an invalid ID is not accepted', async () => {
    const registration = await create();
    for (const id of ['', ' ', 'a\0', 'a'.repeat(256)])
      expect(await services.ltiRegistrations.admitDeployment(registration, id)).toBe(false);
    expect(await deploymentsOf(registration)).toEqual(['1']);
  });

  test('is added and removed by an administrator', async () => {
    const registration = await create({ acceptsNewDeployments: false });
    const { ltiRegistrations } = services;
    for (let i = 0; i < 2; i++) await ltiRegistrations.addDeployment(tester, registration.id, ' 2 ');
    expect(await ltiRegistrations.admitDeployment(registration, '2')).toBe(true);
    for (let i = 0; i < 2; i++) await ltiRegistrations.removeDeployment(tester, registration.id, '2');
    expect(await ltiRegistrations.admitDeployment(registration, '2')).toBe(false);
    expect((await trail()).slice(1)).toMatchObject([
      { action: 'registration.deployment-added', details: { deploymentId: '2' }, by: 'admin' },
      { action: 'registration.deployment-removed', details: { deploymentId: '2' } },
    ]);
    const unknown = { code: 'REGISTRATION_UNKNOWN' };
    expect(await refusal(ltiRegistrations.addDeployment(tester, 'none', '2'))).toMatchObject(unknown);
    expect(await refusal(ltiRegistrations.removeDeployment(tester, 'none', '2'))).toMatchObject(unknown);
    expect(await refusal(ltiRegistrations.addDeployment(tester, registration.id, ''))).toMatchObject({
      code: 'FORM_INVALID',
      problems: [{ path: 'deploymentId', reason: 'lti-identifier' }],
    });
  });

  test('is refused beyond a thousand', async () => {
    const registration = await create();
    const { ltiRegistrations, store, clock } = services;
    const rest = { registrationId: registration.id, tenantId: 'default', firstSeenAt: clock.now() };
    for (let i = 2; i <= 1_000; i++) await store.ltiRegistrations.addDeployment({ ...rest, deploymentId: `${i}` });
    expect(await ltiRegistrations.areDeploymentsFull(registration)).toBe(true);
    expect(await ltiRegistrations.areDeploymentsFull(await create({ clientId: 'client-2' }))).toBe(false);
    expect(await ltiRegistrations.admitDeployment(registration, '1000')).toBe(true);
    expect(await ltiRegistrations.admitDeployment(registration, '1001')).toBe(false);
    expect(await refusal(ltiRegistrations.addDeployment(tester, registration.id, '1001'))).toMatchObject({
      code: 'FORM_INVALID',
      problems: [{ path: 'deploymentId', reason: 'lti-deployments-full' }],
    });
    await ltiRegistrations.addDeployment(tester, registration.id, '1000');
  });
});
