import type { LocalService } from '../../../../src/adapters/local/open-local-service.ts';
import type { LearningObject } from '../../../../src/domain/learning-object.ts';
import { normalizeObjectAddress } from '../../../../src/domain/learning-object.ts';
import type { CatalogListRequest, TenantLayer } from '../../../../src/ports/object-catalog.ts';
import type { ObjectChange } from '../../../../src/ports/store/object-layers.ts';
import { searchFor } from '../services.ts';

/** What a tenant changed of the objects of these tests. */
export const layer: TenantLayer = {
  stamp: 'changed',
  all: toLayer('*', [change('o1', { isHidden: true }, '*')]),
  tenant: toLayer('tenant', [
    change('o2', { isHidden: true }),
    change('o3', { fields: { title: 'Java and weaving, edited', minutes: 5 } }),
    change('mine', {
      isAdded: true,
      fields: {
        title: 'Python for the whole school',
        description: 'Added.',
        provider: 'A school',
        lang: 'en',
        type: ['video'],
        bloom: ['Apply'],
        keywords: ['programming'],
        publisher: [],
        author: [],
      },
    }),
  ]),
};
const untouched: TenantLayer = { stamp: '', all: toLayer('*', []), tenant: toLayer('tenant', []) };

function change(id: string, state: Partial<ObjectChange['state']>, tenantId = 'tenant'): ObjectChange {
  const url = `https://example.org/${id}`;
  const nothing = { isAdded: false, isHidden: false, isWaiting: false, fields: {} };
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

function toLayer(tenantId: string, changes: readonly ObjectChange[]): TenantLayer['tenant'] {
  const version = changes.length === 0 ? '' : '1';
  return { tenantId, version, changes: new Map(changes.map((each) => [each.address, each])) };
}

const queries = [
  searchFor('python'),
  searchFor('python java', { model: 'extended' }),
  searchFor('weaving for bakers', { model: 'extended', prefer: 'fr' }),
  searchFor('cobol', { sort: 'shortest', model: 'extended' }),
  searchFor('java', { sort: 'random', model: 'extended' }),
  searchFor('pyhton', { model: 'extended' }),
  searchFor('programming', { types: ['video'], model: 'extended' }),
  searchFor('programming', { lang: 'fr', max: 3, page: 1, model: 'extended' }),
];

const list: CatalogListRequest = {
  search: '',
  provider: null,
  type: null,
  lang: null,
  origin: null,
  among: null,
  sort: 'best',
  page: 0,
  pageSize: 50,
};
const lists: readonly CatalogListRequest[] = [
  list,
  { ...list, search: 'python' },
  { ...list, sort: 'title', type: 'video' },
  { ...list, sort: 'shortest', lang: 'fr' },
  ...(['starter', 'import', 'added', 'edited', 'hidden'] as const).map((origin) => ({ ...list, origin })),
  { ...list, among: { urls: ['https://example.org/o3', 'https://example.org/o5'], how: 'only' } },
  { ...list, among: { urls: ['https://example.org/o3', 'https://example.org/o5'], how: 'without' } },
];

/** Everything that a host says, but for completions; what is otherwise from answer to answer is
 *  left out.
 *  @param urls of objects that are looked for one by one */
export async function collectAnswers(service: LocalService, urls: readonly string[]) {
  const { learning, catalog, counts, sizes, imported } = service;
  const tenants = [];
  for (const one of [untouched, layer]) {
    const options = { layer: one, withDetails: true };
    const ids = [undefined, ...(await learning.ask('listProviders', {}, options)).map(({ id }) => id)];
    tenants.push({
      searches: await askAll(queries, (query) => learning.ask('searchMany', query, options)),
      ofProviders: await askAll(ids, (id) =>
        learning.ask(
          'browse',
          { query: searchFor('', id === undefined ? {} : { providers: [id] }), topics: [] },
          options,
        ),
      ),
      ofTopics: await askAll(['06', 'own:python'], (topic) =>
        learning.ask('browse', { query: searchFor('', { prefer: 'fr' }), topics: [topic] }, options),
      ),
      providers: await learning.ask('listProviders', {}, options),
      languages: await learning.ask('listLanguages', {}, options),
      alike: await askAll(urls, (url) => learning.ask('findAlike', { ...unknown, url }, options)),
      lists: await askAll(lists, (request) => catalog.listObjects(one, request)),
      found: await askAll(urls, (url) => catalog.findObject(one, url)),
    });
  }
  return {
    tenants,
    imported,
    similar: await learning.ask('similar', { keywords: 'python', lang: 'en' }),
    providersOf: await askAll(urls, (url) => service.providerOf(url)),
    counts: Object.entries(counts).map(([kind, of]) => [kind, [...of]]),
    sizes: { objects: sizes.objects, providers: sizes.providers, concepts: sizes.concepts },
  };
}

const unknown: LearningObject = {
  url: '',
  title: 'Nothing',
  description: '',
  provider: '',
  bloom: [],
  type: [],
  lang: 'en',
  publisher: [],
  author: [],
};

async function askAll<T, A>(all: readonly T[], ask: (one: T) => Promise<A>): Promise<unknown[]> {
  const answers = [];
  for (const one of all) {
    const answer = await ask(one);
    answers.push(answer !== null && typeof answer === 'object' ? { ...answer, requestId: '' } : answer);
  }
  return answers;
}
