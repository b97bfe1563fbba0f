import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openDataDir } from '../../src/adapters/files/data-dir.ts';
import { beginSecretKeyRotation, openSecretKeys } from '../../src/compose/secret-keys.ts';
import { readConfig } from '../../src/config.ts';
import { createKeyring } from '../../src/services/host/keyring.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const [KEY, OLD, OLDER] = ['k', 'o', 'p'].map((letter) => letter.repeat(40)) as [string, string, string];

function open(env: Record<string, string> = {}) {
  const dataDir = openDataDir(makeTempDir());
  return { dataDir, keys: openSecretKeys(readConfig(env), dataDir) };
}

describe('the secret keys of a host', () => {
  test('are made at the first start, and stay', () => {
    const { dataDir, keys } = open();
    const [made, ...others] = keys.read();
    expect(made).toMatch(/^[\w-]{43}$/);
    expect(others).toEqual([]);
    expect(keys.read()).toEqual([made]);
    expect(openSecretKeys(readConfig({}), dataDir).read()).toEqual([made]);
    expect(keys.isInFile).toBe(true);
  });

  test('are those of the environment, the current one first', () => {
    const { dataDir, keys } = open({ SECRET_KEY: KEY, SECRET_KEY_PREVIOUS: `${OLD}, ${OLDER}` });
    expect(keys.read()).toEqual([KEY, OLD, OLDER]);
    expect(keys.isInFile).toBe(false);
    expect(dataDir.find('secret.key')).toBeNull();
  });

  test('in files, follow a rotation beside the host', async () => {
    const { dataDir, keys } = open({ SECRET_KEY_PREVIOUS: OLDER });
    const [before] = keys.read();
    const running = createKeyring(keys.read);
    const sealed = running.seal('plain', 'c');
    expect(await beginSecretKeyRotation(keys, dataDir)).toBe(true);
    const [after, ...previous] = keys.read();
    expect(after).not.toBe(before);
    expect(previous).toEqual([before, OLDER]);
    expect(running.open(sealed, 'c')).toBe('plain');
    expect(createKeyring([after!]).open(running.seal('plain', 'c'), 'c')).toBe('plain');
  });

  test('too short ones in a file are refused with what to do', () => {
    const { dataDir, keys } = open();
    writeFileSync(dataDir.file('secret.key'), 'short');
    expect(() => keys.read()).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringContaining('secret.key') }),
    );
  });

  test('are not made anew where something is sealed under one, nor in place of an empty file, unless that is lost', () => {
    const dataDir = openDataDir(makeTempDir());
    const read = (isAnySealed: boolean, allowLost: boolean) =>
      openSecretKeys(readConfig({}), dataDir, { isAnySealed, allowLost }).read();
    const lost = (words: RegExp) =>
      expect.objectContaining({ code: 'SECRETS_LOST', message: expect.stringMatching(words) });
    expect(() => read(true, false)).toThrow(lost(/secret\.key is missing, and the store holds/));
    expect(dataDir.find('secret.key')).toBeNull();
    writeFileSync(dataDir.file('secret.key'), '\n');
    expect(() => read(false, false)).toThrow(lost(/secret\.key is empty\./));
    expect(readFileSync(dataDir.file('secret.key'), 'utf8')).toBe('\n');
    const [made] = read(true, true);
    expect(read(true, false)).toEqual([made]);
  });

  test('in a file that is taken away stay those of the host', () => {
    const { dataDir, keys } = open();
    const before = keys.read();
    dataDir.remove('secret.key');
    expect(keys.read()).toEqual(before);
    expect(dataDir.find('secret.key')).toBeNull();
  });

  test('must be given where several hosts share a store', () => {
    const config = { ...readConfig({}), mongodbUri: 'mongodb://localhost/x' };
    expect(() => openSecretKeys(config, openDataDir(makeTempDir()))).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringMatching(/share a store/) }),
    );
  });
});

describe('two rotations at once', () => {
  test('lose no key: whatever was sealed in between can be opened', async () => {
    const { dataDir, keys } = open();
    const running = createKeyring(keys.read);
    const sealed = [running.seal('first', 'c')];
    await Promise.all([
      beginSecretKeyRotation(keys, dataDir),
      beginSecretKeyRotation(keys, dataDir),
      beginSecretKeyRotation(keys, dataDir),
    ]);
    sealed.push(running.seal('second', 'c'));
    const now = createKeyring(keys.read());
    expect(sealed.map((each) => now.open(each, 'c'))).toEqual(['first', 'second']);
  });

  test('one that read the key before the other was done sets the right one aside', async () => {
    const { dataDir, keys } = open();
    const stale = keys.read();
    await beginSecretKeyRotation(keys, dataDir);
    dataDir.remove('secret.key.previous');
    const [between] = keys.read();
    await beginSecretKeyRotation({ isInFile: true, read: () => stale }, dataDir);
    expect(keys.read()).toEqual([expect.not.stringMatching(between!), between]);
  });
});
