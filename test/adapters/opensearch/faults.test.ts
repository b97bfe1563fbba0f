import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { startOpenSearch } from '../../helpers/opensearch-node.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';
import { objectPart, openImports } from '../local/imported.ts';
import { anObject, openService, searchFor, searchUrls, writeCatalog } from '../local/services.ts';
import { openStoreOn } from './store.ts';

// One that keeps its data, to be ended and started again.
const node = await startOpenSearch({ isOwn: true });
afterAll(() => node?.stop());

const OBJECTS = 1_200;

const parts = (title: string) =>
  Array.from({ length: OBJECTS }, (_, i) =>
    objectPart(anObject(`many/${i}`, { title: `${title} number ${i}` })),
  );

async function openCatalog() {
  const catalogDir = makeTempDir();
  writeCatalog(catalogDir);
  const imports = openImports(join(makeTempDir(), 'skilldock.db'));
  onTestFinished(() => imports.close());
  return { catalogDir, imports };
}

function openHost(catalogDir: string, imported: ReturnType<typeof openImports>['catalog'], prefix: string) {
  const elsewhere = openStoreOn({ address: node!.address, prefix });
  const host = openService(catalogDir, makeTempDir(), { elsewhere, imported, pollMs: 20 });
  onTestFinished(() => host.close());
  return { host, elsewhere };
}

const countOf = async (host: ReturnType<typeof openHost>['host'], keywords: string) =>
  (await host.learning.searchMany(searchFor(keywords)))!.totalItems;

test.runIf(node !== null)(
  'two hosts without a common folder bring the same version at once: nothing is there twice',
  async () => {
    const { catalogDir, imports } = await openCatalog();
    const prefix = `${node!.prefix}-two`;
    await imports.put('many', parts('Weaving'));
    const hosts = [1, 2].map(() => openHost(catalogDir, imports.catalog, prefix));
    await Promise.all(hosts.map(({ host }) => host.updates.catchUp()));
    for (const { host } of hosts) {
      expect(host.snapshotProblems).toEqual([]);
      expect(await countOf(host, 'weaving')).toBe(OBJECTS);
    }
    expect((await hosts[0]!.elsewhere.describe()).documents).toBe(OBJECTS + 1);
  },
);

test.runIf(node !== null)(
  'what somebody left half done is finished, and is not searched before',
  async () => {
    const { catalogDir, imports } = await openCatalog();
    const prefix = `${node!.prefix}-half`;
    const first = openHost(catalogDir, imports.catalog, prefix);
    await first.host.updates.catchUp();
    await imports.put('many', parts('Weaving'));
    const { fill } = first.elsewhere;
    const broken = openHost(catalogDir, imports.catalog, prefix);
    // Ends like a process that is killed: after documents were sent, before the version is marked as whole.
    const stopper = new AbortController();
    broken.elsewhere.fill = async (version, signal) => {
      setTimeout(() => stopper.abort(new Error('killed')), 30);
      await fill(version, AbortSignal.any([signal, stopper.signal]));
    };
    await broken.host.updates.catchUp();
    expect(broken.host.snapshotProblems.length).toBeGreaterThan(0);
    expect(await searchUrls(first.host.learning, searchFor('python'))).toEqual(['https://example.org/a']);
    await first.host.updates.catchUp();
    expect(await countOf(first.host, 'weaving')).toBe(OBJECTS);
  },
);

test.runIf(node !== null)(
  'without a node terms go on and objects say so; with it again all is there',
  { timeout: 90_000 },
  async () => {
    const { catalogDir, imports } = await openCatalog();
    const { host, elsewhere } = openHost(catalogDir, imports.catalog, `${node!.prefix}-away`);
    await host.updates.catchUp();
    const before = await searchUrls(host.learning, searchFor('python'));
    await node!.process!.halt('SIGKILL');
    await expect(host.learning.searchMany(searchFor('programming'))).rejects.toMatchObject({
      code: 'CATALOG_UNAVAILABLE',
      kind: 'unavailable',
      retryAfterSeconds: expect.any(Number),
      message: expect.stringContaining('cannot be reached'),
    });
    expect(elsewhere.problem).not.toBeNull();
    expect(await host.learning.similar({ keywords: 'python', lang: 'en' })).toHaveLength(1);
    expect((await host.learning.suggest({ keywords: 'pyth' })).suggestions.length).toBeGreaterThan(0);
    // The last answers are kept.
    expect(await searchUrls(host.learning, searchFor('python'))).toEqual(before);
    await node!.process!.resume();
    await expect
      .poll(() => countOf(host, 'programming').catch(() => -1), { timeout: 30_000, interval: 200 })
      .toBe(1);
    expect(elsewhere.problem).toBeNull();
  },
);

test.runIf(node !== null)('a version that lacks or has more than was brought is mended', async () => {
  const { checkKeptVersion } = await import('../../../src/adapters/local/elsewhere/check-version.ts');
  const { catalogDir, imports } = await openCatalog();
  const prefix = `${node!.prefix}-mend`;
  await imports.put('many', parts('Weaving').slice(0, 50));
  const { elsewhere } = openHost(catalogDir, imports.catalog, prefix);
  const check = (dataDir: string) =>
    checkKeptVersion({ catalogDir, dataDir, imported: imports.catalog, elsewhere });
  const dataDir = makeTempDir();
  expect(await check(dataDir)).toEqual({ problem: null, documents: 51 });
  const query = { query: { match_all: {} }, max_docs: 1 };
  const send = (path: string, body: object, method = 'POST') =>
    fetch(`${node!.address}/${prefix}/${path}`, {
      ...{ method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
    });
  expect((await send('_delete_by_query?refresh=true', query)).status).toBe(200);
  expect(await check(dataDir)).toEqual({
    problem: expect.stringContaining('50 documents, and not 51'),
    documents: 51,
  });
  expect((await send('_doc/other?refresh=true', { lang: 'en' })).status).toBe(201);
  expect(await check(dataDir)).toEqual({ problem: expect.stringContaining('52 documents'), documents: 51 });
  expect(await check(dataDir)).toEqual({ problem: null, documents: 51 });
});
