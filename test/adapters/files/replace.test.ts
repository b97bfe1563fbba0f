import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openDataDir } from '../../../src/adapters/files/data-dir.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';

test('replacing a file gives it new content, readable by this user only', () => {
  const dataDir = openDataDir(makeTempDir());
  writeFileSync(dataDir.file('secret.key'), 'old');
  chmodSync(dataDir.file('secret.key'), 0o644);
  dataDir.replace('secret.key', 'new');
  expect(dataDir.find('secret.key')).toBe('new');
  expect(statSync(dataDir.file('secret.key')).mode & 0o777).toBe(0o600);
  expect(readdirSync(dataDir.path)).toEqual(['secret.key']);
});

test('a file is created once', () => {
  const dataDir = openDataDir(makeTempDir());
  expect(dataDir.create('a', 'first')).toBe(true);
  expect(dataDir.create('a', 'second')).toBe(false);
  expect(dataDir.find('a')).toBe('first');
  expect(readdirSync(dataDir.path)).toEqual(['a']);
});

test('a missing or empty file is not found, and may be removed', () => {
  const dataDir = openDataDir(makeTempDir());
  writeFileSync(dataDir.file('empty'), ' \n');
  expect([dataDir.find('none'), dataDir.find('empty')]).toEqual([null, null]);
  dataDir.remove('none');
  dataDir.remove('empty');
  expect(readdirSync(dataDir.path)).toEqual([]);
});
