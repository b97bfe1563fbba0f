import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { NewSlackInstallation } from '../../../../src/services/people/slack/slack-installations.ts';
import { readAudit } from '../read-audit.ts';
import { rowsOf, textOf, valuesOf } from '../read-page.ts';
import { anyApp, anyWorkspace } from '../slack.ts';
import { type AdminOptions, type RunningAdmin, type SignedInBrowser, someone, startAdmin } from '../start-admin.ts';

const PATH = '/tenants/lyon/workspaces';
const HOST = 'https://skills.example.org';

let admin: RunningAdmin;
let manager: SignedInBrowser;

async function start(options: AdminOptions = {}): Promise<void> {
  admin = await startAdmin({ publicUrl: HOST, ...options });
  await admin.addTenant('Lyon');
  await admin.addTenant('Paris');
  manager = await admin.signInAs('manager', ['lyon']);
}

/** In place of the one that each test begins with. */
async function restart(options: AdminOptions): Promise<void> {
  await admin.close();
  await start(options);
}

beforeEach(() => start());
afterEach(() => admin.close());

const add = (more: Partial<NewSlackInstallation> = {}, tenantId = 'lyon') =>
  admin.deps.slackInstallations.install({ ...anyWorkspace, ...more }, tenantId);

const saveApp = () => admin.deps.slackCredentials.save(someone, anyApp);

describe('the Slack app', () => {
  test('that is not there yet: three numbered steps, with the manifest to hand over', async () => {
    const owner = await admin.signInAs('owner');
    const page = await owner.page('/workspaces');
    const text = textOf(page);
    expect(text).toContain('not set up This server has no Slack app yet.');
    expect(text).toMatch(/Create the app .* Enter the app’s secrets .* Install the app in a workspace/);
    expect(page).toContain('href="/admin/workspaces/manifest.yml"');
    expect(page).toContain('href="https://api.slack.com/apps?new_app=1&amp;manifest_yaml=_metadata');
    expect(text).toContain(`request_url: ${HOST}/slack/events`);
    expect(page).toContain('href="/admin/workspaces/app#secrets"');
    expect(page).not.toContain('/workspaces/new');
    expect(text).not.toContain('needs https');
  });

  test('that is not there yet: whoever is no owner is told who can go on', async () => {
    const page = await manager.page('/workspaces');
    expect(textOf(page)).toContain('An owner of this server must enter three values');
    expect(page).not.toContain('/admin/workspaces/app#secrets');
  });

  test('that is saved here: workspaces can be connected', async () => {
    await saveApp();
    const page = await manager.page('/workspaces');
    expect(textOf(page)).toContain('saved here The app’s secrets are saved here, encrypted.');
    expect(textOf(page)).not.toContain('Set up Slack in three steps');
    expect(page).toContain(`href="/admin${PATH}/new"`);
  });

  test('that the environment sets', async () => {
    await restart({ slackApp: anyApp });
    const text = textOf(await manager.page('/workspaces'));
    expect(text).toContain('set in the environment The app’s secrets come from the environment of this server');
    expect(text).not.toContain('Socket Mode');
  });

  test('by Socket Mode', async () => {
    await restart({ slackApp: anyApp, deps: { slackSocketMode: true } });
    expect(textOf(await manager.page('/workspaces'))).toContain('set in the environment Socket Mode');
  });

  test.each([
    ['http://skills.example.org', false, 'Slack needs https. The public address of this server is http://skills'],
    ['http://localhost:3000', false, 'Slack cannot reach http://localhost:3000: it is this computer.'],
    [
      'http://localhost:3000',
      true,
      'Commands reach this server through Socket Mode. For the installation, Slack needs an https',
    ],
  ])('on %s (Socket Mode: %s) says what Slack needs', async (publicUrl, slackSocketMode, said) => {
    await restart({ publicUrl, deps: { slackSocketMode } });
    await saveApp();
    for (const path of ['/workspaces', '/workspaces/app', `${PATH}/new`])
      expect(textOf(await manager.page(path))).toContain(said);
  });

  test('on https://localhost needs no more than Socket Mode', async () => {
    await restart({ publicUrl: 'https://localhost:3443', deps: { slackSocketMode: true } });
    expect(await manager.page('/workspaces/app')).not.toContain('class="notice warning"');
  });
});

describe('the list', () => {
  test('says how to begin where there is nothing', async () => {
    await saveApp();
    const page = await manager.page('/workspaces');
    expect(textOf(page)).toContain('No Slack workspace connected');
    expect(textOf(page)).toContain('Connect the first workspace');
    const viewer = await admin.signInAs('viewer', ['lyon']);
    const seen = await viewer.page('/workspaces');
    expect(textOf(seen)).toContain('Managers of a tenant and owners can connect workspaces.');
    expect(seen).not.toContain('/workspaces/new');
  });

  test('has the workspaces of the tenants one sees, by name', async () => {
    await add();
    await add({ id: 'E0001', kind: 'organisation', name: 'Academy', installedBy: 'U0007' });
    await add({ id: 'T0002', name: 'Paris' }, 'paris');
    const rows = rowsOf(await manager.page('/workspaces'));
    expect(rows).toEqual([
      'Academy Organisation (Enterprise Grid) Mar 1, 2026 by U0007 commands, chat:write, users:read',
      'Faculty of Lyon Workspace Mar 1, 2026 by U0042 commands, chat:write, users:read',
    ]);
    const owner = await admin.signInAs('owner');
    expect(rowsOf(await owner.page('/workspaces'))).toHaveLength(3);
    const [paris, ...others] = rowsOf(await owner.page('/workspaces?tenant=paris'));
    expect(paris).toMatch(/^Paris Paris Workspace/);
    expect(others).toEqual([]);
  });

  test('is searched by name and id, and paged', async () => {
    for (let n = 10; n < 37; n++) await add({ id: `T${n}`, name: `School ${n}` });
    for (const search of ['school 12', 't12'])
      expect(rowsOf(await manager.page(`/workspaces?q=${search}`))).toHaveLength(1);
    expect(textOf(await manager.page('/workspaces?q=sorbonne'))).toContain('No workspace matches “sorbonne”');
    const first = await manager.page('/workspaces?tenant=lyon&q=school');
    expect(rowsOf(first)).toHaveLength(25);
    const next = /<a href="\/admin([^"]*)" rel="next">/.exec(first)![1]!.replaceAll('&amp;', '&');
    expect(rowsOf(await manager.page(next))).toHaveLength(2);
  });

  test('of a tenant of others is not there', async () => {
    expect((await manager.get('/workspaces?tenant=paris')).status).toBe(404);
    expect((await manager.get('/tenants/paris/workspaces')).status).toBe(404);
  });

  test('belongs to its entry of the menu', async () => {
    expect(await manager.page(`${PATH}/new`)).toContain('<a href="/admin/workspaces" aria-current="page">');
  });
});

describe('connecting a workspace', () => {
  beforeEach(() => saveApp());

  test('begins with the tenant where there are several', async () => {
    const owner = await admin.signInAs('owner');
    expect(valuesOf(await owner.page('/workspaces/new'), 'tenant')).toEqual([]);
    const chosen = await owner.get('/workspaces/new?tenant=lyon');
    expect(chosen.headers.get('location')).toBe(`/admin${PATH}/new`);
    expect((await manager.get('/workspaces/new')).headers.get('location')).toBe(`/admin${PATH}/new`);
    expect((await manager.get('/workspaces/new?tenant=paris')).status).toBe(404);
  });

  test('by a link shows it once; it works once, for this tenant', async () => {
    const answer = await manager.post(`${PATH}/link`);
    expect(answer.status).toBe(200);
    const page = await answer.text();
    const address = /<code id="address">(.*?)<\/code>/.exec(page)![1]!;
    expect(address).toMatch(/^https:\/\/skills\.example\.org\/slack\/install\?token=[\w-]+$/);
    expect(page).toContain(`data-copy="${address}"`);
    expect(textOf(page)).toContain('works until Mar 2, 2026, 10:00 AM (UTC)');
    const token = new URL(address).searchParams.get('token')!;
    expect(await admin.deps.slackInstallLinks.getLink(token)).toMatchObject({
      tenantId: 'lyon',
      actor: { name: manager.name },
    });
    expect(await manager.page(`${PATH}/link`)).not.toContain(token);
    const trail = await readAudit(admin);
    expect(trail.at(-1)).toMatchObject({ action: 'link.created', tenantId: 'lyon', target: 'slack-install' });
    expect(JSON.stringify(trail) + admin.log.join()).not.toContain(token);
  });

  test('without a link leads to the default tenant, which is said', async () => {
    const page = await manager.page(`${PATH}/new`);
    expect(textOf(page)).toContain('belong to the server’s default tenant');
    expect(page).not.toContain(`data-copy="${HOST}/slack/install"`);
    const owner = await admin.signInAs('owner');
    const open = await owner.page('/tenants/default/workspaces/new');
    expect(open).toContain(`data-copy="${HOST}/slack/install"`);
    expect(textOf(open)).toContain('Their workspace will belong to this tenant');
  });

  test('is not for viewers, others’ managers or disabled tenants', async () => {
    const viewer = await admin.signInAs('viewer', ['lyon']);
    expect((await viewer.get(`${PATH}/new`)).status).toBe(403);
    expect((await viewer.post(`${PATH}/link`)).status).toBe(403);
    expect((await manager.post('/tenants/paris/workspaces/link')).status).toBe(404);
    expect((await manager.post(`${PATH}/link`, {}, { csrf: null })).status).toBe(403);
    await admin.deps.tenants.disableTenant(someone, 'lyon');
    expect(textOf(await manager.page(`${PATH}/new`))).toContain('This tenant is disabled');
    expect((await manager.post(`${PATH}/link`)).status).toBe(403);
    expect((await readAudit(admin)).filter(({ action }) => action === 'link.created')).toEqual([]);
  });

  test('needs the Slack app, which is said', async () => {
    await admin.deps.slackCredentials.remove(someone);
    const text = textOf(await manager.page(`${PATH}/new`));
    expect(text).toContain('This server has no Slack app yet. Set up the Slack app first');
  });
});

test('in French', async () => {
  const viewer = await admin.signInAs('viewer', null, { language: 'fr' });
  expect(await viewer.page('/workspaces')).toContain('Aucun espace Slack connecté');
});
