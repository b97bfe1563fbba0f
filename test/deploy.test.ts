import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '../src/config.ts';
import { hasNginx, startNginx } from './helpers/nginx.ts';
import { skipBecause } from './helpers/skips.ts';
import { makeTempDir } from './helpers/temp-dir.ts';

const read = (path: string) => readFileSync(path, 'utf8');
const chart = 'deploy/helm';
const templates = readdirSync(join(chart, 'templates')).map((name) => read(join(chart, 'templates', name)));

/** Settings that the program or its documentation has. */
const settings = new Set([...read('docs/configuration.md').matchAll(/^- `([A-Z_]+)`: /gm)].map(([, name]) => name));

function hasHelm(): boolean {
  const isThere = spawnSync('helm', ['version']).error === undefined;
  if (!isThere) skipBecause('there is no helm', 'Install it: go install helm.sh/helm/v3/cmd/helm@latest.');
  return isThere;
}

describe('the Helm chart', () => {
  const values = parse(read(join(chart, 'values.yaml'))) as Record<string, unknown>;

  test('is of this version', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect(parse(read(join(chart, 'Chart.yaml')))).toMatchObject({
      apiVersion: 'v2',
      version,
      appVersion: version,
    });
  });

  test('uses every value, and no other', () => {
    const used = templates.flatMap((text) => [...text.matchAll(/\.Values\.([\w.]+)/g)].map(([, path]) => path!));
    const valueAt = (path: string) =>
      path.split('.').reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], values);
    for (const path of used) expect(valueAt(path), path).toBeDefined();
    for (const name of Object.keys(values))
      expect(
        used.some((path) => path === name || path.startsWith(`${name}.`)),
        name,
      ).toBe(true);
  });

  test('closes what it opens', () => {
    for (const text of templates) {
      const opened = text.match(/\{\{-? *(?:if|range|with|define)\b/g) ?? [];
      expect(text.match(/\{\{-? *end *-?\}\}/g) ?? []).toHaveLength(opened.length);
    }
  });

  test('names settings that there are, and keeps nothing secret itself', () => {
    const deployment = templates.find((text) => text.includes('\nkind: Deployment'))!;
    const [, listed = ''] = /range \$name := list ([^}]+)\}\}/.exec(deployment) ?? [];
    const names = [...listed.matchAll(/"([A-Z_]+)"/g)].map(([, name]) => name!);
    expect(names).toContain('SECRET_KEY');
    for (const name of [...names, ...Object.keys(values.settings as object)])
      expect(settings.has(name), name).toBe(true);
    expect(JSON.stringify(values)).not.toMatch(/password|mongodb:/i);
  });

  test.runIf(hasHelm())('is what helm takes, and all of it YAML', () => {
    expect(spawnSync('helm', ['lint', '--strict', chart], { encoding: 'utf8' }).stdout).toContain('0 chart(s) failed');
    const rendered = (...set: string[]) => {
      const { stdout, stderr } = spawnSync('helm', ['template', 'skills', chart, ...set], {
        encoding: 'utf8',
      });
      expect(stderr).toBe('');
      return parseAllDocuments(stdout).map((each) => each.toJS() as Record<string, unknown>);
    };
    const kinds = (all: Record<string, unknown>[]) => all.map(({ kind }) => kind).sort();
    const usual = ['Deployment', 'HorizontalPodAutoscaler', 'PodDisruptionBudget', 'Service'];
    expect(kinds(rendered())).toEqual(usual);
    const other = rendered('--set', 'autoscaling.enabled=false,ingress.enabled=true,ingress.tlsSecret=cert');
    expect(kinds(other)).toEqual(['Deployment', 'Ingress', 'PodDisruptionBudget', 'Service']);
    expect(other.find(({ kind }) => kind === 'Deployment')).toMatchObject({ spec: { replicas: 2 } });
    expect(JSON.stringify(rendered())).not.toContain('PersistentVolumeClaim');
  });
});

describe('docker-compose.scale.yml', () => {
  interface Service {
    readonly environment: Readonly<Record<string, string>>;
    readonly volumes?: readonly string[];
    readonly depends_on?: readonly string[] | object;
  }
  /** What lies in the place of another list has a tag of Compose’s own. */
  const customTags = ['!reset', '!override'].map((tag) => ({ tag, collection: 'seq' as const }));
  const { services, volumes } = parse(read('docker-compose.scale.yml'), { customTags, merge: true }) as {
    readonly services: Readonly<Record<string, Service>>;
    readonly volumes: object;
  };
  const fill = (text: string) => text.replace(/\$\{(\w+):[-?][^}]*\}/g, (_whole, name) => `${name}-of-the-test-000`);

  test('starts hosts on all members of the set, without a volume', () => {
    const { environment } = services.skilldock!;
    const uri = environment.MONGODB_URI!;
    expect(readConfig({ MONGODB_URI: fill(uri), SECRET_KEY: 's'.repeat(64) })).toMatchObject({
      mongodbUri: expect.stringContaining('replicaSet=rs0'),
    });
    const members = /@([^/]+)\//.exec(uri)![1]!.split(',');
    expect(members).toEqual(['mongo:27017', 'mongo-2:27017', 'mongo-3:27017']);
    const initiated = [...read('docker-compose.scale.yml').matchAll(/host: '([^']+)'/g)].map(([, host]) => host);
    expect(initiated).toEqual(members);
    for (const member of members) expect(Object.keys(services)).toContain(member.split(':')[0]);
    for (const name of Object.keys(environment)) expect([...settings, 'CATALOG_URL']).toContain(name);
  });

  test('names services, volumes and files that there are', () => {
    const known = new Set([...Object.keys(services), 'mongo']);
    for (const { depends_on = [] } of Object.values(services))
      for (const name of Array.isArray(depends_on) ? depends_on : Object.keys(depends_on))
        expect(known.has(name), name).toBe(true);
    const mounted = Object.values(services).flatMap((service) => service.volumes ?? []);
    for (const each of mounted) {
      const [source = ''] = each.split(':');
      if (source.startsWith('./')) expect(read(source)).not.toBe('');
      else expect(Object.keys(volumes)).toContain(source);
    }
    expect(mounted.length).toBe(5);
  });
});

/** Stands for a host, and says which one answered. */
async function startPlainHost(name: string, status = 200): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status).end(`${name} ${request.method} ${request.url} ${request.headers['x-forwarded-for']}`);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return server;
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

test.runIf(hasNginx())('the balancer shares requests out, and asks another host where one cannot answer', async () => {
  const hosts = [await startPlainHost('one'), await startPlainHost('two'), await startPlainHost('starting', 503)];
  const gone = await startPlainHost('gone');
  const gonePort = portOf(gone);
  await new Promise((done) => gone.close(done));
  const free = await startPlainHost('free');
  const port = portOf(free);
  await new Promise((done) => free.close(done));
  const servers = [...hosts.map(portOf), gonePort].map((each) => `server 127.0.0.1:${each};`).join('\n');
  const server = read('deploy/balancer.conf')
    .replace(/^ *resolver .*$/m, '')
    .replace(/^ *server skilldock:3000 .*$/m, servers)
    .replace('listen 8080', `listen 127.0.0.1:${port}`);
  expect(server).not.toContain('skilldock:');
  const nginx = await startNginx({ folder: makeTempDir(), server, port });
  onTestFinished(() => nginx.stop());
  const get = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    return { status: response.status, text: await response.text() };
  };
  const answers = await Promise.all(Array.from({ length: 12 }, () => get('/browse')));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ text }) => text))).toEqual(
    new Set(['one GET /browse 127.0.0.1', 'two GET /browse 127.0.0.1']),
  );
  for (const path of ['/metrics', '/healthz', '/readyz']) expect((await get(path)).status).toBe(404);
  const post = (path: string, bytes: number) =>
    fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body: Buffer.alloc(bytes) });
  expect((await post('/tags', 3_000_000)).status).toBe(413);
  const statuses = await Promise.all(
    Array.from({ length: 6 }, async () => (await post('/admin/imports/new', 3_000_000)).status),
  );
  expect(statuses).toContain(200);
  expect(statuses).not.toContain(413);
});
