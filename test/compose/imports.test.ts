import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createOutbound } from '../../src/adapters/remote/outbound.ts';
import { readImportOutbound } from '../../src/compose/imports.ts';
import { readConfig } from '../../src/config.ts';

test('a public host reads nothing of this machine, and of itself only where it has a demo', async () => {
  const server = createServer((_request, response) => response.end('here'));
  onTestFinished(() => void server.close());
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const reads = async (settings: Record<string, string>): Promise<boolean> => {
    const outbound = createOutbound(
      readImportOutbound(readConfig({ PORT: `${port}`, ...settings }), '0.0.0'),
    );
    const asked = outbound.request(`http://127.0.0.1:${port}/feed`).then(
      () => true,
      () => false,
    );
    return asked.finally(() => outbound.close());
  };
  const PUBLIC_URL = 'https://skills.example.org';
  expect(await reads({ PUBLIC_URL })).toBe(false);
  expect(await reads({ PUBLIC_URL, DEMO: '1' })).toBe(true);
  expect(await reads({ PUBLIC_URL, DEMO: '1', PORT: '1' })).toBe(false);
  expect(await reads({})).toBe(true);
  expect(await reads({ PUBLIC_URL, ALLOW_PRIVATE_UPSTREAM: '1' })).toBe(false);
  expect(await reads({ PUBLIC_URL, ALLOW_PRIVATE: `127.0.0.1:${port}` })).toBe(true);
  expect(await reads({ PUBLIC_URL, ALLOW_PRIVATE: '127.0.0.1:1' })).toBe(false);
});
