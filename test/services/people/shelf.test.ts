import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LearningObject } from '../../../src/domain/learning-object.ts';
import { createShelf } from '../../../src/services/people/shelf.ts';
import type { StandingClock } from '../../fakes/clock.ts';
import { bareObject, fullObject, KNOWN_REQUEST_ID } from '../../fakes/learning-service.ts';
import { type OpenedServices, openServices, tester } from '../../helpers/open-services.ts';

const ada = { tenantId: 'default', person: 'slack:T1:ada' };
const first = { page: 0, pageSize: 100 };

let services: OpenedServices<StandingClock>;
beforeEach(async () => {
  services = await openServices();
});
afterEach(() => services.close());

const at = (url: string): LearningObject => ({ ...bareObject, url });
const save = (object: LearningObject, owner = ada) =>
  services.shelf.save(owner, { object, requestId: KNOWN_REQUEST_ID });
async function savedUrls(owner = ada): Promise<string[]> {
  return (await services.shelf.list(owner, first)).items.map(({ object }) => object.url);
}

test('keeps an object as it was found, with its search and time', async () => {
  expect(await save(fullObject)).toBe('added');
  expect(await services.shelf.list(ada, first)).toEqual({
    items: [
      {
        ...ada,
        address: 'example.org/python',
        object: fullObject,
        requestId: KNOWN_REQUEST_ID,
        savedAt: services.clock.now(),
      },
    ],
    total: 1,
  });
});

test('shows the newest first, in pages', async () => {
  for (const name of ['a', 'b', 'c']) {
    await save(at(`https://example.org/${name}`));
    services.clock.advance(1);
  }
  expect(await savedUrls()).toEqual(['c', 'b', 'a'].map((name) => `https://example.org/${name}`));
  const { items, total } = await services.shelf.list(ada, { page: 1, pageSize: 2 });
  expect([items.map(({ object }) => object.url), total]).toEqual([['https://example.org/a'], 3]);
});

describe('an object by another spelling of its address', () => {
  const spellings = [
    'https://example.org/python?utm_source=news&a=1&b=2',
    'http://www.example.org/python/?b=2&a=1#chapter',
  ];
  beforeEach(() => save(at('https://example.org/python?a=1&b=2')));

  test('is kept as it was', async () => {
    for (const url of spellings) expect(await save(at(url))).toBe('kept');
    expect(await savedUrls()).toEqual(['https://example.org/python?a=1&b=2']);
  });

  test('is found under the spelling that was asked for', async () => {
    const other = 'https://example.org/python?a=1&b=3';
    expect(await services.shelf.findSaved(ada, [...spellings, other])).toEqual(new Set(spellings));
    expect(await services.shelf.findSaved(ada, [])).toEqual(new Set());
  });

  test('is removed, once', async () => {
    expect(await services.shelf.remove(ada, spellings[1]!)).toBe(true);
    expect(await services.shelf.remove(ada, spellings[1]!)).toBe(false);
    expect(await savedUrls()).toEqual([]);
  });
});

test('is somebody’s own', async () => {
  const { shelf, tenants } = services;
  const { id } = await tenants.createTenant(tester, 'School');
  const others = [
    { tenantId: 'default', person: 'slack:T1:eve' },
    { tenantId: id, person: ada.person },
  ];
  await save(fullObject);
  for (const owner of others) {
    expect(await savedUrls(owner)).toEqual([]);
    expect(await shelf.findSaved(owner, [fullObject.url])).toEqual(new Set());
    expect(await shelf.remove(owner, fullObject.url)).toBe(false);
    expect(await save(fullObject, owner)).toBe('added');
    expect(await shelf.clear(owner)).toBe(1);
  }
  expect(await savedUrls()).toEqual([fullObject.url]);
});

test('holds 500 objects; what it has can still be saved, and there is room again after one is removed', async () => {
  const urlOf = (i: number) => `https://example.org/${i}`;
  for (let i = 0; i < 500; i++) await save(at(urlOf(i)));
  await expect(save(at(urlOf(500)))).rejects.toMatchObject({ code: 'SHELF_FULL', kind: 'conflict' });
  expect(await save(at(urlOf(0)))).toBe('kept');
  await services.shelf.remove(ada, urlOf(0));
  expect(await save(at(urlOf(500)))).toBe('added');
  expect(await services.shelf.clear(ada)).toBe(500);
  expect(await services.shelf.list(ada, first)).toEqual({ items: [], total: 0 });
});

test('what is saved while its shelf becomes another one’s goes there', async () => {
  const inLms = { tenantId: 'default', person: 'lti:moodle:7' };
  const { code } = await services.people.createLinkCode(inLms);
  let isLinked = false;
  const shelf = createShelf({
    ...services.store,
    clock: services.clock,
    shelf: {
      ...services.store.shelf,
      async addToShelf(record, capacity) {
        if (!isLinked) await services.people.link(ada, code);
        isLinked = true;
        return services.store.shelf.addToShelf(record, capacity);
      },
    },
  });
  expect(await shelf.save(ada, { object: fullObject, requestId: null })).toBe('added');
  expect(await savedUrls(inLms)).toEqual([fullObject.url]);
  expect(await services.store.shelf.listShelf(ada, first)).toEqual({ items: [], total: 0 });
});

describe('nothing is saved', () => {
  const refused = (owner: typeof ada, found = fullObject) =>
    services.shelf.save(owner, { object: found, requestId: KNOWN_REQUEST_ID }).catch((error) => error);

  test('for a tenant that is not there, that is being deleted or that is disabled', async () => {
    const { tenants, store } = services;
    const { id } = await tenants.createTenant(tester, 'School');
    const owner = { ...ada, tenantId: id };
    expect(await save(fullObject, owner)).toBe('added');
    await tenants.disableTenant(tester, id);
    expect(await refused(owner)).toMatchObject({ code: 'TENANT_DISABLED' });
    const record = (await store.tenants.findTenant(id))!;
    await store.tenants.replaceTenant({ ...record, status: 'deleting', version: record.version + 1 });
    expect(await refused(owner)).toMatchObject({ code: 'TENANT_UNKNOWN' });
    expect(await refused({ ...ada, tenantId: 'none' })).toMatchObject({ code: 'TENANT_UNKNOWN' });
    expect(await savedUrls(owner)).toEqual([fullObject.url]);
  });

  test('for nobody, nor under a name of more than 300 characters', async () => {
    for (const person of ['', 'p'.repeat(301)])
      expect(await refused({ ...ada, person })).toMatchObject({
        code: 'PARAMETERS_INVALID',
        problems: [{ path: 'person', problem: 'must have 1 to 300 characters' }],
      });
    expect(await save(fullObject, { ...ada, person: 'p'.repeat(300) })).toBe('added');
  });

  test('of more than 64 kB, counted in bytes', async () => {
    const size = Buffer.byteLength(JSON.stringify({ object: at('https://example.org/'), requestId: KNOWN_REQUEST_ID }));
    const ofSize = (bytes: number) => at(`https://example.org/${'a'.repeat(bytes - size)}`);
    expect(await save(ofSize(65_536))).toBe('added');
    for (const object of [ofSize(65_537), { ...bareObject, name: 'é'.repeat(33_000) }])
      expect(await refused(ada, object)).toMatchObject({
        code: 'PARAMETERS_INVALID',
        problems: [{ path: 'object', problem: 'must take at most 64 kB with its search' }],
      });
  });
});
