import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fingerprintStarterCatalog } from '../../../src/adapters/local/starter-catalog.ts';
import { type IndexJob, runIndexJob } from '../../../src/adapters/local/versions/index-jobs.ts';
import { prepareIndex } from '../../../src/adapters/local/versions/prepare-index.ts';
import { nameSharedVersion } from '../../../src/adapters/local/versions/share-version.ts';
import { createStandingClock } from '../../fakes/clock.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';
import { runHere } from './services.ts';
import { find, newUrl, useSharingHosts } from './sharing-hosts.ts';

const hosts = useSharingHosts();

test('loads a shared version, also one of its own that it has lost', async () => {
  await hosts.put('Haskell');
  const one = hosts.openHost();
  await one.updates.catchUp();
  const two = hosts.openHost();
  await two.updates.catchUp();
  expect(await find(two, 'haskell')).toEqual([newUrl]);
  expect(one.jobs).toEqual(['build']);
  expect(two.jobs).not.toContain('build');
  await one.close();
  rmSync(one.dataDir, { recursive: true });
  mkdirSync(one.dataDir);
  const again = hosts.openHost(one.dataDir);
  await again.updates.catchUp();
  expect(await find(again, 'haskell')).toEqual([newUrl]);
  expect(again.jobs).not.toContain('build');
});

test('a command shares the version that it builds, and loads an existing one', async () => {
  await hosts.put('Haskell');
  const given = {
    catalogDir: hosts.catalogDir,
    imported: hosts.imports.catalog,
    shared: hosts.share(),
    overlayLimit: 0,
  };
  const dataDir = makeTempDir();
  await prepareIndex({ run: runHere, ...given, dataDir });
  const host = hosts.openHost();
  await host.updates.catchUp();
  expect(host.jobs).not.toContain('build');
  rmSync(join(dataDir, 'catalog'), { recursive: true });
  const kinds: IndexJob['kind'][] = [];
  await prepareIndex({
    ...given,
    dataDir,
    async run(job) {
      kinds.push(job.kind);
      return runIndexJob(job);
    },
  });
  expect(kinds).toEqual(['load']);
});

test('hosts that start together build one version', async () => {
  await hosts.put('Haskell');
  const all = [hosts.openHost(), hosts.openHost(), hosts.openHost()];
  await Promise.all(all.map((host) => host.updates.catchUp()));
  for (const host of all) expect(await find(host, 'haskell')).toEqual([newUrl]);
  expect(all.flatMap(({ jobs }) => jobs).filter((kind) => kind === 'build')).toHaveLength(1);
});

test('waits while another host builds, and builds itself if that one dies', async () => {
  await hosts.put('Haskell');
  const { catalogDir, imports } = hosts;
  const key = { base: fingerprintStarterCatalog(catalogDir), imported: await imports.catalog.version() };
  // As a host that was killed leaves it: claimed, for as long as it is believed to be alive.
  const clock = createStandingClock();
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + 15_000);
  const turn = `turn ${nameSharedVersion(key)}`;
  expect(await imports.store.nonces.claimNonce(turn, { now, expiresAt, by: 'killed' })).toBe(true);
  const shared = hosts.share(clock);
  let tries = 0;
  const host = hosts.openHost(makeTempDir(), {
    ...shared,
    alone(...args) {
      tries++;
      return shared.alone(...args);
    },
  });
  const hurry = new AbortController();
  const hurried = host.updates.catchUp(hurry.signal);
  await expect.poll(() => tries).toBeGreaterThan(1);
  hurry.abort();
  await hurried;
  expect(host.updates.hasCaughtUp).toBe(false);
  const caughtUp = host.updates.catchUp();
  const before = tries;
  await expect.poll(() => tries).toBeGreaterThan(before);
  expect(host.jobs).not.toContain('build');
  clock.advance(15_000);
  await caughtUp;
  expect(host.updates.hasCaughtUp).toBe(true);
  expect(host.jobs.filter((kind) => kind === 'build')).toHaveLength(1);
  expect(await find(host, 'haskell')).toEqual([newUrl]);
});
