import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { runProgram, startHostProcess } from '../helpers/host-process.ts';

describe('a host does not start', () => {
  const folder = mkdtempSync(join(tmpdir(), 'skilldock-test-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('bad settings are all listed', async () => {
    const { code, stderr } = await runProgram(['serve'], {
      PORT: 'abc',
      LOG_LEVEL: 'loud',
      DATA_DIR: folder,
    });
    expect(code).toBe(2);
    expect(stderr).toMatch(/PORT: /);
    expect(stderr).toMatch(/LOG_LEVEL: /);
  });

  test('a password that is easy to guess is refused, and not repeated', async () => {
    const dataDir = mkdtempSync(join(folder, 'password-'));
    const settings = { PORT: '0', DATA_DIR: dataDir, ADMIN_PASSWORD: 'passwordpassword' };
    const { code, stderr } = await runProgram(['serve'], settings);
    expect(code).toBe(2);
    expect(stderr).toMatch(/ADMIN_PASSWORD: /);
    expect(stderr).not.toContain('passwordpassword');
  });

  test('a data folder that cannot be written is named', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const { code, stderr } = await runProgram(['serve'], { PORT: '0', DATA_DIR: join(file, 'var') });
    expect(code).toBe(3);
    expect(stderr).toMatch(/^The host cannot read and write .*DATA_DIR.*\n$/);
  });

  test('every command refuses an impossible data folder at once', async () => {
    for (const command of [['serve'], ['keys', 'create', '--name', 'Ada'], ['import', 'objects', 'a.csv']]) {
      const { code, stderr } = await runProgram(command, { PORT: '0', DATA_DIR: '/proc/x/var' });
      expect({ command, code }).toEqual({ command, code: 3 });
      expect(stderr).toMatch(/^The host cannot read and write \/proc\/x\/var: no folder can be made there\..*\n$/);
    }
  });

  test('a lost secret key is said, with what to do; told to, the host starts', async () => {
    const dataDir = mkdtempSync(join(folder, 'lost-'));
    const upstream = { UPSTREAM_URL: 'https://api.example.org', UPSTREAM_API_KEY: 'a key that is sealed' };
    const env = { PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'silent', ...upstream };
    await (await startHostProcess(env)).stop();
    writeFileSync(join(dataDir, 'secret.key'), 'the key of another host, and long enough');
    const { code, stderr } = await runProgram(['serve'], env);
    expect(code).toBe(3);
    expect(stderr).toMatch(/^The secret key .* does not open .*--allow-lost-secrets.*\n$/);
    const told = await startHostProcess(env, ['--allow-lost-secrets']);
    expect((await fetch(`${told.url}/readyz`)).status).toBe(200);
    expect(await told.stop()).toBe(0);
  });

  test('a damaged store is named', async () => {
    const dataDir = mkdtempSync(join(folder, 'damaged-'));
    writeFileSync(join(dataDir, 'skilldock.db'), 'this is no database, but long enough to look like one'.repeat(50));
    const { code, stderr } = await runProgram(['serve'], { PORT: '0', DATA_DIR: dataDir });
    expect(code).toBe(3);
    expect(stderr).toMatch(/store .*skilldock\.db cannot be used/);
  });

  test('a port in use is named', async () => {
    const other = createServer().listen(0);
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await runProgram(['serve'], { PORT: String(port), DATA_DIR: folder });
    other.close();
    expect(code).toBe(3);
    expect(stderr).toMatch(new RegExp(`^Port ${port} is in use\\..*PORT.*\n$`));
  });
});
