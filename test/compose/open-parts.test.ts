import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openParts, type Parts } from '../../src/compose/open-parts.ts';
import { readConfig } from '../../src/config.ts';
import { systemClock } from '../../src/ports/clock.ts';

let folder: string;
let server: Server;
let origin: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'skilldock-test-'));
  server = createServer((_request, response) => response.end('here'));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  rmSync(folder, { recursive: true, force: true });
});

async function callsItself(settings: Readonly<Record<string, string>>): Promise<boolean> {
  const publicUrl = 'https://skills.example.org';
  const config = readConfig({
    DATA_DIR: folder,
    LOG_LEVEL: 'silent',
    PUBLIC_URL: publicUrl,
    ...settings,
  });
  const parts: Parts = await openParts({
    config,
    publicUrl,
    version: '0.0.0',
    clock: systemClock,
  });
  const called = parts.outbound.request(`${origin}/demo/keys`).then(
    () => true,
    () => false,
  );
  return called.finally(() => parts.close());
}

test('a public host with a demo calls itself on this machine, and nothing else there', async () => {
  const { port } = new URL(origin);
  expect(await callsItself({ DEMO: '1', PORT: port })).toBe(true);
  expect(await callsItself({ DEMO: '1', PORT: '1' })).toBe(false);
  expect(await callsItself({ DEMO: '1', PORT: '0' })).toBe(false);
  expect(await callsItself({ DEMO: '0', PORT: port })).toBe(false);
});
