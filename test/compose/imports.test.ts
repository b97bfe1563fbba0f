import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createOutbound } from '../../src/adapters/remote/outbound.ts';
import { readImportOutbound } from '../../src/compose/imports.ts';
import { readConfig } from '../../src/config.ts';
import type { OutboundRequest } from '../../src/ports/outbound.ts';

test('nothing of this machine is read, whatever the host is called, unless the operator allows it', async () => {
  const server = createServer((_request, response) => response.end('here'));
  onTestFinished(() => void server.close());
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const reads = async (settings: Record<string, string>, request: OutboundRequest = {}): Promise<boolean> => {
    const outbound = createOutbound(readImportOutbound(readConfig({ PORT: `${port}`, ...settings }), '0.0.0'));
    const asked = outbound.request(`http://127.0.0.1:${port}/feed`, request).then(
      () => true,
      () => false,
    );
    return asked.finally(() => outbound.close());
  };
  const byOwner = { ownersOrigin: `http://127.0.0.1:${port}` };
  for (const host of [{}, { PUBLIC_URL: 'http://localhost:3000' }, { PUBLIC_URL: 'https://skills.example.org' }]) {
    expect(await reads(host)).toBe(false);
    expect(await reads(host, byOwner)).toBe(false);
    expect(await reads({ ...host, DEMO: '1' })).toBe(false);
    expect(await reads({ ...host, ALLOW_PRIVATE_UPSTREAM: '1' })).toBe(false);
    expect(await reads({ ...host, ALLOW_PRIVATE_UPSTREAM: '1' }, byOwner)).toBe(true);
    const ALLOW_PRIVATE = `127.0.0.1:${port}`;
    expect(await reads({ ...host, ALLOW_PRIVATE })).toBe(true);
    expect(await reads({ ...host, ALLOW_PRIVATE, DEMO: '1' }, { isPublicOnly: true })).toBe(false);
    expect(await reads({ ...host, ALLOW_PRIVATE: '127.0.0.1:1' })).toBe(false);
  }
});
