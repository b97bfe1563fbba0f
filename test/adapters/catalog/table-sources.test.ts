import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openDelimitedTable } from '../../../src/adapters/catalog/tables/delimited-table.ts';
import { objectColumns } from '../../../src/adapters/catalog/tables/open-objects-source.ts';
import { contentOf, folderWith, openSource, readAll, restsOf } from './read-all.ts';
import { writeZip } from './write-zip.ts';

type Format = 'taxonomy' | 'crosswalk' | 'objects';

function openText(
  format: Format,
  text: string | Buffer,
  options: Parameters<typeof openSource>[2] & { file?: string } = {},
) {
  const { file = 'spring.csv', ...request } = options;
  return openSource(format, `${folderWith({ [file]: text })}/${file}`, request);
}
const read = async (...args: Parameters<typeof openText>) => contentOf(await openText(...args));

describe('taxonomy', () => {
  const header = 'id,source,kind,uri,label:en,label:fr,altLabels:en,description:en,broader,related,sameAs';

  test('reads a row for each concept', async () => {
    const { concepts } = await read(
      'taxonomy',
      `${header}\nacme:welding,Acme,skill,https://acme.example/w,welding,soudage,arc welding | brazing,Joining metal.,acme:metal,acme:x|acme:y,http://data.europa.eu/esco/skill/aaaa\n`,
    );
    expect(concepts['acme:welding']).toEqual({
      id: 'acme:welding',
      source: 'Acme',
      kind: 'skill',
      uri: 'https://acme.example/w',
      labels: { en: 'welding', fr: 'soudage' },
      altLabels: { en: ['arc welding', 'brazing'] },
      description: { en: 'Joining metal.' },
      links: { broader: ['acme:metal'], related: ['acme:x', 'acme:y'], sameAs: ['esco:skill.aaaa'] },
    });
  });

  test('with a name, rows need an id and a label only', async () => {
    const { concepts } = await read('taxonomy', 'ID;Label:EN;Broader\nwelding;Welding;metal work\n', {
      dataset: 'Acme Skills',
    });
    expect(concepts['acme-skills:welding']).toMatchObject({
      source: 'Acme Skills',
      kind: 'skill',
      links: { broader: ['acme-skills:metal-work'] },
    });
  });

  test('reads JSON Lines as the starter taxonomies have them, also without a source where a name is given', async () => {
    const line = {
      id: 'acme:a',
      kind: 'topic',
      labels: { en: 'a', fr: 'b' },
      altLabels: { en: ['c'] },
      links: { related: ['acme:d'] },
    };
    const { concepts, rejected } = await read('taxonomy', `${JSON.stringify(line)}\n\n{"id":\n[]\n`, {
      file: 'acme.jsonl',
      dataset: 'Acme',
    });
    expect(concepts['acme:a']).toEqual({ ...line, source: 'Acme' });
    expect(rejected).toEqual([
      expect.stringMatching(/^acme\.jsonl:3 is not JSON/),
      expect.stringMatching(/^acme\.jsonl:4 is not an object/),
    ]);
  });

  test('says of each row that cannot be used what would be right', async () => {
    const { rejected, rows } = await read(
      'taxonomy',
      `${header}\n,Acme,skill,,a\nno-prefix,Acme,skill,,a\nacme:a,,skill,,a\nacme:b,Acme,verb,,a\nacme:c,Acme,skill\nacme:d,Acme,skill,not an address,a\nacme:e,Acme,skill,,"${'long '.repeat(101)}"\nacme:f,Acme,,,f\nacme:f,Acme,,,g\nacme:g,Acme,,,g,,,,,,,,too,many\n`,
    );
    expect(rows).toBe(10);
    expect(rejected).toEqual([
      'spring.csv:2 id is empty: give each concept an id of its own',
      'spring.csv:5 kind is "verb": taken as skill; write skill, occupation, domain, topic',
      'spring.csv:6 there is no label: fill the column label:en, or that of another language',
      'spring.csv:7 uri is "not an address": left out; write an http or https address',
      expect.stringMatching(/^spring\.csv:8 the label "long .* has more than 500 characters/),
      'spring.csv:10 the id acme:f is that of line 9: write each concept once',
      expect.stringMatching(/^spring\.csv:11 has 14 cells, the header 11/),
    ]);
  });
});

test('a row of a taxonomy that is refused says which concept it is of', async () => {
  const source = await openText(
    'taxonomy',
    `id,source,kind,label:en\nacme:a,Acme,,${'long '.repeat(101)}\nacme:b,Acme,,\n,A,,\n`,
  );
  const rejected = (await readAll(source)).flatMap((item) => item.rejected);
  const of = (key: string) => ({ kind: 'concept', key, part: '' });
  expect(rejected.map((row) => row.of)).toEqual([of('acme:a'), of('acme:b'), undefined]);
});

test('of alternative labels those that are too long or too many are left out', async () => {
  const many = Array.from({ length: 5_100 }, (_, i) => `label ${i}`);
  const { concepts } = await read(
    'taxonomy',
    `id,source,label:en,altLabels:en\nacme:a,Acme,a,${'long '.repeat(101)}|${many.join('|')}\n`,
  );
  expect(concepts['acme:a']?.altLabels.en).toEqual(many.slice(0, 5_000));
});

describe('crosswalk', () => {
  test('links concepts by ids and by addresses, the same by default', async () => {
    const { parts } = await read(
      'crosswalk',
      'from,to,relation\nacme:a,http://data.europa.eu/esco/skill/aaaa,\nacme:a,rome:1234,skos:closeMatch\nacme:a,isco-08:26,broadMatch\nacme:a,onet:tech-c,narrowMatch\nhttps://other.example/1,acme:b,exactMatch\n',
    );
    expect(parts).toEqual({
      'acme:a': ['sameAs:esco:skill.aaaa', 'related:rome:1234', 'broader:isco-08:26'],
      'onet:tech-c': ['broader:acme:a'],
      'acme:b': ['sameAs:https://other.example/1'],
    });
  });

  test('rejects what is no link', async () => {
    const { rejected } = await read(
      'crosswalk',
      'from;to;relation\na b;acme:b;\nacme:a;acme:b;opposite\nacme:a;acme:a;\nhttps://a.example/;https://b.example/;\n',
    );
    expect(rejected.map((text) => text.slice(0, 40))).toEqual([
      'spring.csv:2 from is neither an id, as e',
      'spring.csv:3 relation is "opposite": wri',
      'spring.csv:4 from and to are the same co',
      'spring.csv:5 neither side is an id, nor ',
    ]);
  });
});

describe('objects', () => {
  test('address and title are enough', async () => {
    const { objects, providers } = await read('objects', 'url,title\nhttps://www.example.org/a,First aid at work\n');
    expect(objects['https://www.example.org/a']).toEqual({
      url: 'https://www.example.org/a',
      title: 'First aid at work',
      description: 'First aid at work',
      provider: 'example-org',
      type: ['website'],
      bloom: ['Understand'],
      lang: 'en',
      keywords: ['first', 'aid', 'work'],
      publisher: [],
      author: [],
      popularity: 0.3,
    });
    expect(providers['example-org']).toEqual({
      id: 'example-org',
      name: 'example.org',
      url: 'https://www.example.org/',
    });
  });

  test('reads every column, whatever the spelling of its name', async () => {
    const { objects, rejected } = await read(
      'objects',
      'URL\tTitle\tDescription\tProvider\tType\tBloom\tLanguage\tKeywords\tLevel\tLearning Time\tFree\tPopularity\tAuthor\tPublisher\tAddress\tLat\tLon\tage_min\tage_max\tPicture\tEmbed\n' +
        'https://example.org/b\tB\tAbout b.\tÉcole d’été\tMOOC|video\tapply; Create\tfr\tx|y;z\tintermediate\t1 h 30\toui\t0,5\tA. One|B. Two\tHouse\t1 Rue, Lyon, France\t45.7\t4.8\t6\t12\thttps://example.org/b.png\thttps://example.org/b/frame\n',
    );
    expect(rejected).toEqual([]);
    expect(objects['https://example.org/b']).toEqual({
      url: 'https://example.org/b',
      title: 'B',
      description: 'About b.',
      provider: 'ecole-dete',
      type: ['mooc', 'video'],
      bloom: ['Apply', 'Create'],
      lang: 'fr',
      keywords: ['x', 'y', 'z'],
      level: 0,
      learningTime: { value: 90, unit: 'min' },
      free: true,
      popularity: 0.5,
      author: ['A. One', 'B. Two'],
      publisher: ['House'],
      address: '1 Rue, Lyon, France',
      location: { lat: 45.7, lon: 4.8 },
      age: { min: 6, max: 12 },
      picture: 'https://example.org/b.png',
      embed: 'https://example.org/b/frame',
    });
  });

  test('reads JSON Lines as the starter catalogue has them, unchanged', async () => {
    const line = {
      url: 'https://example.org/c',
      title: 'C',
      description: 'About c.',
      provider: 'example-academy',
      type: ['training'],
      bloom: ['Remember'],
      lang: 'en',
      keywords: ['first aid'],
      level: -0.75,
      learningTime: { value: 7, unit: 'h' },
      publisher: ['P'],
      author: ['A'],
      free: false,
      popularity: 0.4,
      location: { lat: 45.764, lon: 4.836 },
      age: { min: 16 },
    };
    const { objects } = await read('objects', JSON.stringify(line), { file: 'c.jsonl' });
    expect(objects[line.url]).toEqual(line);
  });

  test('a provider and a language for rows without; a provider is told of once', async () => {
    const source = await openText('objects', 'url,title\nhttps://a.example/1,One\nhttps://b.example/2,Two\n', {
      provider: 'My School',
      langs: ['fr'],
    });
    const { objects, providers } = await contentOf(source);
    expect(providers).toEqual({ 'my-school': { id: 'my-school', name: 'My School' } });
    expect(objects['https://b.example/2']).toMatchObject({ provider: 'my-school', lang: 'fr' });
    expect((await readAll(source)).map(({ parts }) => parts.map(({ kind }) => kind))).toEqual([
      ['provider', 'object'],
      ['object'],
    ]);
  });

  test('a provider that is named by its id is not told of, so that what is known of it stays', async () => {
    const { objects, providers } = await read(
      'objects',
      'url,title,provider\nhttps://a.example/1,One,coursera\nhttps://a.example/2,Two,Évening School\n',
    );
    expect(objects['https://a.example/1']).toMatchObject({ provider: 'coursera' });
    expect(providers).toEqual({ 'evening-school': { id: 'evening-school', name: 'Évening School' } });
  });

  test('the name of a provider is cut where it is too long', async () => {
    const { providers } = await read('objects', `url,title\nhttps://a.example/,A\n`, {
      provider: 'Long name '.repeat(1_000),
    });
    const [provider] = Object.values(providers);
    expect(String(provider?.name).length).toBeLessThanOrEqual(120);
    expect(String(provider?.id).length).toBeLessThanOrEqual(60);
  });

  test('a row that is refused says which object it is of, where it has an address', async () => {
    const source = await openText('objects', 'url,title,free\nhttps://A.example,,\nnowhere,Three,\n');
    const rejected = (await readAll(source)).flatMap((item) => item.rejected);
    expect(rejected.map(({ of }) => of)).toEqual([{ kind: 'object', key: 'https://a.example/' }, undefined]);
  });

  test.each([
    ['90 min', 90],
    ['90', 90],
    ['1h30', 90],
    ['1 h 30 min', 90],
    ['1,5 heures', 90],
    ['PT1H30M', 90],
    ['1:30', 90],
    ['2 days', 960],
  ])('a length of %s is %i minutes', async (length, minutes) => {
    const { objects } = await read('objects', `url,title,length\nhttps://a.example/,A,"${length}"\n`);
    const time = objects['https://a.example/']?.learningTime;
    expect(time).toEqual(minutes % 60 === 0 ? { value: minutes / 60, unit: 'h' } : { value: minutes, unit: 'min' });
  });

  test.each([
    ['Beginner level', -1],
    ['Niveau avancé', 1],
    ['intermediate', 0],
    ['-0,5', -0.5],
    ['all levels', undefined],
    ['beginner to advanced', undefined],
    ['constructor', undefined],
  ])('a level of "%s" is %s', async (level, wanted) => {
    const { objects } = await read('objects', `url,title,level\nhttps://a.example/,A,"${level}"\n`);
    expect(objects['https://a.example/']?.level).toBe(wanted);
  });

  test.each([
    ['url', 'javascript:alert(1)', /https/],
    ['url', 'ftp://a.example/', /https/],
    ['title', '', /title/],
  ])('a row whose %s is "%s" is rejected, and the next is read', async (column, value, reason) => {
    const columns = [...new Set(['url', 'title', column])];
    const good: Record<string, string> = { url: 'https://a.example/1', title: 'A' };
    const cells = columns.map((name) => (name === column ? value : good[name])).join();
    const { objects, rejected } = await read('objects', `${columns}\n${cells}\nhttps://a.example/2,B\n`);
    expect(rejected).toHaveLength(1);
    expect(rejected[0]).toMatch(/^spring\.csv:2 /);
    expect(rejected[0]).toMatch(reason);
    expect(Object.keys(objects)).toEqual(['https://a.example/2']);
  });

  test.each([
    ['level', '7', /-1 to 1/],
    ['level', 'wizard', /beginner/],
    ['learningTime', 'a while', /1 h 30/],
    ['learningTime', '3 moons', /1 h 30/],
    ['free', 'maybe', /yes, no or a price/],
    ['price', 'on request', /price/],
    ['popularity', '40', /from 0 to 1/],
    ['lat', '91', /-90 to 90/],
    ['ageMin', 'six', /0 to 120/],
    ['age', 'grown up', /12-14/],
    ['type', 'thing', /our types/],
    ['lang', 'Klingon', /two-letter/],
  ])('a cell that says of %s "%s" is left out with a warning, and costs no row', async (column, value, reason) => {
    const source = await openText('objects', `url,title,${column}\nhttps://a.example/1,A,${value}\n`);
    const items = await readAll(source);
    const rejected = items.flatMap((item) => item.rejected);
    expect(rejected).toEqual([{ place: 'spring.csv:2', reason: expect.stringMatching(reason), isUsed: true }]);
    expect(rejected[0]?.reason).toContain(`"${value}"`);
    expect(items.flatMap(({ parts }) => parts).filter(({ kind }) => kind === 'object')).toHaveLength(1);
  });

  test('the same address twice is rejected with the line of the first', async () => {
    const { rejected } = await read(
      'objects',
      'url,title\n\n\nhttps://a.example/x,"A\nof two lines"\nhttp://www.a.example/x/?utm_source=y,B\n',
    );
    expect(rejected).toEqual(['spring.csv:6 the address is that of line 4: write each object once']);
  });

  test('titles and descriptions that are too long are cut at a word', async () => {
    const { objects } = await read(
      'objects',
      `url,title,description\nhttps://a.example/,${'long '.repeat(90)},${'text '.repeat(200_000)}\n`,
    );
    const { title, description } = objects['https://a.example/'] as { title: string; description: string };
    expect(title).toMatch(/^(long )+long…$/);
    expect(title.length).toBeLessThanOrEqual(300);
    expect(description.length).toBeLessThanOrEqual(400);
  });
});

describe('files', () => {
  test.each([
    ['lacks a column', 'adress,title\nx,y\n', /^spring\.csv lacks the column url\..*"adress".*--map "url=NAME"/],
    ['lacks one that is nearly there', 'url,titel1\nx,y\n', /lacks the column title\..*Is "titel1" title\?/],
    ['is empty', '', /^spring\.csv is empty/],
    ['is Windows-1252', Buffer.from('url,title\nhttps://a.example/,caf\xe9\n', 'latin1'), /iconv/],
    ['is UTF-16', Buffer.from('\uFEFFurl,title\n', 'utf16le'), /iconv/],
    [
      'has a quote that is not closed',
      'url,title\n\nhttps://a.example/,"A\nB"\nhttps://a.example/2,"B\n',
      /^spring\.csv has a row from line 5 on .*not closed/,
    ],
    ['is larger than any row', `url,title\nhttps://a.example/,"${'x'.repeat(4_300_000)}"\n`, /from line 2 on .*4 MB/],
  ])('one that %s is refused', async (_what, text, message) => {
    const error = await read('objects', text).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'IMPORT_INVALID', message: expect.stringMatching(message) });
  });

  test('columns that are not read are told of first', async () => {
    const { objects, rejected } = await read('objects', 'seen_in,url,title\nx,https://a.example/,A\n');
    expect(objects['https://a.example/']).toMatchObject({ title: 'A' });
    expect(rejected).toEqual(['spring.csv this column is not read: "seen_in".']);
  });

  test('a stray quote is a character, and a cell of a megabyte is a cell, of which the beginning is kept', async () => {
    const big = 'word '.repeat(210_000).trim();
    const { concepts, rejected } = await read(
      'taxonomy',
      `id,source,label:en,description:en\nacme:a,Acme,5" nail,"${big}"\nacme:b,Acme,"b ""x"" c",\n`,
    );
    expect(rejected).toEqual([]);
    expect(concepts['acme:a']?.labels).toEqual({ en: '5" nail' });
    expect(concepts['acme:a']?.description?.en).toBe(`${'word '.repeat(1_000).trim().slice(0, -5)}…`);
    expect(concepts['acme:b']?.labels).toEqual({ en: 'b "x" c' });
  });

  test.each([
    ['alone end lines, and cells in quotes hold them', '"url";title\r\rhttps://a.example/1;"A\nB\rC"\rx;D\r', 5],
    ['in a cell of the header end no line', '"url";"\rtitle"\nhttps://a.example/1;A\r \nx;D', 3],
    ['twice before a newline are its own', 'url;title\r\r\nhttps://a.example/1;A\r\r\nx;D\r\r\n', 3],
  ])('returns %s', async (_what, text, line) => {
    const { objects, rejected } = await read('objects', text);
    expect(Object.keys(objects)).toEqual(['https://a.example/1']);
    expect(rejected).toEqual([expect.stringMatching(`^spring.csv:${line} `)]);
  });

  test('what is not there, an address, and a folder of several files are refused', async () => {
    for (const location of [
      '/nowhere/at/all.csv',
      'https://example.org/a.csv',
      folderWith({ 'a.csv': '', 'b.csv': '' }),
    ])
      await expect(openSource('objects', location)).rejects.toMatchObject({ code: 'IMPORT_INVALID' });
  });

  test('an uploaded file has the name that people know, and its data set too', async () => {
    const folder = folderWith({ '8f3a': 'url,title\nnowhere,A\n' });
    const source = await openSource('objects', `${folder}/8f3a`, { title: 'Spring Courses.csv' });
    expect(source).toMatchObject({ dataset: 'spring-courses', title: 'Spring Courses.csv' });
    expect((await contentOf(source)).rejected[0]).toMatch(/^Spring Courses\.csv:2 /);
  });

  test('messages do not tell the folders of this machine', async () => {
    const folder = folderWith({ 'bad.zip': 'PK\u0003\u0004 broken' });
    for (const name of ['bad.zip', 'missing.csv']) {
      const error = await openSource('objects', join(folder, name)).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ message: expect.stringMatching(`^${name} `) });
    }
    const error = await openSource('objects', `${folder}/bad.zip`, { title: 'Mine.zip' }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ message: expect.stringMatching(/^Mine\.zip /) });
  });

  test.each([
    ['objects.csv', 'url,title\nhttps://a.example/,A\n'],
    ['objects.jsonl', '{"url":"https://a.example/","title":"A"}\n'],
    ['objects.zip', writeZip({ 'objects.csv': 'url,title\nhttps://a.example/,A\n' })],
  ])('%s that was changed while it was read is refused at its end', async (file, content) => {
    const folder = folderWith({ [file]: content });
    const source = await openSource('objects', join(folder, file));
    expect(await readAll(source)).toHaveLength(1);
    utimesSync(join(folder, file), 0, 0);
    await expect(readAll(source)).rejects.toMatchObject({
      code: 'IMPORT_INVALID',
      message: expect.stringMatching(`^${file} was changed while it was read`),
    });
  });

  test('another content is another fingerprint', async () => {
    const [one, other] = await Promise.all(
      ['A', 'B'].map((title) => openText('objects', `url,title\nhttps://a.example/,${title}\n`)),
    );
    expect(one?.fingerprint).not.toBe(other?.fingerprint);
  });

  test.each(['taxonomy', 'objects'] as const)(
    '%s goes on from every position with exactly the rest',
    async (format) => {
      const text =
        'id,label:en,url,title,source\na:1,One,https://a.example/1,One,A\na:1,One,https://a.example/1,One,A\nx,,,,\na:2,Two,https://b.example/2,Two,A\n';
      const { wanted, rests } = await restsOf(await openText(format, text));
      // What is told of the columns, and each row.
      expect(wanted).toHaveLength(format === 'objects' ? 5 : 4);
      expect(rests).toEqual(wanted);
    },
  );

  test('reading is lazy: the first row of a large file takes a little of it', async () => {
    let given = 0;
    const row = Buffer.from(`${'https://a.example/1,A title\n'.repeat(2_000)}`);
    const endless = function* () {
      yield Buffer.from('url,title\n');
      for (;;) {
        given += row.length;
        yield row;
      }
    };
    const file = {
      name: 'large.csv',
      path: 'large.csv',
      sizeBytes: 1e12,
      open: async () => Readable.from(endless()),
      assertUnchanged: async () => undefined,
    };
    const table = await openDelimitedTable(file, { columns: { required: ['url'], optional: [] } });
    let rows = 0;
    for await (const { fields } of table.read(new AbortController().signal)) {
      expect(fields.url).toBe('https://a.example/1');
      if (++rows === 3_000) break;
    }
    expect(given).toBeLessThan(50 * row.length);
  });

  test('reading stops with its signal', async () => {
    const source = await openText('objects', 'url,title\nhttps://a.example/,A\nhttps://a.example/2,B\n');
    const stopper = new AbortController();
    const reading = async () => {
      for await (const _ of source.read({ after: null, signal: stopper.signal })) stopper.abort();
    };
    await expect(reading()).rejects.toThrow(/abort/);
  });
});

describe('ZIP files', () => {
  const files = { 'a/objects.csv': 'url,title\nhttps://a.example/,A\n' };
  const readZip = async (zip: Buffer) => read('objects', zip, { file: 'upload.zip' });

  test('with one file are read', async () => {
    const { objects } = await readZip(writeZip(files));
    expect(Object.keys(objects)).toEqual(['https://a.example/']);
  });

  test.each([
    ['path leads outside', /invalid relative path/, writeZip({ '../objects.csv': 'url,title\n' })],
    ['path is absolute', /absolute path/, writeZip({ '/etc/objects.csv': 'url,title\n' })],
    ['entry is larger than the list says', /cannot be read to its end/, writeZip(files, { claimedBytes: 5 })],
    [
      'entry claims to be huge',
      /8 GiB/,
      writeZip({ 'a.csv': 'a', 'b.csv': 'b', 'c.csv': 'c' }, { claimedBytes: 0xf000_0000 }),
    ],
    ['entry is encrypted', /encrypted/, writeZip(files, { flags: 1 })],
    ['end is missing', /not a ZIP file/, writeZip(files).subarray(0, 60)],
    [
      'entries are too many',
      /more than 1000 entries/,
      writeZip(Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [`${i}.csv`, '']))),
    ],
  ])('whose %s are refused', async (_what, message, zip) => {
    await expect(readZip(zip)).rejects.toMatchObject({
      code: 'IMPORT_INVALID',
      message: expect.stringMatching(message),
    });
  });
});

describe('tables as people have them', () => {
  test.each([
    ['a title above the header', 'Catalogue 2026,,\n,,\nurl,title,lang\nhttps://a.example/,A,en\n'],
    ['columns with a bar', 'url|title|lang\nhttps://a.example/|A|en\n'],
    ['French names', 'Adresse web;Intitulé;Langue\nhttps://a.example/;A;anglais\n'],
    ['German names', 'Internetadresse;Kurstitel;Sprache\nhttps://a.example/;A;English\n'],
    ['names in camels', 'courseUrl,courseTitle,inLanguage\nhttps://a.example/,A,en-GB\n'],
    ['names with brackets', 'URL (link),Title,Languages\nhttps://a.example/,A,eng\n'],
    ['languages at the end of names', 'url,title_en\nhttps://a.example/,A\n'],
  ])('%s', async (_what, text) => {
    const { objects } = await read('objects', text);
    expect(objects).toMatchObject({ 'https://a.example/': { title: 'A', lang: 'en' } });
  });

  test.each([
    ['Duration (hours)', '1.5', 90],
    ['duration_minutes', '90', 90],
    ['Durée (h)', '1,5', 90],
    ['Dauer in Stunden', '1.5 Std.', 90],
    ['Workload', '6 weeks, 3 hours per week', 1_080],
    ['length', '30-40 min', 35],
  ])('a length in the column "%s"', async (column, cell, minutes) => {
    const { objects } = await read('objects', `url;title;${column}\nhttps://a.example/;A;${cell}\n`, {
      map: column.includes(' in ') ? { [column]: 'learningTime' } : {},
    });
    const time = minutes % 60 === 0 ? { value: minutes / 60, unit: 'h' } : { value: minutes, unit: 'min' };
    expect(objects['https://a.example/']?.learningTime).toEqual(time);
  });

  test.each([
    ['free', true],
    ['12 €', false],
    ['USD 20', false],
    ['gratuit', true],
    ['9,99', false],
    ['kostenlos', true],
    ['0 EUR', true],
    ["CHF 1'200.-", false],
    ['from $39', false],
  ])('a price of %s', async (price, free) => {
    const { objects } = await read('objects', `url;title;Price\nhttps://a.example/;A;${price}\n`);
    expect(objects['https://a.example/']?.free).toBe(free);
  });

  test.each([
    ['vidéo', 'video'],
    ['cours', 'training'],
    ['livre', 'book'],
    ['worksheet', 'tutorial'],
    ['Arbeitsblatt', 'tutorial'],
    ['jeu sérieux', 'serious game'],
    ['logiciel', 'app'],
    ['fiche métier', 'career profile'],
  ])('a type of %s', async (word, type) => {
    const { objects } = await read('objects', `url,title,type\nhttps://a.example/,A,${word}\n`);
    expect(objects['https://a.example/']?.type).toEqual([type]);
  });

  test.each([
    ['an array', '[{"link":"https://a.example/","name":"A"},{"link":"https://b.example/","name":"B"}]'],
    [
      'an array over several lines',
      '\uFEFF[\n {\n  "link": "https://a.example/",\n  "name": "A"\n },\n {"link": "https://b.example/", "name": "B"}\n]\n',
    ],
    [
      'objects over several lines',
      '{\n "link": "https://a.example/",\n "name": "A" }\n{ "link":\n "https://b.example/", "name": "B"}\n',
    ],
    [
      'a list in a document',
      '{"count": 2,\n "courses": [{"link":"https://a.example/","name":"A"},{"link":"https://b.example/","name":"B"}]}',
    ],
  ])('JSON: %s', async (_what, text) => {
    const { objects, rows, rejected } = await read('objects', text, { file: 'a.json' });
    expect(Object.keys(objects)).toEqual(['https://a.example/', 'https://b.example/']);
    expect([rows, rejected]).toEqual([2, []]);
  });

  test('what is no object in an array is rejected with its line', async () => {
    const { objects, rejected } = await read(
      'objects',
      '[\n{"url":"https://a.example/","title":"A ] , {"},\n7, {"url":}\n]',
      { file: 'a.json' },
    );
    expect(Object.keys(objects)).toHaveLength(1);
    expect(rejected).toEqual([
      expect.stringMatching(/^a\.json:3 is not an object/),
      expect.stringMatching(/^a\.json:3 is not JSON/),
    ]);
  });

  test('a crosswalk in SSSOM, with its prefixes', async () => {
    const text = [
      '#curie_map:',
      '#  ESCO: "http://data.europa.eu/esco/skill/"',
      '#mapping_set_id: https://a.example/set',
      'subject_id\tpredicate_id\tpredicate_modifier\tobject_id\tmapping_justification',
      'acme:a\tskos:exactMatch\t\tESCO:aaaa\tsemapv:ManualMappingCuration',
      'acme:b\trdfs:subClassOf\t\tacme:a\tsemapv:ManualMappingCuration',
      'acme:c\tskos:exactMatch\tNot\tacme:a\tsemapv:ManualMappingCuration',
    ].join('\n');
    const { parts, rejected } = await read('crosswalk', text, { file: 'a.sssom.tsv' });
    expect(parts).toEqual({ 'acme:a': ['sameAs:esco:skill.aaaa'], 'acme:b': ['broader:acme:a'] });
    expect(rejected).toContainEqual(expect.stringMatching(/^a\.sssom\.tsv:7 says that the two are not/));
  });

  test.each([
    ['label (fr)', 'fr'],
    ['label-fr', 'fr'],
    ['Label FR', 'fr'],
    ['label_fre', 'fr'],
    ['prefLabel@fr', 'fr'],
    ['libellé français', 'fr'],
    ['name', 'en'],
    ['Skill Name', 'en'],
  ])('a taxonomy with the column "%s" and no other', async (column, lang) => {
    const { concepts } = await read('taxonomy', `${column}\nSoudage\n`, { dataset: 'Acme' });
    expect(concepts['acme:soudage']?.labels).toEqual({ [lang]: 'Soudage' });
  });
});

test('whatever stands in the other cells, no object is lost', async () => {
  const column = fc.constantFrom(...objectColumns.optional);
  const cell = fc.oneof(
    fc.string({ maxLength: 60 }),
    fc.constantFrom('1', '-3', '1e9', '[', "['a'", '12-', '€', '0:99'),
  );
  const property = fc.asyncProperty(column, cell, async (name, text) => {
    const line = JSON.stringify({ url: 'https://a.example/', title: 'A', [name]: text });
    const { objects, rows } = await read('objects', line, { file: 'a.jsonl' });
    expect([Object.keys(objects), rows]).toEqual([['https://a.example/'], 1]);
  });
  await fc.assert(property, { numRuns: 300 });
});
