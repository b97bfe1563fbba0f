import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFreePort } from '../helpers/find-free-port.ts';
import { type HostProcess, startHostProcess } from '../helpers/host-process.ts';
import { type Certificate, hasNginx, makeCertificate, type RunningNginx, startNginx } from '../helpers/nginx.ts';

const NAME = 'skills.example.org';
const MB = 1024 * 1024;

/** The example of the guide, with only its ports and files changed. */
function readExample({ port, hostPort, certificate }: Record<'port' | 'hostPort', number> & Given): string {
  const guide = readFileSync('docs/guides/operators.md', 'utf8');
  const [, block = ''] = /```nginx\n(server \{.*?\n\})\n```/s.exec(guide) ?? [];
  const changes = [
    ['listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`],
    [`/etc/ssl/${NAME}.pem`, certificate.path],
    [`/etc/ssl/${NAME}.key`, certificate.keyPath],
    ['http://127.0.0.1:3000;', `http://127.0.0.1:${hostPort};`],
  ] as const;
  for (const [theirs] of changes) expect(block, theirs).toContain(theirs);
  return changes.reduce((text, [theirs, ours]) => text.replaceAll(theirs, ours), block);
}

interface Given {
  readonly certificate: Certificate;
}

describe.skipIf(!hasNginx())('behind the nginx of the guide', () => {
  let host: HostProcess;
  let nginx: RunningNginx;
  let certificate: Certificate;
  let port: number;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'skilldock-test-'));
    certificate = makeCertificate(folder, NAME);
    const hostPort = await findFreePort();
    host = await startHostProcess({
      PORT: `${hostPort}`,
      HOST: '127.0.0.1',
      PUBLIC_URL: `https://${NAME}`,
      TRUST_PROXY: '1',
    });
    port = await findFreePort();
    nginx = await startNginx({ folder, port, server: readExample({ port, hostPort, certificate }) });
  });
  afterAll(async () => {
    await nginx?.stop();
    await host?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  interface Answer {
    readonly status: number | undefined;
    readonly headers: IncomingHttpHeaders;
    readonly text: string;
  }

  /** A request whose path is sent exactly as written. */
  function ask(path: string, given: { headers?: Record<string, string>; body?: Buffer } = {}) {
    return new Promise<Answer>((done, fail) => {
      const asked = request({
        host: '127.0.0.1',
        port,
        path,
        servername: NAME,
        ca: certificate.text,
        agent: false,
        method: given.body === undefined ? 'GET' : 'POST',
        headers: { host: NAME, ...given.headers },
      });
      asked.on('error', fail).on('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => done({ status: response.statusCode, headers: response.headers, text }));
      });
      asked.end(given.body);
    });
  }

  test('pages and operations are there, with the public address', async () => {
    for (const path of ['/', '/?q=python', '/docs', '/admin/sign-in', '/lti/keys'])
      expect((await ask(path)).status, path).toBe(200);
    expect((await ask('/openapi.json')).text).toContain(`"https://${NAME}"`);
    const suggest = '/domcomp/v1/suggest?keywords=python';
    expect((await ask(suggest, { headers: { 'x-api-key': host.demoKey } })).status).toBe(200);
    expect((await ask(suggest)).status).toBe(401);
  });

  test('what operators watch is not, however its address is written', async () => {
    const written = (name: string) => [
      ...[name, name.toUpperCase(), name[0]!.toUpperCase() + name.slice(1), `${name}/`, `${name}//`, `${name}?a`],
      ...[`%${name.charCodeAt(0).toString(16)}${name.slice(1)}`, `/${name}`, `./${name}`, `a/../${name}`],
      ...[`${name}/.`, `${name};a`, `${name}%20`, `${name}%2f`, `${name}%00`, `${name}%0a`, `${name}.`, `${name}#a`],
      ...[`%25${name.charCodeAt(0).toString(16)}${name.slice(1)}`, `${name}\\`, `\\${name}`],
    ];
    for (const path of ['metrics', 'healthz', 'readyz'].flatMap(written)) {
      const { status, text } = await ask(`/${path}`);
      expect([400, 404], path).toContain(status);
      expect(text, path).not.toMatch(/# HELP|"status":"/);
    }
    expect((await ask(`https://${NAME}/metrics`)).status).toBe(404);
  });

  test('who types an address is led to the one that the proxy knows', async () => {
    const { status, headers } = await ask('/Admin/Tenants/?q=a');
    expect([status, headers.location]).toEqual([308, '/admin/Tenants?q=a']);
  });

  test('large files come as far as the host where it takes them, and nowhere else', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = Buffer.alloc(3 * MB, 'a');
    // Nobody is signed in.
    const uploaded = await ask('/admin/imports/new', { headers, body });
    expect(uploaded).toMatchObject({ status: 413, text: expect.stringContaining('Skilldock') });
    expect(await ask('/admin/sign-in', { headers, body })).toMatchObject({
      status: 413,
      text: expect.stringContaining('nginx'),
    });
  });
});
