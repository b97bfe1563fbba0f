import { afterAll, expect, test } from 'vitest';
import { checkExternalIndex } from '../../../src/adapters/local/versions/prepare-index.ts';
import { startOpenSearch } from '../../helpers/opensearch-node.ts';
import { startOpenSearchProxy } from '../../helpers/opensearch-proxy.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';
import { searchFor, searchUrls } from '../local/services.ts';
import { countFound, manyObjects, openCatalog, openHost } from './hosts.ts';

// One that keeps its data, to be ended and started again.
const node = await startOpenSearch({ isOwn: true });
const proxy = node && (await startOpenSearchProxy(node.address));
afterAll(async () => {
  proxy?.close();
  await node?.stop();
});

const OBJECTS = 600;

test.runIf(node !== null)(
  'fills an index after its node was away in the middle; terms are answered meanwhile',
  async () => {
    const catalog = openCatalog();
    const place = { address: proxy!.address, prefix: `${node!.prefix}-away`, maxBulkBytes: 20_000 };
    const { host, external } = openHost(catalog, place);
    await host.updates.catchUp();
    const before = await searchUrls(host.learning, searchFor('python'));
    await catalog.imports.put('many', manyObjects(OBJECTS, 'Weaving'));
    let requests = 0;
    const ended = new Promise<void>((done) => {
      proxy!.rule = async ({ path }, pass) => {
        // While it has two of them at work.
        if (path.includes('/_bulk') && ++requests === 9) void node!.process!.halt('SIGKILL').then(done);
        return pass();
      };
    });
    const brought = host.updates.catchUp();
    await ended;
    proxy!.rule = null;
    await expect(host.learning.ask('searchMany', searchFor('programming'))).rejects.toMatchObject({
      code: 'CATALOG_UNAVAILABLE',
      kind: 'unavailable',
      retryAfterSeconds: expect.any(Number),
      message: expect.stringContaining('cannot be reached'),
    });
    expect(external.problem).not.toBeNull();
    expect(await host.learning.ask('similar', { keywords: 'python', lang: 'en' })).toHaveLength(1);
    expect((await host.learning.ask('suggest', { keywords: 'pyth' })).suggestions.length).toBeGreaterThan(0);
    // The last answers are kept.
    expect(await searchUrls(host.learning, searchFor('python'))).toEqual(before);
    await node!.process!.resume();
    await expect.poll(() => countFound(host, 'programming').catch(() => -1), { interval: 200 }).toBeGreaterThan(0);
    expect(external.problem).toBeNull();
    await brought;
    await expect
      .poll(
        async () => {
          await host.updates.catchUp();
          return countFound(host, 'weaving').catch(() => -1);
        },
        { interval: 200 },
      )
      .toBe(OBJECTS);
    // It went on where it was, and did not begin anew.
    expect(host.snapshotProblems).toEqual([]);
    expect((await external.describe()).documents).toBe(OBJECTS + 1);
  },
);

test.runIf(node !== null)('repairs an index with missing or additional documents', async () => {
  const catalog = openCatalog();
  const { catalogDir, imports } = catalog;
  const prefix = `${node!.prefix}-mend`;
  await imports.put('many', manyObjects(50, 'Weaving'));
  const { external } = openHost(catalog, { address: node!.address, prefix });
  const check = (dataDir: string) => checkExternalIndex({ catalogDir, dataDir, imported: imports.catalog, external });
  const dataDir = makeTempDir();
  expect(await check(dataDir)).toEqual({ problem: null, documents: 51 });
  const query = { query: { match_all: {} }, max_docs: 1 };
  const send = (path: string, body: object, method = 'POST') =>
    fetch(`${node!.address}/${prefix}/${path}`, {
      method,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
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
