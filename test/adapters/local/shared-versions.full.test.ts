import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createMongoStore } from '../../../src/adapters/store/mongo/mongo-store.ts';
import { startMongoServer } from '../../helpers/mongo-server.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';
import { anObject, writeCatalog } from './services.ts';
import { find, newUrl, type SharingHost, useSharingHosts } from './sharing-hosts.ts';

const mongo = await startMongoServer();
afterAll(() => mongo?.stop());
/** An embedded store where there is no server: it keeps the same promises. */
const hosts = useSharingHosts(mongo === null ? undefined : () => createMongoStore(mongo.newUri()));

test.each(['changed', 'lost', 'longer', 'shorter'] as const)(
  'a part that is %s in the store is noticed, and the version built and shared again',
  async (how) => {
    await hosts.put('Haskell');
    await hosts.openHost().updates.catchUp();
    const { files } = hosts.imports.store;
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
    const host = hosts.openHost();
    await host.updates.catchUp();
    expect(host.snapshotProblems).toEqual([expect.objectContaining({ name: 'FileDamaged' })]);
    expect(host.jobs).toContain('build');
    expect(await find(host, 'haskell')).toEqual([newUrl]);
    const third = hosts.openHost();
    await third.updates.catchUp();
    expect(third.jobs).not.toContain('build');
  },
);

/** As far as the store lets it: a copy without it. */
async function loseLastPart(id: string): Promise<void> {
  const { files } = hosts.imports.store;
  const [file] = await files.listFiles('catalog-');
  const parts = await Promise.all([0, 1, 2].map((number) => files.readFilePart(id, number)));
  await files.removeFile(id);
  await files.addFile(file!);
  for (const [number, part] of parts.entries()) await files.putFilePart(id, number, part!);
}

test('searches a new version before it is shared, and also if sharing fails', async () => {
  await hosts.put('Haskell');
  const shared = hosts.share();
  const foundMeanwhile: string[][] = [];
  const host: SharingHost = hosts.openHost(makeTempDir(), {
    ...shared,
    async put() {
      foundMeanwhile.push(await find(host, 'haskell'));
      throw new Error('the store is away');
    },
  });
  await host.updates.catchUp();
  expect(foundMeanwhile).toEqual([[newUrl]]);
  expect(host.snapshotProblems).toEqual([expect.objectContaining({ message: 'the store is away' })]);
  expect(await find(host, 'haskell')).toEqual([newUrl]);
  expect(host.updates.hasCaughtUp).toBe(true);
});

test('two releases side by side have a version each', async () => {
  await hosts.put('Haskell');
  await hosts.openHost().updates.catchUp();
  // Another release has another fingerprint: of its code, or as here of its starter catalogue.
  writeCatalog(hosts.catalogDir, { objects: [anObject('a', { title: 'Fortran' })] });
  const newer = hosts.openHost();
  await newer.updates.catchUp();
  expect(newer.jobs).toContain('build');
  expect(await find(newer, 'fortran')).toEqual(['https://example.org/a']);
  const names = (await hosts.imports.store.files.listFiles('')).map(({ name }) => name);
  expect(new Set(names).size).toBe(2);
});

test('keeps four shared versions, and no incomplete ones', async () => {
  const host = hosts.openHost();
  const { files } = hosts.imports.store;
  const addedAt = new Date(Date.now() - 2 * 3_600_000);
  await files.addFile({ id: 'left', name: 'catalog-1/left', about: '', addedAt, whole: null });
  for (let number = 0; number < 6; number++) {
    await hosts.put(`Title ${number}`);
    await host.updates.catchUp();
  }
  expect(await files.listFiles('')).toHaveLength(4);
});

test('a host with damaged records builds a version instead of loading the shared one', async () => {
  await hosts.put('Haskell');
  const one = hosts.openHost();
  await one.updates.catchUp();
  await one.close();
  const name = readdirSync(join(one.dataDir, 'catalog')).find((each) => !each.endsWith('starter'));
  const path = join(one.dataDir, 'catalog', name!, 'records.jsonl');
  writeFileSync(path, Buffer.alloc(statSync(path).size, ' '));
  const again = hosts.openHost(one.dataDir);
  expect(await find(again, 'haskell')).toEqual([]);
  await again.updates.catchUp();
  expect(await find(again, 'haskell')).toEqual([newUrl]);
  expect(again.jobs).toContain('build');
});
