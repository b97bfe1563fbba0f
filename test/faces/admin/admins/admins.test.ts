import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AdminRole, TenantScope } from '../../../../src/domain/admin.ts';
import { makeAdmin } from '../../../../src/services/tenants/admins/admin-records.ts';
import { readAudit } from '../read-audit.ts';
import { fieldOf, problemOf, rowsOf, valuesOf } from '../read-page.ts';
import { type RunningAdmin, type SignedInBrowser, startAdmin } from '../start-admin.ts';

let admin: RunningAdmin;
let owner: SignedInBrowser;

beforeEach(async () => {
  admin = await startAdmin();
  owner = await admin.signInAs('owner', null, { name: 'Olga' });
});
afterEach(() => admin.close());

/** Somebody who never signs in. */
async function add(name: string, role: AdminRole = 'viewer', tenants: TenantScope = null): Promise<string> {
  const id = `id-${name.toLowerCase().replace(/\W/g, '-')}`;
  const given = { id, name, role, tenants, passwordHash: null, oidcSubject: null };
  await admin.store.admins.addAdmin(makeAdmin(given, admin.clock.now()));
  return id;
}

const namesIn = (text: string) =>
  [...text.matchAll(/<a href="\/admin\/admins\/[\w-]+">([^<]*)<\/a>/g)].map(([, name]) => name);

const versionIn = (text: string) => fieldOf(text, 'version')!;

/** The address of the link that a page shows, below `/admin`. */
function linkIn(text: string): string {
  const [, address, path] = /<code>([^<]*\/admin(\/link\/[\w-]{43}))<\/code>/.exec(text)!;
  expect(address).toBe(`${admin.url}/admin${path}`);
  expect(text).toContain(`data-copy="${address}"`);
  return path!;
}

describe('the list', () => {
  test('says of everyone the role, the tenants and the last sign-in', async () => {
    const { id } = await admin.addTenant('Lycée Hugo');
    await add('Max', 'manager', ['default', id]);
    await add('Vera');
    const text = await owner.page('/admins');
    const rows = rowsOf(text);
    expect(rows).toEqual([
      'Max Manager Default institution, Lycée Hugo never',
      expect.stringMatching(/^Olga you Owner every tenant password this minute$/),
      'Vera Viewer every tenant never',
    ]);
  });

  test('is searched, sorted and shown in pages by the host', async () => {
    for (let i = 0; i < 30; i++) await add(`Person ${String(i).padStart(2, '0')}`);
    const first = await owner.page('/admins');
    expect(namesIn(first)).toHaveLength(25);
    expect(first).toContain('1–25 of 31');
    expect(namesIn(await owner.page('/admins?page=1'))).toEqual([
      'Person 24',
      'Person 25',
      'Person 26',
      'Person 27',
      'Person 28',
      'Person 29',
    ]);
    expect(namesIn(await owner.page('/admins?sort=name&dir=desc'))[0]).toBe('Person 29');
    expect(namesIn(await owner.page('/admins?sort=role'))[0]).toBe('Olga');
    expect(namesIn(await owner.page('/admins?sort=lastSignInAt'))[0]).toBe('Olga');
    expect(namesIn(await owner.page('/admins?q=SON+1'))).toHaveLength(10);
    const none = await owner.page('/admins?q=%3Cb%3E');
    expect(none).toContain('No administrator has “&lt;b&gt;” in the name');
  });

  test('shows links that wait, without their secret', async () => {
    expect(await owner.page('/admins')).toContain('No unused links.');
    const answer = await owner.post('/admins/invite', { role: 'viewer', everyTenant: '1' });
    const path = linkIn(await answer.text());
    const text = await owner.page('/admins');
    expect(text).toContain('Invitation as Viewer');
    expect(text).toContain('>Olga</td>');
    expect(text).not.toContain(path.split('/').at(-1)!);
  });

  test('escapes names', async () => {
    const id = await add('<i>Eve</i> & "co"');
    for (const path of ['/admins', `/admins/${id}`, `/admins/${id}/remove`]) {
      const text = await owner.page(path);
      expect(text).not.toContain('<i>Eve');
      expect(text).toContain('&lt;i&gt;Eve&lt;/i&gt; &amp; &quot;co&quot;');
    }
  });
});

test('an owner sees the sessions of somebody, and ends one', async () => {
  const max = await admin.signInAs('manager', ['default'], { name: 'Max' });
  const [, id] = /admins\/([\w-]+)">Max</.exec(await owner.page('/admins'))!;
  const [, action] = /action="\/admin(\/admins\/[\w-]+\/sessions\/[\da-f]{64}\/end)"/.exec(
    await owner.page(`/admins/${id}`),
  )!;
  expect((await max.post(action!, {})).status).toBe(403);
  expect(await owner.follow(await owner.post(action!, {}))).toContain('Nobody is signed in with this account.');
  expect((await max.get('/account')).status).toBe(303);
  const [ended] = (await readAudit(admin)).filter(({ action }) => action === 'admin.session-ended');
  expect(ended).toMatchObject({ actor: { name: 'Olga' }, target: 'Max' });
});

describe('inviting', () => {
  test.each<[AdminRole, Record<string, string | string[]>, TenantScope]>([
    ['owner', {}, null],
    ['owner', { tenants: ['default'] }, null],
    ['manager', { tenants: ['default', 'lycee-hugo'] }, ['default', 'lycee-hugo']],
    ['manager', { tenants: ['default'], everyTenant: '1' }, ['default']],
    ['viewer', { tenants: ['default'] }, ['default']],
    ['viewer', { everyTenant: '1' }, null],
    ['viewer', { everyTenant: '1', tenants: ['default'] }, null],
  ])('a %s with %j makes a link for just that', async (role, fields, tenants) => {
    await admin.addTenant('Lycée Hugo');
    const answer = await owner.post('/admins/invite', { role, ...fields });
    expect(answer.status).toBe(200);
    const path = linkIn(await answer.text());
    const [link] = await admin.deps.links.listLinks();
    expect(link).toMatchObject({ kind: 'invitation', role, tenants, createdBy: 'Olga' });
    expect((await admin.visit().get(path)).status).toBe(200);
  });

  test('says what is missing, and keeps what was chosen', async () => {
    const { id } = await admin.addTenant('Lycée Hugo');
    const without = await owner.post('/admins/invite', { role: 'manager', everyTenant: '1' });
    expect(without.status).toBe(422);
    const text = await without.text();
    expect(problemOf(text, 'tenants')).toBe('Choose at least one tenant.');
    expect([fieldOf(text, 'role'), fieldOf(text, 'everyTenant')]).toEqual(['manager', '1']);
    const noRole = await owner.post('/admins/invite', { tenants: [id] });
    expect(noRole.status).toBe(422);
    const second = await noRole.text();
    expect(problemOf(second, 'role')).toBe('Please fill in this field.');
    expect(valuesOf(second, 'tenants')).toEqual([id]);
    expect((await owner.post('/admins/invite', { role: 'emperor' })).status).toBe(422);
    expect(await admin.deps.links.listLinks()).toEqual([]);
  });

  test('says that a tenant is gone', async () => {
    const fields = { role: 'manager', tenants: ['default', 'gone'] };
    const answer = await owner.post('/admins/invite', fields);
    expect(answer.status).toBe(422);
    const text = await answer.text();
    expect(problemOf(text, 'tenants')).toContain('A tenant you chose no longer exists.');
    expect(valuesOf(text, 'tenants')).toEqual(['default']);
    expect(await admin.deps.links.listLinks()).toEqual([]);
  });

  test('says it in French', async () => {
    const french = await admin.signInAs('owner', null, { language: 'fr' });
    const text = await (await french.post('/admins/invite', { role: 'manager' })).text();
    expect(text).toContain('Choisissez au moins un établissement.');
    expect(text).toContain('Corrigez un champ\u00a0:');
  });
});

describe('revoking a link', () => {
  test('is explained, and ends it', async () => {
    const path = linkIn(await (await owner.post('/admins/invite', { role: 'owner' })).text());
    const revoke = /href="\/admin(\/admins\/links\/\w+\/revoke)"/.exec(await owner.page('/admins'))![1]!;
    expect(await owner.page(revoke)).toContain('The link stops working.');
    await admin.visit().page(path);
    expect(await owner.follow(await owner.post(revoke))).toContain('Link revoked.');
    await admin.visit().page(path, 404);
    for (const again of [await owner.get(revoke), await owner.post(revoke)])
      expect(await owner.follow(again)).toContain('This link no longer works');
  });
});

describe('changing somebody', () => {
  const change = async (id: string, fields: Record<string, string | string[]>) => {
    const version = versionIn(await owner.page(`/admins/${id}`));
    return owner.post(`/admins/${id}`, { version, ...fields });
  };

  test('acts at once on whoever is signed in', async () => {
    const manager = await admin.signInAs('manager', ['default'], { name: 'Max' });
    const text = await owner.page(`/admins/${manager.id}`);
    expect([fieldOf(text, 'role'), valuesOf(text, 'tenants')]).toEqual(['manager', ['default']]);
    expect(valuesOf(text, 'everyTenant')).toEqual([]);
    const answer = await change(manager.id, { role: 'owner' });
    expect(await owner.follow(answer)).toContain('Role and tenants saved.');
    expect((await manager.get('/system')).status).toBe(200);
    await change(manager.id, { role: 'viewer', everyTenant: '1' });
    expect((await manager.get('/system')).status).toBe(403);
    expect(valuesOf(await owner.page(`/admins/${manager.id}`), 'everyTenant')).toEqual(['1']);
  });

  test('keeps what was chosen when it is refused', async () => {
    const id = await add('Max', 'manager', ['default']);
    const answer = await change(id, { role: 'viewer' });
    expect(answer.status).toBe(422);
    const text = await answer.text();
    expect(problemOf(text, 'tenants')).toBe('Choose at least one tenant.');
    expect([fieldOf(text, 'role'), valuesOf(text, 'tenants')]).toEqual(['viewer', []]);
  });

  test('is refused when somebody else did so meanwhile', async () => {
    const id = await add('Max', 'manager', ['default']);
    const version = versionIn(await owner.page(`/admins/${id}`));
    await change(id, { role: 'owner' });
    for (const old of [version, 'x', '']) {
      const answer = await owner.post(`/admins/${id}`, { version: old, role: 'viewer', everyTenant: '1' });
      expect(answer.status).toBe(422);
      expect(await answer.text()).toContain('Someone else has changed this in the meantime.');
    }
    expect((await admin.deps.admins.findAdmin(id))!.role).toBe('owner');
  });

  test('never takes the last owner away', async () => {
    const answer = await change(owner.id, { role: 'viewer', everyTenant: '1' });
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain('This is the only owner');
    expect((await owner.get('/admins')).status).toBe(200);
  });

  test('can be giving up one’s own ownership', async () => {
    await add('Max', 'owner');
    const answer = await change(owner.id, { role: 'viewer', everyTenant: '1' });
    expect(answer.headers.get('location')).toBe('/admin?notice=admin-changed');
    expect(await owner.follow(answer)).toContain('Role and tenants saved.');
    expect((await owner.get('/admins')).status).toBe(403);
  });
});

describe('a link for a new password', () => {
  test('is made once for each asking', async () => {
    const id = await add('Max', 'manager', ['default']);
    const answer = await owner.post(`/admins/${id}/reset-link`);
    const text = await answer.text();
    expect(text).toContain('The link for Max is ready');
    expect(await admin.visit().page(linkIn(text))).toContain('For the account Max.');
    expect(await owner.page('/admins')).toContain('New password of Max');
  });
});

describe('removing somebody', () => {
  test('is explained before, and signs them out at once', async () => {
    const max = await admin.signInAs('manager', ['default'], { name: 'Max' });
    const text = await owner.page(`/admins/${max.id}/remove`);
    expect(text).toContain('<h1>Remove Max?</h1>');
    expect(text).toContain('Their sessions end immediately');
    expect((await max.get('/account')).status).toBe(200);
    expect(await owner.follow(await owner.post(`/admins/${max.id}/remove`))).toContain('Administrator removed.');
    expect((await max.get('/account')).status).toBe(303);
    expect(namesIn(await owner.page('/admins'))).toEqual(['Olga']);
  });

  test('is refused for the last owner', async () => {
    // Not even offered, and refused all the same.
    const page = await owner.page(`/admins/${owner.id}/remove`);
    expect(page).toContain('This is the only owner');
    expect(page).not.toContain(`action="/admin/admins/${owner.id}/remove"`);
    const answer = await owner.post(`/admins/${owner.id}/remove`);
    expect(answer.status).toBe(409);
    expect(await answer.text()).toContain('This is the only owner');
  });

  test('can be oneself', async () => {
    await add('Max', 'owner');
    expect(await owner.page(`/admins/${owner.id}/remove`)).toContain('You will be signed out immediately');
    expect(await owner.follow(await owner.post(`/admins/${owner.id}/remove`))).toContain(
      'You are no longer an administrator.',
    );
    expect((await owner.get('/account')).status).toBe(303);
  });

  test('takes along the links they made', async () => {
    const other = await admin.signInAs('owner', null, { name: 'Otto' });
    const path = linkIn(await (await other.post('/admins/invite', { role: 'owner' })).text());
    await owner.post(`/admins/${other.id}/remove`);
    await admin.visit().page(path, 404);
  });
});

test.each(['', '/remove'])('nobody is found under an unknown id%s', async (more) => {
  expect(await owner.page(`/admins/nobody${more}`, 404)).toContain('This administrator does not exist');
  expect((await owner.post(`/admins/nobody${more}`)).status).toBe(404);
  expect((await owner.post('/admins/nobody/reset-link')).status).toBe(404);
});

test('what owners do here is in the audit trail', async () => {
  const max = await admin.signInAs('manager', ['default'], { name: 'Max' });
  await owner.post('/admins/invite', { role: 'viewer', everyTenant: '1' });
  await owner.post(`/admins/${max.id}`, {
    version: versionIn(await owner.page(`/admins/${max.id}`)),
    role: 'owner',
  });
  await owner.post(`/admins/${max.id}/remove`);
  const done = (await readAudit(admin)).map(
    ({ action, target, actor }) => `${actor.name} ${actor.address} ${action} ${target}`,
  );
  expect(done.slice(-3)).toEqual([
    'Olga 127.0.0.1 link.created invitation',
    'Olga 127.0.0.1 admin.changed Max',
    'Olga 127.0.0.1 admin.removed Max',
  ]);
});
