import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSqliteStore } from '../../../src/adapters/store/sqlite/sqlite-store.ts';
import { systemClock } from '../../../src/ports/clock.ts';
import { createKeyring } from '../../../src/services/host/keyring.ts';
import { createSecrets } from '../../../src/services/host/secrets.ts';
import { type HostProcess, runProgram, startHostProcess } from '../../helpers/host-process.ts';
import { startMongoServer } from '../../helpers/mongo-server.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';

interface Report {
  readonly checks: readonly { name: string; state: string; result: string; advice: string | null }[];
  readonly faults: number;
  readonly warnings: number;
}

async function examine(env: Record<string, string>) {
  const { code, stdout, stderr } = await runProgram(['doctor', '--json'], { PORT: '0', ...env });
  expect(stderr).toBe('');
  const { checks, ...sums } = JSON.parse(stdout) as Report;
  return { code, ...sums, check: (name: string) => checks.find((each) => each.name === name) };
}

describe('doctor of this host', () => {
  test('that was never started finds it ready, says what is missing, and makes nothing', async () => {
    const dataDir = join(makeTempDir(), 'not-yet');
    const { code, stdout } = await runProgram(['doctor'], { PORT: '0', DATA_DIR: dataDir });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ok +settings /m);
    expect(stdout).toMatch(/^ok +catalogue +[\d]+ learning objects of \d+ providers/m);
    expect(stdout).toMatch(/^ok +taxonomies .*ISCO-08 \d+/m);
    expect(stdout).toMatch(/^ok +store +there is none yet/m);
    expect(stdout).toMatch(/^warning +public address .*\n +Set PUBLIC_URL/m);
    expect(stdout).toMatch(/\n0 faults, 1 warning\.\n$/);
    expect(existsSync(dataDir)).toBe(false);
  });

  test('lists every setting that cannot be used', async () => {
    const { code, check, faults } = await examine({ PORT: 'x', LOG_LEVEL: 'loud', DATA_DIR: makeTempDir() });
    expect({ code, faults }).toEqual({ code: 1, faults: 1 });
    expect(check('settings')).toMatchObject({
      state: 'fault',
      result: expect.stringMatching(/PORT: .*; LOG_LEVEL: /),
    });
  });

  test('says that a data folder is a file', async () => {
    const file = join(makeTempDir(), 'file');
    writeFileSync(file, '');
    const { code, check } = await examine({ DATA_DIR: file });
    expect(code).toBe(1);
    expect(check('data folder')).toMatchObject({
      state: 'fault',
      result: expect.stringMatching(/a file is in the way.*DATA_DIR/),
    });
  });

  test('says that a data folder cannot be made, whatever rights this user has', async () => {
    const { code, check } = await examine({ DATA_DIR: '/proc/skilldock/data' });
    expect(code).toBe(1);
    expect(check('data folder')).toMatchObject({
      state: 'fault',
      result: expect.stringMatching(/^The host cannot .*\/proc\/skilldock\/data.*DATA_DIR/),
    });
  });

  test('says that a store is damaged, and leaves it as it is', async () => {
    const dataDir = makeTempDir();
    const file = join(dataDir, 'skilldock.db');
    writeFileSync(file, 'no database at all '.repeat(100));
    const before = readFileSync(file);
    const { code, check } = await examine({ DATA_DIR: dataDir });
    expect(code).toBe(1);
    expect(check('store')?.state).toBe('fault');
    expect(readFileSync(file)).toEqual(before);
  });

  test('says that a store is gone from the folder of a host, and that a key file is empty, and makes neither', async () => {
    const dataDir = makeTempDir();
    for (const name of ['demo.key', 'secret.key', 'skilldock.db']) writeFileSync(join(dataDir, name), '');
    const { code, check } = await examine({ DATA_DIR: dataDir });
    expect(code).toBe(1);
    expect(check('store')).toMatchObject({
      state: 'fault',
      result: expect.stringMatching(/empty.*skilldock restore/),
    });
    rmSync(join(dataDir, 'demo.key'));
    const { check: checkNew } = await examine({ DATA_DIR: dataDir });
    expect(checkNew('secret key')).toMatchObject({
      state: 'fault',
      result: expect.stringContaining('is empty'),
    });
    expect(readFileSync(join(dataDir, 'secret.key'), 'utf8')).toBe('');
  });

  test('says that another program has the port', async () => {
    const other = createServer((_request, response) => response.end('hello')).listen(0);
    const { port } = other.address() as AddressInfo;
    try {
      const { code, check } = await examine({ PORT: String(port), DATA_DIR: makeTempDir() });
      expect(code).toBe(1);
      expect(check('port')).toMatchObject({ state: 'fault', advice: expect.stringContaining('PORT') });
    } finally {
      other.close();
    }
  });
});

describe('doctor beside a running host', () => {
  let host: HostProcess;
  let env: Record<string, string>;
  beforeAll(async () => {
    host = await startHostProcess();
    const { port } = new URL(host.url);
    env = { PORT: port, DATA_DIR: host.dataDir };
  });
  afterAll(() => host.stop());

  test('finds it, its store and its faces', async () => {
    const { code, faults, check } = await examine(env);
    expect({ code, faults }).toEqual({ code: 0, faults: 0 });
    expect(check('store')).toMatchObject({ state: 'ok', result: expect.stringContaining('SQLite') });
    expect(check('port')?.result).toContain('the host runs');
    expect(check('faces')).toMatchObject({ state: 'warning', advice: expect.stringContaining('admin link') });
  });

  test('says which secrets the key does not open, and that a key is gone', async () => {
    const store = createSqliteStore(join(host.dataDir, 'skilldock.db'));
    const keyring = createKeyring(['a key that this host has never had, and long enough']);
    const plain = { plain: 'plain', boundTo: 'https://api.example.org' };
    await createSecrets({ secrets: store.secrets, keyring, clock: systemClock }).putSecret(
      'default',
      'upstream-api-key',
      plain,
    );
    await store.close();
    const sealed = await examine(env);
    expect(sealed.code).toBe(1);
    expect(sealed.check('secret key')).toMatchObject({
      state: 'fault',
      result: expect.stringContaining('default/upstream-api-key'),
    });
    rmSync(join(host.dataDir, 'secret.key'));
    const { check } = await examine(env);
    expect(check('secret key')).toMatchObject({
      state: 'fault',
      advice: expect.stringContaining('Restore secret.key'),
    });
    expect(existsSync(join(host.dataDir, 'secret.key'))).toBe(false);
  });
});

test('doctor of a host on MongoDB makes nothing in an empty database, and reads one that is there', async () => {
  const server = await startMongoServer();
  if (server === null) return;
  try {
    const env = {
      MONGODB_URI: server.uri,
      SECRET_KEY: 'a secret of the tests that is long enough',
      DATA_DIR: join(makeTempDir(), 'none'),
    };
    for (const found of [/there is none yet/, /there is none yet/])
      expect((await examine(env)).check('store')?.result).toMatch(found);
    expect((await runProgram(['tenants', 'list'], env)).code).toBe(0);
    rmSync(env.DATA_DIR, { recursive: true, force: true });
    const { code, check } = await examine(env);
    expect(code).toBe(0);
    expect(check('store')).toMatchObject({ state: 'ok', result: expect.stringContaining('MongoDB') });
    expect(existsSync(env.DATA_DIR)).toBe(false);
  } finally {
    await server.stop();
  }
});
