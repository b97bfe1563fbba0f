import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HostProcess, runProgram, startHostProcess } from './helpers/host-process.ts';

describe('skilldock', () => {
  test('--help names the commands and the exit codes', async () => {
    const { code, stdout } = await runProgram(['--help']);
    expect(code).toBe(0);
    for (const command of ['serve', 'admin', 'tenants', 'keys', 'feedback', 'secrets', 'backup', 'restore', 'store'])
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

  test('loads the index that the build made, rather than make its own', () => {
    const names = readdirSync(host.dataDir);
    expect(names).toContain('skilldock.db');
    expect(names).not.toContain('catalog');
  });

  test('keeps its secrets to its user', () => {
    for (const name of ['secret.key', 'demo.key']) {
      expect(statSync(join(host.dataDir, name)).mode & 0o777).toBe(0o600);
    }
  });

  test('a second host on the data folder stops with words, and the first goes on', async () => {
    const { code, stderr } = await runProgram(['serve'], { PORT: '0', DATA_DIR: host.dataDir });
    expect(code).toBe(3);
    expect(stderr).toMatch(/^Another host runs on the data folder .*DATA_DIR.*\n$/);
    expect((await fetch(`${host.url}/readyz`)).status).toBe(200);
  });

  test('a key works at once, and stops within a second when it is revoked', async () => {
    const env = { DATA_DIR: host.dataDir };
    const { id, key } = JSON.parse((await runProgram(['keys', 'create', '--name', 'Ada', '--json'], env)).stdout);
    const search = () =>
      fetch(`${host.url}/learningobject/v2/search-provider?keywords=python`, {
        headers: { 'x-api-key': key },
      });
    expect((await search()).status).toBe(200);
    expect((await runProgram(['keys', 'revoke', id], env)).code).toBe(0);
    await expect.poll(async () => (await search()).status, { interval: 100 }).toBe(403);
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
