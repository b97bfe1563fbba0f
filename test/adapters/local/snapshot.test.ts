import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { makeTempDir } from '../../helpers/temp-dir.ts';
import { anObject, openService, searchFor, searchUrls, writeCatalog } from './services.ts';

let catalogDir: string;
let dataDir: string;
beforeEach(() => {
  catalogDir = makeTempDir();
  dataDir = makeTempDir();
  writeCatalog(catalogDir, { objects: [anObject('a'), anObject('b', { title: 'Java' })] });
});

const open = () => openService(catalogDir, dataDir);
const found = (keywords: string) => searchUrls(open().learning, searchFor(keywords));

test('builds the index at the first start and loads it at the second, with the same answers', async () => {
  const [first, second] = [open(), open()];
  expect([first.isFromSnapshot, second.isFromSnapshot]).toEqual([false, true]);
  expect(second.sizes).toEqual(first.sizes);
  expect(second.sizes).toMatchObject({ objects: 2, providers: 1, concepts: 1 });
  const query = searchFor('python');
  const [before, after] = [
    await first.learning.ask('searchProvider', query),
    await second.learning.ask('searchProvider', query),
  ];
  expect({ ...after, requestId: '' }).toEqual({ ...before, requestId: '' });
  const similar = { keywords: 'python', lang: 'en' };
  expect(await second.learning.ask('similar', similar)).toEqual(await first.learning.ask('similar', similar));
});

/** The one version that is there. */
function versionDir(): string {
  const [name, ...others] = readdirSync(join(dataDir, 'catalog'));
  expect(others).toEqual([]);
  return join(dataDir, 'catalog', name!);
}

test('leaves no draft behind', () => {
  open();
  expect(readdirSync(dataDir)).toEqual(['catalog']);
  expect(readdirSync(versionDir()).sort()).toEqual(['catalog.index', 'objects.index', 'records.jsonl', 'terms.index']);
});

test('rebuilds the index when the catalogue changes', async () => {
  expect(await found('rust')).toEqual([]);
  writeCatalog(catalogDir, { objects: [anObject('a', { title: 'Rust' })] });
  expect(open().isFromSnapshot).toBe(false);
  expect(await found('rust')).toEqual(['https://example.org/a']);
  expect(open().isFromSnapshot).toBe(true);
});

const spoil: readonly [string, (bytes: Buffer) => Uint8Array][] = [
  ['empty', () => new Uint8Array()],
  ['something else', () => Buffer.from('<html>')],
  ['cut short', (bytes) => bytes.subarray(0, bytes.length >> 1)],
  ['without its last byte', (bytes) => bytes.subarray(0, -1)],
  ['longer than it should be', (bytes) => Buffer.concat([bytes, bytes])],
  [
    'changed by one bit in the middle',
    (bytes) => {
      bytes[bytes.length >> 1]! ^= 1;
      return bytes;
    },
  ],
];

test.each(spoil)('rebuilds files that are %s', async (_how, change) => {
  open();
  const names = readdirSync(versionDir());
  for (const name of names) {
    const path = join(versionDir(), name);
    const whole = readFileSync(path);
    writeFileSync(path, change(Buffer.from(whole)));
    // A record is looked at when it is read.
    const isSeenAtOnce = name !== 'records.jsonl' || statSync(path).size !== whole.length;
    expect([name, open().isFromSnapshot]).toEqual([name, !isSeenAtOnce]);
    if (!isSeenAtOnce) writeFileSync(path, whole);
    expect(readFileSync(path).equals(whole)).toBe(true);
    expect(open().isFromSnapshot).toBe(true);
  }
  expect(names).toHaveLength(4);
  expect(await found('python')).toEqual(['https://example.org/a']);
});

test('leaves out a damaged record, reports it once, and rebuilds the files', async () => {
  open();
  const path = join(versionDir(), 'records.jsonl');
  const whole = readFileSync(path);
  writeFileSync(path, whole.toString().replace('An introduction.', 'An introductioN.'));
  const service = open();
  const { providerOf } = service;
  for (let i = 0; i < 2; i++) expect(await providerOf('https://example.org/a')).toBeNull();
  expect(service.snapshotProblems).toEqual([
    expect.objectContaining({ message: expect.stringMatching(/records\.jsonl is damaged at byte 0/) }),
  ]);
  expect(await searchUrls(service.learning, searchFor('java'))).toEqual(['https://example.org/b']);
  await service.updates.catchUp();
  expect(await providerOf('https://example.org/a')).toBe('school');
  expect(readFileSync(path).equals(whole)).toBe(true);
});

test('reports that nothing can be saved, and continues', async () => {
  writeFileSync(join(dataDir, 'catalog'), 'in the way');
  const service = open();
  expect(service.snapshotProblems).toHaveLength(2);
  expect(await searchUrls(service.learning, searchFor('java'))).toEqual(['https://example.org/b']);
  expect(readdirSync(dataDir)).toEqual(['catalog']);
});

test('finds exactly the existing objects by address', async () => {
  const objects = Array.from({ length: 500 }, (_, i) => anObject(`many/${i}`, { title: 'é'.repeat(i % 50) + i }));
  writeCatalog(catalogDir, { objects });
  const { providerOf } = open();
  const found = await Promise.all(objects.map((_, i) => providerOf(`https://example.org/many/${i}`)));
  expect(new Set(found)).toEqual(new Set(['school']));
  expect(await providerOf('https://example.org/many/500')).toBeNull();
});
