import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LtiRegistrationRecord, ScoreRecord } from '../../../../src/ports/store/store.ts';
import { json, listen } from '../../../fakes/lti/server.ts';
import { type FakePlatform, startFakePlatform } from '../../../fakes/lti-platform.ts';
import { readAudit } from '../read-audit.ts';
import { fieldOf, problemOf, textOf, valuesOf } from '../read-page.ts';
import { anyPlatform } from '../registrations.ts';
import { type RunningAdmin, type SignedInBrowser, someone, startAdmin } from '../start-admin.ts';

let admin: RunningAdmin;
let manager: SignedInBrowser;
let registration: LtiRegistrationRecord;
let path: string;

beforeEach(async () => {
  admin = await startAdmin();
  await admin.addTenant('Lyon');
  await admin.addTenant('Paris');
  manager = await admin.signInAs('manager', ['lyon']);
  registration = await admin.deps.ltiRegistrations.create(someone, anyPlatform);
  path = `/tenants/lyon/registrations/${registration.id}`;
});
afterEach(() => admin.close());

const saved = () => admin.deps.ltiRegistrations.getRegistration(registration.id);
const lastAction = async () => (await readAudit(admin)).at(-1)?.action;

const actions = [
  ['get', ''],
  ['get', '/edit'],
  ['get', '/deactivate'],
  ['get', '/delete'],
  ['get', '/deployments/remove'],
  ['post', '/check'],
  ['post', '/scores'],
  ['post', '/edit'],
  ['post', '/deactivate'],
  ['post', '/activate'],
  ['post', '/delete'],
  ['post', '/deployments'],
  ['post', '/deployments/remove'],
] as const;

test('no action reaches a registration of another tenant', async () => {
  const foreign = await admin.signInAs('manager', ['paris']);
  const both = await admin.signInAs('manager', ['lyon', 'paris']);
  const inTheirs = `/tenants/paris/registrations/${registration.id}`;
  for (const [method, action] of actions) {
    const answers = await Promise.all([
      foreign[method](path + action),
      foreign[method](inTheirs + action),
      // Nor whoever has both, by the wrong one.
      both[method](inTheirs + action),
    ]);
    expect([action, ...answers.map(({ status }) => status)]).toEqual([action, 404, 404, 404]);
  }
  expect(await saved()).toEqual(registration);
});

test('every action but looking is for managers', async () => {
  const viewer = await admin.signInAs('viewer', ['lyon']);
  for (const [method, action] of actions) {
    const isLooking = method === 'get' && action === '';
    expect([action, (await viewer[method](path + action)).status]).toEqual([action, isLooking ? 200 : 403]);
  }
});

test('the page has all that is known, and no way to change it for viewers', async () => {
  const viewer = await admin.signInAs('viewer', ['lyon']);
  const page = await viewer.page(path);
  const text = textOf(page);
  for (const known of [anyPlatform.issuer, anyPlatform.clientId, anyPlatform.jwksUri, 'manual entry'])
    expect(text).toContain(known);
  expect(page).not.toMatch(/<form[^>]*action="\/admin\/tenants/);
  expect(page).not.toContain(`${path}/delete`);
});

describe('editing', () => {
  const typed = (page: string, more: Record<string, string> = {}) => ({
    ...Object.fromEntries(
      ['version', 'name', 'product', 'issuer', 'clientId', 'authorizationEndpoint', 'tokenEndpoint', 'jwksUri'].map(
        (name) => [name, fieldOf(page, name) ?? ''],
      ),
    ),
    ...more,
  });

  test('begins with what is saved, and saves', async () => {
    const page = await manager.page(`${path}/edit`);
    expect(valuesOf(page, 'acceptsNewDeployments')).toEqual(['on']);
    const answer = await manager.post(
      `${path}/edit`,
      typed(page, { name: 'Renamed', tokenAudience: 'https://aud.example' }),
    );
    expect(answer.headers.get('location')).toBe(`/admin${path}?notice=registration-saved`);
    expect(await saved()).toMatchObject({
      name: 'Renamed',
      tokenAudience: 'https://aud.example',
      acceptsNewDeployments: false,
      issuer: anyPlatform.issuer,
      version: 2,
    });
    expect(await lastAction()).toBe('registration.changed');
  });

  test('shows what is wrong beside the field', async () => {
    const page = await manager.page(`${path}/edit`);
    const answer = await manager.post(`${path}/edit`, typed(page, { jwksUri: 'nowhere' }));
    expect(answer.status).toBe(422);
    expect(problemOf(await answer.text(), 'jwksUri')).toContain('web address');
    expect(await saved()).toEqual(registration);
  });

  test('replaces nothing that somebody else saved meanwhile, until it is sent again', async () => {
    const page = await manager.page(`${path}/edit`);
    await admin.deps.ltiRegistrations.change(someone, registration.id, 1, { ...anyPlatform, name: 'Theirs' });
    const refused = await manager.post(`${path}/edit`, typed(page, { name: 'Ours' }));
    expect(refused.status).toBe(422);
    const again = await refused.text();
    expect(textOf(again)).toContain('Someone else changed this while you had it open');
    expect(fieldOf(again, 'name')).toBe('Ours');
    expect((await saved()).name).toBe('Theirs');
    expect((await manager.post(`${path}/edit`, typed(again))).status).toBe(303);
    expect((await saved()).name).toBe('Ours');
  });

  test('refuses a client that is registered', async () => {
    await admin.deps.ltiRegistrations.create(someone, {
      ...anyPlatform,
      tenantId: 'paris',
      clientId: 'theirs',
    });
    const page = await manager.page(`${path}/edit`);
    const answer = await manager.post(`${path}/edit`, typed(page, { clientId: 'theirs' }));
    expect(problemOf(await answer.text(), 'clientId')).toContain('is already connected');
  });
});

describe('deployments', () => {
  const ids = async () => {
    const all = { page: 0, pageSize: 100 };
    const { items } = await admin.deps.ltiRegistrations.listDeployments(registration.id, all);
    return items.map(({ deploymentId }) => deploymentId).sort();
  };

  test('are added', async () => {
    const answer = await manager.post(`${path}/deployments`, { deploymentId: ' 2:abc ' });
    expect(textOf(await manager.follow(answer))).toContain('Deployment added');
    expect(await ids()).toEqual(['1', '2:abc']);
  });

  test('are refused beside the field', async () => {
    const answer = await manager.post(`${path}/deployments`, { deploymentId: ' ' });
    expect(answer.status).toBe(422);
    expect(problemOf(await answer.text(), 'deploymentId')).toContain('1 to 255 characters');
  });

  test('are removed after a question that says that they may come back', async () => {
    const page = await manager.page(`${path}/deployments/remove?deployment=1`);
    expect(textOf(page)).toContain('This platform accepts new deployments');
    const answer = await manager.post(`${path}/deployments/remove`, {
      deployment: fieldOf(page, 'deployment')!,
    });
    expect(answer.headers.get('location')).toBe(`/admin${path}?notice=deployment-removed#deployments`);
    expect(await ids()).toEqual([]);
  });
});

describe('deactivating', () => {
  test('and activating again', async () => {
    expect(textOf(await manager.page(`${path}/deactivate`))).toContain('no grades will be sent to it');
    await manager.post(`${path}/deactivate`);
    expect((await saved()).status).toBe('inactive');
    expect(await lastAction()).toBe('registration.deactivated');
    expect(textOf(await manager.page(path))).toContain('This platform is inactive');
    expect(textOf(await manager.page(`${path}/deactivate`))).toContain('already inactive');
    await manager.post(`${path}/activate`);
    expect((await saved()).status).toBe('active');
  });
});

describe('deleting', () => {
  test('is asked for first, and then done', async () => {
    expect(textOf(await manager.page(`${path}/delete`))).toContain('You cannot undo this');
    expect(await saved()).toEqual(registration);
    const answer = await manager.post(`${path}/delete`);
    expect(textOf(await manager.follow(answer))).toContain('Registration deleted');
    expect((await manager.get(path)).status).toBe(404);
    expect(await lastAction()).toBe('registration.removed');
  });
});

describe('scores', () => {
  const put = (id: string, state: ScoreRecord['state']) =>
    admin.store.scores.putScore({
      id,
      tenantId: 'lyon',
      registrationId: registration.id,
      linkId: 'link',
      userId: id,
      newLineItem: null,
      lineItem: 'https://moodle.example.edu/item',
      points: 10,
      earnedAt: admin.clock.now(),
      state,
      attempts: 1,
      failures: 1,
      dueAt: admin.clock.now(),
      leasedUntil: null,
      lastError: null,
    });

  test('that have all arrived need nothing', async () => {
    await put('a', 'delivered');
    const page = await manager.page(path);
    expect(textOf(page)).toContain('All grades have arrived');
    expect(page).not.toContain(`${path}/scores`);
  });

  test('that have not are counted, and sent again when asked', async () => {
    await Promise.all([put('a', 'waiting'), put('b', 'parked'), put('c', 'parked'), put('d', 'refused')]);
    const text = textOf(await manager.page(path));
    expect(text).toContain('One grade is being sent');
    expect(text).toContain('2 grades were not sent');
    expect(text).toContain('One grade was rejected');
    expect(textOf(await manager.page(`${path}/delete`))).toContain('4 unsent grades');
    const answer = await manager.post(`${path}/scores`);
    expect(textOf(await manager.follow(answer))).toContain('Sending 3 grades again');
    expect(await admin.deps.ltiScores.countUnsent(registration)).toEqual({
      waiting: 4,
      parked: 0,
      refused: 0,
    });
  });
});

describe('a check', () => {
  let platform: FakePlatform;
  let keys: Awaited<ReturnType<typeof listen>>;
  let theirs: string;

  beforeEach(async () => {
    platform = await startFakePlatform();
    keys = await listen('localhost', async () => json({ keys: await admin.deps.ltiRegistrations.listPublicKeys() }));
    const { clientId } = platform.addTool(keys.url);
    const { id } = await admin.deps.ltiRegistrations.create(someone, {
      ...anyPlatform,
      ...platform.detailsOf(clientId),
    });
    theirs = `/tenants/lyon/registrations/${id}`;
  });
  afterEach(() => Promise.all([platform.close(), keys.stop()]));

  const check = async () => textOf(await (await manager.post(`${theirs}/check`)).text());

  test('finds nothing where all is well', async () => {
    const text = await check();
    expect(text).toContain('The connection works');
    expect(text).toContain('Access token works');
  });

  test('says of a client that the platform does not know', async () => {
    const { id } = await admin.deps.ltiRegistrations.create(someone, {
      ...anyPlatform,
      ...platform.detailsOf('unknown'),
    });
    theirs = `/tenants/lyon/registrations/${id}`;
    const text = await check();
    expect(text).toContain('Public keys works');
    expect(text).toContain('Access token does not work');
    expect(text).toContain('Compare the client ID');
  });

  test('says of a platform that is away', async () => {
    await platform.stop();
    const text = await check();
    expect(text).toContain('Something does not work yet');
    expect(text).toContain('This address does not answer. Without keys, every launch is rejected.');
    await platform.restart();
  });

  test('says of keys that are none', async () => {
    platform.answerWith('keys', { status: 200, body: '<html>' });
    expect(await check()).toContain('This address returns no key set.');
  });
});
