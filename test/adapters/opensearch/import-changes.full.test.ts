import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type IndexJob, runIndexJob } from '../../../src/adapters/local/versions/index-jobs.ts';
import { startOpenSearch } from '../../helpers/opensearch-node.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';
import { objectPart, openImports } from '../local/imported.ts';
import { anObject, openService, type ServiceChanges, searchFor, writeCatalog } from '../local/services.ts';
import { openStoreOn } from './store.ts';

const node = await startOpenSearch();
const urlOf = (id: string) => `https://example.org/${id}`;
const nothing = { tenantId: '*', version: '', changes: new Map() };
const untouched = { stamp: '', all: nothing, tenant: nothing };

test.runIf(node !== null)('overlays a small import, its undo and dead links without sending anything', async () => {
  const catalogDir = makeTempDir();
  const titles = ['Python', 'Java', 'Python and Java', 'Baking'];
  writeCatalog(catalogDir, {
    objects: titles.map((title, i) => anObject(`o${i}`, { title, popularity: i / 10 })),
  });
  const imports = openImports(join(makeTempDir(), 'skilldock.db'));
  const jobs: IndexJob['kind'][] = [];
  const open = (changes: ServiceChanges) =>
    openService(catalogDir, makeTempDir(), { imported: imports.catalog, ...changes });
  const here = open({});
  const there = open({
    external: openStoreOn(node!),
    async run(job) {
      jobs.push(job.kind);
      return runIndexJob(job);
    },
  });
  onTestFinished(async () => {
    await here.close();
    await there.close();
    await imports.close();
  });
  await there.updates.catchUp();
  const builds = () => jobs.filter((kind) => kind === 'build').length;
  const before = builds();
  const compare = async () => {
    const answers = [];
    for (const { updates, learning, catalog, counts, providerOf } of [here, there]) {
      await updates.catchUp();
      const search = await learning.ask('searchMany', searchFor('python', { model: 'extended' }));
      const browsed = await learning.ask('browse', { query: searchFor(''), topics: [] });
      const list = {
        search: '',
        provider: null,
        type: null,
        lang: null,
        among: null,
        page: 0,
        pageSize: 9,
      };
      answers.push({
        found: search?.content,
        browsed: browsed?.content,
        total: browsed?.totalItems,
        providers: await learning.ask('listProviders', {}),
        imported: await catalog.listObjects(untouched, { ...list, sort: 'best', origin: 'import' }),
        starter: await catalog.listObjects(untouched, { ...list, sort: 'title', origin: 'starter' }),
        counts: [...counts.providers],
        provider: await providerOf(urlOf('new')),
      });
    }
    expect(answers[1]).toEqual(answers[0]);
    return answers[1]!.found?.map(({ url }) => url);
  };
  const id = await imports.put('feed', [
    objectPart(anObject('o1', { title: 'Python for bakers' })),
    objectPart(anObject('new', { title: 'Python', provider: 'evening-school', popularity: 0.9 })),
  ]);
  expect((await compare())?.toSorted()).toEqual(['new', 'o0', 'o1', 'o2'].map(urlOf));
  await imports.bury(urlOf('new'));
  expect((await compare())?.at(-1)).toBe(urlOf('new'));
  await imports.undo(id);
  expect((await compare())?.toSorted()).toEqual(['o0', 'o2'].map(urlOf));
  expect(builds()).toBe(before);
});
