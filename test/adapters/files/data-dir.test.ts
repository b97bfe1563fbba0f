import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDataDirSecret, openDataDir } from '../../../src/adapters/files/data-dir.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';

test('creates the folder with its parents, for this user alone', () => {
  const dataDir = openDataDir(join(makeTempDir(), 'a', 'b'));
  expect(isAbsolute(dataDir.path)).toBe(true);
  expect(statSync(dataDir.path).mode & 0o777).toBe(0o700);
  expect(dataDir.file('x.db')).toBe(join(dataDir.path, 'x.db'));
});

test('names a folder that cannot be created, with the reason', () => {
  const file = join(makeTempDir(), 'file');
  writeFileSync(file, '', { mode: 0o700 });
  for (const [path, reason] of [
    [file, 'a file is in the way'],
    [join(file, 'var'), 'a file is in the way'],
    // Nothing can be made there, whoever tries, and it says ENOENT.
    ['/proc/skilldock/var', 'no folder can be made there'],
  ] as const) {
    expect(() => openDataDir(path)).toThrow(
      expect.objectContaining({
        code: 'DATA_DIR_UNWRITABLE',
        message: expect.stringMatching(new RegExp(`${path.replace('/var', '')}.*: ${reason}.*DATA_DIR`)),
      }),
    );
  }
});

test('creates a small file once, readable by this user only', () => {
  const dataDir = openDataDir(makeTempDir());
  expect(dataDir.readOrCreate('secret.key', () => 'first')).toBe('first');
  expect(dataDir.readOrCreate('secret.key', () => 'second')).toBe('first');
  expect(statSync(dataDir.file('secret.key')).mode & 0o777).toBe(0o600);
  expect(readdirSync(dataDir.path)).toEqual(['secret.key']);
});

test('refuses a pipe in place of a small file, without waiting for it', () => {
  const dataDir = openDataDir(makeTempDir());
  execFileSync('mkfifo', [dataDir.file('secret.key')]);
  expect(() => dataDir.find('secret.key')).toThrow(/secret\.key/);
});

test('two processes that start at once get the same content', () => {
  const dataDir = openDataDir(makeTempDir());
  const overtaken = dataDir.readOrCreate('secret.key', () => {
    dataDir.readOrCreate('secret.key', () => 'of the other');
    return 'mine';
  });
  expect(overtaken).toBe('of the other');
});

test('a file edited by hand may end with a line break, and is unchanged', () => {
  const dataDir = openDataDir(makeTempDir());
  writeFileSync(dataDir.file('demo.key'), 'demo_by_hand\n');
  chmodSync(dataDir.file('demo.key'), 0o640);
  expect(dataDir.readOrCreate('demo.key', () => 'made')).toBe('demo_by_hand');
  expect(readFileSync(dataDir.file('demo.key'), 'utf8')).toBe('demo_by_hand\n');
});

test('an empty file is replaced by a new secret', () => {
  const dataDir = openDataDir(makeTempDir());
  writeFileSync(dataDir.file('secret.key'), '\n');
  expect(dataDir.readOrCreate('secret.key', () => 'made')).toBe('made');
});

test('secrets are 256 random bits', () => {
  const secrets = [makeDataDirSecret(), makeDataDirSecret()];
  for (const secret of secrets) expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
  expect(secrets[0]).not.toBe(secrets[1]);
});

test('the error of an unreadable secret names the file and what to do', () => {
  const path = makeTempDir();
  mkdirSync(join(path, 'secret.key'));
  expect(() => openDataDir(path).readOrCreate('secret.key', () => 'x')).toThrow(
    expect.objectContaining({ code: 'DATA_DIR_UNWRITABLE', message: expect.stringContaining('secret.key') }),
  );
});
