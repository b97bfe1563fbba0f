import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readStarterCatalog } from '../../../src/adapters/local/starter-catalog.ts';
import type { LearningObject } from '../../../src/domain/learning-object.ts';
import { hashObjectAddress } from '../../../src/domain/learning-object.ts';
import { answerOai } from '../../../src/faces/harvest/oai.ts';
import type { PublishedObject } from '../../../src/ports/object-catalog.ts';
import { createHarvest } from '../../../src/services/catalogue/harvest.ts';
import { type RunningApp, startApp } from '../../helpers/app.ts';
import { draw } from '../../helpers/draw.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';
import { openTestStore } from '../../helpers/test-store.ts';
import { listOaiFaults } from './oai-rules.ts';
import { expectOwnCatalogue } from './own-catalogue.ts';

const all = (xml: string, name: string) =>
  [...xml.matchAll(new RegExp(`<${name}(?: [^>]*)?>([^<]*)</${name}>`, 'g'))].map(([, text]) => text ?? '');
const errorOf = (xml: string) => /<error code="(\w+)">/.exec(xml)?.[1];

describe('a host', () => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  test('gives our own importer the objects of a provider as they are', async () => {
    expect(await expectOwnCatalogue(`${app.url}/oai?set=gimp`, 'gimp')).toBeGreaterThan(100);
  });

  test('gives valid answers', async () => {
    const query = (prefix: string) =>
      draw(parts, `parts as ${prefix}`, 3).map((each) => `${each}&metadataPrefix=${prefix}`);
    const parts = readStarterCatalog('data').providers.map(({ id }) => `verb=ListRecords&set=${id}`);
    const others = ['verb=Identify', 'verb=ListSets', 'verb=ListMetadataFormats', ''];
    for (const each of [...others, ...query('oai_dc'), ...query('lom')])
      expect(listOaiFaults(await (await fetch(`${app.url}/oai?${each}`)).text()), each).toEqual([]);
  });

  test('answers GET and POST as XML', async () => {
    const get = await fetch(`${app.url}/oai?verb=Identify`);
    expect(get.headers.get('content-type')).toBe('text/xml; charset=utf-8');
    const text = await get.text();
    expect(all(text, 'baseURL')).toEqual([`${app.url}/oai`]);
    expect(all(text, 'deletedRecord')).toEqual(['persistent']);
    const post = await fetch(`${app.url}/oai`, { method: 'POST', body: new URLSearchParams({ verb: 'ListSets' }) });
    expect(all(await post.text(), 'setSpec')).toContain('openlearn');
    expect((await fetch(`${app.url}/oai`, { method: 'DELETE' })).status).toBe(405);
  });
});

test('a host does not answer where harvesting is off', async () => {
  const app = await startApp(undefined, { OAI_PMH: '0' });
  onTestFinished(() => app.close());
  expect((await fetch(`${app.url}/oai?verb=Identify`)).status).toBe(404);
});

/** A repository over a catalogue in memory, whose objects can be changed. Its answers are valid. */
function openRepository(count: number) {
  const store = openTestStore(join(makeTempDir(), 'store.db'));
  onTestFinished(() => store.close());
  const objects = new Map<string, LearningObject>();
  const put = (number: number, title = `Title ${number}`) => {
    const url = `https://a.example/${number}`;
    objects.set(url, { url, title, bloom: [], type: ['video'], publisher: [], author: [], provider: 'A' });
  };
  for (let number = 0; number < count; number++) put(number);
  const state = { version: 1, now: new Date('2026-01-01T00:00:00.500Z') };
  const nothing = { tenantId: '', version: '', changes: new Map() };
  const open = () =>
    createHarvest({
      harvest: store.harvest,
      catalog: {
        readObjects: async (_layer, urls) =>
          new Map(
            urls.flatMap((url): [string, PublishedObject][] => {
              const object = objects.get(url);
              return object ? [[url, { object, providerId: object.provider === 'A' ? 'a' : 'b', keywords: [] }]] : [];
            }),
          ),
      },
      layers: { layerOf: async () => ({ all: nothing, tenant: nothing, stamp: '' }) },
      catalogVersion: () => `${state.version}`,
      async *listAddresses() {
        yield* objects.keys();
      },
      clock: { now: () => state.now },
      onProblem: () => undefined,
    });
  let harvest = open();
  return {
    put,
    remove: (number: number) => objects.delete(`https://a.example/${number}`),
    /** Of other objects, at a time; as another host, which has only the store. */
    publish(at: string) {
      state.version++;
      state.now = new Date(at);
      harvest = open();
    },
    find: async (number: number) =>
      (await harvest.findObject(hashObjectAddress(`https://a.example/${number}`)))?.object.title,
    async ask(query: string) {
      const deps = {
        harvest,
        listProviders: async () => (count === 0 ? [] : [{ id: 'a', name: 'A', logos: [], url: 'https://a.example' }]),
        publicUrl: 'https://host.example',
        operatorEmail: 'ada@example.org',
      };
      const xml = await answerOai(deps, query, state.now);
      expect(listOaiFaults(xml), query).toEqual([]);
      return xml;
    },
  };
}

const list = 'verb=ListIdentifiers&metadataPrefix=oai_dc';

test.each([
  ['', 'badVerb'],
  ['verb=Constructor', 'badVerb'],
  ['verb=constructor', 'badVerb'],
  ['verb=Identify&set=a', 'badArgument'],
  ['verb=ListRecords', 'badArgument'],
  ['verb=GetRecord&metadataPrefix=oai_dc', 'badArgument'],
  [`${list}&metadataPrefix=lom`, 'badArgument'],
  [`${list}&from=2026`, 'badArgument'],
  [`${list}&from=2026-02-30`, 'badArgument'],
  [`${list}&from=2026-01-02&until=2026-01-01`, 'badArgument'],
  [`${list}&from=2026-01-01&until=2026-01-01T00:00:00Z`, 'badArgument'],
  [`${list}&from=0000-01-01`, 'badArgument'],
  [`${list}&resumptionToken=x`, 'badArgument'],
  [`${list}&set=`, 'badArgument'],
  [`${list}&set=a%20b`, 'badArgument'],
  ['verb=ListRecords&metadataPrefix=%3C', 'badArgument'],
  ['verb=GetRecord&metadataPrefix=oai_dc&identifier=a%20b', 'badArgument'],
  ['verb=ListRecords&resumptionToken=x', 'badResumptionToken'],
  ['verb=ListSets&resumptionToken=x', 'badResumptionToken'],
  ['verb=ListRecords&metadataPrefix=marc', 'cannotDisseminateFormat'],
  ['verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:other.example:1', 'idDoesNotExist'],
  ['verb=ListMetadataFormats&identifier=oai:host.example:', 'idDoesNotExist'],
  [`${list}&set=nobody`, 'noRecordsMatch'],
  [`${list}&from=2027-01-01`, 'noRecordsMatch'],
])('the request “%s” is refused with %s', async (query, code) => {
  const xml = await openRepository(1).ask(query);
  expect(errorOf(xml)).toBe(code);
  expect(/<request[^>]* verb=/.test(xml)).toBe(!['badVerb', 'badArgument'].includes(code));
});

test('a record has its formats, its set and the second of its change', async () => {
  const { ask } = openRepository(1);
  const identifier = `oai:host.example:${hashObjectAddress('https://a.example/0')}`;
  const xml = await ask(`verb=GetRecord&metadataPrefix=oai_dc&identifier=${identifier}`);
  expect(all(xml, 'identifier')).toEqual([identifier]);
  expect([all(xml, 'setSpec'), all(xml, 'datestamp')]).toEqual([['a'], ['2026-01-01T00:00:00Z']]);
  expect([all(xml, 'dc:title'), all(xml, 'dc:identifier')]).toEqual([['Title 0'], ['https://a.example/0']]);
  const formats = await ask(`verb=ListMetadataFormats&identifier=${identifier}`);
  expect(all(formats, 'metadataPrefix')).toEqual(['oai_dc', 'lom']);
});

test('what is changed, added and gone comes in a harvest of the days since', async () => {
  const { ask, put, remove, publish } = openRepository(4);
  await ask(list);
  put(1, 'Another title');
  put(4);
  remove(2);
  publish('2026-01-05T00:00:00Z');
  const xml = await ask('verb=ListRecords&metadataPrefix=oai_dc&from=2026-01-02');
  expect(all(xml, 'dc:title').sort()).toEqual(['Another title', 'Title 4']);
  expect([...xml.matchAll(/<header status="deleted">/g)]).toHaveLength(1);
  expect(all(await ask(`${list}&until=2026-01-01`), 'datestamp')).toHaveLength(2);
  put(2);
  publish('2026-01-09T00:00:00Z');
  const back = await ask('verb=ListRecords&metadataPrefix=oai_dc&from=2026-01-06T00:00:00Z');
  expect(all(back, 'dc:title')).toEqual(['Title 2']);
});

test('an object is found as it is now, before its change is noted', async () => {
  const { ask, find, put, remove, publish } = openRepository(2);
  expect([await find(1), await find(2)]).toEqual(['Title 1', undefined]);
  await ask(list);
  put(1, 'Another title');
  put(2);
  remove(0);
  publish('2026-01-05T00:00:00Z');
  expect([await find(0), await find(1), await find(2)]).toEqual([undefined, 'Another title', 'Title 2']);
});

test('a list goes on after a change, and on another host, without a loss or a repetition', async () => {
  const { ask, put, remove, publish } = openRepository(250);
  const seen: string[] = [];
  let query = 'verb=ListRecords&metadataPrefix=oai_dc';
  for (let page = 0; query !== ''; page++) {
    const xml = await ask(query);
    seen.push(...all(xml, 'identifier'));
    const [, attributes = '', token = ''] = /<resumptionToken([^>]*?)(?:\/>|>([^<]*)<)/.exec(xml) ?? [];
    expect(attributes).toContain(`cursor="${100 * page}"`);
    query = token === '' ? '' : `verb=ListRecords&resumptionToken=${token}`;
    put(page, 'Changed');
    remove(100 + page);
    publish(`2026-02-0${page + 1}T00:00:00Z`);
  }
  expect(new Set(seen).size).toBe(250);
  expect(seen).toHaveLength(250);
});

test('a list of which nothing is left ends without a record', async () => {
  const { ask, put, publish } = openRepository(150);
  const first = await ask('verb=ListRecords&metadataPrefix=lom&until=2026-01-01');
  for (let number = 0; number < 150; number++) put(number, 'Changed');
  publish('2026-02-01T00:00:00Z');
  const token = /<resumptionToken[^>]*>([^<]+)</.exec(first)![1];
  expect(errorOf(await ask(`verb=ListRecords&resumptionToken=${token}`))).toBe('noRecordsMatch');
});

test('a catalogue without objects is answered as the protocol has it', async () => {
  const { ask } = openRepository(0);
  expect(errorOf(await ask('verb=ListSets'))).toBe('noSetHierarchy');
  expect(errorOf(await ask(list))).toBe('noRecordsMatch');
  expect(all(await ask('verb=Identify'), 'repositoryIdentifier')).toEqual(['host.example']);
});

test('texts of others are escaped, and what XML has not is left out', async () => {
  const { ask, put } = openRepository(0);
  put(0, 'a <b> & "c" \u0000\uD800 d ]]>');
  const xml = await ask('verb=ListRecords&metadataPrefix=lom');
  expect(xml).toContain('<string>a &lt;b&gt; &amp; &quot;c&quot;  d ]]&gt;</string>');
});
