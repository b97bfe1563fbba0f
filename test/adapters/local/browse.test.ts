import { describe, expect, onTestFinished, test } from 'vitest';
import type { BrowseRequest, LearningService } from '../../../src/ports/learning-service.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';
import { aConcept, anObject, openService, searchFor, writeCatalog } from './services.ts';
import { openStarterService } from './starter-service.ts';

function openShop(): LearningService {
  const folder = makeTempDir();
  writeCatalog(folder, {
    objects: [
      anObject('python', { keywords: ['python'], popularity: 0.9 }),
      anObject('français', { keywords: ['python'], lang: 'fr', title: 'Apprendre', popularity: 0.1 }),
      anObject('lyon', {
        title: 'In Lyon',
        keywords: ['cats'],
        type: ['training'],
        address: 'Lyon, France',
        location: { lat: 45.76, lon: 4.83 },
      }),
      anObject('video', { title: 'Cats', keywords: ['cats'], type: ['video'], level: 0.5 }),
    ],
    places: [
      { name: 'Lyon', names: [], country: 'FR', lat: 45.764, lon: 4.8357, population: 521_000 },
      { name: 'Lille', names: [], country: 'FR', lat: 50.6292, lon: 3.0573, population: 238_000 },
    ],
    concepts: [aConcept('own:python', 'Python')],
    fields: [
      { id: '06', labels: { en: 'Computing', fr: 'Informatique' }, concepts: ['own:python'] },
      { id: '99', labels: { en: 'Other' }, concepts: [] },
    ],
  });
  const service = openService(folder, makeTempDir());
  onTestFinished(() => service.close());
  return service.learning;
}

const ask = (changes: Partial<BrowseRequest> = {}): BrowseRequest => ({
  query: searchFor(''),
  topics: [],
  ...changes,
});

describe('browsing', () => {
  test('returns everything, with topic counts and facets', async () => {
    const answer = await openShop().ask('browse', ask());
    expect(answer).toMatchObject({ totalItems: 4, hasMore: false, quality: 'A00', within: [] });
    expect(answer!.topics.map(({ id, objects }) => [id, objects])).toEqual([
      ['06', 2],
      ['99', 2],
      ['own:python', 2],
    ]);
    expect(answer!.facets.type).toEqual(
      new Map([
        ['mooc', 2],
        ['training', 1],
        ['video', 1],
      ]),
    );
  });

  test('orders topics by objects in the language of the filter, else in the preferred one', async () => {
    const count = async (changes: object) =>
      (await openShop().ask('browse', ask({ query: { ...searchFor(''), ...changes } })))!.topics.map(
        ({ id, objects, preferred }) => [id, objects, preferred],
      );
    expect(await count({ prefer: 'fr' })).toEqual([
      ['06', 2, 1],
      ['own:python', 2, 1],
      ['99', 2, 0],
    ]);
    expect(await count({ prefer: 'en', lang: 'fr' })).toEqual([
      ['06', 1, 1],
      ['own:python', 1, 1],
    ]);
  });

  test('returns the objects of a topic, one language first', async () => {
    const answer = await openShop().ask(
      'browse',
      ask({ query: { ...searchFor(''), prefer: 'fr' }, topics: ['06', 'own:python'] }),
    );
    expect(answer!.content.map(({ lang }) => lang)).toEqual(['fr', 'en']);
    expect(answer!.within.map(({ labels }) => labels.en)).toEqual(['Computing', 'Python']);
  });

  test('ranks objects about the topic before those of narrower topics, in each language', async () => {
    const folder = makeTempDir();
    const web = { en: 'web development', fr: 'développement web' };
    writeCatalog(folder, {
      objects: [
        anObject('html', { title: 'HTML', keywords: ['course'], popularity: 0.9 }),
        anObject('web', { title: 'Web development', keywords: ['course'], popularity: 0.1 }),
        anObject('html-fr', { title: 'HTML', lang: 'fr', keywords: ['course'], popularity: 0.8 }),
        anObject('web-fr', { title: 'Développement web', lang: 'fr', keywords: ['course'], popularity: 0 }),
      ],
      concepts: [
        { ...aConcept('own:web', ''), labels: web },
        { ...aConcept('own:html', ''), labels: { en: 'HTML', fr: 'HTML' }, links: { broader: ['own:web'] } },
      ],
    });
    const { learning, close } = openService(folder, makeTempDir());
    onTestFinished(() => close());
    const query = { ...searchFor(''), prefer: 'fr' };
    const answer = await learning.ask('browse', ask({ query, topics: ['own:web'] }));
    expect(answer!.content.map(({ title, lang }) => `${title} ${lang}`)).toEqual([
      'Développement web fr',
      'HTML fr',
      'Web development en',
      'HTML en',
    ]);
  });

  test('excludes by every filter, whatever the match', async () => {
    const query = searchFor('', { match: 'best-effort', levelMin: 0.2 });
    expect((await openShop().ask('browse', ask({ query })))!.content.map(({ title }) => title)).toEqual(['Cats']);
  });

  test('excludes by distance from a place', async () => {
    const service = openShop();
    const near = async (address: string) => {
      const query = searchFor('', { address, distanceMax: 50, important: new Set(['distance']) });
      return (await service.ask('browse', ask({ query })))!.content.map(({ title }) => title);
    };
    expect(await near('Lyon')).toEqual(['In Lyon']);
    expect(await near('Lille')).toEqual([]);
    await expect(near('Nowhere')).rejects.toMatchObject({ code: 'PLACE_UNKNOWN' });
  });

  test('returns nothing for an unknown topic', async () => {
    expect(await openShop().ask('browse', ask({ topics: ['own:none'] }))).toMatchObject({
      totalItems: 0,
      within: [],
      quality: 'C00',
    });
  });

  test('refuses an unknown provider', async () => {
    const query = searchFor('', { providers: ['nobody'] });
    await expect(openShop().ask('browse', ask({ query }))).rejects.toMatchObject({
      code: 'PROVIDER_UNKNOWN',
    });
  });

  test('pages without gap or overlap', async () => {
    const learning = openShop();
    const pages = await Promise.all(
      [0, 1, 2, 3].map((page) => learning.ask('browse', ask({ query: searchFor('', { max: 1, page }) }))),
    );
    expect(new Set(pages.flatMap((page) => page!.content.map(({ url }) => url))).size).toBe(4);
    expect(pages.map((page) => page!.hasMore)).toEqual([true, true, true, false]);
  });
});

describe('the starter catalogue', () => {
  const { learning } = openStarterService();

  test('has a field for three quarters of its objects, in both languages', async () => {
    for (const lang of ['en', 'fr']) {
      const answer = await learning.ask('browse', ask({ query: searchFor('', { lang }) }));
      const others = answer!.topics.find(({ id }) => id === '99')?.objects ?? 0;
      expect(others).toBeLessThan(0.25 * answer!.totalItems);
    }
  });

  test.each([
    ['0611', 'fr'],
    ['0619', 'en'],
    ['102', 'fr'],
    ['042', 'en'],
    ['021', 'en'],
  ])('has five objects and more under %s in %s', async (field, lang) => {
    const answer = await learning.ask('browse', ask({ query: searchFor('', { lang }), topics: [field] }));
    expect(answer!.totalItems).toBeGreaterThanOrEqual(5);
  });
});
