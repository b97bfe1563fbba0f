import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readStarterCatalog } from '../../../src/adapters/local/starter-catalog.ts';
import { createRecordServices } from '../../../src/compose/record-services.ts';
import { systemActor } from '../../../src/domain/admin.ts';
import { hashObjectAddress, normalizeObjectAddress } from '../../../src/domain/learning-object.ts';
import type { ObjectEdits } from '../../../src/domain/object-fields.ts';
import { systemClock } from '../../../src/ports/clock.ts';
import { type RunningApp, startApp } from '../../helpers/app.ts';
import { SECRET, secretKeysOf, tester } from '../../helpers/open-services.ts';

const { objects } = readStarterCatalog('data');
const [edited, hidden] = objects.filter(({ provider }) => provider === 'gimp');
const added = 'https://lyon.example/welding';
const changedAt = new Date('2025-04-05T06:07:08.900Z');

let app: RunningApp;
/** Keys of two institutions, and cookies of an administrator of each. */
const keys = { lyon: '', oslo: '' };
const cookies = { lyon: '', oslo: '' };
const ids = { lyon: '', oslo: '' };
beforeAll(async () => {
  app = await startApp();
  const { store } = app;
  const services = createRecordServices({ store, secretKeys: secretKeysOf(SECRET), clock: systemClock });
  for (const name of ['lyon', 'oslo'] as const) {
    const { id: tenantId } = await services.tenants.createTenant(tester, name);
    ids[name] = tenantId;
    keys[name] = await app.createKey({ tenantId });
    const link = await services.adminLinks.createInvitation(systemActor, { role: 'viewer', tenants: [tenantId] });
    const credentials = { kind: 'oidc', name, subject: name } as const;
    const { id } = await services.adminLinks.useLink(link.path.split('/').at(-1)!, credentials, null);
    const { token } = await services.adminSessions.beginSession(id, { address: null, userAgent: null });
    cookies[name] = `skilldock_session=${token}`;
  }
  const change = (url: string, state: { isAdded?: boolean; isHidden?: boolean; fields?: ObjectEdits }) =>
    store.objectLayers.saveObjectChange({
      tenantId: ids.lyon,
      url,
      address: normalizeObjectAddress(url),
      changedAt,
      version: 1,
      before: null,
      suggestedBy: null,
      changedBy: 'Ada',
      state: { isAdded: false, isHidden: false, isWaiting: false, fields: {}, ...state },
    });
  const fields = {
    title: 'Welding in Lyon',
    description: 'How to weld steel.',
    provider: 'Lyon',
    type: ['video'],
    bloom: ['Apply'],
    lang: 'en',
    keywords: ['welding'],
    publisher: [],
    author: [],
    level: null,
    minutes: null,
    free: null,
    picture: null,
  };
  await change(added, { isAdded: true, fields });
  await change(edited!.url, { fields: { title: 'Edited in Lyon', license: 'CC0-1.0' } });
  await change(hidden!.url, { isHidden: true });
});
afterAll(() => app.close());

const get = (path: string, headers: Readonly<Record<string, string>> = {}) => fetch(app.url + path, { headers });
const asTenant = (name: keyof typeof keys) => ({ 'x-api-key': keys[name] });
const all = (xml: string, name: string) =>
  [...xml.matchAll(new RegExp(`<${name}(?: [^>]*)?>([^<]*)</${name}>`, 'g'))].map(([, text]) => text ?? '');

describe('the page of an object that a tenant added', () => {
  const path = `/objects/${hashObjectAddress(added)}`;

  test('is for the key of the tenant, and for no other', async () => {
    const page = await get(`${path}.jsonld`, asTenant('lyon'));
    expect(await page.json()).toMatchObject({ id: added, name: 'Welding in Lyon' });
    expect(page.headers.get('cache-control')).toBe('private, no-store');
    expect(page.headers.get('vary')).toContain('X-Api-Key');
    for (const ending of ['', '.json', '.jsonld']) {
      expect((await get(path + ending)).status).toBe(404);
      expect((await get(path + ending, asTenant('oslo'))).status).toBe(404);
      expect((await get(path + ending, { 'x-api-key': 'sk_unknown' })).status).toBe(403);
    }
    const narrow = await app.createKey({ tenantId: ids.lyon, scopes: ['competency'] });
    expect((await get(path, { 'x-api-key': narrow })).status).toBe(403);
  });

  test('is for an administrator of the tenant, whichever tenant the address names', async () => {
    const page = await get(path, { cookie: cookies.lyon });
    expect(await page.text()).toContain('Welding in Lyon');
    expect(page.headers.get('x-robots-tag')).toBe('noindex');
    for (const query of ['', `?tenant=${ids.lyon}`])
      expect((await get(path + query, { cookie: cookies.oslo })).status).toBe(404);
    expect((await get(path, { cookie: `${cookies.oslo}; skilldock_tenant=${ids.lyon}` })).status).toBe(404);
  });

  test('has no oEmbed, which everybody may ask for', async () => {
    const address = `/oembed?url=${encodeURIComponent(app.url + path)}`;
    expect((await get(address, asTenant('lyon'))).status).toBe(404);
    expect(await (await get(path, { cookie: cookies.lyon })).text()).not.toContain('oembed');
  });
});

test('an edit of a tenant is on the page for its key only', async () => {
  const path = `/objects/${hashObjectAddress(edited!.url)}.jsonld`;
  expect(await (await get(path, asTenant('lyon'))).json()).toMatchObject({ name: 'Edited in Lyon' });
  for (const headers of [{}, asTenant('oslo')])
    expect(await (await get(path, headers)).json()).toMatchObject({ name: edited!.title });
  const gone = `/objects/${hashObjectAddress(hidden!.url)}`;
  expect([(await get(gone)).status, (await get(gone, asTenant('lyon'))).status]).toEqual([200, 404]);
});

describe('a harvest', () => {
  const list = '/oai?verb=ListIdentifiers&metadataPrefix=lom';
  const identifierOf = (url: string) => `oai:127.0.0.1:${hashObjectAddress(url)}`;

  async function harvest(headers: Readonly<Record<string, string>>) {
    const seen: string[] = [];
    let [query, size] = [list, ''];
    while (query !== '') {
      const xml = await (await get(query, headers)).text();
      seen.push(...all(xml, 'identifier'));
      const [, total = '', token = ''] =
        /<resumptionToken completeListSize="(\d+)"[^>]*?(?:\/>|>([^<]*)<)/.exec(xml) ?? [];
      size = total;
      query = token === '' ? '' : `/oai?verb=ListIdentifiers&resumptionToken=${token}`;
    }
    return { seen, size: Number(size) };
  }

  test('with the key has what the tenant added in its order; without, never', async () => {
    const [own, shared] = await Promise.all([harvest(asTenant('lyon')), harvest({})]);
    expect(own.seen).toEqual([...shared.seen, identifierOf(added)].sort());
    expect([own.size, shared.size]).toEqual([objects.length + 1, objects.length]);
    expect(await (await get(list, asTenant('oslo'))).text()).toContain(`completeListSize="${objects.length}"`);
    const record = `/oai?verb=GetRecord&metadataPrefix=oai_dc&identifier=${identifierOf(added)}`;
    const texts = await Promise.all(
      [asTenant('lyon'), asTenant('oslo'), {}].map(async (headers) => get(record, headers)),
    );
    const [mine, ...others] = await Promise.all(texts.map((response) => response.text()));
    expect(all(mine!, 'dc:title')).toEqual(['Welding in Lyon']);
    expect(all(mine!, 'datestamp')).toEqual(['2025-04-05T06:07:08Z']);
    for (const text of others) expect(text).toContain('idDoesNotExist');
  });

  test('has edits of the tenant, and what it hid as deleted', async () => {
    const ask = async (headers: Readonly<Record<string, string>>) =>
      (await get('/oai?verb=ListRecords&metadataPrefix=oai_dc&set=gimp', headers)).text();
    const [own, shared] = await Promise.all([ask(asTenant('lyon')), ask({})]);
    expect(all(own, 'dc:title')).toContain('Edited in Lyon');
    expect(all(own, 'dc:title')).not.toContain(hidden!.title);
    expect(own).toMatch(new RegExp(`<header status="deleted"><identifier>${identifierOf(hidden!.url)}<`));
    expect(shared).not.toMatch(/Edited in Lyon|status="deleted"/);
  });

  test('knows the providers of the tenant as sets, and the time of its first change', async () => {
    const sets = async (headers: Readonly<Record<string, string>>) =>
      all(await (await get('/oai?verb=ListSets', headers)).text(), 'setName');
    expect(await sets(asTenant('lyon'))).toContain('Lyon');
    expect(await sets(asTenant('oslo'))).not.toContain('Lyon');
    const earliest = async (headers: Readonly<Record<string, string>>) =>
      all(await (await get('/oai?verb=Identify', headers)).text(), 'earliestDatestamp')[0];
    expect(await earliest(asTenant('lyon'))).toBe('2025-04-05T06:07:08Z');
    expect(await earliest({})).not.toBe('2025-04-05T06:07:08Z');
    const ofSet = await (await get(`${list}&set=lyon`, asTenant('lyon'))).text();
    expect(all(ofSet, 'identifier')).toEqual([identifierOf(added)]);
  });

  test('with a key that is not valid is refused', async () => {
    expect((await get(list, { 'x-api-key': 'sk_unknown' })).status).toBe(403);
    expect((await get(list, { 'x-api-key': app.demoKey })).status).toBe(403);
  });
});
