import { expect, onTestFinished, test } from 'vitest';
import { PositionLost } from '../../../../src/ports/imports.ts';
import { type OaiRecord, startOaiRepository, wrap } from '../../../fakes/oai-repository.ts';
import { objectsOf, openSite, openSource, providersOf, readItems, rejectedOf } from './read-source.ts';

const openRepository = async () => {
  const repository = await startOaiRepository();
  onTestFinished(() => repository.close());
  return repository;
};

const dc = (inner: string) =>
  `<x:dc xmlns:x="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:d="http://purl.org/dc/elements/1.1/">${inner}</x:dc>`;
const record = (number: number, changes: Partial<OaiRecord> = {}): OaiRecord => ({
  id: `oai:shelf:${number}`,
  metadata: {
    oai_dc: dc(
      `<d:identifier>${number}</d:identifier><d:identifier>https://shelf.example/${number}</d:identifier><d:title>Title ${number}</d:title>`,
    ),
  },
  ...changes,
});
const records = (count: number) => Array.from({ length: count }, (_, number) => record(number));
const urls = (items: Awaited<ReturnType<typeof readItems>>) => objectsOf(items).map(({ url }) => url);

test('Dublin Core: all pages, with the repository as the provider', async () => {
  const repository = await openRepository();
  repository.records = [
    record(0, {
      metadata: {
        oai_dc:
          dc(`<d:title>Thèse &amp; vie</d:title><d:creator>Curie, Marie</d:creator><d:subject>physics; radium</d:subject>
        <d:description>&lt;p&gt;On &lt;i&gt;radium&lt;/i&gt;&lt;/p&gt;</d:description><d:publisher>Sorbonne</d:publisher><d:type>Text</d:type><d:type>doctoralThesis</d:type>
        <d:identifier>doi:10.1234/abc</d:identifier><d:identifier>https://shelf.example/0</d:identifier><d:language>fre</d:language><d:rights>https://creativecommons.org/licenses/by/4.0/</d:rights>`),
      },
    }),
    ...records(5).slice(1),
  ];
  const source = await openSource({ format: 'oai', location: repository.url });
  expect(source).toMatchObject({ covers: [''], unit: 'rows', total: null });
  const items = await readItems(source);
  expect(providersOf(items)[0]).toMatchObject({ id: 'open-shelf-and-co', name: 'Open Shelf & Co' });
  expect(objectsOf(items)[0]).toMatchObject({
    url: 'https://shelf.example/0',
    title: 'Thèse & vie',
    description: 'On radium',
    author: ['Curie, Marie'],
    publisher: ['Sorbonne'],
    keywords: ['physics', 'radium'],
    lang: 'fr',
    type: ['article'],
    free: true,
  });
  expect(urls(items)).toEqual([0, 1, 2, 3, 4].map((number) => `https://shelf.example/${number}`));
  expect(items.map(({ done }) => done)).toEqual([2, 4, 5]);
});

test('LOM where it is offered', async () => {
  const repository = await openRepository();
  repository.formats = ['oai_dc', 'oai_lom'];
  const lom = `<lom xmlns="http://ltsc.ieee.org/xsd/LOM"><general><identifier><entry>hal-1</entry></identifier>
    <title><string language="fr">Les bases</string><string language="en">The basics</string></title><language>en</language>
    <description><string language="en">All of them</string></description><keyword><string language="en">one</string></keyword><keyword><string language="en">two</string></keyword></general>
    <lifeCycle><contribute><role><value>author</value></role><entity>BEGIN:VCARD\nVERSION:3.0\nFN:Ada Lovelace\nEND:VCARD</entity></contribute></lifeCycle>
    <technical><format>video/mp4</format><location>https://shelf.example/lom</location></technical>
    <educational><learningResourceType><value>exercise</value></learningResourceType><typicalAgeRange><string language="en">12-14</string></typicalAgeRange>
    <difficulty><value>very easy</value></difficulty><typicalLearningTime><duration>PT1H30M</duration></typicalLearningTime></educational>
    <relation><kind><value>thumbnail</value></kind><resource><identifier><entry>https://shelf.example/lom.png</entry></identifier></resource></relation>
    <rights><cost><value>no</value></cost></rights></lom>`;
  repository.records = [record(1, { metadata: { oai_lom: lom } })];
  const items = await readItems(await openSource({ format: 'oai', location: repository.url }));
  expect(objectsOf(items)).toMatchObject([
    {
      url: 'https://shelf.example/lom',
      title: 'The basics',
      description: 'All of them',
      keywords: ['one', 'two'],
      author: ['Ada Lovelace'],
      type: ['tutorial'],
      age: { min: 12, max: 14 },
      level: -1,
      learningTime: { value: 90, unit: 'min' },
      free: true,
      lang: 'en',
      picture: 'https://shelf.example/lom.png',
    },
  ]);
});

test('deleted records are not listed, and those without address, title or metadata are rejected', async () => {
  const repository = await openRepository();
  repository.pageSize = 10;
  repository.records = [
    record(1, { isDeleted: true }),
    record(2, { metadata: { oai_dc: dc('<d:title>No address</d:title>') } }),
    record(3, { metadata: { oai_dc: dc('<d:identifier>https://shelf.example/3</d:identifier>') } }),
    record(4, { metadata: {} }),
    record(5),
  ];
  const items = await readItems(await openSource({ format: 'oai', location: repository.url }));
  expect(urls(items)).toEqual(['https://shelf.example/5']);
  expect(items[0]?.rows).toBe(5);
  expect(rejectedOf(items).map(({ place }) => place)).toEqual(['oai:shelf:2', 'oai:shelf:3', 'oai:shelf:4']);
});

test('a break after any page goes on after it; with a token that is over, and at the end, it is to be read anew', async () => {
  const repository = await openRepository();
  repository.records = records(7);
  const all = records(7).map((_, number) => `https://shelf.example/${number}`);
  const source = await openSource({ format: 'oai', location: repository.url });
  for (let pages = 1; pages <= 3; pages++) {
    const before = await readItems(source, { most: pages });
    const after = before.at(-1)!.position;
    const rest = await readItems(source, { after });
    expect([...urls(before), ...urls(rest)], `after ${pages}`).toEqual(all);
    await readItems(source, { most: pages });
    repository.expireTokens();
    await expect(readItems(source, { after }), `lost after ${pages}`).rejects.toThrow(PositionLost);
  }
  const whole = await readItems(source);
  expect(urls(whole)).toEqual(all);
  await expect(readItems(source, { after: whole.at(-1)!.position })).rejects.toThrow(PositionLost);
});

test('a set, and a set that is empty', async () => {
  const repository = await openRepository();
  repository.records = [record(1, { set: 'a' }), record(2, { set: 'b' })];
  const read = async (query: string) =>
    urls(await readItems(await openSource({ format: 'oai', location: `${repository.url}?${query}` })));
  expect(await read('verb=Identify&set=b')).toEqual(['https://shelf.example/2']);
  expect(await read('set=none')).toEqual([]);
  const part = await openSource({ format: 'oai', location: `${repository.url}?from=2026-01-01` });
  expect(part.covers).toEqual([]);
});

test('what is no repository, cut off, goes in circles or hides a bomb does no harm', async () => {
  const site = await openSite();
  const read = async () => readItems(await openSource({ format: 'oai', location: `${site.origin}/oai` }));
  const invalid = { code: 'IMPORT_INVALID' };
  site.put('/oai?', '<html>Hello</html>');
  await expect(read()).rejects.toMatchObject(invalid);
  site.put('/oai?', wrap('<ListRecords><record>').replace('</OAI-PMH>', ''));
  await expect(read()).rejects.toMatchObject(invalid);
  site.put('/oai?', wrap('<error code="badVerb">No.</error>'));
  await expect(read()).rejects.toMatchObject(invalid);
  const one = `<record><header><identifier>1</identifier></header><metadata>${dc('<d:title>&lol;</d:title><d:identifier>https://a.example</d:identifier>')}</metadata></record>`;
  site.put('/oai?', wrap(`<ListRecords>${one}<resumptionToken>again</resumptionToken></ListRecords>`));
  await expect(read()).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
  const round = (answer: (asked: number) => string) => {
    let asked = 0;
    site.put('/oai?', ({ url = '' }, response) => {
      const isList = url.includes('ListRecords');
      response.end(wrap(isList ? `<ListRecords>${answer(asked++)}</ListRecords>` : ''));
    });
  };
  const token = (text: string | number) => `<resumptionToken>${text}</resumptionToken>`;
  round((asked) => `${one.replace('>1<', `>${asked % 2}<`)}${token(asked % 2)}`);
  await expect(read()).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
  round((asked) => token(asked));
  await expect(read()).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
  const bomb = wrap(`<ListRecords>${one}</ListRecords>`).replace(
    '<OAI-PMH',
    `<!DOCTYPE x [<!ENTITY lol "${'lol'.repeat(1_000)}">]><OAI-PMH`,
  );
  site.put('/oai?', bomb);
  expect(objectsOf(await read()).map(({ title }) => String(title).length)).toEqual([5]);
});

test('the older form of LOM: texts in the preferred language, whatever comes first', async () => {
  const repository = await openRepository();
  repository.formats = ['oai_lom'];
  const titles = '<langstring xml:lang="en">Forces</langstring><langstring xml:lang="fr">Les forces</langstring>';
  const lom = `<lom><general><title>${titles}</title></general><technical><location>https://shelf.example/v</location></technical></lom>`;
  repository.records = [record(1, { metadata: { oai_lom: lom } })];
  const items = await readItems(await openSource({ format: 'oai', location: repository.url, langs: ['fr'] }));
  expect(objectsOf(items)).toMatchObject([{ title: 'Les forces', lang: 'fr' }]);
});

test('a vCard made of blanks does not hold everything up, and its name is found behind them', async () => {
  const repository = await openRepository();
  repository.formats = ['oai_lom'];
  const blanks = ' '.repeat(40_000);
  const lom = `<lom><general><title><string>T</string></title></general><technical><location>https://shelf.example/v</location></technical>
    <lifeCycle><contribute><role><value>author</value></role><entity>BEGIN:VCARD${blanks}\nFN:Ada${blanks}Lovelace</entity></contribute></lifeCycle></lom>`;
  repository.records = [record(1, { metadata: { oai_lom: lom } })];
  const items = await readItems(await openSource({ format: 'oai', location: repository.url }));
  expect(objectsOf(items)).toMatchObject([{ author: ['Ada Lovelace'] }]);
});
