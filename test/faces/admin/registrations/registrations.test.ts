import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { NewRegistration } from '../../../../src/services/courses/lti-registrations/lti-registrations.ts';
import { readAudit } from '../read-audit.ts';
import { fieldOf, problemOf, rowsOf, textOf, valuesOf } from '../read-page.ts';
import { anyPlatform } from '../registrations.ts';
import { type RunningAdmin, type SignedInBrowser, someone, startAdmin } from '../start-admin.ts';

const PATH = '/tenants/lyon/registrations';
const HOST = 'https://skills.example.org';

let admin: RunningAdmin;
let manager: SignedInBrowser;

beforeEach(async () => {
  admin = await startAdmin({ publicUrl: HOST });
  await admin.addTenant('Lyon');
  await admin.addTenant('Paris');
  // The browser of the tests sends cookies for https over http as well.
  manager = await admin.signInAs('manager', ['lyon']);
});
afterEach(() => admin.close());

const add = (more: Partial<NewRegistration> = {}) =>
  admin.deps.ltiRegistrations.create(someone, { ...anyPlatform, ...more });

const listed = async () => {
  const all = { scope: null, search: '', sort: 'name', descending: false, page: 0, pageSize: 100 } as const;
  return (await admin.deps.ltiRegistrations.listRegistrations(all)).items;
};

const form = (more: Record<string, string> = {}) => ({
  name: 'Moodle of Lyon',
  product: 'moodle',
  issuer: 'https://moodle.example.edu',
  clientId: 'skilldock-at-lyon',
  authorizationEndpoint: 'https://moodle.example.edu/mod/lti/auth.php',
  tokenEndpoint: 'https://moodle.example.edu/mod/lti/token.php',
  tokenAudience: '',
  jwksUri: 'https://moodle.example.edu/mod/lti/certs.php',
  deploymentId: '7',
  acceptsNewDeployments: 'on',
  ...more,
});

describe('the list', () => {
  test('says how to begin where there is nothing', async () => {
    expect(textOf(await manager.page('/registrations'))).toContain('No platform connected yet');
    const viewer = await admin.signInAs('viewer', ['lyon']);
    const page = await viewer.page('/registrations');
    expect(textOf(page)).toContain('Managers of a tenant and owners can connect platforms');
    expect(page).not.toContain('/registrations/new');
  });

  test('has the platforms of the tenants one sees, newest first', async () => {
    await add();
    admin.clock.advance(60_000);
    await add({ name: 'Canvas of Lyon', product: 'canvas', clientId: '2' });
    await add({ name: 'Moodle of Paris', tenantId: 'paris', clientId: '3' });
    const rows = rowsOf(await manager.page('/registrations'));
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatch(/^Canvas of Lyon active Canvas/);
    const owner = await admin.signInAs('owner');
    const all = rowsOf(await owner.page('/registrations?sort=name&dir=asc'));
    expect(all.map((row) => row.split(' active')[0])).toEqual([
      'Canvas of Lyon Lyon',
      'Moodle of Lyon Lyon',
      'Moodle of Paris Paris',
    ]);
    expect(rowsOf(await owner.page('/registrations?tenant=paris'))).toHaveLength(1);
  });

  test('is searched by name, issuer and client id', async () => {
    await add();
    await add({ name: 'Canvas', clientId: 'other', issuer: 'https://canvas.instructure.com' });
    for (const search of ['moodle of', 'INSTRUCTURE', 'other'])
      expect(rowsOf(await manager.page(`/registrations?q=${search}`))).toHaveLength(1);
    expect(textOf(await manager.page('/registrations?q=sakai'))).toContain('No platform matches “sakai”');
  });

  test('marks what is the demo’s, and what is turned off', async () => {
    const { id } = await add({ origin: 'demo' });
    await admin.deps.ltiRegistrations.deactivate(someone, id);
    expect(rowsOf(await manager.page('/registrations'))[0]).toContain('inactive demo');
  });

  test('of a tenant of others is not there', async () => {
    expect((await manager.get('/registrations?tenant=paris')).status).toBe(404);
    expect((await manager.get('/tenants/paris/registrations')).status).toBe(404);
  });

  test('belongs to its entry of the menu', async () => {
    const page = await manager.page(`${PATH}/new`);
    expect(page).toContain('<a href="/admin/registrations" aria-current="page">');
  });
});

describe('connecting a platform', () => {
  test('begins with the tenant where there are several', async () => {
    const owner = await admin.signInAs('owner');
    expect(valuesOf(await owner.page('/registrations/new'), 'tenant')).toEqual([]);
    const chosen = await owner.get('/registrations/new?tenant=lyon');
    expect(chosen.headers.get('location')).toBe(`/admin${PATH}/new`);
    expect((await manager.get('/registrations/new')).headers.get('location')).toBe(`/admin${PATH}/new`);
  });

  test('shows the address of the configuration for Canvas', async () => {
    const page = await manager.page(`${PATH}/new`);
    expect(page).toContain(`data-copy="${HOST}/lti/config/canvas.json"`);
    expect(textOf(page)).not.toContain('Platforms need https');
  });

  test('by a link shows it once', async () => {
    const answer = await manager.post(`${PATH}/link`);
    expect(answer.status).toBe(200);
    const page = await answer.text();
    const address = /<code id="address">(.*?)<\/code>/.exec(page)![1]!;
    expect(address).toMatch(/^https:\/\/skills\.example\.org\/lti\/register\?token=[\w-]+$/);
    expect(page).toContain(`data-copy="${address}"`);
    const token = new URL(address).searchParams.get('token')!;
    expect(await admin.deps.ltiRegistrationLinks.getLink(token)).toMatchObject({
      tenantId: 'lyon',
      actor: { name: manager.name },
    });
    expect(await manager.page('/registrations')).not.toContain(token);
    expect(JSON.stringify(await readAudit(admin)) + admin.log.join()).not.toContain(token);
  });

  test('by hand begins with what is known of the product', async () => {
    const page = await manager.page(`${PATH}/manual?product=moodle&site=moodle.example.edu%2F`);
    expect(fieldOf(page, 'issuer')).toBe('https://moodle.example.edu');
    expect(fieldOf(page, 'tokenEndpoint')).toBe('https://moodle.example.edu/mod/lti/token.php');
    expect(valuesOf(page, 'product')).toEqual(['moodle']);
    for (const address of ['login', 'launch', 'keys']) expect(page).toContain(`data-copy="${HOST}/lti/${address}"`);
    const canvas = await manager.page(`${PATH}/manual?product=canvas`);
    expect(fieldOf(canvas, 'issuer')).toBe('https://canvas.instructure.com');
    expect(fieldOf(canvas, 'jwksUri')).toBe('https://sso.canvaslms.com/api/lti/security/jwks');
  });

  test('by hand registers it with its deployment', async () => {
    const answer = await manager.post(`${PATH}/manual`, form());
    const [registration] = await listed();
    expect(answer.headers.get('location')).toBe(`/admin${PATH}/${registration!.id}?notice=registration-created`);
    const { deploymentIds: _, ...details } = anyPlatform;
    expect(registration).toMatchObject(details);
    const page = textOf(await manager.follow(answer));
    expect(page).toContain('Platform connected');
    expect(page).toContain('Deployment ID First launch (UTC) Actions 7');
    expect((await readAudit(admin)).at(-1)).toMatchObject({
      action: 'registration.created',
      tenantId: 'lyon',
      actor: { name: manager.name },
    });
  });

  test.each([
    ['name', ' ', 'at least one letter or digit'],
    ['issuer', '', '1 to 255 characters'],
    ['issuer', 'http://moodle.example.edu', 'web address'],
    ['clientId', '', '1 to 255 characters'],
    ['authorizationEndpoint', 'javascript:alert(1)', 'web address'],
    ['tokenEndpoint', 'https://a:b@moodle.example.edu/', 'a password'],
    ['jwksUri', 'nowhere', 'web address'],
    ['product', 'blackbored', 'Choose one of these'],
    ['deploymentId', 'x'.repeat(256), '1 to 255 characters'],
  ])('by hand is refused beside %s of %o, and keeps what was typed', async (field, wrong, problem) => {
    const fields = form({ [field]: wrong });
    const answer = await manager.post(`${PATH}/manual`, fields);
    expect(answer.status).toBe(422);
    const page = await answer.text();
    expect(problemOf(page, field)).toContain(problem);
    expect(fieldOf(page, 'name')).toBe(fields.name);
    expect(fieldOf(page, 'tokenEndpoint')).toBe(fields.tokenEndpoint);
    expect(await listed()).toEqual([]);
  });

  test('by hand asks for the deployment where only that tells institutions apart', async () => {
    const page = await manager.page(`${PATH}/manual?product=blackboard`);
    expect(valuesOf(page, 'acceptsNewDeployments')).toEqual([]);
    expect(textOf(page)).toContain('Leave it off for Blackboard');
    const asked = { issuer: 'https://blackboard.com', deploymentId: ' ' };
    for (const product of ['blackboard', 'generic']) {
      const answer = await manager.post(`${PATH}/manual`, form({ ...asked, product }));
      expect(answer.status).toBe(422);
      const again = await answer.text();
      expect(problemOf(again, 'deploymentId')).toContain('the deployment ID that the platform shows');
      expect(valuesOf(again, 'acceptsNewDeployments')).toEqual([]);
    }
    expect(await listed()).toEqual([]);
    const { acceptsNewDeployments: _, ...closed } = form({ ...asked, product: 'blackboard' });
    const answer = await manager.post(`${PATH}/manual`, { ...closed, deploymentId: '7' });
    expect(textOf(await manager.follow(answer))).not.toContain('Any of them that installs the tool');
  });

  test('by hand says what it opens where new deployments of Blackboard are let in', async () => {
    const fields = form({ issuer: 'https://blackboard.com', product: 'generic' });
    const page = textOf(await manager.follow(await manager.post(`${PATH}/manual`, fields)));
    expect(page).toContain('Product Blackboard');
    expect(page).toContain('any of them can launch the tool');
  });

  test('by hand is refused where the client is known', async () => {
    await add({ tenantId: 'paris' });
    const answer = await manager.post(`${PATH}/manual`, form());
    expect(problemOf(await answer.text(), 'clientId')).toContain('is already connected');
    expect(await listed()).toHaveLength(1);
  });

  test('is not for viewers, others’ managers or disabled tenants', async () => {
    const viewer = await admin.signInAs('viewer', ['lyon']);
    for (const path of [`${PATH}/link`, `${PATH}/manual`]) {
      expect((await viewer.post(path, form())).status).toBe(403);
      expect((await manager.post(path.replace('lyon', 'paris'), form())).status).toBe(404);
    }
    await admin.deps.tenants.disableTenant(someone, 'lyon');
    expect(textOf(await manager.page(`${PATH}/new`))).toContain('This tenant is disabled');
    expect((await manager.post(`${PATH}/link`)).status).toBe(403);
    expect(await listed()).toEqual([]);
  });
});

test('a host without https says that platforms need it', async () => {
  const plain = await startAdmin({ publicUrl: 'http://skills.example.org' });
  try {
    await plain.addTenant('Lyon');
    const browser = await plain.signInAs('manager', ['lyon']);
    expect(textOf(await browser.page(`${PATH}/new`))).toContain('Platforms need https');
  } finally {
    await plain.close();
  }
});
