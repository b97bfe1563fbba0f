import { expect, test } from 'vitest';
import type { ObjectFields } from '../../../../src/domain/object-fields.ts';
import type { ObjectChange } from '../../../../src/ports/store/store.ts';
import type { ObjectListRequest } from '../../../../src/services/catalogue/objects/objects.ts';
import { objectPart } from '../../../adapters/local/imported.ts';
import { anObject, searchFor } from '../../../adapters/local/services.ts';
import { ada, openObjects, url } from './open-objects.ts';

const lyon = (id: string, forAll = false) => ({ tenantId: 'lyon', forAll, url: url(id) });

const fields = (changes: Partial<ObjectFields> = {}): ObjectFields => ({
  title: 'Weaving',
  description: 'How to weave.',
  provider: 'École de Lyon',
  lang: 'fr',
  type: ['tutorial'],
  bloom: ['Apply'],
  keywords: ['loom'],
  publisher: [],
  author: [],
  level: null,
  minutes: 45,
  free: true,
  picture: null,
  ...changes,
});

const everything: ObjectListRequest = {
  search: '',
  provider: null,
  type: null,
  lang: null,
  origin: null,
  link: null,
  sort: 'title',
  page: 0,
  pageSize: 25,
};

test('a hidden object is not found by its tenant, and by every other one', async () => {
  const { objects, find } = await openObjects();
  await objects.hide(ada, lyon('a'));
  expect(await find('lyon', 'cobol')).toEqual([]);
  expect(await find('paris', 'cobol')).toEqual(['Cobol']);
  await objects.show(ada, lyon('a'));
  expect(await find('lyon', 'cobol')).toEqual(['Cobol']);
});

test('an edited one is found by its new words, and keeps what an import says of the others', async () => {
  const { objects, find, imports, engine, learningOf } = await openObjects();
  const { object } = await objects.getDetails('lyon', url('a'));
  await objects.edit(ada, lyon('a'), { fields: { ...object.fields, title: 'Fortran' }, version: 0 });
  expect(await find('lyon', 'cobol')).toEqual([]);
  expect(await find('lyon', 'fortran')).toEqual(['Fortran']);
  expect(await find('paris', 'fortran')).toEqual([]);
  // The address is spelt otherwise, too.
  await imports.put('mine', [
    objectPart(anObject('a/', { url: 'http://www.example.org/a/', title: 'Cobol II', author: ['Grace'] })),
  ]);
  await engine.updates.catchUp();
  expect(await find('lyon', 'fortran')).toEqual(['Fortran']);
  expect(await find('paris', 'cobol')).toEqual(['Cobol II']);
  const { content } = await learningOf('lyon').ask('searchMany', {
    keywords: 'fortran',
    providers: [],
    types: [],
    blooms: [],
    sort: 'popularity',
    match: 'strict',
    model: 'strict',
    max: 10,
    page: 0,
    important: new Set(),
  });
  expect(content).toMatchObject([{ title: 'Fortran', author: ['Grace'] }]);
});

test('an added one is found by its tenant with its provider, length and language', async () => {
  const { objects, find, learningOf } = await openObjects();
  await objects.add(ada, lyon('new'), fields());
  expect(await find('lyon', 'weaving')).toEqual(['Weaving']);
  expect(await find('lyon', 'loom')).toEqual(['Weaving']);
  expect(await find('paris', 'weaving')).toEqual([]);
  const providers = async (tenantId: string) =>
    (await learningOf(tenantId).ask('listProviders', {})).map(({ name }) => name);
  expect(await providers('lyon')).toContain('École de Lyon');
  expect(await providers('paris')).not.toContain('École de Lyon');
  const { object, sources } = await objects.getDetails('lyon', url('new'));
  expect(object).toMatchObject({ origin: 'added', fields: fields(), hiddenFor: null });
  expect(sources.get('title')).toMatchObject({ kind: 'change', change: { changedBy: 'Ada' } });
  await expect(objects.add(ada, lyon('new'), fields())).rejects.toMatchObject({ code: 'OBJECT_KNOWN' });
  await expect(objects.add(ada, lyon('b'), fields())).rejects.toMatchObject({ data: { how: 'there' } });
});

test('titles and keywords of an added one are completed for its tenant, from any word, while it is seen', async () => {
  const { objects, learningOf } = await openObjects();
  const complete = async (tenantId: string, keywords: string) =>
    (await learningOf(tenantId).ask('suggest', { keywords })).suggestions.map(({ label }) => label);
  expect(await complete('lyon', 'zymurg')).toEqual([]);
  await objects.add(ada, lyon('new'), fields({ title: 'A first course in zymurgy', keywords: ['zymurgist'] }));
  expect(await complete('lyon', 'Zymurg')).toEqual(['zymurgist', 'A first course in zymurgy']);
  expect(await complete('lyon', 'course in zym')).toEqual(['A first course in zymurgy']);
  expect(await complete('paris', 'zymurg')).toEqual([]);
  await objects.hide(ada, lyon('new'));
  expect(await complete('lyon', 'zymurg')).toEqual([]);
});

test('a provider and a language that only changed objects have are listed while one of these is seen', async () => {
  const { objects, learningOf } = await openObjects();
  const listed = async () => {
    const [providers, languages] = await Promise.all([
      learningOf('lyon').ask('listProviders', {}),
      learningOf('lyon').ask('listLanguages', {}),
    ]);
    const logos = providers.map(({ name, logos }) => `${name}: ${logos.length}`);
    return [...logos, ...languages.map(({ value }) => value)];
  };
  const before = await listed();
  expect(before).toContain('A school: 4');
  await objects.add(ada, lyon('new'), fields({ lang: 'it' }));
  // Its logos would be for everybody.
  expect((await listed()).filter((each) => !before.includes(each))).toEqual(['École de Lyon: 0', 'it']);
  await objects.edit(ada, lyon('new'), { fields: fields({ provider: 'Atelier', lang: 'es' }), version: 1 });
  expect((await listed()).filter((each) => !before.includes(each))).toEqual(['Atelier: 0', 'es']);
  await objects.hide(ada, lyon('new'));
  expect(await listed()).toEqual(before);
});

test('an added one is of no field in particular', async () => {
  const { objects, engine, layers } = await openObjects();
  await objects.add(ada, lyon('new'), fields());
  const browsed = await engine.learning.ask(
    'browse',
    { query: searchFor(''), topics: ['99'] },
    { layer: await layers.layerOf('lyon') },
  );
  expect(browsed?.content.map(({ title }) => title)).toContain('Weaving');
});

test('what an owner changes for all is seen by all, below what a tenant changes', async () => {
  const { objects, find } = await openObjects();
  const { object } = await objects.getDetails('lyon', url('a'));
  await objects.edit(ada, lyon('a', true), {
    fields: { ...object.fields, title: 'Algol', level: -1 },
    version: 0,
  });
  expect(await find('paris', 'algol')).toEqual(['Algol']);
  const edited = (await objects.getDetails('paris', url('a'))).object;
  const own = { ...edited.fields, title: 'Ada' };
  await objects.edit(ada, { tenantId: 'paris', forAll: false, url: url('a') }, { fields: own, version: 0 });
  expect(await find('paris', 'algol')).toEqual([]);
  expect(await find('paris', 'ada')).toEqual(['Ada']);
  expect(await find('lyon', 'algol')).toEqual(['Algol']);
  expect((await objects.getDetails('paris', url('a'))).object.fields.level).toBe(-1);
  await objects.hide(ada, lyon('a', true));
  expect(await find('paris', 'ada')).toEqual([]);
  expect((await objects.getDetails('paris', url('a'))).object.hiddenFor).toBe('all');
  await objects.add(ada, lyon('all', true), fields());
  expect(await find('paris', 'weaving')).toEqual(['Weaving']);
});

test('looking at an object without its changes leaves searches as they are', async () => {
  const { objects, find, engine, layers } = await openObjects();
  const edit = async (title: string) => {
    const { fields, version } = await objects.getEdited(lyon('a', true));
    await objects.edit(ada, lyon('a', true), { fields: { ...fields, title }, version });
  };
  await edit('Algol');
  const before = await layers.layerOf('lyon');
  expect(await find('lyon', 'algol')).toEqual(['Algol']);
  await edit('Algol');
  expect(await find('lyon', 'algol')).toEqual(['Algol']);
  // An answer under way still has the layer of before.
  await edit('Simula');
  expect(await find('lyon', 'simula')).toEqual(['Simula']);
  engine.catalog.findObject(before, url('a'));
  expect(await find('lyon', 'simula')).toEqual(['Simula']);
});

test('each change can be undone, and done again', async () => {
  const { objects, find, store } = await openObjects();
  const version = async (id: string) => (await objects.getDetails('lyon', url(id))).changes.tenant!.version;
  await objects.hide(ada, lyon('a'));
  await objects.undo(ada, lyon('a'), await version('a'));
  expect(await find('lyon', 'cobol')).toEqual(['Cobol']);
  await objects.undo(ada, lyon('a'), await version('a'));
  expect(await find('lyon', 'cobol')).toEqual([]);
  await objects.add(ada, lyon('new'), fields());
  await objects.undo(ada, lyon('new'), 1);
  expect(await find('lyon', 'weaving')).toEqual([]);
  await expect(objects.undo(ada, lyon('new'), 1)).rejects.toMatchObject({ code: 'CHANGED_MEANWHILE' });
  await objects.undo(ada, lyon('new'), 2);
  expect(await find('lyon', 'weaving')).toEqual(['Weaving']);
  const kept = await store.audit.readAuditEntries(
    { scope: ['lyon'], action: null, period: { from: null, until: null }, search: '' },
    null,
    100,
  );
  expect(kept.map(({ action }) => action)).toEqual([
    'object.hidden',
    'object.undone',
    'object.undone',
    'object.added',
    'object.undone',
    'object.undone',
  ]);
});

test('a suggestion is found once somebody says yes, or at once', async () => {
  const { objects, find } = await openObjects();
  const given = { tenantId: 'lyon', url: url('new'), fields: fields(), atOnce: false };
  const grace = { ...ada, kind: 'teacher', name: 'Grace' } as const;
  await objects.suggest(grace, given);
  expect(await find('lyon', 'weaving')).toEqual([]);
  expect(await objects.listWaiting('lyon')).toMatchObject([{ url: url('new'), suggestedBy: 'Grace' }]);
  expect(await objects.listWaiting('paris')).toEqual([]);
  await expect(objects.suggest(grace, given)).rejects.toMatchObject({ data: { how: 'waiting' } });
  await objects.decide(ada, lyon('new'), true);
  expect(await find('lyon', 'weaving')).toEqual(['Weaving']);
  expect(await objects.listWaiting('lyon')).toEqual([]);
  await expect(objects.decide(ada, lyon('new'), false)).rejects.toMatchObject({ code: 'OBJECT_UNKNOWN' });
  await objects.suggest(grace, { ...given, url: url('other'), atOnce: true });
  expect(await find('lyon', 'weaving')).toHaveLength(2);
  await objects.suggest(grace, { ...given, url: url('third') });
  await objects.decide(ada, lyon('third'), false);
  expect(await find('lyon', 'weaving')).toHaveLength(2);
});

test('two who suggest the same at once are told that it waits', async () => {
  const { objects } = await openObjects();
  const given = { tenantId: 'lyon', url: url('new'), fields: fields(), atOnce: false };
  const done = await Promise.allSettled([objects.suggest(ada, given), objects.suggest(ada, given)]);
  expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(done.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'OBJECT_KNOWN', data: { how: 'waiting' } },
  });
});

// Over two seconds of CPU: thousands of changes fill the store to its limit.
test('refused suggestions leave room for changes; what is full is said', async () => {
  const { objects, layers, store, clock } = await openObjects();
  const save = async (count: number, change: Pick<ObjectChange, 'state' | 'suggestedBy'>) => {
    for (let i = 0; i < count; i++)
      await store.objectLayers.saveObjectChange({
        tenantId: 'lyon',
        url: url(`${change.suggestedBy}${i}`),
        before: null,
        version: 1,
        address: `example.org/${change.suggestedBy}${i}`,
        changedBy: 'Ada',
        changedAt: clock.now(),
        ...change,
      });
    layers.forget('lyon');
  };
  const state = { isAdded: true, isHidden: false, isWaiting: false, fields: fields() };
  await save(10, { state: { ...state, isHidden: true }, suggestedBy: 'Grace' });
  await save(4_995, { state, suggestedBy: null });
  const given = { tenantId: 'lyon', fields: fields(), atOnce: true };
  for (let i = 0; i < 5; i++) await objects.suggest(ada, { ...given, url: url(`new${i}`) });
  const more = { ...given, atOnce: false, url: url('more') };
  const refused = objects.suggest(ada, more);
  await expect(refused).rejects.toMatchObject({ code: 'OBJECTS_TOO_MANY' });
  await expect(refused).rejects.toThrow('5000 objects are changed');
});

test('a host that did not make the change sees it half a second later', async () => {
  const { objects, find, openHost, clock } = await openObjects();
  const other = openHost();
  expect(await other.find('lyon', 'cobol')).toEqual(['Cobol']);
  await objects.hide(ada, lyon('a'));
  expect(await find('lyon', 'cobol')).toEqual([]);
  clock.advance(500);
  expect(await other.find('lyon', 'cobol')).toEqual([]);
});

test('the list finds what there is by origin, type, language, words and link', async () => {
  const { objects, imports, engine, store } = await openObjects();
  const about = `Types and monads ${'for those who think about what their programs do '.repeat(3)}`;
  await imports.put('mine', [objectPart(anObject('i', { title: 'Haskell', description: about }))]);
  await engine.updates.catchUp();
  await objects.hide(ada, lyon('a'));
  await objects.add(ada, lyon('new'), fields());
  const { object } = await objects.getDetails('lyon', url('b'));
  await objects.edit(ada, lyon('b'), { fields: { ...object.fields, minutes: 10 }, version: 0 });
  const list = async (changes: Partial<ObjectListRequest> = {}, tenantId = 'lyon') => {
    const { items, total } = await objects.list(tenantId, { ...everything, ...changes });
    expect(total).toBe(items.length);
    return items.map(({ fields }) => fields.title);
  };
  expect(await list()).toEqual(['Cobol', 'Haskell', 'Java', 'Pascal', 'Weaving']);
  expect(await list({}, 'paris')).toEqual(['Cobol', 'Haskell', 'Java', 'Pascal']);
  expect(await list({ origin: 'starter' })).toEqual(['Cobol', 'Java', 'Pascal']);
  expect(await list({ origin: 'import' })).toEqual(['Haskell']);
  expect(await list({ origin: 'added' })).toEqual(['Weaving']);
  expect(await list({ origin: 'edited' })).toEqual(['Java']);
  expect(await list({ origin: 'hidden' })).toEqual(['Cobol']);
  expect(await list({ origin: 'hidden' }, 'paris')).toEqual([]);
  expect(await list({ type: 'video' })).toEqual(['Java']);
  expect(await list({ lang: 'fr' })).toEqual(['Pascal', 'Weaving']);
  expect(await list({ search: 'loom', sort: 'best' })).toEqual(['Weaving']);
  expect(await list({ search: 'monads pascal', sort: 'best' })).toEqual(['Pascal', 'Haskell']);
  expect(await list({ sort: 'shortest' })).toEqual(['Java', 'Weaving', 'Cobol', expect.anything(), expect.anything()]);
  expect((await list({ sort: 'longest' })).slice(0, 3)).toEqual(['Cobol', 'Weaving', 'Java']);
  const { items } = await objects.list('lyon', { ...everything, page: 1, pageSize: 2 });
  expect(items.map(({ fields: { title } }) => title)).toEqual(['Java', 'Pascal']);
  await store.linkChecks.saveLinkChecks([
    {
      url: url('c'),
      state: 'dead',
      checkedAt: new Date(0),
      since: new Date(0),
      status: 404,
      reason: 'gone',
      failures: 1,
      movedTo: null,
      etag: null,
      lastModified: null,
      picture: null,
    },
  ]);
  expect(await list({ link: 'dead' })).toEqual(['Pascal']);
  expect(await list({ link: 'fine' })).toEqual(['Cobol', 'Haskell', 'Java', 'Weaving']);
  const { sources } = await objects.getDetails('lyon', url('i'));
  expect(sources.get('title')).toMatchObject({ kind: 'import', record: { dataset: 'mine' } });
});
