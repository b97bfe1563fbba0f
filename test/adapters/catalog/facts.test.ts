import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ImportFormat } from '../../../src/domain/catalog.ts';
import { pickFacts } from '../../../src/domain/object-facts.ts';
import { startOaiRepository } from '../../fakes/oai-repository.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';
import { contentOf, folderWith, openSource as openFile } from './read-all.ts';
import { objectsOf, openSource, readItems } from './web/read-source.ts';

async function readFile(format: ImportFormat, name: string, text: string) {
  const location = join(makeTempDir(), name);
  writeFileSync(location, text);
  const [object] = objectsOf(await readItems(await openSource({ format, location })));
  return pickFacts(object ?? {});
}

async function readTable(name: string, text: string) {
  const source = await openFile('objects', `${folderWith({ [name]: text })}/${name}`, {});
  return pickFacts((await contentOf(source)).objects['https://a.example/1'] ?? {});
}

const teaches = [{ label: 'first aid', uri: 'https://skills.example/1' }, { label: 'bandages' }];

test('a table states facts in columns', async () => {
  const text = `url,title,License,Date published,teaches,accessibilityFeature
https://a.example/1,A,CC BY 4.0,2025-03-01,first aid <https://skills.example/1> | bandages,captions; transcript`;
  expect(await readTable('a.csv', text)).toEqual({
    license: 'CC-BY-4.0',
    published: '2025-03-01',
    teaches,
    accessibilityFeature: ['captions', 'transcript'],
  });
});

test('JSON Lines state facts as records have them', async () => {
  const record = { url: 'https://a.example/1', title: 'A', license: 'MIT', teaches, accessMode: ['visual'] };
  expect(await readTable('a.jsonl', JSON.stringify(record))).toEqual({
    license: 'MIT',
    teaches,
    accessMode: ['visual'],
  });
});

test('JSON-LD states facts by their names, licences and concepts also as things', async () => {
  const node = {
    '@context': 'https://schema.org',
    '@type': 'LearningResource',
    '@id': 'https://a.example/1',
    name: 'A',
    license: { id: 'https://creativecommons.org/licenses/by-sa/4.0/' },
    datePublished: '2025-03-01T09:00:00+01:00',
    teaches: [{ '@id': 'https://skills.example/1', prefLabel: { en: 'first aid' } }, 'bandages'],
    accessibilityFeature: ['captions'],
    accessibilitySummary: 'Captions throughout.',
  };
  expect(await readFile('lrmi', 'a.json', JSON.stringify(node))).toEqual({
    license: 'https://creativecommons.org/licenses/by-sa/4.0/',
    published: '2025-03-01',
    teaches,
    accessibilityFeature: ['captions'],
    accessibilitySummary: 'Captions throughout.',
  });
});

test('feeds state licences, dates and captions in modules', async () => {
  const text = `<rss version="2.0" xmlns:cc="http://backend.userland.com/creativeCommonsRssModule"
    xmlns:media="http://search.yahoo.com/mrss/" xmlns:dcterms="http://purl.org/dc/terms/"><channel><title>T</title>
    <item><title>A</title><link>https://a.example/1</link><pubDate>Sat, 01 Mar 2025 10:00:00 GMT</pubDate>
    <cc:license>http://creativecommons.org/licenses/by/4.0/</cc:license><dcterms:modified>2025-04-01</dcterms:modified>
    <media:content url="https://a.example/1.mp4" type="video/mp4"><media:subTitle href="https://a.example/1.vtt" lang="en"/></media:content>
    </item></channel></rss>`;
  expect(await readFile('feed', 'a.xml', text)).toEqual({
    license: 'https://creativecommons.org/licenses/by/4.0/',
    published: '2025-03-01',
    modified: '2025-04-01',
    accessibilityFeature: ['captions'],
  });
});

test('Dublin Core states a licence among its rights, and a date where there is only one', async () => {
  const repository = await startOaiRepository();
  onTestFinished(() => repository.close());
  const record = (inner: string) => ({
    id: 'oai:a:1',
    metadata: {
      oai_dc: `<x:dc xmlns:x="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:d="http://purl.org/dc/elements/1.1/">
        <d:title>A</d:title><d:identifier>https://a.example/1</d:identifier>${inner}</x:dc>`,
    },
  });
  const read = async (inner: string) => {
    repository.records = [record(inner)];
    const [object] = objectsOf(await readItems(await openSource({ format: 'oai', location: repository.url })));
    return pickFacts(object ?? {});
  };
  const rights = '<d:rights>© A School</d:rights><d:rights>CC BY-NC 4.0</d:rights>';
  expect(await read(`${rights}<d:date>2024</d:date>`)).toEqual({ license: 'CC-BY-NC-4.0', published: '2024' });
  expect(await read('<d:rights>open access</d:rights><d:date>2024</d:date><d:date>2025</d:date>')).toEqual({});
});
