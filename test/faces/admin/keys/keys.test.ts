import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { NewApiKey } from '../../../../src/services/tenants/api-keys.ts';
import { readAudit } from '../read-audit.ts';
import { fieldOf, problemOf, rowsOf, textOf, valuesOf } from '../read-page.ts';
import { type RunningAdmin, type SignedInBrowser, someone, startAdmin } from '../start-admin.ts';

const PATH = '/tenants/lyon/keys';
const DAY_MS = 86_400_000;

let admin: RunningAdmin;
let manager: SignedInBrowser;
let owner: SignedInBrowser;

beforeEach(async () => {
  admin = await startAdmin({ publicUrl: 'http://skills.example.org' });
  await admin.addTenant('Lyon');
  manager = await admin.signInAs('manager', ['lyon']);
  owner = await admin.signInAs('owner');
});
afterEach(() => admin.close());

const form = (more: Record<string, string | readonly string[]> = {}) => ({
  name: 'Library',
  scopes: ['competency', 'learning-objects', 'feedback'],
  perSecond: '20',
  perDay: '50000',
  lastDay: '',
  ...more,
});

const addKey = (more: Partial<NewApiKey> = {}) =>
  admin.deps.apiKeys.createApiKey(someone, {
    tenantId: 'lyon',
    name: 'Library',
    scopes: ['competency'],
    perSecond: 20,
    perDay: 50_000,
    expiresAt: null,
    ...more,
  });

const listed = async () =>
  (
    await admin.deps.apiKeys.listApiKeys({
      scope: null,
      search: '',
      sort: 'name',
      descending: false,
      page: 0,
      pageSize: 100,
    })
  ).items;

const shownKey = (page: string) => /<code id="key">(.*?)<\/code>/.exec(page)?.[1] ?? '';

describe('a new key', () => {
  test('is shown once, with a call to copy', async () => {
    const answer = await manager.post(PATH, form({ lastDay: '2026-03-01' }));
    expect(answer.status).toBe(200);
    const page = await answer.text();
    const key = shownKey(page);
    expect(key).toMatch(/^sk_[\w-]{32}$/);
    expect(page).toContain(`data-copy="${key}"`);
    expect(textOf(page)).toContain(
      `curl 'http://skills.example.org/learningobject/v2/search?keywords=python&lang=en' -H 'x-api-key: ${key}'`,
    );
    expect(textOf(page)).toContain('until the end of Mar 1, 2026 (UTC)');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const [record] = await listed();
    expect(record).toMatchObject({
      tenantId: 'lyon',
      name: 'Library',
      scopes: ['competency', 'learning-objects', 'feedback'],
      perSecond: 20,
      perDay: 50_000,
      expiresAt: new Date('2026-03-01T23:59:59.999Z'),
    });
    expect(await manager.page('/keys')).not.toContain(key);
    expect(JSON.stringify(await readAudit(admin)) + admin.log.join()).not.toContain(key);
    expect((await readAudit(admin)).at(-1)).toMatchObject({
      action: 'api-key.created',
      tenantId: 'lyon',
      actor: { name: manager.name },
    });
  });

  test('is not made twice by a page that is loaded again', async () => {
    const once = fieldOf(await manager.page(`${PATH}/new`), 'once')!;
    expect(once).toMatch(/^[\w-]{36}$/);
    expect((await manager.post(PATH, form({ once }))).status).toBe(200);
    const again = await manager.post(PATH, form({ once }));
    expect(again.headers.get('location')).toBe('/admin/keys?tenant=lyon&notice=key-made-before');
    expect(textOf(await manager.follow(again))).toContain(
      'This form has already created its key, and a key is shown only once.',
    );
    expect(await listed()).toHaveLength(1);
    expect((await manager.post(PATH, form({ once: 'another' }))).status).toBe(200);
  });

  test('a form that had to be corrected makes its key after that', async () => {
    const once = fieldOf(await manager.page(`${PATH}/new`), 'once')!;
    const wrong = await manager.post(PATH, form({ once, name: '' }));
    expect(fieldOf(await wrong.text(), 'once')).toBe(once);
    expect(shownKey(await (await manager.post(PATH, form({ once }))).text())).not.toBe('');
  });

  test('has every right, usual quotas and no end where nothing else is chosen', async () => {
    const page = await manager.page(`${PATH}/new`);
    expect(valuesOf(page, 'scopes')).toEqual(['competency', 'learning-objects', 'feedback', 'rs', 'mcp']);
    expect(fieldOf(page, 'perSecond')).toBe('20');
    expect(fieldOf(page, 'perDay')).toBe('50000');
    expect(fieldOf(page, 'lastDay')).toBe('');
    expect(page).toContain('min="2026-03-01"');
  });

  test.each([
    [['competency'], '/domcomp/v1/similar?keywords=data%20analyst'],
    [['feedback'], 'Fill in its address and the search’s request ID, then paste this into a terminal:'],
  ])('that may do %o gets a call it may make', async (scopes, text) => {
    expect(textOf(await (await manager.post(PATH, form({ scopes }))).text())).toContain(text);
    expect((await listed())[0]!.scopes).toEqual(scopes);
  });

  test.each([
    ['name', { name: '' }, 'Please fill in this field.'],
    ['name', { name: 'x'.repeat(101) }, 'too long'],
    ['name', { name: 'a\u202eb' }, 'invisible control characters'],
    ['scopes', { scopes: [] }, 'Choose at least one'],
    ['scopes', { scopes: ['everything'] }, 'Choose at least one'],
    ['perSecond', { perSecond: '0' }, 'from 1 to 1,000,000'],
    ['perSecond', { perSecond: '1000001' }, 'from 1 to 1,000,000'],
    ['perSecond', { perSecond: '1e3' }, 'from 1 to 1,000,000'],
    ['perDay', { perDay: '' }, 'from 1 to 1,000,000,000'],
    ['perDay', { perDay: '1000000001' }, 'from 1 to 1,000,000,000'],
    ['lastDay', { lastDay: '2026-02-28' }, 'This day has passed.'],
    ['lastDay', { lastDay: '2027-02-30' }, 'This is not a date.'],
    ['lastDay', { lastDay: '1/2/27' }, 'This is not a date.'],
    ['lastDay', { lastDay: '+012345-01-01' }, 'This is not a date.'],
  ])('is refused beside %s of %o, and keeps what was typed', async (field, wrong, problem) => {
    const fields = form({ lastDay: '2027-06-30', ...wrong });
    const answer = await manager.post(PATH, fields);
    expect(answer.status).toBe(422);
    const page = await answer.text();
    expect(problemOf(page, field)).toContain(problem);
    for (const name of ['name', 'perSecond', 'perDay', 'lastDay'] as const)
      expect(fieldOf(page, name)).toBe(fields[name]);
    if (field !== 'scopes') expect(valuesOf(page, 'scopes')).toEqual(fields.scopes);
    expect(await listed()).toEqual([]);
  });

  test('the largest quotas can be given', async () => {
    await manager.post(PATH, form({ perSecond: '10000', perDay: '100000000' }));
    expect(await listed()).toEqual([expect.objectContaining({ perSecond: 10_000, perDay: 100_000_000 })]);
  });

  test('is not for viewers, others’ managers or forms of others', async () => {
    await admin.addTenant('Paris');
    const viewer = await admin.signInAs('viewer', ['lyon']);
    const foreign = await admin.signInAs('manager', ['paris']);
    expect((await viewer.get(`${PATH}/new`)).status).toBe(403);
    expect((await viewer.post(PATH, form())).status).toBe(403);
    expect((await foreign.post(PATH, form())).status).toBe(404);
    expect((await manager.post(PATH, form(), { csrf: null })).status).toBe(403);
    expect((await owner.post('/tenants/rome/keys', form())).status).toBe(404);
    expect(await listed()).toEqual([]);
  });

  test('is made for a disabled tenant with a warning', async () => {
    await admin.deps.tenants.disableTenant(someone, 'lyon');
    expect(textOf(await manager.page(`${PATH}/new`))).toContain('The key will not work until');
  });
});

describe('choosing the tenant of a new key', () => {
  test('is asked of those with several', async () => {
    expect(await owner.page('/keys')).toContain('href="/admin/keys/new"');
    const page = await owner.page('/keys/new');
    expect(page).toContain('<option value="default">Default institution</option>');
    const chosen = await owner.get('/keys/new?tenant=lyon');
    expect(chosen.headers.get('location')).toBe('/admin/tenants/lyon/keys/new');
    expect(await owner.page('/keys?tenant=lyon')).toContain('href="/admin/tenants/lyon/keys/new"');
  });

  test('is not asked of those with one, and does not show those of others', async () => {
    expect(await manager.page('/keys')).toContain('href="/admin/tenants/lyon/keys/new"');
    expect((await manager.get('/keys/new')).headers.get('location')).toBe('/admin/tenants/lyon/keys/new');
    expect((await manager.get('/keys/new?tenant=default')).status).toBe(404);
    expect((await owner.get('/keys/new?tenant=//evil.example')).status).toBe(404);
    const viewer = await admin.signInAs('viewer', ['lyon']);
    expect((await viewer.get('/keys/new')).status).toBe(403);
    expect(await viewer.page('/keys')).not.toContain('keys/new');
  });
});

describe('the list', () => {
  test('says what each key may do and whether it works', async () => {
    await addKey({ name: 'Always <b>', scopes: ['competency', 'feedback'] });
    await addKey({ name: 'Soon', expiresAt: new Date('2026-03-02T23:59:59.999Z') });
    await addKey({
      name: 'Over',
      expiresAt: new Date(admin.clock.now().getTime() + 1_000),
      tenantId: 'default',
    });
    const { id } = await addKey({ name: 'Revoked', perSecond: 1_000, perDay: 2_000_000 });
    await admin.store.apiKeys.noteApiKeyUse(id, admin.clock.now());
    await admin.deps.apiKeys.revokeApiKey(someone, id);
    admin.clock.advance(1_000);
    const page = await owner.page('/keys?sort=name');
    expect(rowsOf(page)).toEqual([
      'Always <b> Lyon active Revoke… Always <b> Competencies, Feedback 20 per second, 50,000 per day Mar 1, 2026 never',
      'Over Default institution expired last day was Mar 1, 2026 Revoke… Over Competencies 20 per second, 50,000 per day Mar 1, 2026 never',
      expect.stringMatching(
        /^Revoked Lyon revoked since Mar 1, 2026 Competencies 1,000 per second, 2,000,000 per day Mar 1, 2026 this minute$/,
      ),
      'Soon Lyon ends soon until Mar 2, 2026 Revoke… Soon Competencies 20 per second, 50,000 per day Mar 1, 2026 never',
    ]);
    expect(page).not.toContain('<b>');
  });

  test('is searched, narrowed, sorted and shown in pages by the host', async () => {
    for (let i = 0; i < 27; i++) {
      await addKey({ name: `Key ${String(i).padStart(2, '0')}`, tenantId: i % 9 === 0 ? 'default' : 'lyon' });
      admin.clock.advance(60_000);
    }
    const names = async (query: string) => rowsOf(await owner.page(`/keys${query}`)).map((row) => row.slice(0, 6));
    expect((await names(''))[0]).toBe('Key 26');
    expect(await names('?tenant=default')).toEqual(['Key 18', 'Key 09', 'Key 00']);
    expect(await names('?q=KEY+2&sort=name')).toEqual([
      ...['Key 20', 'Key 21', 'Key 22', 'Key 23', 'Key 24', 'Key 25', 'Key 26'],
    ]);
    expect(await names('?page=1')).toEqual(['Key 01', 'Key 00']);
    await admin.store.apiKeys.noteApiKeyUse((await listed())[5]!.id, admin.clock.now());
    expect((await names('?sort=lastUsedAt&dir=desc'))[0]).toBe('Key 05');
    const page = await owner.page('/keys?tenant=lyon&q=key');
    expect(valuesOf(page, 'tenant')).toEqual(['lyon']);
    expect(page).toContain('href="/admin/keys?tenant=lyon&amp;q=key&amp;sort=name&amp;dir=asc"');
    expect(rowsOf(await owner.page(`${PATH}?q=key+0`))).toHaveLength(8);
  });

  test('shows only what is one’s own', async () => {
    await addKey({ tenantId: 'default', name: 'Not yours' });
    await addKey();
    expect(rowsOf(await manager.page('/keys'))).toHaveLength(1);
    expect(await manager.page('/keys?q=yours')).toContain('No key has “yours” in its name');
    expect((await manager.get('/keys?tenant=default')).status).toBe(404);
    expect((await manager.get('/tenants/default/keys')).status).toBe(404);
    expect((await owner.get('/keys?tenant=rome')).status).toBe(404);
    const viewer = await admin.signInAs('viewer', ['lyon']);
    expect(await viewer.page('/keys')).not.toContain('/revoke');
  });

  test('says what to do first where it is empty, in French too', async () => {
    expect(textOf(await manager.page('/keys'))).toContain('There are no API keys yet');
    const french = await admin.signInAs('viewer', ['lyon'], { language: 'fr' });
    const text = textOf(await french.page('/keys'));
    expect(text).toContain('Il n’y a pas encore de clé d’API');
    expect(text).toContain('Les gestionnaires d’un établissement et les propriétaires peuvent créer des clés.');
  });
});

describe('revoking', () => {
  test('is explained, and done once', async () => {
    const { id } = await addKey({ name: '<Library>' });
    const path = `${PATH}/${id}/revoke`;
    const page = await manager.page(path);
    expect(textOf(page)).toContain('Revoke <Library>?');
    expect(textOf(page)).toContain('loses access within a second');
    expect((await listed())[0]!.revokedAt).toBeNull();
    const answer = await manager.post(path);
    expect(answer.headers.get('location')).toBe('/admin/keys?tenant=lyon&notice=key-revoked');
    expect(textOf(await manager.follow(answer))).toContain('Key revoked. It stops working within a second.');
    expect((await listed())[0]!.revokedAt).toEqual(admin.clock.now());
    admin.clock.advance(DAY_MS / 24);
    expect((await manager.post(path)).status).toBe(303);
    const trail = await readAudit(admin);
    expect(trail.filter(({ action }) => action === 'api-key.revoked')).toHaveLength(1);
    const after = await manager.page(path);
    expect(textOf(after)).toContain('This key is revoked. No program can use it.');
    expect(after).not.toContain(`action="/admin${path}"`);
  });

  test('reaches no key of another tenant, and needs a manager and our form', async () => {
    const { id } = await addKey({ tenantId: 'default' });
    for (const key of [id, 'unknown']) {
      expect((await manager.get(`${PATH}/${key}/revoke`)).status).toBe(404);
      const refused = await manager.post(`${PATH}/${key}/revoke`);
      expect(refused.status).toBe(404);
      expect(textOf(await refused.text())).toContain('This key does not exist, or belongs to another tenant.');
    }
    const own = await addKey();
    const viewer = await admin.signInAs('viewer', ['lyon']);
    expect((await viewer.post(`${PATH}/${own.id}/revoke`)).status).toBe(403);
    expect((await manager.post(`${PATH}/${own.id}/revoke`, {}, { csrf: null })).status).toBe(403);
    expect((await listed()).map(({ revokedAt }) => revokedAt)).toEqual([null, null]);
  });
});

describe('replacing', () => {
  test('shows the successor once, and is done once however often the page is reloaded', async () => {
    const { id } = await addKey({ name: 'Library' });
    const page = await manager.page(`${PATH}/${id}/revoke`);
    const once = /name="once" value="([^"]+)"/.exec(page)![1]!;
    const made = await manager.post(`${PATH}/${id}/replace`, { once });
    expect(await made.text()).toMatch(/<code id="key">sk_[\w-]{32}<\/code>/);
    const again = await manager.post(`${PATH}/${id}/replace`, { once });
    expect(again.headers.get('location')).toContain('notice=key-made-before');
    expect(await listed()).toHaveLength(2);
    const other = await addKey({ tenantId: 'default' });
    expect((await manager.post(`${PATH}/${other.id}/replace`, { once: 'x' })).status).toBe(404);
  });
});
