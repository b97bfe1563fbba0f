import { existsSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPictureFiles } from '../../../src/adapters/pictures/picture-files.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';

const open = (maxBytes = 1_000) => {
  const folder = join(makeTempDir(), 'pictures');
  return { folder, files: createPictureFiles({ folder, maxBytes }) };
};
const bytes = (size: number) => Buffer.alloc(size, 7);

test('finds stored pictures, also after a restart', async () => {
  const { folder, files } = open();
  expect(await files.find('a')).toBeNull();
  await files.keep('a', bytes(10));
  expect(await files.find('a')).toEqual(bytes(10));
  expect(await createPictureFiles({ folder }).find('a')).toEqual(bytes(10));
  expect(readdirSync(folder)).toEqual(['a']);
});

test('removes the least recently used pictures when there are too many', async () => {
  const { folder, files } = open(100);
  await files.keep('a', bytes(40));
  await files.keep('b', bytes(40));
  await files.find('a');
  await files.keep('c', bytes(40));
  expect(readdirSync(folder).sort()).toEqual(['a', 'c']);
  expect(await files.find('b')).toBeNull();
  // Kept anew, it counts once.
  await files.keep('c', bytes(50));
  expect(readdirSync(folder).sort()).toEqual(['a', 'c']);
});

test('knows after a restart when each was used', async () => {
  const { folder, files } = open(100);
  for (const name of ['a', 'b']) await files.keep(name, bytes(40));
  const hoursAgo = (hours: number) => Date.now() / 1_000 - hours * 3_600;
  utimesSync(join(folder, 'a'), hoursAgo(2), hoursAgo(2));
  utimesSync(join(folder, 'b'), hoursAgo(9), hoursAgo(9));
  const again = createPictureFiles({ folder, maxBytes: 100 });
  expect(await again.find('b')).not.toBeNull();
  expect(statSync(join(folder, 'b')).mtimeMs).toBeGreaterThan(hoursAgo(1) * 1_000);
  await createPictureFiles({ folder, maxBytes: 100 }).keep('c', bytes(40));
  expect(readdirSync(folder).sort()).toEqual(['b', 'c']);
});

test('removes drafts of a killed host, and creates a removed folder again', async () => {
  const { folder, files } = open();
  await files.keep('a', bytes(10));
  writeFileSync(join(folder, 'b.1.new'), 'half');
  const again = createPictureFiles({ folder });
  expect(await again.find('b')).toBeNull();
  expect(existsSync(join(folder, 'b.1.new'))).toBe(false);
  rmSync(folder, { recursive: true });
  expect(await again.find('a')).toBeNull();
  await again.keep('a', bytes(10));
  expect(await again.find('a')).not.toBeNull();
});
