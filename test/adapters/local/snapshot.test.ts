import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
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

test('the index is built at the first start and used at the second, with the same answers', async () => {
  const [first, second] = [open(), open()];
  expect([first.isFromSnapshot, second.isFromSnapshot]).toEqual([false, true]);
  expect(second.sizes).toEqual(first.sizes);
  expect(second.sizes).toMatchObject({ objects: 2, providers: 1, concepts: 1 });
  const query = searchFor('python');
  const [before, after] = [
    await first.learning.searchProvider(query),
    await second.learning.searchProvider(query),
  ];
  expect({ ...after, requestId: '' }).toEqual({ ...before, requestId: '' });
  const similar = { keywords: 'python', lang: 'en' };
  expect(await second.learning.similar(similar)).toEqual(await first.learning.similar(similar));
});

test('nothing half-written stays beside it', () => {
  open();
  expect(readdirSync(dataDir).filter((name) => !name.endsWith('.index'))).toEqual([]);
});

test('it is rebuilt when the catalogue changes', async () => {
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

test.each(spoil)('files that are %s are rebuilt, never trusted', async (_how, change) => {
  open();
  for (const name of readdirSync(dataDir)) {
    const path = join(dataDir, name);
    writeFileSync(path, change(readFileSync(path)));
  }
  expect(open().isFromSnapshot).toBe(false);
  expect(open().isFromSnapshot).toBe(true);
  expect(await found('python')).toEqual(['https://example.org/a']);
  for (const name of readdirSync(dataDir)) expect(statSync(join(dataDir, name)).size).toBeGreaterThan(100);
});

test('one index that is spoilt is rebuilt alone', async () => {
  open();
  const before = readFileSync(join(dataDir, 'objects.index'));
  writeFileSync(join(dataDir, 'terms.index'), 'spoilt');
  const service = open();
  expect(service.isFromSnapshot).toBe(false);
  expect(readFileSync(join(dataDir, 'objects.index')).equals(before)).toBe(true);
  expect(await service.learning.similar({ keywords: 'python', lang: 'en' })).not.toEqual([]);
  expect(open().isFromSnapshot).toBe(true);
});

test('a file that can be neither read nor written is reported, and the host goes on', async () => {
  mkdirSync(join(dataDir, 'objects.index'));
  const service = open();
  expect(service.snapshotProblems).toHaveLength(2);
  expect(await searchUrls(service.learning, searchFor('java'))).toEqual(['https://example.org/b']);
  expect(readdirSync(dataDir).sort()).toEqual(['objects.index', 'terms.index']);
});
