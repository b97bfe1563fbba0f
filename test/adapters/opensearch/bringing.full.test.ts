import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { startOpenSearch } from '../../helpers/opensearch-node.ts';
import { type Rule, startOpenSearchProxy } from '../../helpers/opensearch-proxy.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';
import { conceptPart, objectPart } from '../local/imported.ts';
import { aConcept, anObject, searchFor, searchUrls, writeCatalog } from '../local/services.ts';
import { countFound, manyObjects, openCatalog, openHost, repeatMeanwhile, shareFiles } from './hosts.ts';

const node = await startOpenSearch();
const proxy = node && (await startOpenSearchProxy(node.address));
afterAll(() => proxy?.close());

const run = promisify(execFile);
const bringer = resolve('test/helpers/bring-version.js');
const OBJECTS = 300;
/** So that these are sent in some ten requests. */
const maxBulkBytes = 40_000;

const placeOf = (prefix: string) => ({
  address: proxy!.address,
  prefix: `${node!.prefix}-${prefix}`,
  maxBulkBytes,
});

function follow(rule: Rule): void {
  proxy!.rule = rule;
  onTestFinished(() => {
    proxy!.rule = null;
  });
}

async function ask<T>(path: string, method = 'GET', body?: object): Promise<T> {
  const response = await fetch(`${node!.address}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return (await response.json()) as T;
}

const isBulk = (path: string) => path.includes('/_bulk');

/** Where a process that brings a version is ended: at the request, with it or without it done. */
const steps = [
  { at: 'its index is made', method: 'PUT', path: /^\/[^/]+$/, isDone: true },
  { at: 'some documents are there', method: 'POST', path: /\/_bulk/, isDone: true },
  { at: 'all documents are there', method: 'POST', path: /\/_aliases/, isDone: false },
  { at: 'it is current', method: 'POST', path: /\/_aliases/, isDone: true },
  { at: 'it is marked as whole', method: 'PUT', path: /\/_mapping/, isDone: true },
] as const;

test.runIf(node !== null)('the next host finishes filling after one was killed', async () => {
  const place = placeOf('killed');
  const { catalogDir, dataDir, imports } = openCatalog();
  const old = openHost({ catalogDir, imports }, { ...place, address: node!.address });
  await old.host.updates.catchUp();
  await imports.put('many', manyObjects(OBJECTS, 'Weaving'));
  // Other words each time, or the host's own memory would answer.
  let searches = 0;
  const stop = repeatMeanwhile(() => old.host.learning.ask('searchMany', searchFor(`python ${searches++}`)));
  const bring = (signal?: AbortSignal) =>
    run(process.execPath, [bringer, catalogDir, dataDir, JSON.stringify(place)], {
      killSignal: 'SIGKILL',
      signal,
    });
  for (const step of steps) {
    const killer = new AbortController();
    follow(async ({ method, path }, pass) => {
      if (method !== step.method || !step.path.test(path)) return pass();
      if (step.isDone) await pass();
      killer.abort();
      return 'no answer';
    });
    await expect(bring(killer.signal), step.at).rejects.toMatchObject({ name: 'AbortError' });
    // It is as far as that, and nobody has been told that it is there.
    const current = Object.values(await ask<object>(`/${place.prefix}/_mapping`));
    expect(current, step.at).toHaveLength(1);
  }
  proxy!.rule = null;
  const documents = OBJECTS + 1;
  expect(JSON.parse((await bring()).stdout)).toEqual({ problem: null, documents });
  expect((await ask<{ count: number }>(`/${place.prefix}/_count`)).count).toBe(documents);
  expect(Object.keys(await ask<object>(`/_alias/${place.prefix}`))).toHaveLength(1);
  const { calls, problems } = await stop();
  expect(problems).toEqual([]);
  expect(calls).toBeGreaterThan(50);
});

test.runIf(node !== null)('sends again exactly the documents that a busy node refused', async () => {
  const catalog = openCatalog();
  const { host, external } = openHost(catalog, placeOf('busy'));
  // Not a line feed, but some take it for the end of a line.
  const odd = objectPart(anObject('odd', { title: 'Weaving\u2028and\u2029spinning' }));
  await catalog.imports.put('many', [...manyObjects(OBJECTS, 'Weaving'), odd]);
  const taken: string[] = [];
  let requests = 0;
  follow(async ({ path, body }, pass) => {
    if (!isBulk(path)) return pass();
    const number = requests++;
    if (number % 3 === 0) {
      const error = { type: 'opensearch_rejected_execution_exception', reason: 'rejected execution' };
      return { status: 429, body: JSON.stringify({ error, status: 429 }) };
    }
    const lines = body.trimEnd().split('\n');
    const pairs = Array.from({ length: lines.length / 2 }, (_, i) => lines.slice(2 * i, 2 * i + 2));
    const isRefused = (i: number) => number % 3 === 1 && i % 4 === 0;
    const passed = pairs.filter((_, i) => !isRefused(i));
    taken.push(...passed.map(([action = '']) => action));
    const answer = JSON.parse((await pass(`${passed.flat().join('\n')}\n`)).body) as {
      errors: boolean;
      items: object[];
    };
    expect(answer.errors).toBe(false);
    const error = { type: 'opensearch_rejected_execution_exception', reason: 'rejected execution' };
    const items = pairs.map((_, i) => (isRefused(i) ? { index: { status: 429, error } } : answer.items.shift()));
    return { status: 200, body: JSON.stringify({ errors: passed.length < pairs.length, items }) };
  });
  await host.updates.catchUp();
  expect(host.snapshotProblems).toEqual([]);
  expect(new Set(taken).size).toBe(OBJECTS + 2);
  expect(taken).toHaveLength(OBJECTS + 2);
  expect((await external.describe()).documents).toBe(OBJECTS + 2);
  expect(await countFound(host, 'weaving')).toBe(OBJECTS + 1);
  expect(await searchUrls(host.learning, searchFor('spinning'))).toEqual(['https://example.org/odd']);
});

test.runIf(node !== null)('does not search a version before it is complete', async () => {
  const { host } = openHost(openCatalog(), placeOf('unfilled'));
  let [isHeld, goOn] = [() => {}, () => {}];
  const held = new Promise<void>((done) => {
    isHeld = done;
  });
  const free = new Promise<void>((done) => {
    goOn = done;
  });
  follow(async ({ path }, pass) => {
    const answer = await pass();
    // All documents can be found, and nobody knows yet whether they are all.
    if (path.includes('/_refresh')) {
      isHeld();
      await free;
    }
    return answer;
  });
  const brought = host.updates.catchUp();
  await held;
  await expect(countFound(host, 'python')).rejects.toMatchObject({
    code: 'CATALOG_UNAVAILABLE',
    data: { reason: 'unfilled' },
  });
  goOn();
  await brought;
  expect(await countFound(host, 'python')).toBe(1);
});

test.runIf(node !== null)('merges a filled index into one segment', async () => {
  const catalog = openCatalog();
  const place = placeOf('merged');
  const { host } = openHost(catalog, place);
  await catalog.imports.put('many', manyObjects(OBJECTS, 'Weaving'));
  follow(async ({ path, body }, pass) => {
    const answer = await pass(body.replace('"refresh_interval":"60s"', '"refresh_interval":"1s"'));
    // What comes after it is another segment.
    if (isBulk(path)) await ask(`/${place.prefix}-*/_refresh`, 'POST');
    return answer;
  });
  await host.updates.catchUp();
  const listSearched = async () => {
    const segments = await ask<{ searchable: string; 'docs.count': string }[]>(
      `/_cat/segments/${place.prefix}?format=json&h=searchable,docs.count`,
    );
    return segments.filter(({ searchable }) => searchable === 'true').map((each) => each['docs.count']);
  };
  await expect.poll(listSearched).toEqual([`${OBJECTS + 1}`]);
});

test.runIf(node !== null)('stops filling, and explains why, if a node refuses a document', async () => {
  const catalog = openCatalog();
  const { host } = openHost(catalog, placeOf('refused'));
  let requests = 0;
  follow(({ path, body }, pass) => {
    if (!isBulk(path)) return pass();
    requests++;
    return pass(body.replace(/"level":[\d.]+|"lift":[\d.]+/, '"lift":"much"'));
  });
  await host.updates.catchUp();
  expect(host.snapshotProblems).toMatchObject([
    {
      code: 'CATALOG_UNAVAILABLE',
      message: 'The catalogue refused a document (mapper_parsing_exception). The log says why.',
      cause: { message: expect.stringContaining('lift') },
    },
  ]);
  expect(requests).toBe(1);
});

test.runIf(node !== null)('two hosts that fill the same index leave no duplicates', async () => {
  const catalog = openCatalog();
  const place = placeOf('two');
  await catalog.imports.put('many', manyObjects(OBJECTS, 'Weaving'));
  const hosts = [1, 2].map(() => openHost(catalog, place));
  // Neither begins to send before the other does.
  const waiting: (() => void)[] = [];
  follow(async ({ path }, pass) => {
    if (isBulk(path) && waiting.length < 4)
      await new Promise<void>((done) => {
        waiting.push(done);
        if (waiting.length === 4) for (const each of waiting) each();
      });
    return pass();
  });
  await Promise.all(hosts.map(({ host }) => host.updates.catchUp()));
  expect(waiting).toHaveLength(4);
  for (const { host } of hosts) {
    expect(host.snapshotProblems).toEqual([]);
    expect(await countFound(host, 'weaving')).toBe(OBJECTS);
  }
  expect((await hosts[0]!.external.describe()).documents).toBe(OBJECTS + 1);
});

test.runIf(node !== null)('documents do not create an index that was removed meanwhile', async () => {
  const catalog = openCatalog();
  const place = placeOf('removed');
  const { host } = openHost(catalog, place);
  await catalog.imports.put('many', manyObjects(OBJECTS, 'Weaving'));
  let requests = 0;
  follow(async ({ path }, pass) => {
    if (isBulk(path) && ++requests === 4) {
      const names = Object.keys(await ask<object>(`/${place.prefix}-*/_mapping`));
      await ask(`/${names.join(',')}`, 'DELETE');
    }
    return pass();
  });
  await host.updates.catchUp();
  expect(host.snapshotProblems).toMatchObject([{ message: expect.stringContaining('index_not_found') }]);
  expect(await ask<object>(`/${place.prefix}-*/_mapping`)).toEqual({});
  await host.updates.catchUp();
  expect(await countFound(host, 'weaving')).toBe(OBJECTS);
});

test.runIf(node !== null)(
  'a new host that starts while OpenSearch is away answers for terms of imports, and explains why there are no objects',
  async () => {
    const catalog = openCatalog();
    const place = placeOf('empty');
    const concept = conceptPart(aConcept('own:weaving', 'Weaving'));
    await catalog.imports.put('few', [...manyObjects(3, 'Weaving'), concept]);
    const shared = shareFiles(catalog.imports);
    await openHost(catalog, place, shared).host.updates.catchUp();
    const { host } = openHost(catalog, { ...place, address: 'http://127.0.0.1:9' }, shared);
    await host.updates.catchUp();
    expect(host.updates.hasCaughtUp).toBe(true);
    expect(await host.learning.ask('similar', { keywords: 'weaving', lang: 'en' })).toHaveLength(1);
    await expect(host.learning.ask('searchMany', searchFor('weaving'))).rejects.toMatchObject({
      code: 'CATALOG_UNAVAILABLE',
    });
    expect(host.snapshotProblems).toMatchObject([{ code: 'CATALOG_UNAVAILABLE' }]);
  },
);

test.runIf(node !== null)(
  'keeps the current version after an undo, and versions of deployments with a longer prefix',
  async () => {
    const place = placeOf('kept');
    const other = openHost(openCatalog(), { ...place, prefix: `${place.prefix}-other` });
    const another = openHost(openCatalog(), { ...place, prefix: `${place.prefix}-0` });
    await other.host.updates.catchUp();
    await another.host.updates.catchUp();
    const catalog = openCatalog();
    const [slow, quick] = [openHost(catalog, place), openHost(catalog, place)];
    const catchUp = async () => {
      for (const { host } of [slow, quick]) await host.updates.catchUp();
    };
    await catalog.imports.put('few', manyObjects(3, 'Weaving'));
    await catchUp();
    const id = await catalog.imports.put('more', [objectPart(anObject('more', { title: 'Spinning' }))]);
    await catchUp();
    await catalog.imports.undo(id);
    await catchUp();
    expect((await quick.external.describe()).documents).toBe(4);
    await catalog.imports.put('most', manyObjects(5, 'Baking'));
    await quick.host.updates.catchUp();
    expect(await countFound(quick.host, 'baking')).toBe(5);
    // Still at what was taken back to.
    expect(await countFound(slow.host, 'weaving number')).toBe(3);
    expect(await countFound(other.host, 'python')).toBe(1);
    expect(await countFound(another.host, 'python')).toBe(1);
  },
);

test.runIf(node !== null)('replaces an index of its name that it has not made', async () => {
  const catalog = openCatalog();
  const place = placeOf('strange');
  await catalog.imports.put('few', manyObjects(3, 'Weaving'));
  await openHost(catalog, place).host.updates.catchUp();
  const [index] = Object.keys((await (await fetch(`${node!.address}/_alias/${place.prefix}`)).json()) as object);
  for (const method of ['DELETE', 'PUT']) await fetch(`${node!.address}/${index}`, { method });
  const { host } = openHost(catalog, place);
  await host.updates.catchUp();
  expect(await countFound(host, 'weaving')).toBe(3);
});

test.runIf(node !== null)('two releases side by side have an index each, and both answer', async () => {
  const place = placeOf('releases');
  const catalog = openCatalog();
  // Another release has another fingerprint: of its code, or as here of its starter catalogue.
  const catalogDir = makeTempDir();
  writeCatalog(catalogDir, { objects: [anObject('new', { title: 'New here' })] });
  const [old, next] = [openHost(catalog, place), openHost({ ...catalog, catalogDir }, place)];
  await catalog.imports.put('many', manyObjects(3, 'Weaving'));
  await old.host.updates.catchUp();
  for (const title of ['Weaving', 'Spinning', 'Baking']) {
    await catalog.imports.put('many', manyObjects(3, title));
    await next.host.updates.catchUp();
    expect(await countFound(next.host, title)).toBe(3);
    // It was not told yet.
    expect(await countFound(old.host, 'Weaving number')).toBe(3);
  }
  await old.host.updates.catchUp();
  for (const { host } of [old, next]) {
    expect(host.snapshotProblems).toEqual([]);
    expect(await countFound(host, 'baking')).toBe(3);
  }
  expect(await countFound(next.host, 'new here')).toBe(1);
  expect(await countFound(old.host, 'new here')).toBe(0);
});
