import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HostProcess, runProgram, startHostProcess } from './helpers/host-process.ts';

describe('skilldock', () => {
  test('--help names the commands and the exit codes', async () => {
    const { code, stdout } = await runProgram(['--help']);
    expect(code).toBe(0);
    for (const command of [
      'serve',
      'admin',
      'tenants',
      'keys',
      'feedback',
      'secrets',
      'backup',
      'restore',
      'store',
    ])
      expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
    expect(stdout).toMatch(/Exit codes/);
  });

  test('an unknown command ends with 2 and says so', async () => {
    const { code, stderr } = await runProgram(['fly']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/unknown command/);
  });
});

describe('skilldock serve', () => {
  let host: HostProcess;
  beforeAll(async () => {
    host = await startHostProcess();
  });
  afterAll(() => host.stop());

  test('prints address, faces, keys', () => {
    expect(host.output()).toMatch(/ready at http:\/\/localhost:\d+/);
    expect(host.output()).toMatch(/HTTP API\s+on/);
    expect(host.output()).toMatch(/Slack\s+off\s+\S+/);
    expect(host.output()).toContain(host.demoKey);
  });

  test('loads the indexes that the build made, rather than make its own', () => {
    expect(readdirSync(host.dataDir).filter((name) => name.endsWith('.index'))).toEqual([]);
  });

  test('keeps its secrets to its user', () => {
    for (const name of ['secret.key', 'demo.key']) {
      expect(statSync(join(host.dataDir, name)).mode & 0o777).toBe(0o600);
    }
  });

  test('a second host on the port stops with one clear message', async () => {
    const { code, stderr } = await runProgram(['serve'], {
      PORT: new URL(host.url).port,
      DATA_DIR: host.dataDir,
    });
    expect(code).toBe(3);
    expect(stderr).toMatch(/^Port \d+ is in use\..*PORT.*\n$/);
  });

  test('a second host on the data folder stops with words, and the first goes on', async () => {
    const { code, stderr } = await runProgram(['serve'], { PORT: '0', DATA_DIR: host.dataDir });
    expect(code).toBe(3);
    expect(stderr).toMatch(/^Another host runs on the data folder .*DATA_DIR.*\n$/);
    expect((await fetch(`${host.url}/readyz`)).status).toBe(200);
  });

  test('a key works at once, and stops within a second when it is revoked', async () => {
    const env = { DATA_DIR: host.dataDir };
    const { id, key } = JSON.parse(
      (await runProgram(['keys', 'create', '--name', 'Ada', '--json'], env)).stdout,
    );
    const search = () =>
      fetch(`${host.url}/learningobject/v2/search-provider?keywords=python`, {
        headers: { 'x-api-key': key },
      });
    expect((await search()).status).toBe(200);
    expect((await runProgram(['keys', 'list'], env)).stdout).toContain(`${id}  active  Ada`);
    expect((await runProgram(['keys', 'list'], env)).stdout).not.toContain(key);
    expect((await runProgram(['keys', 'revoke', id], env)).code).toBe(0);
    await expect.poll(async () => (await search()).status, { interval: 100 }).toBe(403);
    expect((await runProgram(['keys', 'revoke', id], env)).code).toBe(2);
  });
});

test('SIGTERM lets a running request end, takes no new one, and exits with 0', async () => {
  const host = await startHostProcess();
  const body = JSON.stringify({ text: 'We look for a nurse.', lang: 'en' });
  const { socket, answer } = await sendHalf(host, body);
  const stopped = host.stop();
  await refusesConnections(host.url);
  socket.end(body.slice(10));
  expect(await answer).toMatch(/^HTTP\/1.1 200 /);
  expect(await stopped).toBe(0);
});

/** A tagger request of which the host has only the beginning; it waits for the rest. */
async function sendHalf({ url, demoKey }: HostProcess, body: string) {
  const socket = connect(Number(new URL(url).port), 'localhost');
  const answer = text(socket);
  const head = [
    'POST /domcomp/v1/tagger HTTP/1.1',
    'Host: localhost',
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    `x-api-key: ${demoKey}`,
    'Expect: 100-continue',
  ].join('\r\n');
  socket.write(`${head}\r\n\r\n`);
  // The host says so once it has the head and reads on.
  await once(socket, 'readable');
  socket.write(body.slice(0, 10));
  return { socket, answer: answer.then((all) => all.replace(/^HTTP\/1.1 100 Continue\r\n\r\n/, '')) };
}

async function refusesConnections(url: string): Promise<void> {
  for (;;) {
    const isUp = await fetch(`${url}/healthz`, { headers: { connection: 'close' } }).then(
      () => true,
      () => false,
    );
    if (!isUp) return;
  }
}

describe('a start that cannot be', () => {
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

  test('a data folder that cannot be is refused at once, by every command', async () => {
    for (const command of [['serve'], ['keys', 'create', '--name', 'Ada'], ['import', 'objects', 'a.csv']]) {
      const { code, stderr } = await runProgram(command, { PORT: '0', DATA_DIR: '/proc/x/var' });
      expect({ command, code }).toEqual({ command, code: 3 });
      expect(stderr).toMatch(
        /^The host cannot read and write \/proc\/x\/var: no folder can be made there\..*\n$/,
      );
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
    writeFileSync(
      join(dataDir, 'skilldock.db'),
      'this is no database, but long enough to look like one'.repeat(50),
    );
    const { code, stderr } = await runProgram(['serve'], { PORT: '0', DATA_DIR: dataDir });
    expect(code).toBe(3);
    expect(stderr).toMatch(/store .*skilldock\.db cannot be used/);
  });

  test('an address of another program is named', async () => {
    const other = createServer().listen(0);
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await runProgram(['serve'], { PORT: String(port), DATA_DIR: folder });
    other.close();
    expect(code).toBe(3);
    expect(stderr).toContain(`Port ${port} is in use`);
  });
});
