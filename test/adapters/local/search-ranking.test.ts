import { describe, expect, test } from 'vitest';
import type { LearningObjectQuery } from '../../../src/domain/learning-object-query.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';
import { aConcept, anObject, openService, searchFor, searchPages, searchUrls, writeCatalog } from './services.ts';
import { openStarterService, readStarterRecords } from './starter-service.ts';

const { learning, clock } = openStarterService();
const records = readStarterRecords();
const urls = (keywords: string, change: Partial<LearningObjectQuery> = {}) =>
  searchUrls(learning, searchFor(keywords, change));

/** The different values that the results have of one field. */
async function valuesOf(field: 'lang' | 'provider', query: LearningObjectQuery): Promise<string[]> {
  return [...new Set((await searchUrls(learning, query)).map((url) => records.get(url)![field]))].sort();
}

describe('pages', () => {
  test.each(['popularity', 'random'] as const)('have each result exactly once (%s)', async (sort) => {
    const whole = await urls('data', { sort });
    const pages = await searchPages(learning, searchFor('data', { sort, max: 7 }));
    expect(pages.flatMap(({ content }) => content.map(({ url }) => url))).toEqual(whole);
    expect(new Set(whole).size).toBe(whole.length);
    for (const [i, { page, itemsPerPage, totalItems, content, hasMore }] of pages.entries()) {
      const isLast = i === pages.length - 1;
      expect({ page, itemsPerPage, totalItems, hasMore }).toEqual({
        page: i,
        itemsPerPage: 7,
        totalItems: whole.length,
        hasMore: !isLast,
      });
      expect(content).toHaveLength(isLast ? whole.length - 7 * i : 7);
    }
  });

  test('go on to the last object that fits, where none has every word', async () => {
    const whole = await urls('data science zzyzx', { max: 200 });
    expect(whole.length).toBeGreaterThan(100);
    const pages = await searchPages(learning, searchFor('data science zzyzx', { max: 45 }));
    expect(pages.flatMap(({ content }) => content.map(({ url }) => url))).toEqual(whole);
    expect(pages.map(({ totalItems }) => totalItems)).toEqual(pages.map(() => whole.length));
  });

  test('behind the last one are empty, with the same total', async () => {
    const first = await learning.ask('searchProvider', searchFor('data'));
    const { content, totalItems, hasMore, quality } = await learning.ask(
      'searchProvider',
      searchFor('data', { page: 10_000 }),
    );
    expect({ content, hasMore }).toEqual({ content: [], hasMore: false });
    expect({ totalItems, quality }).toEqual({ totalItems: first.totalItems, quality: first.quality });
  });
});

describe('random', () => {
  test('has the same results every day, in an order that changes with the day', async () => {
    const popular = await urls('python');
    clock.set('2026-03-01T00:00:00Z');
    const morning = await urls('python', { sort: 'random' });
    clock.set('2026-03-01T23:59:59Z');
    expect(await urls('python', { sort: 'random' })).toEqual(morning);
    clock.set('2026-03-02T00:00:00Z');
    const tomorrow = await urls('python', { sort: 'random' });
    expect(tomorrow).not.toEqual(morning);
    expect(morning).not.toEqual(popular);
    for (const shuffled of [morning, tomorrow]) expect([...shuffled].sort()).toEqual([...popular].sort());
  });
});

describe('popularity', () => {
  const objects = [
    anObject('little', { popularity: 0.1 }),
    anObject('much', { popularity: 0.9 }),
    anObject('aside', {
      popularity: 1,
      title: 'Cooking',
      description: `A word on python.${' Much about food.'.repeat(15)}`,
    }),
  ];

  test('decides among equally relevant objects only', async () => {
    const folder = makeTempDir();
    writeCatalog(folder, { objects });
    const service = openService(folder, makeTempDir());
    const found = await searchUrls(service.learning, searchFor('python'));
    expect(found.map((url) => url.split('/').at(-1))).toEqual(['much', 'little', 'aside']);
  });
});

describe('language and provider', () => {
  test('exclude, even with best-effort, while something fits', async () => {
    expect(await valuesOf('lang', searchFor('python', { lang: 'fr' }))).toEqual(['fr']);
    expect(await valuesOf('provider', searchFor('python', { providers: ['edx'] }))).toEqual(['edx']);
    const two = searchFor('python', { providers: ['edx', 'youtube'] });
    expect(await valuesOf('provider', two)).toEqual(['edx', 'youtube']);
  });

  test('are relaxed if nothing fits, the language first', async () => {
    const french = searchFor('montagne', { providers: ['onisep'], lang: 'es' });
    expect(await valuesOf('provider', french)).toEqual(['onisep']);
    expect(await valuesOf('lang', french)).toEqual(['fr']);
    const elsewhere = searchFor('python', { providers: ['onisep'], lang: 'en' });
    expect(await valuesOf('lang', elsewhere)).toEqual(['en']);
    expect(await valuesOf('provider', elsewhere)).not.toContain('onisep');
    const anywhere = searchFor('montagne', { providers: ['edx'], lang: 'es' });
    expect(await valuesOf('lang', anywhere)).toEqual(['fr']);
    expect((await learning.ask('searchProvider', anywhere)).quality).toBe('B00');
  });

  test.each<Partial<LearningObjectQuery>>([{ match: 'strict' }, { important: new Set(['lang']) }])(
    'never yield where they must not (%#)',
    async (change) => {
      const query = searchFor('montagne', { providers: ['onisep'], lang: 'es', ...change });
      expect(await learning.ask('searchProvider', query)).toMatchObject({
        content: [],
        totalItems: 0,
        quality: 'C00',
      });
    },
  );

  test('an important provider excludes while the language is relaxed', async () => {
    const query = searchFor('montagne', {
      providers: ['onisep'],
      lang: 'es',
      important: new Set(['provider']),
    });
    expect(await valuesOf('provider', query)).toEqual(['onisep']);
  });
});

describe('the model', () => {
  test('strict needs every word, in any form, while an object has all; extended any word', async () => {
    const strict = await urls('statistics python');
    const extended = await urls('statistics python', { model: 'extended' });
    expect(strict.length).toBeGreaterThan(0);
    expect(extended.length).toBeGreaterThan(strict.length);
    expect(extended).toEqual(expect.arrayContaining(strict));
    for (const model of ['strict', 'extended'] as const) {
      const corrected = await urls('pyhton', { model });
      expect(corrected).toEqual(expect.arrayContaining((await urls('python')).slice(0, 100)));
    }
    expect(await urls('zzyzx pyhton')).not.toEqual([]);
    expect(await urls('zzyzx')).toEqual([]);
  });

  test('strict accepts synonyms of the taxonomy', async () => {
    const folder = makeTempDir();
    writeCatalog(folder, {
      objects: [anObject('a', { title: 'First aid' }), anObject('b', { title: 'Knitting' })],
      concepts: [aConcept('own:aid', 'First aid', { altLabels: { en: ['Emergency care'] } })],
    });
    const service = openService(folder, makeTempDir());
    expect(await searchUrls(service.learning, searchFor('emergency care'))).toEqual(['https://example.org/a']);
  });
});

describe('a synonym of several words', () => {
  test('counts by the word that says least: in two fields they are mostly no name', async () => {
    const folder = makeTempDir();
    writeCatalog(folder, {
      objects: [
        anObject('named', { title: 'Bread baking' }),
        anObject('apart', { title: 'Bread', description: 'Also on baking.' }),
      ],
      concepts: [aConcept('own:bread', 'Bread baking', { altLabels: { en: ['Loaf making'] } })],
    });
    const service = openService(folder, makeTempDir());
    for (const model of ['extended', 'strict'] as const)
      expect(await searchUrls(service.learning, searchFor('loaf making zzyzx', { model }))).toEqual([
        'https://example.org/named',
      ]);
  });
});

describe('the quality', () => {
  const qualityOf = async (keywords: string, change: Partial<LearningObjectQuery> = {}) =>
    (await learning.ask('searchProvider', searchFor(keywords, change))).quality;

  test('is A00 if the first page meets the whole query', async () => {
    expect(await qualityOf('python')).toBe('A00');
    expect(await qualityOf('python', { free: true, match: 'strict', max: 3 })).toBe('A00');
  });

  test('is B00 if a filter was relaxed or words are missing', async () => {
    expect(await qualityOf('python', { levelMin: 1 })).toBe('B00');
    expect(await qualityOf('python', { lang: 'fi' })).toBe('B00');
    expect(await qualityOf('pyhton', { model: 'extended' })).toBe('B00');
  });

  test('is C00 if there are no results', async () => {
    expect(await qualityOf('qqqqzzzz', { model: 'extended' })).toBe('C00');
    expect(await qualityOf('python', { lang: 'fi', match: 'strict' })).toBe('C00');
    expect(await qualityOf('???')).toBe('C00');
  });
});
