import { expect, onTestFinished, test } from 'vitest';
import { normalizeObjectAddress } from '../../../src/domain/learning-object.ts';
import type { CatalogListRequest, TenantLayer } from '../../../src/ports/object-catalog.ts';
import type { ObjectChange } from '../../../src/ports/store/object-layers.ts';
import { startOpenSearch } from '../../helpers/opensearch-node.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';
import { aConcept, anObject, openService, searchFor, writeCatalog } from '../local/services.ts';
import { openStoreOn } from './store.ts';

const node = await startOpenSearch();

const nothing = { isAdded: false, isHidden: false, isWaiting: false, fields: {} };

function change(id: string, state: Partial<ObjectChange['state']>, tenantId = 'tenant'): ObjectChange {
  const url = `https://example.org/${id}`;
  return {
    tenantId,
    address: normalizeObjectAddress(url),
    url,
    before: null,
    suggestedBy: null,
    changedBy: 'tester',
    version: 1,
    changedAt: new Date(0),
    state: { ...nothing, ...state },
  };
}

const added = {
  title: 'Python for the whole school',
  description: 'Added.',
  provider: 'A school',
  lang: 'en',
  type: ['video'],
  bloom: ['Apply'],
  keywords: ['programming'],
  publisher: [],
  author: [],
} as const;

const layer: TenantLayer = {
  stamp: 'changed',
  all: toLayer('*', [change('c', { isHidden: true }, '*')]),
  tenant: toLayer('tenant', [
    change('a', { isHidden: true }),
    change('b', { fields: { title: 'Java and Python, edited', minutes: 5 } }),
    change('new', { isAdded: true, fields: added }),
  ]),
};

function toLayer(tenantId: string, changes: readonly ObjectChange[]): TenantLayer['tenant'] {
  return { tenantId, version: '1', changes: new Map(changes.map((each) => [each.address, each])) };
}

/** The same catalogue in an index of our own and on the node. */
async function openBoth() {
  const catalogDir = makeTempDir();
  const titles = ['Python', 'Java', 'Python and Java', 'Baking', 'Python for bakers'];
  const objects = ['a', 'b', 'c', 'd', 'e'].map((id, i) =>
    anObject(id, {
      title: titles[i],
      popularity: i / 10,
      learningTime: { value: 10 * (i + 1), unit: 'min' },
      ...(i % 2 === 0 && { license: 'CC-BY-4.0', published: `202${i}-05` }),
    }),
  );
  const many = Array.from({ length: 40 }, (_, i) =>
    anObject(`many/${i}`, { title: `Weaving ${i}`, popularity: i / 50 }),
  );
  writeCatalog(catalogDir, { objects: [...objects, ...many], concepts: [aConcept('own:python', 'Python')] });
  const here = openService(catalogDir, makeTempDir());
  const there = openService(catalogDir, makeTempDir(), { external: openStoreOn(node!, { maxWindow: 12 }) });
  await there.updates.catchUp();
  onTestFinished(async () => {
    await here.close();
    await there.close();
  });
  return { here, there };
}

const options = { layer, withDetails: true };

test.runIf(node !== null)(
  'a tenant with hidden, edited and added objects gets the results of the embedded engine',
  async () => {
    const { here, there } = await openBoth();
    for (const query of [
      searchFor('python'),
      searchFor('python java', { model: 'extended' }),
      searchFor('python', { sort: 'shortest', model: 'extended' }),
      searchFor('python', { sort: 'random', model: 'extended' }),
      searchFor('python', { sort: 'newest', model: 'extended' }),
      searchFor('python', { has: ['mayAdapt'], model: 'extended' }),
      searchFor('python', { newerThan: '2024', model: 'extended' }),
      // Beyond the window of this store: they are walked to.
      searchFor('weaving', { page: 1, max: 15 }),
      searchFor('weaving', { page: 3, max: 11, sort: 'random' }),
      searchFor('weaving', { page: 9, max: 15 }),
      searchFor('weaving', { types: ['video'], model: 'extended' }),
      searchFor('pyhton', { model: 'extended' }),
    ]) {
      const [ours, theirs] = [
        await here.learning.ask('searchMany', query, options),
        await there.learning.ask('searchMany', query, options),
      ];
      expect({ ...theirs, requestId: '' }, query.keywords).toEqual({ ...ours, requestId: '' });
    }
    const { content } = (await there.learning.ask('searchMany', searchFor('python'), options))!;
    expect(content.map(({ url }) => url.slice(-3)).sort()).toEqual(['g/b', 'g/e', 'new']);
  },
);

test.runIf(node !== null)(
  'browsing, similar objects and the administrators’ list are those of the embedded engine',
  async () => {
    const { here, there } = await openBoth();
    const request = { query: searchFor('', { max: 10 }), topics: [] };
    const [ours, theirs] = [
      await here.learning.ask('browse', request, options),
      await there.learning.ask('browse', request, options),
    ];
    expect({ ...theirs, requestId: '' }).toEqual({ ...ours, requestId: '' });
    const [object] = (await here.learning.ask('searchMany', searchFor('python'), options))!.content;
    const [alike, alikeThere] = [
      await here.learning.ask('findAlike', object!, options),
      await there.learning.ask('findAlike', object!, options),
    ];
    expect(alikeThere!.content).toEqual(alike!.content);
    // How often words are found is counted there as the version was built.
    for (const [i, likeness] of alikeThere!.likeness.entries()) expect(likeness).toBeCloseTo(alike!.likeness[i]!, 1);
    const listed: CatalogListRequest = {
      search: '',
      provider: null,
      type: null,
      lang: null,
      origin: null,
      among: null,
      sort: 'best',
      page: 0,
      pageSize: 12,
    };
    for (const wanted of [
      {},
      { origin: 'starter' },
      { origin: 'added' },
      { origin: 'edited' },
      { origin: 'hidden' },
      { origin: 'import' },
      { sort: 'shortest' },
      { sort: 'longest', page: 1 },
      { sort: 'title', page: 2 },
      { search: 'python' },
      {
        among: {
          urls: ['https://example.org/a', 'https://example.org/d', 'https://example.org/new'],
          how: 'only',
        },
      },
      { among: { urls: ['https://example.org/d'], how: 'without' }, page: 3 },
    ] as const) {
      const full = { ...listed, ...wanted };
      expect(await there.catalog.listObjects(layer, full), JSON.stringify(wanted)).toEqual(
        await here.catalog.listObjects(layer, full),
      );
    }
  },
);
