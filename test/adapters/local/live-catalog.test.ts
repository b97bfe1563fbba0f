import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { fingerprintStarterCatalog, listCatalogAddresses } from '../../../src/adapters/local/starter-catalog.ts';
import { type IndexJob, runIndexJob, runIndexJobApart } from '../../../src/adapters/local/versions/index-jobs.ts';
import { prepareIndex } from '../../../src/adapters/local/versions/prepare-index.ts';
import { openVersionFolders } from '../../../src/adapters/local/versions/version-folders.ts';
import type { ImportedCatalog } from '../../../src/ports/imports.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';
import { conceptPart, type OpenedImports, objectPart, openImports, partOf } from './imported.ts';
import type { OpenedService, ServiceChanges } from './services.ts';
import { aConcept, anObject, openService, runHere, searchFor, searchUrls, writeCatalog } from './services.ts';

let catalogDir: string;
let dataDir: string;
let imports: OpenedImports;
beforeEach(() => {
  catalogDir = makeTempDir();
  dataDir = makeTempDir();
  writeCatalog(catalogDir, {
    objects: [anObject('a', { title: 'Cobol' }), anObject('b', { title: 'Java' })],
    concepts: [aConcept('own:python', 'Python'), aConcept('own:java', 'Java')],
  });
  imports = openImports(join(makeTempDir(), 'skilldock.db'));
  onTestFinished(() => imports.close());
});

const url = (id: string) => `https://example.org/${id}`;

/** A host that builds a version for every change. */
function open(changes: ServiceChanges = {}): OpenedService {
  const options = { imported: imports.catalog, pollMs: 20, overlayLimit: 0, ...changes };
  const service = openService(catalogDir, dataDir, options);
  onTestFinished(() => service.close());
  return service;
}

const found = ({ learning }: OpenedService, keywords: string) => searchUrls(learning, searchFor(keywords));
const similar = async ({ learning }: OpenedService, keywords: string, lang = 'en') =>
  (await learning.ask('similar', { keywords, lang })).map(({ label }) => label);

test('imports replace records of the starter catalogue, and their undo restores them', async () => {
  const service = open();
  const before = { ...service.sizes };
  const id = await imports.put('mine', [
    partOf('provider', 'school', { id: 'school', name: 'Another school' }),
    objectPart(anObject('a', { title: 'Fortran' })),
    objectPart(anObject('new', { title: 'Haskell', provider: 'evening-school', lang: 'fr' })),
    conceptPart(aConcept('own:java', 'Kotlin')),
    conceptPart(aConcept('esco:1', 'weaving', { source: 'ESCO', links: { broader: ['esco:none'] } })),
  ]);
  await service.updates.catchUp();
  expect(await found(service, 'fortran')).toEqual([url('a')]);
  expect(await found(service, 'cobol')).toEqual([]);
  expect(await found(service, 'java')).toEqual([url('b')]);
  expect(await found(service, 'haskell')).toEqual([url('new')]);
  expect(await service.providerOf(url('new'))).toBe('evening-school');
  expect((await service.learning.ask('listProviders', {})).map(({ id, name }) => [id, name])).toEqual([
    ['school', 'Another school'],
    ['evening-school', 'Evening school'],
  ]);
  expect((await service.learning.ask('listLanguages', {})).map(({ value }) => value)).toEqual(['en', 'fr']);
  expect(await similar(service, 'kotlin')).toEqual(['Kotlin']);
  expect(await similar(service, 'weaving')).toEqual(['weaving']);
  expect(service.sizes).toMatchObject({ objects: 3, providers: 2, concepts: 3 });
  expect([...service.counts.taxonomies]).toEqual([
    ['Skilldock', 2],
    ['ESCO', 1],
  ]);

  await imports.undo(id);
  await service.updates.catchUp();
  expect(await found(service, 'cobol')).toEqual([url('a')]);
  expect(await found(service, 'haskell')).toEqual([]);
  expect(await service.providerOf(url('new'))).toBeNull();
  expect(service.sizes).toEqual(before);
  expect(service.snapshotProblems).toEqual([]);
});

test('merges the parts of a concept, and links to concepts of the starter catalogue', async () => {
  const service = open();
  await imports.put('esco', [
    conceptPart({ id: 'esco:1', source: 'ESCO', kind: 'skill', labels: { en: 'weaving' } }, 'labels:en'),
    conceptPart({ id: 'esco:1', labels: { fr: 'tissage' } }, 'labels:fr'),
  ]);
  await imports.put('mapping', [conceptPart({ id: 'own:python', altLabels: { en: ['snake language'] } })]);
  await service.updates.catchUp();
  expect(await similar(service, 'tissage', 'fr')).toEqual(['tissage']);
  expect(await similar(service, 'weaving', 'fr')).toEqual(['tissage']);
  expect(await similar(service, 'snake language')).toContain('Python');
  expect(service.sizes.concepts).toBe(3);
});

test('ignores invalid records', async () => {
  const service = open();
  await imports.put('odd', [
    objectPart({ ...anObject('a'), title: 7 }),
    objectPart({ url: url('c') }),
    partOf('object', url('d'), anObject('e')),
    partOf('provider', 'school', { id: 'other', name: 'Other' }),
    conceptPart({ id: 'own:nothing', links: { related: ['own:python'] } }),
    objectPart(anObject('fine', { title: 'Fine' })),
  ]);
  await service.updates.catchUp();
  expect(service.sizes).toMatchObject({ objects: 3, providers: 1, concepts: 2 });
  expect(await found(service, 'fine')).toEqual([url('fine')]);
  expect(await found(service, 'cobol')).toEqual([url('a')]);
});

test.each(['popularity', 'random'] as const)('dead ones come last, sorted by %s', async (sort) => {
  const ids = Array.from({ length: 8 }, (_, i) => `rust/${i}`);
  await imports.put(
    'rust',
    ids.map((id) => objectPart(anObject(id, { title: 'Rust', popularity: 0.5 }))),
  );
  await imports.bury(url('rust/2'), url('rust/5'), url('unknown'));
  const service = open();
  await service.updates.catchUp();
  const urls = await searchUrls(service.learning, searchFor('rust', { sort }));
  expect(urls).toHaveLength(8);
  expect(urls.slice(-2).sort()).toEqual([url('rust/2'), url('rust/5')]);
  await imports.store.linkChecks.removeLinkChecks([url('rust/2'), url('rust/5')]);
  await service.updates.catchUp();
  const again = await searchUrls(service.learning, searchFor('rust', { sort }));
  expect(again.slice(-2).sort()).not.toEqual([url('rust/2'), url('rust/5')]);
});

test('answers searches while a version is built, then from that version', async () => {
  const hosts = [open({ run: runIndexJobApart }), open({ run: runIndexJobApart })];
  for (const { updates } of hosts) updates.start();
  const seen = hosts.map(() => [] as string[]);
  let isDone = false;
  const searching = hosts.map(async (host, h) => {
    while (!isDone) {
      const [answer] = (await host.learning.ask('searchProvider', searchFor('cobol fortran', { model: 'extended' })))
        .content;
      if (seen[h]!.at(-1) !== answer!.title) seen[h]!.push(answer!.title);
      await new Promise((done) => setTimeout(done, 1));
    }
  });
  await imports.put('mine', [objectPart(anObject('a', { title: 'Fortran' }))]);
  await expect.poll(() => seen.map((titles) => titles.at(-1))).toEqual(['Fortran', 'Fortran']);
  isDone = true;
  await Promise.all(searching);
  expect(seen).toEqual([
    ['Cobol', 'Fortran'],
    ['Cobol', 'Fortran'],
  ]);
});

test('loads prepared files without a build', async () => {
  await imports.put('mine', [objectPart(anObject('new', { title: 'Haskell' }))]);
  const given = { catalogDir, dataDir, imported: imports.catalog, overlayLimit: 0 };
  const steps: string[] = [];
  expect(await prepareIndex({ run: runHere, ...given, onProgress: (step) => steps.push(step) })).toBe(true);
  expect(steps).toEqual(['reading', 'indexing', 'ready']);
  expect(await prepareIndex(given)).toBe(false);
  const jobs: IndexJob['kind'][] = [];
  const service = open({
    async run(job) {
      jobs.push(job.kind);
      return runIndexJob(job);
    },
  });
  expect(service.isFromSnapshot).toBe(true);
  expect(await found(service, 'haskell')).toEqual([url('new')]);
  await service.updates.catchUp();
  expect(jobs).toEqual([]);
  expect(service.imported).toBe(await imports.catalog.version());
});

const cut = (path: string) => writeFileSync(path, readFileSync(path).subarray(0, 100));

test.each([
  ['objects.index', 'cut', cut],
  ['records.jsonl', 'cut', cut],
  ['records.jsonl', 'missing', rmSync],
] as const)('a version whose %s is %s is built again', async (file, _how, spoil) => {
  await imports.put('mine', [objectPart(anObject('new', { title: 'Haskell' }))]);
  await open().updates.catchUp();
  const folder = join(dataDir, 'catalog', versions().find((name) => !name.endsWith('starter'))!);
  const path = join(folder, file);
  const whole = readFileSync(path);
  spoil(path);
  expect(await prepareIndex({ run: runHere, catalogDir, dataDir, imported: imports.catalog, overlayLimit: 0 })).toBe(
    true,
  );
  expect(readFileSync(path).equals(whole)).toBe(true);
  spoil(path);
  const service = open();
  expect(service.imported).toBe('');
  await service.updates.catchUp();
  expect(await found(service, 'haskell')).toEqual([url('new')]);
  expect(readFileSync(path).equals(whole)).toBe(true);
});

test('rebuilds a version when a damaged record is read', async () => {
  await imports.put('mine', [objectPart(anObject('new', { title: 'Haskell' }))]);
  const given = { catalogDir, dataDir, imported: imports.catalog, overlayLimit: 0 };
  await prepareIndex(given);
  const path = join(dataDir, 'catalog', versions()[0]!, 'records.jsonl');
  const whole = readFileSync(path);
  writeFileSync(path, Buffer.alloc(whole.length, ' '));
  const service = open();
  expect(await found(service, 'haskell')).toEqual([]);
  await service.updates.catchUp();
  expect(await found(service, 'haskell')).toEqual([url('new')]);
  expect(readFileSync(path).equals(whole)).toBe(true);
});

test('rebuilds a version that cannot be opened', async () => {
  const service = open({
    async run(job) {
      const blocks = runIndexJob(job);
      // Gone between the look at it and the opening.
      if (job.kind === 'load') rmSync(join(job.folder, 'records.jsonl'));
      return blocks;
    },
  });
  await imports.put('mine', [objectPart(anObject('new', { title: 'Haskell' }))]);
  await prepareIndex({ run: runHere, catalogDir, dataDir, imported: imports.catalog, overlayLimit: 0 });
  await service.updates.catchUp();
  expect(service.snapshotProblems).toEqual([expect.objectContaining({ code: 'ENOENT' })]);
  expect(await found(service, 'haskell')).toEqual([url('new')]);
});

test('waits for a version that another host builds', async () => {
  await imports.put('mine', [objectPart(anObject('new', { title: 'Haskell' }))]);
  const key = { base: fingerprintStarterCatalog(catalogDir), imported: await imports.catalog.version() };
  const draft = openVersionFolders(dataDir).createDraft(key);
  const jobs: IndexJob['kind'][] = [];
  const service = open({
    async run(job) {
      jobs.push(job.kind);
      return runIndexJob(job);
    },
  });
  const looks = vi.spyOn(imports.catalog, 'version');
  const isDone = service.updates.catchUp();
  await expect.poll(() => looks.mock.calls.length).toBeGreaterThan(2);
  expect(jobs).toEqual([]);
  // The other host gives up.
  draft.discard();
  await isDone;
  expect(jobs).toEqual(['build']);
  expect(await found(service, 'haskell')).toEqual([url('new')]);
});

test('stops waiting for another host when the signal is aborted', async () => {
  await imports.put('mine', [objectPart(anObject('new', { title: 'Haskell' }))]);
  const key = { base: fingerprintStarterCatalog(catalogDir), imported: await imports.catalog.version() };
  const draft = openVersionFolders(dataDir).createDraft(key);
  onTestFinished(draft.discard);
  const service = open();
  const hurry = new AbortController();
  const caughtUp = service.updates.catchUp(hurry.signal);
  hurry.abort();
  await caughtUp;
  expect(service.imported).toBe('');
});

const versions = () => readdirSync(join(dataDir, 'catalog'));

test('keeps two versions', async () => {
  const service = open();
  for (const title of ['One', 'Two', 'Three']) {
    await imports.put('mine', [objectPart(anObject('new', { title }))]);
    await service.updates.catchUp();
    expect(await found(service, title)).toEqual([url('new')]);
  }
  expect(versions()).toHaveLength(2);
  expect(await found(open(), 'three')).toEqual([url('new')]);
});

test('does not mix an import into a version that is being read', async () => {
  let reads = 0;
  const catalog: ImportedCatalog = {
    ...imports.catalog,
    async *read() {
      if (reads++ === 0) await imports.put('late', [objectPart(anObject('late', { title: 'Late' }))]);
      yield* imports.catalog.read();
    },
  };
  await imports.put('mine', [objectPart(anObject('new', { title: 'Haskell' }))]);
  const service = open({ imported: catalog });
  await service.updates.catchUp();
  expect(reads).toBe(2);
  expect(versions()).toHaveLength(2);
  expect(await found(service, 'late')).toEqual([url('late')]);
  expect(service.imported).toBe(await imports.catalog.version());
});

test('builds a version although links are found dead meanwhile', async () => {
  let reads = 0;
  const catalog: ImportedCatalog = {
    ...imports.catalog,
    async *read() {
      await imports.bury(url(`dead/${reads++}`));
      yield* imports.catalog.read();
    },
  };
  await imports.put('mine', [objectPart(anObject('new', { title: 'Haskell' }))]);
  const stopper = new AbortController();
  const steps: string[] = [];
  await prepareIndex({
    run: runHere,
    catalogDir,
    dataDir,
    imported: catalog,
    signal: stopper.signal,
    overlayLimit: 0,
    onProgress(step) {
      steps.push(step);
      if (step === 'waiting') stopper.abort(new Error('not built'));
    },
  });
  expect(steps).toEqual(['reading', 'indexing', 'ready']);
  const service = open({ imported: catalog });
  expect(await found(service, 'haskell')).toEqual([url('new')]);
  await service.updates.catchUp();
  expect(reads).toBe(2);
});

test('notices an import that begins just before reading', async () => {
  let isFirst = true;
  const catalog: ImportedCatalog = {
    ...imports.catalog,
    async importsVersion() {
      if (isFirst) await imports.put('late', [objectPart(anObject('late', { title: 'Late' }))]);
      isFirst = false;
      return imports.catalog.importsVersion();
    },
  };
  await imports.put('mine', [objectPart(anObject('new', { title: 'Haskell' }))]);
  const service = open({ imported: catalog });
  await service.updates.catchUp();
  expect(service.imported).toBe(await imports.catalog.version());
  expect(versions()).toHaveLength(2);
  expect(await found(service, 'late')).toEqual([url('late')]);
});

test.each(['a host', 'a command'])('%s rebuilds a version with an unreadable file', async (who) => {
  await imports.put('mine', [objectPart(anObject('new', { title: 'Haskell' }))]);
  const given = { catalogDir, dataDir, imported: imports.catalog, overlayLimit: 0 };
  await prepareIndex(given);
  const path = join(dataDir, 'catalog', versions()[0]!, 'objects.index');
  rmSync(path);
  mkdirSync(path);
  if (who === 'a command') expect(await prepareIndex(given)).toBe(true);
  const host = open();
  await host.updates.catchUp();
  expect(await found(host, 'haskell')).toEqual([url('new')]);
  expect(statSync(path).isFile()).toBe(true);
});

test('keeps its version while imports cannot be read, and tries again', async () => {
  let isBroken = true;
  const catalog: ImportedCatalog = {
    ...imports.catalog,
    async *read() {
      if (isBroken) throw new Error('the store is away');
      yield* imports.catalog.read();
    },
  };
  await imports.put('mine', [objectPart(anObject('new', { title: 'Haskell' }))]);
  const service = open({ imported: catalog });
  await service.updates.catchUp();
  expect(service.snapshotProblems).toEqual([expect.objectContaining({ message: 'the store is away' })]);
  expect(await found(service, 'cobol')).toEqual([url('a')]);
  expect(versions()).toHaveLength(1);
  isBroken = false;
  service.updates.start();
  await expect.poll(() => found(service, 'haskell')).toEqual([url('new')]);
});

test('lists each address once, in the spelling that is searched', async () => {
  const other = 'http://www.example.org/b/';
  await imports.put('mine', [
    objectPart(anObject('a', { title: 'Fortran' })),
    objectPart(anObject('', { title: 'Java', url: other })),
    objectPart(anObject('new')),
    objectPart(anObject('new?utm_source=mail')),
    conceptPart(aConcept('esco:1', 'weaving')),
  ]);
  const urls: string[] = [];
  for await (const each of listCatalogAddresses({ catalogDir, imported: imports.catalog })) urls.push(each);
  expect(urls.sort()).toEqual([other, url('a'), url('new')]);
  const service = open();
  await service.updates.catchUp();
  expect(service.sizes.objects).toBe(urls.length);
  for (const each of urls) expect(await service.providerOf(each), each).toBe('school');
});
