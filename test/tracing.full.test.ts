import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../src/ports/clock.ts';
import { startFakeUpstream, UPSTREAM_KEY } from './fakes/upstream.ts';
import { startApp } from './helpers/app.ts';
import { runProgram } from './helpers/host-process.ts';
import { makeTempDir } from './helpers/temp-dir.ts';

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number };
}

interface ToldSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code?: number };
}

interface Told {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly ToldSpan[] }[];
  }[];
}

/** A collector on a socket, which the environment names. */
async function startCollector(path = '/v1/traces') {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (request.url === path && request.headers['content-type'] === 'application/json') bodies.push(body);
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', url);
  vi.stubEnv('OTEL_SERVICE_NAME', 'skills-of-lyon');
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '50');
  onTestFinished(() => void vi.unstubAllEnvs());
  return {
    bodies,
    settings: { OTEL_EXPORTER_OTLP_ENDPOINT: url },
    resources: () => bodies.flatMap((body) => (JSON.parse(body) as Told).resourceSpans.map((each) => each.resource)),
    spans: () =>
      bodies
        .flatMap((body) => (JSON.parse(body) as Told).resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  };
}

const attributesOf = ({ attributes }: Pick<ToldSpan, 'attributes'>) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));

/** The first app of a run builds the index of the starter catalogue. */

const TRACE = '0af7651916cd43dd8448eb211c80319c';

test('a search is told from the face to store and engine, as part of its caller’s trace, without its words', async () => {
  const collector = await startCollector();
  const app = await startApp(systemClock, collector.settings);
  const key = await app.createKey();
  const headers = { 'x-api-key': key, traceparent: `00-${TRACE}-b7ad6b7169203331-01` };
  const search = `${app.url}/learningobject/v2/search-provider?keywords=xylophone+of+zoe@example.org`;
  const found = await fetch(`${search}&provider=youtube&lang=en`, { headers });
  expect(found.status).toBe(200);
  const unknown = await fetch(`${search}&provider=quetzalcoatl`, { headers });
  expect(unknown.status).toBeGreaterThanOrEqual(400);
  expect((await fetch(`${app.url}/?q=xylophone`)).status).toBe(200);
  expect((await fetch(`${app.url}/xylophone`)).status).toBe(404);
  const names = () => collector.spans().map(({ name }) => name);
  await expect.poll(names).toEqual(expect.arrayContaining(['GET /', 'GET']));
  await app.close();
  const spans = collector.spans();
  const [root] = spans.filter(({ name }) => name === 'GET /learningobject/v2/search-provider');
  expect(root).toMatchObject({ traceId: TRACE, parentSpanId: 'b7ad6b7169203331' });
  expect(attributesOf(root!)).toEqual({
    'http.request.method': 'GET',
    'http.route': '/learningobject/v2/search-provider',
    'http.response.status_code': 200,
  });
  const children = spans.filter(({ parentSpanId }) => parentSpanId === root!.spanId).map(({ name }) => name);
  expect(children).toContain('engine.searchProvider');
  expect(children).toContainEqual(expect.stringMatching(/^store\.apiKeys\./));
  const failed = spans.filter(({ status }) => status.code === 2);
  expect(failed.map(attributesOf)).toContainEqual({ 'error.type': 'PROVIDER_UNKNOWN' });
  // What the host does by itself is not told.
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const alone = spans.filter(({ parentSpanId }) => parentSpanId === undefined || !ids.has(parentSpanId));
  expect(alone.every(({ name }) => /^(?:GET|POST)/.test(name))).toBe(true);
  for (const secret of ['xylophone', 'zoe', 'quetzalcoatl', key, '127.0.0.1'])
    expect(collector.bodies.join('\n')).not.toContain(secret);
  expect(attributesOf(collector.resources()[0]!)).toMatchObject({
    'service.name': 'skills-of-lyon',
    'service.version': '0.0.0',
  });
});

test('an upstream is told, and neither its key nor what is asked', async () => {
  const collector = await startCollector();
  const upstream = await startFakeUpstream();
  onTestFinished(() => upstream.close());
  const app = await startApp(systemClock, {
    ...collector.settings,
    UPSTREAM_URL: upstream.url,
    UPSTREAM_API_KEY: UPSTREAM_KEY,
    ALLOW_PRIVATE_UPSTREAM: '1',
  });
  const address = `${app.url}/learningobject/v2/search-provider?keywords=xylophone&provider=tube`;
  expect((await fetch(address, { headers: { 'x-api-key': await app.createKey() } })).status).toBe(200);
  const rootsOf = () => collector.spans().filter(({ name }) => name === 'GET /learningobject/v2/search-provider');
  await expect.poll(rootsOf).toHaveLength(1);
  await app.close();
  const [spans, [root]] = [collector.spans(), rootsOf()];
  const asked = spans.filter(({ name }) => name === 'upstream.searchProvider');
  expect(asked).toMatchObject([{ traceId: root!.traceId }]);
  for (const secret of ['xylophone', UPSTREAM_KEY]) expect(collector.bodies.join('\n')).not.toContain(secret);
});

test('a host answers, and ends, although its collector takes nothing', async () => {
  const port = '1';
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', `http://127.0.0.1:${port}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const app = await startApp(systemClock, { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` });
  expect((await fetch(`${app.url}/healthz`)).status).toBe(200);
  await app.close();
});

test.each([
  ['without an address', {}, false],
  ['where it is turned off', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_SDK_DISABLED: 'true' }, false],
  ['with an address', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }, true],
])('%s its libraries are loaded: %o, %s', async (_when, env, isLoaded) => {
  const hook = join(makeTempDir(), 'hook.cjs');
  writeFileSync(
    hook,
    `process.on('exit', () => console.error('LOADED', Object.keys(require.cache).some((path) => path.includes('sdk-trace'))));`,
  );
  // It ends by itself once everything is loaded: there can be no such folder.
  const { stderr } = await runProgram(['serve'], {
    NODE_OPTIONS: `--require ${hook}`,
    DATA_DIR: '/dev/null/none',
    PORT: '0',
    ...env,
  });
  expect(stderr).toContain(`LOADED ${isLoaded}`);
});

test('where its libraries are not installed, the start ends and says how to install them', async () => {
  const [hooks, hook] = ['hooks.mjs', 'hook.mjs'].map((name) => join(makeTempDir(), name)) as [string, string];
  writeFileSync(
    hooks,
    `export async function resolve(name, context, next) {
      if (name.startsWith('@opentelemetry/')) throw Object.assign(new Error(name), { code: 'ERR_MODULE_NOT_FOUND' });
      return next(name, context);
    }`,
  );
  writeFileSync(hook, `import { register } from 'node:module'; register(${JSON.stringify(pathToFileURL(hooks))});`);
  const { code, stderr } = await runProgram(['serve'], {
    NODE_OPTIONS: `--import ${pathToFileURL(hook)}`,
    DATA_DIR: makeTempDir(),
    PORT: '0',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
  });
  expect(code).not.toBe(0);
  expect(stderr).toContain('OpenTelemetry is not installed. Run "npm ci" without "--omit=dev"');
});
