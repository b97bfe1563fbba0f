import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { inspect } from 'node:util';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { openOpenSearch } from '../../../src/adapters/opensearch/client.ts';
import { openCatalogStore } from '../../../src/compose/imports.ts';
import { readConfig } from '../../../src/config.ts';
import { runProgram } from '../../helpers/host-process.ts';
import { makeCertificate } from '../../helpers/nginx.ts';
import { startOpenSearch } from '../../helpers/opensearch-node.ts';
import { type Rule, startOpenSearchProxy } from '../../helpers/opensearch-proxy.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';
import { searchFor } from '../local/services.ts';
import { manyObjects, openCatalog, openHost } from './hosts.ts';

const PASSWORD = 'pass:word/with @signs';
const KEY = 'a-key-of-the-catalogue';
const basic = (password: string) => `Basic ${Buffer.from(`skilldock:${password}`).toString('base64')}`;

/** All ways in which it is written. */
const spell = (password: string) => [password, encodeURIComponent(password), basic(password).slice(6)];

const node = await startOpenSearch();
const folder = mkdtempSync(join(tmpdir(), 'skilldock-test-'));
const certificate = node && makeCertificate(folder, 'localhost');
const proxy =
  certificate &&
  (await startOpenSearchProxy(node!.address, {
    tls: { cert: certificate.text, key: readFileSync(certificate.keyPath, 'utf8') },
  }));
afterAll(() => {
  proxy?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Of the cluster, and of one's own indexes. */
const isPermitted = (path: string) =>
  /^\/($|_aliases|_search|_cluster\/health)/.test(path) || path.startsWith(`/${node!.prefix}`);

/** As the security plugin answers: to nobody without words of JSON, to one without rights with its
 *  name. */
const security: Rule = async ({ authorization, path }, pass) => {
  const isKnown = authorization === basic(PASSWORD) || authorization === `ApiKey ${KEY}`;
  if (isKnown && isPermitted(path)) return pass();
  if (!isKnown && authorization !== basic('without rights'))
    return { status: 401, body: 'Unauthorized', type: 'text/plain; charset=UTF-8' };
  const type = 'security_exception';
  const reason = 'no permissions for [cluster:monitor/main] and User [name=skilldock, backend_roles=[]]';
  const error = { root_cause: [{ type, reason }], type, reason };
  return { status: 403, body: JSON.stringify({ error, status: 403 }) };
};

/** By the name that its certificate has. */
const byName = () => proxy!.address.replace('127.0.0.1', 'localhost');

interface Settings {
  readonly address?: string;
  readonly password?: string;
  readonly caFile?: string | null;
}

/** All as it should be, but for what is given. */
function settingsOf({ address = byName(), password = PASSWORD, caFile = certificate!.path }: Settings = {}) {
  proxy!.rule = security;
  const url = address.replace('//', `//skilldock:${encodeURIComponent(password)}@`);
  return { CATALOG_URL: `${url}/${node!.prefix}`, ...(caFile !== null && { CATALOG_CA: caFile }) };
}

async function describe(env: Readonly<Record<string, string>>) {
  const store = (await openCatalogStore(readConfig(env)))!;
  onTestFinished(() => store.close());
  return store.describe();
}

test.runIf(node !== null)('connects with a certificate of its own, and with a user or a key', async () => {
  const state = { health: expect.stringMatching(/^(green|yellow)$/), documents: 0 };
  expect(await describe(settingsOf())).toMatchObject(state);
  const CATALOG_URL = `${byName()}/${node!.prefix}`;
  const byKey = { CATALOG_URL, CATALOG_CA: certificate!.path, CATALOG_API_KEY: KEY };
  expect(await describe(byKey)).toMatchObject(state);
});

test.runIf(node !== null)('needs rights for its own indexes only', async () => {
  settingsOf();
  const catalog = openCatalog();
  const user = { name: 'skilldock', password: PASSWORD };
  const own = {
    address: byName(),
    prefix: `${node!.prefix}-own`,
    caFile: certificate!.path,
    user,
    maxWindow: 2,
  };
  const { host, external } = openHost(catalog, own);
  await host.updates.catchUp();
  await catalog.imports.put('few', manyObjects(5, 'Weaving'));
  await host.updates.catchUp();
  expect(host.snapshotProblems).toEqual([]);
  expect((await external.describe()).documents).toBe(6);
  const { content } = (await host.learning.ask('searchMany', searchFor('weaving', { max: 2, page: 1 })))!;
  expect(content).toHaveLength(2);
});

test.runIf(node !== null).each<[string, () => Settings, string, RegExp]>([
  ['no CATALOG_CA', () => ({ caFile: null }), 'untrusted', /CATALOG_CA/],
  ['another name', () => ({ address: proxy!.address }), 'untrusted', /in CATALOG_URL as it does/],
  ['a wrong password', () => ({ password: 'no such word' }), 'refused', /refused the user/],
  ['no rights', () => ({ password: 'without rights' }), 'refused', /the rights that the guide names/],
  ['nothing there', () => ({ address: 'https://localhost:9' }), 'unreachable', /cannot be reached/],
])('%s is told with what to do, and nothing that is secret', async (_, settings, reason, words) => {
  const given = settings();
  const error = await describe(settingsOf(given)).catch((problem: unknown) => problem);
  expect(error).toMatchObject({
    code: 'CATALOG_UNAVAILABLE',
    data: { reason },
    message: expect.stringMatching(words),
  });
  const shown = inspect(error, { depth: 10, showHidden: true });
  for (const secret of spell(given.password ?? PASSWORD)) expect(shown).not.toContain(secret);
});

test.runIf(node !== null)('names the path if the file of CATALOG_CA is missing', async () => {
  await expect(describe(settingsOf({ caFile: join(folder, 'missing.pem') }))).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    problems: [{ path: 'CATALOG_CA', problem: expect.stringContaining('missing.pem') }],
  });
});

test.runIf(node !== null)('the doctor explains failures, and keeps secrets out of its output and log', async () => {
  const password = 'not the password';
  const env = { ...settingsOf({ password }), DATA_DIR: makeTempDir(), LOG_LEVEL: 'trace' };
  const { stdout, stderr } = await runProgram(['doctor'], env);
  expect(stdout).toContain('refused the user or key');
  for (const secret of spell(password)) expect(`${stdout}${stderr}`).not.toContain(secret);
});

test.runIf(node !== null)('asks another node if one is dead or hangs', async () => {
  const hanging = await startOpenSearchProxy(node!.address);
  onTestFinished(() => hanging.close());
  hanging.rule = async () => 'no answer';
  const nodes = ['http://127.0.0.1:9', hanging.address, node!.address];
  const client = openOpenSearch({ nodes, timeoutMs: 1_000 });
  onTestFinished(() => client.close());
  const ask = () => client.ask({ method: 'GET', path: '/' }).catch((error: unknown) => error);
  const first = [await ask(), await ask(), await ask()];
  // At most one of them had to wait for the one that hangs, and has no time left.
  expect(first.filter((answer) => answer instanceof Error).length).toBeLessThan(2);
  for (let i = 0; i < 6; i++) expect(await ask()).toMatchObject({ version: { distribution: 'opensearch' } });
});

test.runIf(node !== null)('aborts an answer that stops in the middle', async () => {
  const stopping = await startOpenSearchProxy(node!.address);
  onTestFinished(() => stopping.close());
  stopping.rule = async () => 'half an answer';
  const client = openOpenSearch({ nodes: [stopping.address], timeoutMs: 200 });
  onTestFinished(() => client.close());
  await expect(client.ask({ method: 'GET', path: '/' })).rejects.toMatchObject({ data: { reason: 'late' } });
});

test.runIf(node !== null)('rejects an aborted request with the reason of its signal', async () => {
  const hanging = await startOpenSearchProxy(node!.address);
  onTestFinished(() => hanging.close());
  const stop = new AbortController();
  hanging.rule = async () => {
    stop.abort(new Error('enough'));
    return 'no answer';
  };
  const client = openOpenSearch({ nodes: [hanging.address] });
  const uncaught: unknown[] = [];
  const note = (error: unknown) => void uncaught.push(error);
  process.on('uncaughtException', note);
  onTestFinished(() => void process.off('uncaughtException', note));
  const asked = client.ask({ method: 'GET', path: '/', signal: stop.signal });
  await expect(asked).rejects.toThrow('enough');
  // Its connections end with it, and whatever they would say.
  await client.close();
  await nextTurn();
  expect(uncaught).toEqual([]);
});
