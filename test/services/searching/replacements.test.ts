import { expect, onTestFinished, test } from 'vitest';
import { createSearchingServices } from '../../../src/compose/services.ts';
import type { LearningObject } from '../../../src/domain/learning-object.ts';
import { DEFAULT_TENANT } from '../../../src/domain/tenant.ts';
import { AppError } from '../../../src/errors.ts';
import { findReplacements } from '../../../src/services/searching/replacements.ts';
import { createTenantUpstreams } from '../../../src/services/searching/upstreams.ts';
import { openStarterService } from '../../adapters/local/starter-service.ts';
import { openServices } from '../../helpers/open-services.ts';

const starter = openStarterService();

/** The search of a tenant over the starter catalogue. */
async function open() {
  const services = await openServices();
  onTestFinished(() => services.close());
  const { store, clock, problems } = services;
  const upstreams = createTenantUpstreams({
    tenants: store.tenants,
    secrets: services.secrets,
    upstreams: services.fakeUpstreams,
    clock,
    local: starter.learning,
  });
  const onProblem = (error: unknown) => problems.push(error);
  const parts = createSearchingServices({
    store,
    shareAnswers: false,
    upstreams,
    usage: services.usage,
    clock,
    onProblem,
  });
  const discovery = parts.trialOf(DEFAULT_TENANT);
  const tenant = await services.tenants.getTenant(DEFAULT_TENANT);
  const dead = new Set<string>();
  const signal = new AbortController().signal;
  const findDead = async (urls: readonly string[]) => new Set(urls.filter((url) => dead.has(url)));
  const scope = { discovery, tenant, signal, findDead, onProblem };
  async function find(keywords: string): Promise<LearningObject> {
    const { items } = await discovery.searchLearningObjects({
      keywords,
      providers: [],
      types: [],
      blooms: [],
      sort: 'popularity',
      match: 'best-effort',
      model: 'extended',
      max: 20,
      page: 0,
      important: new Set(),
    });
    return items.find(({ object }) => object.title === keywords)!.object;
  }
  return { scope, dead, find, problems };
}

test('objects for the same subject, in the same language first, never the object itself', async () => {
  const { scope, find } = await open();
  const object = await find('Apprenez Python');
  const proposals = await findReplacements(scope, object);
  expect(proposals).toHaveLength(5);
  for (const { hit } of proposals.slice(0, 3)) {
    expect(`${hit.object.title} ${hit.object.description}`).toMatch(/Python/);
    expect(hit.object.lang).toBe('fr');
    expect(hit.object.url).not.toBe(object.url);
  }
});

test('by its keywords where the title says nothing of its subject', async () => {
  const { scope, find } = await open();
  const proposals = await findReplacements(scope, await find('Charges and Fields'));
  const titles = proposals.map(({ hit }) => hit.object.title);
  expect(titles.slice(0, 3)).toContain("Coulomb's Law");
});

test('what is learned from in the same way before what is not', async () => {
  const { scope, find } = await open();
  const proposals = await findReplacements(scope, await find('Insurance sales agents'));
  expect(proposals[0]?.hit.object.type).toEqual(['career profile']);
});

test('over an upstream, by the words of the title and by skills', async () => {
  const { scope, find } = await open();
  const object = await find('Apprenez Python');
  const discovery = { ...scope.discovery, findAlike: async () => null };
  const [first] = await findReplacements({ ...scope, discovery }, object);
  expect(first?.hit.object.title).toMatch(/Python/);
  expect(first?.hit.object.url).not.toBe(object.url);
});

test('none that is dead itself', async () => {
  const { scope, dead, find } = await open();
  const object = await find('Introduction to jQuery');
  const [first] = await findReplacements(scope, object);
  dead.add(first!.hit.object.url);
  const urls = (await findReplacements(scope, object)).map(({ hit }) => hit.object.url);
  expect(urls.length).toBeGreaterThan(0);
  expect(urls).not.toContain(first!.hit.object.url);
});

test('in another language where its own has nothing, and that is said', async () => {
  const { scope, find } = await open();
  const proposals = await findReplacements(scope, await find('WordPress Completo'));
  expect(proposals[0]?.hit.object.title).toMatch(/WordPress/);
  expect(proposals[0]?.differences[0]?.kind).toBe('language');
});

test('nothing rather than nonsense', async () => {
  const { scope, find } = await open();
  expect(await findReplacements(scope, await find('La destruction de la navette Columbia'))).toEqual([]);
});

test('nothing where the search cannot answer, and what is wrong otherwise is told', async () => {
  const { scope, find, problems } = await open();
  const object = await find('Apprenez Python');
  const failing = (error: Error) => {
    const fail = () => Promise.reject(error);
    return { ...scope.discovery, findAlike: async () => null, tagText: fail };
  };
  const untagged = failing(new AppError('UPSTREAM_UNREACHABLE', 'It is away.'));
  expect((await findReplacements({ ...scope, discovery: untagged }, object)).length).toBeGreaterThan(0);
  const away = { ...untagged, searchLearningObjects: untagged.tagText };
  expect(await findReplacements({ ...scope, discovery: away }, object)).toEqual([]);
  expect(problems).toEqual([]);
  const wrong = new Error('wrong');
  expect(await findReplacements({ ...scope, discovery: failing(wrong) }, object)).toEqual([]);
  expect(problems).toEqual([wrong]);
});
