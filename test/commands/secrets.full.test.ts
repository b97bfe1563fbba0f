import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/ports/clock.ts';
import { createKeyring, type SecretKeyList } from '../../src/services/host/keyring.ts';
import { createSecrets } from '../../src/services/host/secrets.ts';
import { runProgram } from '../helpers/host-process.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';
import { openTestStore } from '../helpers/test-store.ts';

const ORIGIN = 'https://api.example.org';
const bound = (plain: string) => ({ plain, boundTo: ORIGIN });

const OLD = 'an old secret of the tests and quite long';
const NEW = 'a new secret of the tests and quite long!';

/** Something with the secrets of a data folder, as a host with these keys would do it. */
async function withSecrets<T>(
  dataDir: string,
  keys: SecretKeyList,
  use: (secrets: ReturnType<typeof createSecrets>) => Promise<T>,
): Promise<T> {
  const store = openTestStore(join(dataDir, 'skilldock.db'));
  try {
    return await use(createSecrets({ secrets: store.secrets, keyring: createKeyring(keys), clock: systemClock }));
  } finally {
    await store.close();
  }
}

const save = (dataDir: string, ...keys: SecretKeyList) =>
  withSecrets(dataDir, keys, (secrets) => secrets.putSecret('default', 'upstream-api-key', bound('plain-key')));
const read = (dataDir: string, ...keys: SecretKeyList) =>
  withSecrets(dataDir, keys, (secrets) => secrets.findSecret('default', 'upstream-api-key', ORIGIN));

describe('secrets rotate', () => {
  const rotate = (dataDir: string, env: Record<string, string> = {}) =>
    runProgram(['secrets', 'rotate'], { DATA_DIR: dataDir, ...env });

  async function prepare(): Promise<{ dataDir: string; file: string; previous: string }> {
    const dataDir = makeTempDir();
    const file = join(dataDir, 'secret.key');
    writeFileSync(file, OLD, { mode: 0o600 });
    expect((await runProgram(['tenants', 'list'], { DATA_DIR: dataDir })).code).toBe(0);
    await save(dataDir, OLD);
    return { dataDir, file, previous: `${file}.previous` };
  }

  test('makes a key, seals everything under it and gives the old one up', async () => {
    const { dataDir, file, previous } = await prepare();
    const { code, stdout, stderr } = await rotate(dataDir);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const key = readFileSync(file, 'utf8');
    expect(key).not.toBe(OLD);
    expect(stdout).toContain(`under the key ${createKeyring([key]).currentKeyId}: 1 anew, 0 were already`);
    expect(stdout).not.toContain(key);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(existsSync(previous)).toBe(false);
    expect(await read(dataDir, key)).toBe('plain-key');
    await expect(read(dataDir, OLD)).rejects.toMatchObject({ code: 'SECRET_UNREADABLE' });
  });

  test.each([
    ['before the new key was written', OLD, OLD],
    ['before everything was sealed', NEW, OLD],
  ])('goes on where one was broken off %s', async (_when, current, previousKey) => {
    const { dataDir, file, previous } = await prepare();
    writeFileSync(previous, previousKey, { mode: 0o600 });
    writeFileSync(file, current);
    expect((await rotate(dataDir)).code).toBe(0);
    const key = readFileSync(file, 'utf8');
    expect(key).not.toBe(OLD);
    if (current === NEW) expect(key).toBe(NEW);
    expect(existsSync(previous)).toBe(false);
    expect(await read(dataDir, key)).toBe('plain-key');
  });

  test('keeps the old key as long as anything cannot be sealed anew', async () => {
    const { dataDir, file, previous } = await prepare();
    await save(dataDir, 'a key that is lost, and was so long');
    const { code, stderr } = await rotate(dataDir);
    expect(code).toBe(1);
    expect(stderr).toContain('default/upstream-api-key');
    expect(readFileSync(previous, 'utf8')).toBe(OLD);
    await save(dataDir, readFileSync(file, 'utf8'));
    expect((await rotate(dataDir)).code).toBe(0);
    expect(existsSync(previous)).toBe(false);
  });

  test('with the key in the environment, says how, and then does its part', async () => {
    const { dataDir } = await prepare();
    const told = await rotate(dataDir, { SECRET_KEY: NEW });
    expect(told.code).toBe(2);
    expect(told.stderr).toMatch(/SECRET_KEY_PREVIOUS/);
    const done = await rotate(dataDir, { SECRET_KEY: NEW, SECRET_KEY_PREVIOUS: OLD });
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(done.stdout).toMatch(/1 anew, 0 were already/);
    const again = await rotate(dataDir, { SECRET_KEY: NEW, SECRET_KEY_PREVIOUS: OLD });
    expect(again.stdout).toMatch(/0 anew, 1 were already/);
    expect(await read(dataDir, NEW)).toBe('plain-key');
  });
});
