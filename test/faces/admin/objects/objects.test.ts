import { expect, onTestFinished, test } from 'vitest';
import { hashObjectAddress } from '../../../../src/domain/learning-object.ts';
import { aConcept, anObject, openService, searchFor, writeCatalog } from '../../../adapters/local/services.ts';
import { startFakeUpstream, UPSTREAM_KEY } from '../../../fakes/upstream.ts';
import { startWebSite } from '../../../fakes/web-site.ts';
import { makeTempDir } from '../../../helpers/temp-dir.ts';
import { fieldOf, problemOf, rowsOf, textOf, valuesOf } from '../read-page.ts';
import { someone, startAdmin } from '../start-admin.ts';

const url = 'https://example.org/a';
const about = `url=${encodeURIComponent(url)}`;
const PATH = '/tenants/lyon/objects';

/** A catalogue of two, and a manager of Lyon. */
async function open() {
  const catalogDir = makeTempDir();
  writeCatalog(catalogDir, {
    objects: [anObject('a', { title: 'Cobol <b>' }), anObject('b', { title: 'Java', type: ['video'] })],
    concepts: [aConcept('own:java', 'Java'), aConcept('own:weaving', 'weaving')],
  });
  const engine = openService(catalogDir, makeTempDir());
  const admin = await startAdmin({
    learning: engine.learning,
    catalog: engine.catalog,
    deps: { concepts: engine.concepts },
  });
  onTestFinished(async () => {
    await admin.close();
    await engine.close();
  });
  await admin.addTenant('Lyon');
  await admin.addTenant('Paris');
  const manager = await admin.signInAs('manager', ['lyon']);
  return { admin, manager, owner: await admin.signInAs('owner') };
}

const filled = {
  title: 'Weaving',
  description: 'How to weave.',
  provider: 'Atelier',
  type: 'tutorial',
  bloom: 'Apply',
  lang: 'fr',
  keywords: 'loom; wool',
  publisher: '',
  author: 'Ada, Countess',
  level: '',
  minutes: '45',
  free: 'yes',
  picture: '',
};

test('the list is filtered, and the address that is typed leads to its object', async () => {
  const { manager } = await open();
  expect(
    rowsOf(await manager.page(PATH))
      .map((row) => row.slice(0, 5))
      .sort(),
  ).toEqual(['Cobol', 'Java ']);
  expect(rowsOf(await manager.page(`${PATH}?type=video`))).toHaveLength(1);
  expect(rowsOf(await manager.page(`${PATH}?q=cobol`))).toHaveLength(1);
  expect(rowsOf(await manager.page(`${PATH}?origin=added`))).toHaveLength(0);
  expect(rowsOf(await manager.page(`${PATH}?origin=nonsense&lang=%27&sort=x`))).toHaveLength(2);
  const answer = await manager.get(`${PATH}?q=${encodeURIComponent(url)}`);
  expect(answer.headers.get('location')).toBe(`/admin${PATH}?url=${encodeURIComponent(url)}`);
  expect(textOf(await manager.page(`${PATH}?${about}`))).toContain('Cobol <b>');
  expect((await manager.get(`${PATH}?url=https%3A%2F%2Fexample.org%2Fnone`)).status).toBe(404);
  expect(textOf(await manager.page('/catalogue/objects'))).toContain('people of Lyon can find');
});

test('an edit keeps what was changed; what is wrong is said beside its field', async () => {
  const { admin, manager } = await open();
  const form = await manager.page(`${PATH}/edit?${about}`);
  expect(fieldOf(form, 'title')).toBe('Cobol <b>');
  expect(valuesOf(form, 'type')).toEqual(['mooc']);
  const wrong = await manager.post(`${PATH}/edit`, {
    ...filled,
    url,
    title: ' ',
    minutes: '-1',
    version: '0',
  });
  expect(wrong.status).toBe(422);
  const text = await wrong.text();
  expect(problemOf(text, 'title')).toBe('Please fill in this field.');
  expect(problemOf(text, 'minutes')).toContain('whole number of minutes');
  const saved = await manager.post(`${PATH}/edit`, { ...filled, url, version: '0' });
  expect(saved.status).toBe(303);
  const stale = await manager.post(`${PATH}/edit`, { ...filled, url, title: 'Late', version: '0' });
  expect(stale.status).toBe(422);
  expect(textOf(await stale.text())).toContain('Someone else changed this');
  const { object, changes } = await admin.deps.objects.getDetails('lyon', url);
  expect(object.fields).toMatchObject({
    title: 'Weaving',
    author: ['Ada, Countess'],
    minutes: 45,
    free: true,
  });
  expect(Object.keys(changes.tenant!.state.fields)).not.toContain('publisher');
  const page = textOf(await manager.page(`${PATH}?${about}`));
  expect(page).toContain(`Last changed for this tenant by ${manager.name}`);
});

test('derived skills are shown with the words that name them, until an administrator corrects the list', async () => {
  const url = 'https://example.org/b';
  const about = `url=${encodeURIComponent(url)}`;
  const { admin, manager } = await open();
  const skills = async () => {
    const { fields } = (await admin.deps.objects.getDetails('lyon', url)).object;
    return { stated: fields.teaches, derived: admin.deps.concepts.deriveSkills(fields).map(({ uri }) => uri) };
  };
  let version = 0;
  const save = async (changes: object) => {
    const form = await manager.page(`${PATH}/edit?${about}`);
    const sent = { teaches: fieldOf(form, 'teaches') ?? '', derivedSkills: 'Java <own:java>', ...changes };
    const saved = await manager.post(`${PATH}/edit`, {
      ...filled,
      title: 'Java',
      url,
      version: `${version++}`,
      ...sent,
    });
    expect(saved.status).toBe(303);
  };
  const html = await manager.page(`${PATH}?${about}`);
  expect(textOf(html)).toMatch(/Java <own:java>\s*derived from its texts: Java/);
  expect(html).toContain('href="/skills/own:java"');
  expect(html).toContain(`href="/objects/${hashObjectAddress(url)}?tenant=lyon"`);
  expect(fieldOf(await manager.page(`${PATH}/edit?${about}`), 'derivedSkills')).toBe('Java <own:java>');
  await save({ minutes: '50' });
  expect(await skills()).toEqual({ stated: undefined, derived: ['own:java'] });
  await save({ teaches: '' });
  expect(await skills()).toEqual({ stated: [], derived: [] });
  await save({ minutes: '55' });
  expect(await skills()).toEqual({ stated: [], derived: [] });
  await save({ teaches: 'weaving <own:weaving>' });
  expect(await skills()).toEqual({ stated: [{ label: 'weaving', uri: 'own:weaving' }], derived: [] });
  await save({ teaches: 'Java <own:java>' });
  expect(await skills()).toEqual({ stated: undefined, derived: ['own:java'] });
});

test('only an owner changes for every tenant', async () => {
  const { admin, manager, owner } = await open();
  expect(textOf(await manager.page(`${PATH}?${about}`))).not.toContain('every tenant');
  for (const act of ['hide', 'show', 'undo', 'edit', 'new'])
    expect((await manager.post(`${PATH}/${act}`, { ...filled, url, for: 'all', version: '0' })).status).toBe(403);
  expect((await manager.get(`${PATH}/edit?${about}&for=all`)).status).toBe(403);
  expect((await owner.post(`${PATH}/hide`, { url, for: 'all' })).status).toBe(303);
  const hidden = async (tenantId: string) => (await admin.deps.objects.getDetails(tenantId, url)).object.hiddenFor;
  expect(await hidden('paris')).toBe('all');
  expect((await owner.post(`${PATH}/show`, { url, for: 'all' })).status).toBe(303);
  expect((await manager.post(`${PATH}/hide`, { url })).status).toBe(303);
  expect([await hidden('lyon'), await hidden('paris')]).toEqual(['tenant', null]);
});

test('an object is added by its address once it was confirmed, or by hand', async () => {
  const { admin, manager } = await open();
  const site = await startWebSite();
  onTestFinished(() => site.close());
  site.put('/page', '<title>Loom</title>');
  const failed = await manager.post(`${PATH}/read`, { url: `${site.origin}/none` });
  expect(failed.status).toBe(422);
  expect(textOf(await failed.text())).toMatch(/page not found.*answered with the status 404/);
  expect((await manager.post(`${PATH}/read`, { url: 'ftp://example.org' })).status).toBe(422);
  const read = await (await manager.post(`${PATH}/read`, { url: `${site.origin}/page` })).text();
  expect(fieldOf(read, 'title')).toBe('Loom');
  const find = () => admin.deps.objects.exists('lyon', `${site.origin}/page`);
  expect(await find()).toBe(false);
  expect((await manager.post(`${PATH}/new`, { ...filled, url: `${site.origin}/page` })).status).toBe(303);
  expect(await find()).toBe(true);
  const again = await manager.post(`${PATH}/new`, { ...filled, url: `${site.origin}/page` });
  expect(textOf(await again.text())).toContain('is in the catalogue already');
  const byHand = await (await manager.post(`${PATH}/read`, { url: 'https://a.example/x', how: 'by-hand' })).text();
  expect(fieldOf(byHand, 'url')).toBe('https://a.example/x');
  expect(fieldOf(byHand, 'title')).toBe('');
});

test('what could never be found is refused at its field', async () => {
  const { admin, manager } = await open();
  const withLogin = 'https://me:pass@a.example/x';
  const asked = await manager.post(`${PATH}/read`, { url: withLogin, how: 'by-hand' });
  expect(asked.status).toBe(422);
  expect(problemOf(await asked.text(), 'url')).toContain('user name or password');
  for (const [field, value, problem] of [
    ['url', '', 'Please fill in this field.'],
    ['url', withLogin, 'user name or password'],
    ['title', '\u200b\u0007', 'Please fill in this field.'],
    ['title', '\u2060\u200d\u00ad', 'Please fill in this field.'],
    ['description', '\u200e', 'Please fill in this field.'],
    ['provider', '\ufeff\u200c', 'Please fill in this field.'],
    ['keywords', '\u200b; \u2060', 'Please fill in this field.'],
    ['picture', withLogin, 'user name or password'],
  ] as const) {
    const answer = await manager.post(`${PATH}/new`, {
      ...filled,
      url: 'https://a.example/x',
      [field]: value,
    });
    expect([field, answer.status]).toEqual([field, 422]);
    expect(textOf(await answer.text())).toContain(problem);
  }
  // What is left of it is found as it was typed.
  const typed = { ...filled, url: ' HTTPS://A.example/a b', title: 'Tags\u0007 <b>&amp;</b> \u200b' };
  expect((await manager.post(`${PATH}/new`, typed)).status).toBe(303);
  const { object } = await admin.deps.objects.getDetails('lyon', 'https://a.example/a%20b');
  expect(object).toMatchObject({ url: 'https://a.example/a%20b', fields: { title: 'Tags  <b>&amp;</b>' } });
  expect(rowsOf(await manager.page(`${PATH}?q=tags`))).toHaveLength(1);
});

test('suggestions are decided, and how they are taken is set', async () => {
  const { admin, manager } = await open();
  const { fields } = (await admin.deps.objects.getDetails('lyon', url)).object;
  const suggested = { tenantId: 'lyon', url: 'https://a.example/1', fields, atOnce: false };
  await admin.deps.objects.suggest({ ...someone, name: '<Grace>' }, suggested);
  expect(textOf(await manager.page(PATH))).toMatch(/One suggestion to review.*Suggested by <Grace>/);
  expect((await manager.post(`${PATH}/decide`, { url: suggested.url, decision: 'refuse' })).status).toBe(303);
  expect(textOf(await manager.page(PATH))).not.toContain('One suggestion to review');
  expect((await manager.post(`${PATH}/decide`, { url: suggested.url, decision: 'approve' })).status).toBe(404);
  expect((await manager.post(`${PATH}/suggestions`, { suggestions: 'at-once' })).status).toBe(303);
  expect((await admin.deps.tenants.getTenant('lyon')).suggestions).toBe('at-once');
});

test('what an upstream finds is hidden by its address', async () => {
  const { admin, manager } = await open();
  const upstream = await startFakeUpstream();
  onTestFinished(() => upstream.close());
  const { version } = await admin.deps.tenants.getTenant('lyon');
  await admin.deps.tenants.changeUpstream(someone, 'lyon', {
    version,
    upstream: { kind: 'direct', url: upstream.url },
    apiKey: UPSTREAM_KEY,
    marketplaceKey: null,
  });
  admin.clock.advance(1_000);
  const find = async () => {
    const { providers } = await admin.deps.trialOf('lyon').lists();
    const query = searchFor('python', { providers: [providers[0]!.id], max: 10, model: 'extended' });
    return (await admin.deps.trialOf('lyon').searchLearningObjects(query)).items.map(({ object }) => object.url);
  };
  const wrong = await manager.post(`${PATH}/outside`, { url: 'https://me:pass@a.example/x' });
  expect(wrong.status).toBe(422);
  expect(problemOf(await wrong.text(), 'url')).toContain('user name or password');
  const [first] = await find();
  expect(first).toBeDefined();
  expect(textOf(await manager.page(PATH))).toContain('not this catalogue');
  expect((await manager.post(`${PATH}/outside`, { url: first! })).status).toBe(303);
  expect(await find()).not.toContain(first);
  expect(textOf(await manager.page(PATH))).toContain(first);
  expect((await manager.post(`${PATH}/show`, { url: first! })).status).toBe(303);
  expect(await find()).toContain(first);
});
