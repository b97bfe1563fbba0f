import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { fingerprintCatalog } from '../../../src/adapters/local/starter-catalog.ts';
import { type IndexJob, runIndexJob } from '../../../src/adapters/local/versions/index-jobs.ts';
import { prepareIndex } from '../../../src/adapters/local/versions/make-version.ts';
import { nameSharedVersion } from '../../../src/adapters/local/versions/share-version.ts';
import { createMongoStore } from '../../../src/adapters/store/mongo/mongo-store.ts';
import { systemClock } from '../../../src/ports/clock.ts';
import type { SharedFiles } from '../../../src/ports/shared-files.ts';
import { createSharedFiles } from '../../../src/services/host/shared-files.ts';
import { startMongoServer } from '../../helpers/mongo-server.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';
import { type OpenedImports, objectPart, openImports } from './imported.ts';
import {
  anObject,
  type OpenedService,
  openService,
  runHere,
  searchFor,
  searchUrls,
  writeCatalog,
} from './services.ts';

let catalogDir: string;
let imports: OpenedImports;
const mongo = await startMongoServer();
afterAll(() => mongo?.stop());
/** The embedded store where there is no server: it keeps the same promises. */
beforeEach(async () => {
  catalogDir = makeTempDir();
  writeCatalog(catalogDir, { objects: [anObject('a', { title: 'Cobol' })] });
  const store = mongo === null ? join(makeTempDir(), 'skilldock.db') : await createMongoStore(mongo.newUri());
  imports = openImports(store);
  onTestFinished(() => imports.close());
});

interface HostOfTest extends OpenedService {
  readonly dataDir: string;
  readonly jobs: IndexJob['kind'][];
}

const share = (leaseMs = 15_000): SharedFiles => {
  const { files, nonces } = imports.store;
  return createSharedFiles({ files, nonces, clock: systemClock, onProblem: () => undefined, leaseMs });
};

/** With an empty folder, unless one is given, and a store that it shares. */
function openHost(dataDir = makeTempDir(), shared = share()): HostOfTest {
  const jobs: IndexJob['kind'][] = [];
  const run = async (job: IndexJob) => {
    jobs.push(job.kind);
    return runIndexJob(job);
  };
  const options = { imported: imports.catalog, pollMs: 20, mostLaidOver: 0, shared, run };
  const service = openService(catalogDir, dataDir, options);
  onTestFinished(() => service.close());
  return Object.assign(service, { dataDir, jobs });
}

const put = (title: string) => imports.put('mine', [objectPart(anObject('new', { title }))]);
const find = (host: OpenedService, words: string) => searchUrls(host.learning, searchFor(words));
const found = ['https://example.org/new'];

test('what one host built is taken by another one, and by itself once its folder is gone', async () => {
  await put('Haskell');
  const one = openHost();
  await one.updates.catchUp();
  const two = openHost();
  await two.updates.catchUp();
  expect(await find(two, 'haskell')).toEqual(found);
  expect(one.jobs).toEqual(['build']);
  expect(two.jobs).not.toContain('build');
  await one.close();
  rmSync(one.dataDir, { recursive: true });
  mkdirSync(one.dataDir);
  const again = openHost(one.dataDir);
  await again.updates.catchUp();
  expect(await find(again, 'haskell')).toEqual(found);
  expect(again.jobs).not.toContain('build');
});

test('a command shares what it builds, and takes what is there', async () => {
  await put('Haskell');
  const given = { catalogDir, imported: imports.catalog, shared: share(), mostLaidOver: 0 };
  const dataDir = makeTempDir();
  await prepareIndex({ run: runHere, ...given, dataDir });
  const host = openHost();
  await host.updates.catchUp();
  expect(host.jobs).not.toContain('build');
  rmSync(join(dataDir, 'catalog'), { recursive: true });
  const kinds: IndexJob['kind'][] = [];
  await prepareIndex({
    ...{ ...given, dataDir },
    async run(job) {
      kinds.push(job.kind);
      return runIndexJob(job);
    },
  });
  expect(kinds).toEqual(['load']);
});

test.each(['changed', 'lost', 'longer', 'shorter'] as const)(
  'a part that is %s in the store is noticed, and the version built and shared again',
  async (how) => {
    await put('Haskell');
    await openHost().updates.catchUp();
    const { files } = imports.store;
    const [file] = await files.listFiles('catalog-');
    const part = Buffer.from((await files.readFilePart(file!.id, 3))!);
    const spoilt = {
      changed: () => part.fill(' ', 0, 1),
      lost: () => null,
      longer: () => Buffer.concat([part, part]),
      shorter: () => part.subarray(0, -1),
    }[how]();
    if (spoilt !== null) await files.putFilePart(file!.id, 3, spoilt);
    else await loseLastPart(file!.id);
    const host = openHost();
    await host.updates.catchUp();
    expect(host.snapshotProblems).toEqual([expect.objectContaining({ name: 'FileDamaged' })]);
    expect(host.jobs).toContain('build');
    expect(await find(host, 'haskell')).toEqual(found);
    const third = openHost();
    await third.updates.catchUp();
    expect(third.jobs).not.toContain('build');
  },
);

/** As far as the store lets it: a copy without it. */
async function loseLastPart(id: string): Promise<void> {
  const { files } = imports.store;
  const [file] = await files.listFiles('catalog-');
  const parts = await Promise.all([0, 1, 2].map((number) => files.readFilePart(id, number)));
  await files.removeFile(id);
  await files.addFile(file!);
  for (const [number, part] of parts.entries()) await files.putFilePart(id, number, part!);
}

test('while one host builds, another waits, and takes it over where that one dies', async () => {
  await put('Haskell');
  const key = { base: fingerprintCatalog(catalogDir), imported: await imports.catalog.version() };
  // As a host that was killed leaves it: claimed, for as long as it is believed to be alive.
  const now = new Date();
  const expiresAt = new Date(now.getTime() + 3_000);
  const turn = `turn ${nameSharedVersion(key)}`;
  expect(await imports.store.nonces.claimNonce(turn, { now, expiresAt, by: 'killed' })).toBe(true);
  const host = openHost();
  const hurry = new AbortController();
  setTimeout(() => hurry.abort(), 50);
  await host.updates.catchUp(hurry.signal);
  expect(host.updates.hasCaughtUp).toBe(false);
  await host.updates.catchUp();
  expect(host.updates.hasCaughtUp).toBe(true);
  expect(Date.now()).toBeGreaterThanOrEqual(expiresAt.getTime());
  expect(host.jobs.filter((kind) => kind === 'build')).toHaveLength(1);
  expect(await find(host, 'haskell')).toEqual(found);
});

test('a host that takes its time keeps its turn', async () => {
  const shared = share(2_000);
  let others = 0;
  await shared.alone('long', async () => {
    for (let i = 0; i < 12; i++) {
      await new Promise((done) => setTimeout(done, 200));
      if ((await share(2_000).alone('long', async () => true)) !== null) others++;
    }
  });
  expect(others).toBe(0);
  expect(await shared.alone('long', async () => 'free again')).toBe('free again');
});

test('what is built is searched before it is given to others, and also where that fails', async () => {
  await put('Haskell');
  const shared = share();
  const foundMeanwhile: string[][] = [];
  const host: HostOfTest = openHost(makeTempDir(), {
    ...shared,
    async put() {
      foundMeanwhile.push(await find(host, 'haskell'));
      throw new Error('the store is away');
    },
  });
  await host.updates.catchUp();
  expect(foundMeanwhile).toEqual([found]);
  expect(host.snapshotProblems).toEqual([expect.objectContaining({ message: 'the store is away' })]);
  expect(await find(host, 'haskell')).toEqual(found);
  expect(host.updates.hasCaughtUp).toBe(true);
});

test('two releases side by side keep a version each, and neither reads the other’s', async () => {
  await put('Haskell');
  await openHost().updates.catchUp();
  // Another release has another fingerprint: of its code, or as here of its starter catalogue.
  writeCatalog(catalogDir, { objects: [anObject('a', { title: 'Fortran' })] });
  const newer = openHost();
  await newer.updates.catchUp();
  expect(newer.jobs).toContain('build');
  expect(await find(newer, 'fortran')).toEqual(['https://example.org/a']);
  const names = (await imports.store.files.listFiles('')).map(({ name }) => name);
  expect(new Set(names).size).toBe(2);
});

test('hosts that start at once build once', async () => {
  await put('Haskell');
  const hosts = [openHost(), openHost(), openHost()];
  await Promise.all(hosts.map((host) => host.updates.catchUp()));
  for (const host of hosts) expect(await find(host, 'haskell')).toEqual(found);
  expect(hosts.flatMap(({ jobs }) => jobs).filter((kind) => kind === 'build')).toHaveLength(1);
});

test('of versions in the store four are kept, and none of what never became whole', async () => {
  const host = openHost();
  const { files } = imports.store;
  const addedAt = new Date(Date.now() - 2 * 3_600_000);
  await files.addFile({ id: 'left', name: 'catalog-1/left', about: '', addedAt, whole: null });
  for (let number = 0; number < 6; number++) {
    await put(`Title ${number}`);
    await host.updates.catchUp();
  }
  expect(await files.listFiles('')).toHaveLength(4);
});

test('a host whose records are spoilt builds again instead of taking the same', async () => {
  await put('Haskell');
  const one = openHost();
  await one.updates.catchUp();
  await one.close();
  const name = readdirSync(join(one.dataDir, 'catalog')).find((each) => !each.endsWith('starter'));
  const path = join(one.dataDir, 'catalog', name!, 'records.jsonl');
  writeFileSync(path, Buffer.alloc(statSync(path).size, ' '));
  const again = openHost(one.dataDir);
  expect(await find(again, 'haskell')).toEqual([]);
  await again.updates.catchUp();
  expect(await find(again, 'haskell')).toEqual(found);
  expect(again.jobs).toContain('build');
});
