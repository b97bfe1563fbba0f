import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fieldOf } from '../read-page.ts';
import { type RunningAdmin, type SignedInBrowser, startAdmin } from '../start-admin.ts';

/** Answers name concepts by the addresses of their publishers; synonyms are kept under ids. */
const concept = { label: 'Python', source: 'Skilldock', concept: 'https://a.example/python' };
const pythonId = 'skilldock:python';

let admin: RunningAdmin;
let owner: SignedInBrowser;
beforeAll(async () => {
  const python = { id: pythonId, uri: concept.concept, source: 'Skilldock', kind: 'skill' } as const;
  const findConcept = (id: string) =>
    id === concept.concept ? { ...python, labels: [], alternativeLabels: [], links: [] } : null;
  admin = await startAdmin({
    deps: { concepts: { deriveSkills: () => [], findConcept } },
    learning: {
      similar: async ({ keywords }) => (keywords === 'python' ? [concept] : []),
      listLanguages: async () => [
        { value: 'en', description: 'English' },
        { value: 'fr', description: 'French' },
      ],
    },
  });
  await admin.addTenant('Lyon');
  for (const person of ['ada', 'bob', 'cy']) {
    note(person, 'tricot', { totalItems: 0, quality: 'C00' });
    note(person, '=cmd & <b>', { totalItems: 3, quality: 'A00' });
    note(person, 'lyonnaise', { totalItems: 3, quality: 'A00' }, 'lyon');
  }
  note('ada', 'burnout', { totalItems: 0, quality: 'C00' });
  const { insight } = admin.deps;
  const object = { url: 'https://a.example/1', title: 'Knit one' };
  for (const counter of ['opened', 'placed', 'finished'] as const) insight.noteObject('default', counter, object);
  for (let i = 0; i < 3; i++) insight.noteObject('default', 'placed', { url: 'javascript:1', title: 'Odd' });
  await insight.flush();
  owner = await admin.signInAs('owner');
});
afterAll(() => admin.close());

function note(
  person: string,
  words: string,
  result: { totalItems: number; quality: 'A00' | 'C00' },
  tenantId = 'default',
): void {
  admin.deps.insight.noteSearch({ tenantId, words, person, result, isWatched: true });
}

/** Between the headings of two tables. */
const partOf = (page: string, name: string) => page.split(`id="${name}-title"`)[1]!.split('</section>')[0]!;

describe('insight', () => {
  test('shows what was searched for, not found, not opened, and used', async () => {
    const page = await owner.page('/insight');
    for (const words of ['tricot', '=cmd &amp; &lt;b&gt;', 'lyonnaise']) expect(page).toContain(words);
    expect(page).not.toContain('burnout');
    expect(partOf(page, 'poor')).toContain('tricot');
    expect(partOf(page, 'poor')).not.toContain('lyonnaise');
    expect(partOf(page, 'unopened')).toContain('lyonnaise');
    expect(partOf(page, 'unopened')).not.toContain('tricot');
    expect(partOf(page, 'objects')).toContain('href="https://a.example/1"');
    expect(partOf(page, 'objects')).not.toContain('Odd');
    const placed = partOf(await owner.page('/insight?by=placed'), 'objects');
    expect(placed.indexOf('Odd')).toBeLessThan(placed.indexOf('Knit one'));
    expect(placed).not.toContain('href="javascript');
  });

  test('leads from words to a search, an object and a synonym, as far as somebody may', async () => {
    const search = 'href="/admin/tenants/default/defaults?q=tricot#preview-title"';
    const object = 'href="/admin/tenants/default/objects/new?title=tricot"';
    const synonym = 'href="/admin/insight/synonym?words=tricot"';
    const page = partOf(await owner.page('/insight'), 'poor');
    for (const link of [search, object, synonym]) expect(page).toContain(link);
    const manager = partOf(await (await admin.signInAs('manager')).page('/insight'), 'poor');
    expect(manager).toContain(object);
    expect(manager).not.toContain(synonym);
    const viewer = partOf(await (await admin.signInAs('viewer')).page('/insight'), 'poor');
    expect(viewer).toContain(search);
    expect(viewer).not.toContain(object);
  });

  test('shows the tenants of the person only, and one where one is chosen', async () => {
    const viewer = await admin.signInAs('viewer', ['lyon']);
    const page = await viewer.page('/insight');
    expect(page).toContain('lyonnaise');
    expect(page).not.toContain('tricot');
    expect((await viewer.get('/insight?tenant=default')).status).toBe(404);
    expect((await viewer.get('/insight/export?tenant=default&table=poor')).status).toBe(404);
    expect(await owner.page('/insight?tenant=lyon')).not.toContain('tricot');
  });

  test('gives each table as CSV, without formulas', async () => {
    const csv = async (query: string) => (await owner.get(`/insight/export?${query}`)).text();
    const searches = await csv('table=searches&days=7');
    expect(searches.split('\r\n')[0]).toBe('Words,Searches,Tenant id,Tenant');
    expect(searches).toContain("'=cmd & <b>,3,default,");
    expect(searches).not.toContain('burnout');
    expect(await csv('table=poor')).toContain('tricot,3,3,3,default,');
    expect(await csv('table=objects')).toContain('Knit one,https://a.example/1,1,1,1,default,');
    expect(await csv('table=unopened&tenant=lyon')).toContain('lyonnaise,3,3,lyon,Lyon');
  });

  test('an administrator’s own search makes the words known from then on', async () => {
    const page = await owner.page('/tenants/default/defaults?q=tatting');
    note('dan', 'tatting', { totalItems: 0, quality: 'C00' });
    const form = { version: fieldOf(page, 'version') ?? '', model: 'extended', match: 'strict' };
    await owner.post('/tenants/default/defaults/preview', { ...form, itemsPerPage: '10', q: 'macramé' });
    note('dan', 'macramé', { totalItems: 0, quality: 'C00' });
    await admin.deps.insight.flush();
    expect(partOf(await owner.page('/insight'), 'poor')).toContain('macramé');
    // Whoever follows a link to it has not searched for it.
    expect(await owner.page('/insight')).not.toContain('tatting');
  });

  test('Walk U15: says why it is empty, and never that all was found', async () => {
    const { id } = await admin.addTenant('Quiet');
    admin.deps.usage.count(id, 'searches');
    const page = await owner.page(`/insight?tenant=${id}`);
    expect(page).toContain('Words appear here once three different people have searched for them');
    expect(page).not.toContain('had good results');
    expect(page).toMatch(/<dt>Searches<\/dt><dd>1<\/dd>/);
  });

  test('counts by course, platform and API key', async () => {
    const { insight, apiKeys } = admin.deps;
    const object = { url: 'https://a.example/2', title: 'Knit two' };
    const context = { id: 'c1', label: null, title: 'Knitting 101' };
    const place = { registrationId: 'r1', platformOrigin: 'https://moodle.example', context };
    insight.noteObject('default', 'opened', object, { place });
    insight.noteKey('default', 'gone');
    await insight.flush();
    const page = await owner.page('/insight');
    expect(partOf(page, 'courses')).toContain('Knitting 101');
    expect(partOf(page, 'platforms')).toContain('moodle.example');
    expect(partOf(page, 'keys')).toContain('gone');
    expect(await apiKeys.findApiKey('gone')).toBeNull();
  });

  test('is in French, too', async () => {
    const page = await (await admin.signInAs('viewer', null, { language: 'fr' })).page('/insight');
    expect(page).toContain('Recherches aux mauvais résultats');
    expect(page).toContain('90 derniers jours');
  });
});

describe('a synonym', () => {
  const path = '/insight/synonym';

  test('is asked for with what the words may mean', async () => {
    const page = await owner.page(`${path}?words=pyton&q=python`);
    expect(page).toContain('“pyton” is another name for');
    expect(page).toContain('value="skilldock:python"');
    expect(await owner.page(`${path}?words=zorblax`)).toContain('No skill, occupation or topic matches');
  });

  test('becomes an import of its own, which can be undone and is in the audit trail', async () => {
    const sent = { words: 'pyton', lang: 'en', q: 'python', concept: pythonId };
    const response = await owner.post(path, sent);
    expect(response.status).toBe(303);
    const address = response.headers.get('location')!.replace('/admin', '');
    const id = address.split('/').at(-1)!.split('?')[0]!;
    const record = async () => admin.deps.imports.getImport(id);
    while ((await record()).state === 'running') await new Promise((done) => setTimeout(done, 20));
    expect(await record()).toMatchObject({ dataset: 'synonyms', state: 'live', isUndoable: true });
    const entries = await admin.store.imports.readEntries({
      dataset: 'synonyms',
      after: null,
      limit: 10,
      withBodies: true,
    });
    expect(entries).toMatchObject([{ kind: 'concept', key: pythonId, body: { altLabels: { en: ['pyton'] } } }]);
    expect(await owner.page('/imports')).toContain('“pyton” (en) means Python (Skilldock)');
  });

  test.each([
    ['a concept that was not found', { concept: 'skilldock:other' }],
    ['no concept', { concept: '' }],
    ['no words', { words: ' ' }],
    ['too many', { words: 'x'.repeat(101) }],
    ['no language', { lang: 'english' }],
  ])('is refused with %s', async (_name, changes) => {
    const sent = { words: 'snake', lang: 'en', q: 'python', concept: pythonId, ...changes };
    const response = await owner.post(path, sent);
    expect(response.status).toBe(422);
  });

  test('is for owners only', async () => {
    const manager = await admin.signInAs('manager');
    expect((await manager.get(`${path}?words=a`)).status).toBe(403);
  });
});
