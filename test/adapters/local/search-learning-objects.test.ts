import { describe, expect, onTestFinished, test } from 'vitest';
import { cacheSearches, type SearchResult } from '../../../src/adapters/local/search-learning-objects.ts';
import type { LearningObjectQuery } from '../../../src/domain/learning-object-query.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';
import { anObject, createStandingClock, openService, openSmallService, searchFor, writeCatalog } from './services.ts';

function counted() {
  const clock = createStandingClock('2026-03-01T23:00:00Z');
  let searches = 0;
  const search = cacheSearches(clock, async (): Promise<SearchResult> => {
    searches++;
    return { answer: { hits: [], total: searches, fitting: 0, exact: false }, quality: 'C00', wishes: [] };
  });
  return { clock, search, searches: () => searches };
}

test('answers a repeated query from the cache', async () => {
  const { search, searches } = counted();
  const first = await search(searchFor('python'), {});
  expect(await search(searchFor('python'), {})).toBe(first);
  expect(searches()).toBe(1);
});

test.each([
  ['another page', searchFor('python', { page: 1 }), {}],
  ['another filter', searchFor('python', { free: true }), {}],
  ['a filter that may not yield', searchFor('python', { important: new Set(['lang'] as const) }), {}],
  ['details', searchFor('python'), { withDetails: true }],
])('%s makes another query', async (_what, query, options) => {
  const { search, searches } = counted();
  await search(searchFor('python'), {});
  await search(query, options);
  expect(searches()).toBe(2);
});

test('caches a shuffle for its day', async () => {
  const { clock, search, searches } = counted();
  const shuffled = searchFor('python', { sort: 'random' });
  await search(shuffled, {});
  await search(shuffled, {});
  expect(searches()).toBe(1);
  clock.set('2026-03-02T00:30:00Z');
  await search(shuffled, {});
  expect(searches()).toBe(2);
});

describe('fitting and close results', () => {
  const learning = () =>
    openSmallService([
      'Knitting patterns',
      'Knitting with neighbours in long evenings, and other pleasures of a village where few visitors come, winters last half a year, roads close, money is short and everybody sings',
      'Patterns of behaviour that teachers see in a classroom, and what to do before, during and after lessons with parents, colleagues, doctors, social workers, older pupils and the head of school',
      'Chess',
    ]);
  const find = async (keywords: string, more: Partial<LearningObjectQuery> = {}) => {
    const query = searchFor(keywords, { model: 'extended', ...more });
    const { content, tiers, totalItems, hasMore, quality } = await learning().ask('searchProvider', query);
    return { titles: content.map(({ title }) => title.split(' ')[0]), tiers, totalItems, hasMore, quality };
  };

  test('shows no close results beside fitting ones', async () => {
    expect(await find('knitting patterns')).toEqual({
      titles: ['Knitting'],
      tiers: undefined,
      totalItems: 1,
      hasMore: false,
      quality: 'A00',
    });
  });

  test('shows the two closest results, marked as such, where nothing fits', async () => {
    const need = 'patterns of knitting, chess and falconry';
    const found = await find(need);
    expect(found).toMatchObject({ tiers: ['close', 'close'], totalItems: 2, hasMore: false, quality: 'B00' });
    expect(await find(need, { max: 1, page: 1 })).toMatchObject({
      titles: [found.titles[1]],
      tiers: ['close'],
    });
    expect(await find(need, { page: 1 })).toMatchObject({ titles: [], totalItems: 2, quality: 'B00' });
  });

  test('reports the wishes in the words, unless a filter covers them', async () => {
    const need = 'free videos about knitting for beginners in 30 minutes';
    const kindsFor = async (filters: Partial<LearningObjectQuery>) => {
      const { wishes = [] } = await learning().ask('searchProvider', searchFor(need, filters));
      return wishes.map(({ kind }) => kind).sort();
    };
    expect(await kindsFor({})).toEqual(['free', 'length', 'level', 'type']);
    expect(await kindsFor({ types: ['mooc'], learningTimeMin: 60 })).toEqual(['free', 'level']);
    expect(await kindsFor({ free: false, levelMin: 0.2 })).toEqual(['length', 'type']);
  });

  test('ranks results near a place in the words first, and excludes none', async () => {
    const folder = makeTempDir();
    const city = (name: string, lat: number, lon: number) => ({
      name,
      names: [],
      country: 'FR',
      lat,
      lon,
      population: 500_000,
    });
    const course = (id: string, popularity: number, lat?: number, lon?: number) =>
      anObject(id, {
        title: 'Knitting',
        popularity,
        ...(lat !== undefined && { type: ['training'], address: 'There', location: { lat, lon } }),
      });
    writeCatalog(folder, {
      objects: [course('online', 0.6), course('paris', 0.9, 48.86, 2.35), course('villeurbanne', 0.1, 45.77, 4.88)],
      places: [city('Lyon', 45.76, 4.84), city('Paris', 48.86, 2.35)],
    });
    const service = openService(folder, makeTempDir());
    onTestFinished(() => service.close());
    const find = async (keywords: string, more: Partial<LearningObjectQuery> = {}) => {
      const { content, wishes } = await service.learning.ask('searchProvider', searchFor(keywords, more));
      return { found: content.map(({ url }) => url.split('/').at(-1)), wishes };
    };
    expect(await find('knitting near Lyon')).toEqual({
      found: ['villeurbanne', 'online', 'paris'],
      wishes: [{ kind: 'place', name: 'Lyon', lat: 45.76, lon: 4.84 }],
    });
    const everywhere = ['paris', 'online', 'villeurbanne'];
    expect(await find('knitting near Lyon', { without: ['place'] })).toEqual({ found: everywhere });
    expect(await find('knitting near Lyon', { address: 'Paris', distanceMax: 50 })).toEqual({
      found: ['paris', 'online', 'villeurbanne'],
    });
  });

  test('shows the same closest results with strict words, and none with strict filters', async () => {
    const need = 'knitting chess classroom';
    const closest = await find(need);
    expect(closest.tiers).toEqual(['close', 'close']);
    expect(await find(need, { model: 'strict' })).toEqual(closest);
    expect(await find(need, { match: 'strict' })).toMatchObject({ titles: [], totalItems: 0, quality: 'C00' });
  });
});

test('where nothing fits, only the language of the query and English are offered', async () => {
  const folder = makeTempDir();
  const text = { title: 'Violon', keywords: ['clavecin'], description: 'Violon, clavecin.' };
  const objects = ['fr', 'en', 'de', 'es'].map((lang) => anObject(lang, { ...text, lang }));
  writeCatalog(folder, { objects });
  const service = openService(folder, makeTempDir());
  onTestFinished(() => service.close());
  const need = 'restaurer un violon et un clavecin de la renaissance italienne';
  const find = async (more: Partial<LearningObjectQuery>) => {
    const query = searchFor(need, { model: 'extended', prefer: 'fr', ...more });
    const { content, tiers } = await service.learning.ask('searchProvider', query);
    return content.map(({ lang }, i) => `${lang} ${tiers?.[i]}`);
  };
  expect(await find({})).toEqual(['fr close', 'en close']);
  expect(await find({ max: 1, page: 1 })).toEqual(['en close']);
});

test('words of a sentence that objects only mention need not match', async () => {
  const folder = makeTempDir();
  const mention = {
    title: 'Cooking',
    keywords: ['cooking'],
    description: 'Nobody knows what happens first to nervous people.',
  };
  const subject = { title: 'Dyslexia', keywords: ['reading'], description: 'Reading with dyslexia.' };
  writeCatalog(folder, { objects: [anObject('mention', mention), anObject('subject', subject)] });
  const service = openService(folder, makeTempDir());
  onTestFinished(() => service.close());
  const find = async (keywords: string) => {
    const { content, tiers } = await service.learning.ask('searchProvider', searchFor(keywords, { model: 'extended' }));
    return content.map(({ title }, i) => [title, tiers?.[i] ?? 'fitting']);
  };
  expect(await find('nobody knows what happens to nervous people with dyslexia')).toEqual([['Dyslexia', 'fitting']]);
});

test('at most three of the first five are of one provider, if others are as good', async () => {
  const folder = makeTempDir();
  const ofProvider = (provider: string, count: number, popularity: number) =>
    Array.from({ length: count }, (_, i) => anObject(`${provider}-${i}`, { title: 'Knitting', provider, popularity }));
  writeCatalog(folder, {
    objects: [...ofProvider('many', 6, 0.9), ...ofProvider('few', 2, 0.5)],
    providers: ['many', 'few'].map((id) => ({ id, name: id })),
  });
  const service = openService(folder, makeTempDir());
  onTestFinished(() => service.close());
  const find = async (more: Partial<LearningObjectQuery> = {}) => {
    const { content } = await service.learning.ask('searchProvider', searchFor('knitting', more));
    return content.map(({ url }) => url.split('/').at(-1)?.split('-')[0]);
  };
  expect(await find()).toEqual(['many', 'many', 'many', 'few', 'few', 'many', 'many', 'many']);
  expect(await find({ max: 4 })).toEqual(['many', 'many', 'many', 'few']);
  expect(await find({ max: 4, page: 1 })).toEqual(['few', 'many', 'many', 'many']);
});
