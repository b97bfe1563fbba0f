import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readAudit } from '../read-audit.ts';
import { fieldOf, problemOf, textOf } from '../read-page.ts';
import { type RunningAdmin, type SignedInBrowser, startAdmin } from '../start-admin.ts';

const PATH = '/tenants/lyon/branding';

let admin: RunningAdmin;
let manager: SignedInBrowser;

beforeEach(async () => {
  admin = await startAdmin();
  await admin.addTenant('Lyon');
  manager = await admin.signInAs('manager', ['lyon']);
});
afterEach(() => admin.close());

const form = (more: Record<string, string> = {}) => ({
  version: '1',
  name: 'Lyon',
  title: '',
  accent: '',
  ...more,
});

const saved = () => admin.deps.tenants.getTenant('lyon');

describe('the form', () => {
  test('saves the name, the title and the colour', async () => {
    const fields = { name: ' Université de Lyon ', title: 'Apprendre <ici>', accent: 'AA2200' };
    const answer = await manager.post(PATH, form(fields));
    expect(answer.headers.get('location')).toBe(`/admin${PATH}?notice=branding-saved`);
    expect(await saved()).toMatchObject({
      id: 'lyon',
      name: 'Université de Lyon',
      branding: { title: 'Apprendre <ici>', accent: '#aa2200' },
    });
    const page = await manager.follow(answer);
    expect(fieldOf(page, 'title')).toBe('Apprendre <ici>');
    expect(fieldOf(page, 'accent')).toBe('#aa2200');
    expect(page).not.toContain('<ici>');
    expect((await readAudit(admin)).at(-1)).toMatchObject({ action: 'tenant.changed', tenantId: 'lyon' });
  });

  test('takes the title and the colour back', async () => {
    await manager.post(PATH, form({ title: 'T', accent: '#aa2200' }));
    await manager.post(PATH, form({ version: '2', title: '  ', accent: ' ' }));
    expect((await saved()).branding).toEqual({ title: null, accent: null });
  });

  test.each([
    ['name', { name: ' ' }, 'Please fill in this field.'],
    ['name', { name: 'x'.repeat(101) }, 'too long'],
    ['title', { title: 'x'.repeat(101) }, 'too long'],
    ['title', { title: 'a\u0007b' }, 'invisible control characters'],
    ['accent', { accent: 'red' }, 'This is not a colour.'],
    ['accent', { accent: '#fff' }, 'This is not a colour.'],
    ['accent', { accent: '"><script>' }, 'This is not a colour.'],
  ])('is refused beside %s of %o, and keeps what was typed', async (field, wrong, problem) => {
    for (const path of [PATH, `${PATH}/preview`]) {
      const fields = form({ title: 'My title', ...wrong });
      const answer = await manager.post(path, fields);
      expect(answer.status).toBe(422);
      const page = await answer.text();
      expect(problemOf(page, field)).toContain(problem);
      for (const [name, value] of Object.entries(fields)) expect(fieldOf(page, name)).toBe(value);
      expect(page).not.toContain('"><script>');
    }
    expect(await saved()).toMatchObject({ name: 'Lyon', version: 1 });
  });

  test('does not overwrite what someone else saved meanwhile, until that was read', async () => {
    await manager.post(PATH, form({ title: 'Theirs' }));
    const answer = await manager.post(PATH, form({ title: 'Mine' }));
    expect(answer.status).toBe(422);
    const page = await answer.text();
    expect(textOf(page)).toContain('Someone else changed this while you had it open');
    expect(fieldOf(page, 'title')).toBe('Mine');
    expect((await saved()).branding.title).toBe('Theirs');
    await manager.post(PATH, form({ title: 'Mine', version: fieldOf(page, 'version')! }));
    expect((await saved()).branding.title).toBe('Mine');
  });

  test.each(['', 'x', '0', '-1', '1e9'])('takes the version "%s" as an old one', async (version) => {
    expect((await manager.post(PATH, form({ version, title: 'T' }))).status).toBe(422);
    expect((await saved()).branding.title).toBeNull();
  });

  test('is not for viewers, others’ managers or forms of others', async () => {
    await admin.addTenant('Paris');
    const viewer = await admin.signInAs('viewer', ['lyon']);
    const foreign = await admin.signInAs('manager', ['paris']);
    for (const path of [PATH, `${PATH}/preview`]) {
      expect((await viewer.post(path, form({ title: 'T' }))).status).toBe(403);
      expect((await foreign.post(path, form({ title: 'T' }))).status).toBe(404);
      expect((await manager.post(path, form({ title: 'T' }), { csrf: 'x' })).status).toBe(403);
    }
    expect((await saved()).version).toBe(1);
    expect(await viewer.page(PATH)).not.toContain('name="accent"');
  });
});

describe('the preview', () => {
  const preview = async (more: Record<string, string>) =>
    (await manager.post(`${PATH}/preview`, form({ fragment: '1', ...more }))).text();

  test.each([
    ['#0b6464', 'is white', 'stands out well'],
    ['#767676', 'is black, with a contrast of 4.6:1 (white: 4.5:1)', 'stands out well'],
    ['#ffe08a', 'is black', 'On light pages, this colour hardly stands out'],
    ['#000022', 'is white', 'On dark pages, this colour hardly stands out'],
  ])('says of %s what colour its text has, and where it is hard to see', async (accent, text, edge) => {
    const part = await preview({ accent });
    expect(textOf(part)).toContain(text);
    expect(textOf(part)).toContain(edge);
    expect(part).toContain(`fill="${accent}"`);
    expect(part).not.toContain('<html');
  });

  test('shows the title, or else the name, and escapes it', async () => {
    expect(textOf(await preview({ title: 'Title', name: '<Name>' }))).toContain('Title');
    const named = await preview({ name: '<Name>' });
    expect(textOf(named)).toContain('<Name>');
    expect(named).not.toContain('<Name>');
  });

  test('draws no colour that is none', async () => {
    const part = await preview({ accent: 'url(https://evil.example)' });
    expect(part).not.toContain('evil');
    expect(textOf(part)).toContain('This is not a colour.');
  });

  test('saves nothing, and works without the browser code', async () => {
    const answer = await manager.post(`${PATH}/preview`, form({ accent: '#aa2200', name: 'Other' }));
    expect(answer.status).toBe(200);
    const page = await answer.text();
    expect(page).toContain('<html');
    expect(fieldOf(page, 'name')).toBe('Other');
    expect(await saved()).toMatchObject({ name: 'Lyon', version: 1 });
  });
});
