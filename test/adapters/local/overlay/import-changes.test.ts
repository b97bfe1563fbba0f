import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { type IndexJob, runIndexJob } from '../../../../src/adapters/local/versions/index-jobs.ts';
import { prepareIndex } from '../../../../src/adapters/local/versions/prepare-index.ts';
import { systemClock } from '../../../../src/ports/clock.ts';
import { createSharedFiles } from '../../../../src/services/host/shared-files.ts';
import { isFullRun, propertyRuns } from '../../../helpers/draw.ts';
import { makeTempDir } from '../../../helpers/temp-dir.ts';
import { conceptPart, type OpenedImports, objectPart, openImports, partOf } from '../imported.ts';
import {
  aConcept,
  anObject,
  type OpenedService,
  openService,
  type ServiceChanges,
  searchFor,
  writeCatalog,
} from '../services.ts';
import { collectAnswers } from './answers.ts';

const urlOf = (id: string) => `https://example.org/${id}`;
/** Ways to write the address of one object, in the order of their bytes. */
const spellings = [
  (id: string) => `http://www.example.org/${id}/`,
  urlOf,
  (id: string) => `https://example.org/${id}?utm_source=mail`,
];
const ids = Array.from({ length: 9 }, (_, i) => `o${i}`);
const urls = ids.flatMap((id) => spellings.map((spell) => spell(id)));

let catalogDir: string;
beforeEach(() => {
  catalogDir = makeTempDir();
  writeCatalog(catalogDir, {
    objects: ['Cobol', 'Java', 'Python', 'Weaving'].map((title, i) => anObject(`o${i}`, { title })),
    concepts: [aConcept('own:python', 'Python'), aConcept('own:weaving', 'weaving')],
    fields: [
      { id: '06', labels: { en: 'Computing' }, concepts: ['own:python'] },
      { id: '99', labels: { en: 'Other' }, concepts: [] },
    ],
  });
});

function openStore(): OpenedImports {
  const imports = openImports(join(makeTempDir(), 'skilldock.db'));
  onTestFinished(() => imports.close());
  return imports;
}

/** A host, and what it builds. */
function open(imports: OpenedImports, changes: ServiceChanges = {}, dataDir = makeTempDir()) {
  const jobs: IndexJob['kind'][] = [];
  const service = openService(catalogDir, dataDir, {
    imported: imports.catalog,
    pollMs: 20,
    async run(job) {
      jobs.push(job.kind);
      return runIndexJob(job);
    },
    ...changes,
  });
  onTestFinished(() => service.close());
  return Object.assign(service, { jobs, dataDir });
}

/** A build of the same says the same. */
async function expectAsBuilt(host: OpenedService, imports: OpenedImports): Promise<void> {
  const built = open(imports, { overlayLimit: 0 });
  await built.updates.catchUp();
  const [own, fresh] = [await collectAnswers(host, urls), await collectAnswers(built, urls)];
  expect(own).toEqual(fresh);
  for (const keywords of ['py', 'ja', 'pro', 'wea', 'cob', 'zz']) {
    const [ours, theirs] = [
      await host.learning.ask('suggest', { keywords }),
      await built.learning.ask('suggest', { keywords }),
    ];
    // What is gone may still be completed until the next build.
    const labels = ours.suggestions.map(({ label }) => label);
    expect(labels).toEqual(expect.arrayContaining(theirs.suggestions.map(({ label }) => label)));
  }
  await built.close();
}

const object = fc.record({
  id: fc.constantFrom(...ids),
  spell: fc.nat(2),
  title: fc.constantFrom('Python', 'Python and Java', 'Weaving', 'Java pour tous', 'Cobol', 'Zzz'),
  provider: fc.constantFrom('school', 'evening-school', 'p1', 'p2'),
  lang: fc.constantFrom('en', 'fr'),
  type: fc.constantFrom(['mooc'], ['video'], ['mooc', 'video']),
  popularity: fc.constantFrom(0, 0.2, 0.9),
  minutes: fc.constantFrom(undefined, 10, 90),
  isOdd: fc.nat(9).map((n) => n === 0),
});

type GivenObject = typeof object extends fc.Arbitrary<infer T> ? T : never;

function toPart({ id, spell, title, minutes, isOdd, ...given }: GivenObject) {
  const learningTime = minutes === undefined ? {} : { learningTime: { value: minutes, unit: 'min' } };
  const changes = { url: spellings[spell]!(id), ...given, ...learningTime, title: isOdd ? 7 : title };
  return objectPart(anObject(id, changes));
}

type Step =
  | {
      readonly put: string;
      readonly objects: readonly GivenObject[];
      readonly name: string | null;
    }
  | { readonly undo: string }
  | { readonly bury: readonly string[] }
  | { readonly revive: readonly string[] }
  | 'build'
  | 'start again';

const dataset = fc.constantFrom('a', 'b');
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      put: dataset,
      objects: fc.array(object, { minLength: 1, maxLength: 5 }),
      name: fc.constantFrom(null, null, 'One', 'Another'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ undo: dataset }) },
  { weight: 2, arbitrary: fc.record({ bury: fc.uniqueArray(fc.constantFrom(...urls), { maxLength: 6 }) }) },
  { weight: 1, arbitrary: fc.record({ revive: fc.uniqueArray(fc.constantFrom(...urls), { maxLength: 9 }) }) },
  { weight: 1, arbitrary: fc.constant('build' as const) },
  { weight: 1, arbitrary: fc.constant('start again' as const) },
);

// Over two seconds of CPU: each try builds a version and compares all answers with it.
test('a version with an overlay answers like a new build, whatever is imported, undone or found dead', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 7 }), async (steps) => {
      const imports = openImports(join(makeTempDir(), 'skilldock.db'));
      const live = new Map<string, string[]>();
      let host = open(imports);
      for (const one of steps) {
        if (one === 'build') {
          await host.close();
          host = open(imports, { overlayLimit: 0 }, host.dataDir);
          await host.updates.catchUp();
        }
        if (one === 'build' || one === 'start again') {
          await host.close();
          host = open(imports, {}, host.dataDir);
        } else if ('put' in one) {
          const named =
            one.name === null
              ? []
              : ['p1', 'school'].map((id) => partOf('provider', id, { id, name: `${one.name} ${id}` }));
          const parts = new Map([...named, ...one.objects.map(toPart)].map((part) => [part.kind + part.key, part]));
          const before = await imports.catalog.importsVersion();
          const id = await imports.put(one.put, [...parts.values()]);
          if ((await imports.catalog.importsVersion()) !== before)
            live.set(one.put, [...(live.get(one.put) ?? []), id]);
        } else if ('undo' in one) {
          const newest = live.get(one.undo)?.pop();
          if (newest !== undefined) await imports.undo(newest);
        } else if ('bury' in one) await imports.bury(...one.bury);
        else await imports.store.linkChecks.removeLinkChecks(one.revive);
        await host.updates.catchUp();
        await expectAsBuilt(host, imports);
      }
      expect(host.snapshotProblems).toEqual([]);
      await host.close();
      await imports.close();
    }),
    { ...propertyRuns(15), ...(!isFullRun && { numRuns: 1 }) },
  );
});

const haskell = (id = 'new') => objectPart(anObject(id, { title: 'Haskell' }));
const search = async ({ learning }: OpenedService, keywords: string) =>
  (await learning.ask('searchProvider', searchFor(keywords))).content.map(({ url }) => url);

test('searches a small import, and its undo, without a build, also after a restart', async () => {
  const imports = openStore();
  const host = open(imports);
  await host.updates.catchUp();
  const id = await imports.put('feed', [haskell()]);
  await host.updates.catchUp();
  expect(await search(host, 'haskell')).toEqual([urlOf('new')]);
  expect(host.imported).toBe(await imports.catalog.version());
  await host.close();
  const again = open(imports, {}, host.dataDir);
  await again.updates.catchUp();
  expect(await search(again, 'haskell')).toEqual([urlOf('new')]);
  await imports.undo(id);
  await again.updates.catchUp();
  expect(await search(again, 'haskell')).toEqual([]);
  expect([...host.jobs, ...again.jobs]).not.toContain('build');
});

test('undoes an import that a version was built with, without a build', async () => {
  const imports = openStore();
  const id = await imports.put('feed', [haskell(), objectPart(anObject('o1', { title: 'Fortran' }))]);
  const host = open(imports, { overlayLimit: 0 });
  await host.updates.catchUp();
  await host.close();
  const next = open(imports, {}, host.dataDir);
  expect(await search(next, 'fortran')).toEqual([urlOf('o1')]);
  await imports.undo(id);
  await next.updates.catchUp();
  expect(await search(next, 'haskell')).toEqual([]);
  expect(await search(next, 'java')).toEqual([urlOf('o1')]);
  expect(next.jobs).not.toContain('build');
  await expectAsBuilt(next, imports);
});

test('builds a version for concepts, and for more objects than an overlay may have', async () => {
  const imports = openStore();
  const host = open(imports, { overlayLimit: 2 });
  const builds = () => host.jobs.filter((kind) => kind === 'build').length;
  await imports.put('a', ['n1', 'n2'].map(haskell));
  await host.updates.catchUp();
  expect(builds()).toBe(0);
  await imports.put('b', [haskell('n3')]);
  await host.updates.catchUp();
  expect(builds()).toBe(1);
  expect(await search(host, 'haskell')).toHaveLength(3);
  await imports.put('taxonomy', [conceptPart(aConcept('esco:1', 'weaving', { source: 'ESCO' }))]);
  await host.updates.catchUp();
  expect(builds()).toBe(2);
  await imports.bury(urlOf('n1'), urlOf('n2'), urlOf('n3'));
  await host.updates.catchUp();
  expect(builds()).toBe(3);
  await expectAsBuilt(host, imports);
});

test('builds the next version while the overlay is large, and overlays it with later imports', async () => {
  const imports = openStore();
  const late: Promise<string>[] = [];
  const host = open(imports, {
    overlayLimit: 4,
    async run(job) {
      if (job.kind === 'build') late.push(imports.put('late', [haskell('late')]));
      await Promise.all(late);
      return runIndexJob(job);
    },
  });
  await imports.put('a', ['n1', 'n2', 'n3'].map(haskell));
  await host.updates.catchUp();
  expect(await search(host, 'haskell')).toHaveLength(3);
  host.updates.start();
  await expect.poll(() => late.length).toBe(1);
  await expect.poll(() => search(host, 'haskell')).toHaveLength(4);
  // The folder of the version that was built then is that which is begun with.
  await expect.poll(() => open(imports, {}, host.dataDir).sizes.objects).toBe(7);
  await expectAsBuilt(host, imports);
});

test('a host with an empty folder loads a shared version and overlays it with later imports', async () => {
  const imports = openStore();
  const { files, nonces } = imports.store;
  const shared = createSharedFiles({ files, nonces, clock: systemClock, onProblem: () => undefined });
  await imports.put('a', ['n1', 'n2', 'n3', 'n4'].map(haskell));
  const one = open(imports, { shared, overlayLimit: 3 });
  await one.updates.catchUp();
  expect(one.jobs).toContain('build');
  await imports.put('b', [haskell('n5')]);
  const two = open(imports, { shared, overlayLimit: 3 });
  await two.updates.catchUp();
  expect(await search(two, 'haskell')).toHaveLength(5);
  expect(two.jobs).not.toContain('build');
  await expectAsBuilt(two, imports);
});

test('a command builds nothing for changes that hosts overlay', async () => {
  const imports = openStore();
  const dataDir = makeTempDir();
  const given = { catalogDir, dataDir, imported: imports.catalog };
  await imports.put('taxonomy', [conceptPart(aConcept('esco:1', 'weaving', { source: 'ESCO' }))]);
  expect(await prepareIndex(given)).toBe(true);
  await imports.put('a', [haskell()]);
  expect(await prepareIndex(given)).toBe(false);
  await imports.put('taxonomy', [conceptPart(aConcept('esco:1', 'spinning', { source: 'ESCO' }))]);
  expect(await prepareIndex(given)).toBe(true);
});
