import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readAudit } from '../read-audit.ts';
import { fieldOf, problemOf, rowsOf, textOf } from '../read-page.ts';
import { type RunningAdmin, type SignedInBrowser, someone, startAdmin } from '../start-admin.ts';

let admin: RunningAdmin;
let owner: SignedInBrowser;

beforeEach(async () => {
  admin = await startAdmin();
  owner = await admin.signInAs('owner');
});
afterEach(() => admin.close());

const actions = async () => (await readAudit(admin)).map(({ action, actor }) => `${action} by ${actor.name}`);

describe('the list', () => {
  test('shows who is there, and where their searches go', async () => {
    await admin.addTenant('Lycée Hugo');
    const { id, version } = await admin.addTenant('École Ampère');
    await admin.deps.tenants.changeUpstream(someone, id, {
      version,
      upstream: { kind: 'direct', url: 'https://api.example.org' },
    });
    await admin.deps.tenants.disableTenant(someone, id);
    expect(rowsOf(await owner.page('/tenants'))).toEqual([
      'Default institution default active Built-in engine Mar 1, 2026',
      'École Ampère ecole-ampere disabled Service, called directly Mar 1, 2026',
      'Lycée Hugo lycee-hugo active Built-in engine Mar 1, 2026',
    ]);
  });

  test('is searched, sorted and shown in pages by the host', async () => {
    for (let i = 0; i < 27; i++) await admin.addTenant(`École ${String(i).padStart(2, '0')}`);
    const names = async (query: string) =>
      rowsOf(await owner.page(`/tenants${query}`)).map((row) => row.split(' ').slice(0, 2).join(' '));
    expect(await names('?q=ecole+1')).toHaveLength(10);
    expect((await names('?q=ecole'))[0]).toBe('École 00');
    expect((await names('?q=ecole&sort=name&dir=desc'))[0]).toBe('École 26');
    expect(await names('?q=ecole&page=1')).toEqual(['École 25', 'École 26']);
    const first = await owner.page('/tenants?q=ecole');
    expect(textOf(first)).toContain('1–25 of 27');
    expect(first).toContain('href="/admin/tenants?q=ecole&amp;page=1" rel="next"');
    expect(textOf(await owner.page('/tenants?q=zebra'))).toContain('No tenant has “zebra” in its name or ID');
  });

  test('shows only what is one’s own', async () => {
    await admin.addTenant('Lyon');
    await admin.addTenant('Paris');
    const manager = await admin.signInAs('manager', ['lyon']);
    const page = await manager.page('/tenants');
    expect(rowsOf(page)).toHaveLength(1);
    expect(page).not.toContain('Paris');
    expect(page).not.toContain('_new');
    const nobody = await admin.signInAs('viewer', ['gone']);
    expect(textOf(await nobody.page('/tenants'))).toContain('You have access to no tenant');
  });

  test('escapes names', async () => {
    await admin.addTenant('<script>alert("1")</script>');
    const page = await owner.page('/tenants');
    expect(page).not.toContain('<script>alert');
    expect(textOf(page)).toContain('<script>alert("1")</script>');
  });
});

describe('a new tenant', () => {
  test('is made of its name, and its page is next', async () => {
    const answer = await owner.post('/tenants', { name: '  Lycée Hugo ' });
    expect(answer.headers.get('location')).toMatch(/^\/admin\/tenants\/lycee-hugo-[a-z2-7]{5}\?notice=tenant-created$/);
    const page = await owner.follow(answer);
    expect(page).toContain('<h1>Lycée Hugo</h1>');
    expect(textOf(page)).toContain('Tenant created.');
    expect(await actions()).toContain(`tenant.created by ${owner.name}`);
  });

  test.each([
    ['', 'Please fill in this field.'],
    ['   ', 'Please fill in this field.'],
    ['x'.repeat(101), 'The name is too long: at most 100 characters.'],
    ['a\u202eb', 'This contains invisible control characters. Type it instead of pasting it.'],
  ])('is refused where its name is "%s", which stays', async (name, problem) => {
    const answer = await owner.post('/tenants', { name });
    expect(answer.status).toBe(422);
    const page = await answer.text();
    expect(problemOf(page, 'name')).toBe(problem);
    expect(fieldOf(page, 'name')).toBe(name);
    expect((await admin.deps.tenants.listTenants(everyTenant)).total).toBe(1);
  });

  test('may be called like an address of ours', async () => {
    const page = await owner.follow(await owner.post('/tenants', { name: '_new' }));
    expect(page).toContain('<h1>_new</h1>');
    expect(await owner.page('/tenants/_new')).toContain('<h1>New tenant</h1>');
  });

  test('is made by owners, from our own form', async () => {
    const manager = await admin.signInAs('manager', ['default']);
    expect((await manager.post('/tenants', { name: 'Lyon' })).status).toBe(403);
    expect((await owner.post('/tenants', { name: 'Lyon' }, { csrf: null })).status).toBe(403);
    expect(await admin.deps.tenants.findTenant('lyon')).toBeNull();
  });

  const everyTenant = {
    scope: null,
    search: '',
    sort: 'name',
    descending: false,
    page: 0,
    pageSize: 5,
  } as const;
});

describe('the page of a tenant', () => {
  test('says what is set, in French too', async () => {
    const { id, version } = await admin.addTenant('Lyon');
    await admin.deps.tenants.changeTenant(someone, id, {
      version,
      defaults: {
        providers: ['a', 'b'],
        lang: 'fr',
        model: 'strict',
        match: 'strict',
        itemsPerPage: 5,
        freeOnly: true,
      },
      branding: { title: 'Apprendre <ici>', accent: '#aa2200' },
    });
    const french = await admin.signInAs('viewer', ['lyon'], { language: 'fr' });
    const text = textOf(await french.page('/tenants/lyon'));
    expect(text).toContain('Fournisseurs 2 choisis Langue des ressources Français seulement');
    expect(text).toContain('Apprendre <ici> Couleur d’accent #aa2200');
    expect(text).toContain('Clés d’API aucune pour l’instant');
    expect(text).not.toContain('Désactiver');
  });

  test('is not there for others, nor when the tenant is not', async () => {
    await admin.addTenant('Lyon');
    await admin.addTenant('Paris');
    const manager = await admin.signInAs('manager', ['paris']);
    expect((await manager.get('/tenants/lyon')).status).toBe(404);
    expect((await owner.get('/tenants/rome')).status).toBe(404);
  });

  test('has no style or script in it that the policy would stop', async () => {
    await admin.addTenant('Lyon');
    for (const path of ['', '/upstream', '/defaults', '/branding', '/delete', '/keys/new']) {
      const page = await owner.page(`/tenants/lyon${path}`);
      expect(page).not.toMatch(/ style="| on\w+="|<style/);
      expect(page.match(/<script/g)).toHaveLength(1);
    }
  });
});

describe('disabling', () => {
  test('is explained, done, and undone', async () => {
    await admin.addTenant('Lyon');
    expect(textOf(await owner.page('/tenants/lyon/disable'))).toContain(
      'its API keys are rejected, within a second on every server;',
    );
    const page = await owner.follow(await owner.post('/tenants/lyon/disable'));
    expect(textOf(page)).toContain('This tenant is disabled: its keys and pages do not work');
    expect((await admin.deps.tenants.getTenant('lyon')).status).toBe('disabled');
    expect(textOf(await owner.page('/tenants/lyon/disable'))).toContain('This tenant is already disabled.');
    const enabled = await owner.follow(await owner.post('/tenants/lyon/enable'));
    expect(textOf(enabled)).toContain('Tenant enabled.');
    expect((await admin.deps.tenants.getTenant('lyon')).status).toBe('active');
    expect(await actions()).toEqual(
      expect.arrayContaining([`tenant.disabled by ${owner.name}`, `tenant.enabled by ${owner.name}`]),
    );
  });

  test('does not happen by looking, without our form, or by others', async () => {
    await admin.addTenant('Lyon');
    await owner.get('/tenants/lyon/disable');
    expect((await owner.post('/tenants/lyon/disable', {}, { csrf: 'x' })).status).toBe(403);
    const manager = await admin.signInAs('manager', ['lyon']);
    expect((await manager.get('/tenants/lyon/disable')).status).toBe(403);
    expect((await manager.post('/tenants/lyon/disable')).status).toBe(403);
    expect((await admin.deps.tenants.getTenant('lyon')).status).toBe('active');
  });

  test('is not for the default tenant, which is explained', async () => {
    for (const act of ['disable', 'delete']) {
      const page = await owner.page(`/tenants/default/${act}`);
      expect(textOf(page)).toContain('You cannot disable or delete the default tenant');
      expect(page).not.toContain(`action="/admin/tenants/default/${act}"`);
      const refused = await owner.post(`/tenants/default/${act}`, { confirmName: 'Default institution' });
      expect(refused.status).toBe(409);
      expect(textOf(await refused.text())).toContain('the demo key use it');
    }
    expect(textOf(await owner.page('/tenants/default'))).toContain('This is the default tenant');
  });
});

describe('deleting', () => {
  test('says what goes, asks for the name, and removes everything', async () => {
    await admin.addTenant('Lyon  <2>');
    await admin.deps.apiKeys.createApiKey(someone, {
      tenantId: 'lyon-2',
      name: 'Library',
      scopes: ['feedback'],
      perSecond: 1,
      perDay: 1,
      expiresAt: null,
    });
    const text = textOf(await owner.page('/tenants/lyon-2/delete'));
    expect(text).toContain('1 API key, which stops working immediately');
    expect(text).not.toMatch(/pieces? of feedback/);
    // A browser shows two blanks as one.
    const answer = await owner.post('/tenants/lyon-2/delete', { confirmName: ' Lyon <2> ' });
    expect(answer.headers.get('location')).toBe('/admin/tenants?notice=tenant-deleted');
    expect(rowsOf(await owner.follow(answer))).toHaveLength(1);
    expect(await admin.deps.tenants.findTenant('lyon-2')).toBeNull();
    expect(rowsOf(await owner.page('/keys'))).toEqual([]);
  });

  test.each([
    ['', 'Please fill in this field.'],
    ['lyon', 'This does not match the tenant’s name.'],
    ['Lyon 2', 'This does not match the tenant’s name.'],
  ])('does not happen where "%s" is typed, which stays', async (confirmName, problem) => {
    await admin.addTenant('Lyon');
    const answer = await owner.post('/tenants/lyon/delete', { confirmName });
    expect(answer.status).toBe(422);
    const page = await answer.text();
    expect(problemOf(page, 'confirmName')).toContain(problem);
    expect(fieldOf(page, 'confirmName')).toBe(confirmName);
    expect((await admin.deps.tenants.getTenant('lyon')).status).toBe('active');
  });

  test('that was broken off can be finished', async () => {
    const lyon = await admin.addTenant('Lyon');
    await admin.store.tenants.replaceTenant({ ...lyon, status: 'deleting', version: lyon.version + 1 });
    expect((await owner.get('/tenants/lyon')).status).toBe(404);
    expect(await owner.page('/tenants')).toContain('href="/admin/tenants/lyon/delete"');
    expect(await owner.page('/tenants/lyon/delete')).not.toContain('href="/admin/tenants/lyon"');
    const answer = await owner.post('/tenants/lyon/delete', { confirmName: 'Lyon' });
    expect(answer.headers.get('location')).toBe('/admin/tenants?notice=tenant-deleted');
    expect(await admin.store.tenants.findTenant('lyon')).toBeNull();
  });

  test('is for owners, from our own form', async () => {
    await admin.addTenant('Lyon');
    const manager = await admin.signInAs('manager', ['lyon']);
    expect((await manager.post('/tenants/lyon/delete', { confirmName: 'Lyon' })).status).toBe(403);
    expect((await owner.post('/tenants/lyon/delete', { confirmName: 'Lyon' }, { csrf: null })).status).toBe(403);
    expect((await admin.deps.tenants.getTenant('lyon')).status).toBe('active');
  });
});
