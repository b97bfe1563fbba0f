import { describe, expect, test } from 'vitest';
import type { LearningObjectQuery } from '../../../src/domain/learning-object-query.ts';
import { dropQueryFilter, listQueryFilters, toProviderQuery } from '../../../src/services/searching/query-filters.ts';
import { searchFor } from '../../adapters/local/services.ts';
import { searchOf } from '../../fakes/search-of.ts';
import { perProvider } from '../../fakes/upstream-replies.ts';
import { OBJECTS_PER_PROVIDER } from '../../fakes/upstream-specification.ts';
import { startSearch, titlesOf, walkPages } from './discovery/search-upstream.ts';

test('a strict search in any language is loose about the language alone', () => {
  const { lang: _, ...anyLanguage } = searchOf({ match: 'strict', free: true, ageMin: 3, types: ['mooc'] });
  expect(toProviderQuery(anyLanguage, 'a', 0)).toMatchObject({
    lang: 'en',
    match: 'best-effort',
    important: new Set(['free', 'age', 'provider']),
  });
  const english = toProviderQuery(searchOf({ match: 'strict', free: true }), 'a', 0);
  expect(english).toMatchObject({ match: 'strict', important: new Set(['provider']) });
});

describe('types and objectives', () => {
  const objects = (_: string, rank: number) => ({
    type: rank % 10 === 0 ? ['MOOC'] : rank % 10 === 1 ? [] : ['VIDEO'],
  });

  test('are nothing that a provider is asked about', () => {
    const important = new Set(['type', 'bloom', 'free'] as const);
    const asked = toProviderQuery(searchOf({ types: ['mooc'], blooms: ['Apply'], important }), 'a', 3);
    expect(asked).toMatchObject({ providers: ['a'], types: [], blooms: [], page: 3, max: 20 });
    expect(asked.important).toEqual(new Set(['free', 'provider']));
  });

  test('are looked for on further pages until the page is full', async () => {
    const started = await startSearch({ providers: ['a'], counts: { a: 200 }, objects });
    const strict = { types: ['Mooc'], important: new Set(['type'] as const), max: 5 };
    const pages = await walkPages(started, strict);
    const titles = pages.flatMap(titlesOf);
    expect(titles).toEqual(Array.from({ length: 20 }, (_, index) => `a ${index * 10}`));
    expect(pages[0]).toMatchObject({ isTotalExact: false, hasMore: true });
    expect(pages[0]!.items).toHaveLength(5);
    expect(pages.at(-1)).toMatchObject({ totalItems: 20, isTotalExact: true });
  });

  test('pass what does not say its types only where filters are applied loosely', async () => {
    const { search } = await startSearch({ providers: ['a'], objects });
    const loosely = titlesOf(await search({ types: ['mooc'], max: 20 }));
    expect(loosely).toEqual(['a 0', 'a 1', 'a 10', 'a 11', 'a 20', 'a 21']);
    const strictly = titlesOf(await search({ types: ['mooc'], max: 20, match: 'strict' }));
    expect(strictly).toEqual(['a 0', 'a 10', 'a 20']);
  });

  test('are looked for with a provider that has them deep in its list, rather than give another more than its share', async () => {
    const deep = (provider: string, rank: number) => ({
      type: provider === 'deep' && rank < 20 ? ['VIDEO'] : ['MOOC'],
    });
    const { search } = await startSearch({ providers: ['a', 'deep'], objects: deep });
    const titles = titlesOf(await search({ types: ['mooc'] }));
    expect(titles.slice(7)).toEqual(['deep 20', 'deep 21', 'deep 22']);
  });

  test('leave pages that are not full, each in its place whichever is asked for first', async () => {
    const rare = (_: string, rank: number) => ({ type: rank % 50 === 0 ? ['MOOC'] : ['VIDEO'] });
    const options = { providers: ['a'], counts: { a: 400 }, objects: rare };
    const pages = (await walkPages(await startSearch(options), { types: ['mooc'] })).map(titlesOf);
    expect(pages.map(({ length }) => length)).toEqual([3, 2, 2, 1]);
    const { search } = await startSearch(options);
    for (const page of [3, 1, 2, 0]) expect(titlesOf(await search({ types: ['mooc'], page }))).toEqual(pages[page]);
  });

  test('that nothing has end the search, with a bounded number of calls for a page', async () => {
    const started = await startSearch({ providers: ['a'], counts: { a: 100_000 } });
    const nothing = { blooms: ['Create'] };
    expect(await started.search(nothing)).toMatchObject({ items: [], hasMore: true, quality: 'C00' });
    expect(started.asked()).toHaveLength(6);
    const pages = await walkPages(started, nothing);
    expect(pages.at(-1)!.hasMore).toBe(false);
    expect(started.asked()).toHaveLength(25);
  });
});

describe('a provider that lies', () => {
  const metadata = (page: number) => ({
    page,
    'number item per page': 20,
    'total number item': 9_999,
    hasMore: true,
  });

  test('about having more, with empty pages, is not believed', async () => {
    const started = await startSearch({ providers: ['liar', 'b'] });
    const change = (body: { response: object }) => ({
      ...body,
      response: { ...body.response, metadata: metadata(0) },
    });
    started.upstream.reply('search-provider', perProvider({ liar: { change } }));
    const pages = await walkPages(started);
    expect(pages.flatMap(titlesOf)).toHaveLength(2 * OBJECTS_PER_PROVIDER);
    expect(pages.at(-1)).toMatchObject({ totalItems: 50, isTotalExact: true });
    expect(started.asked().filter((each) => each.startsWith('liar'))).toEqual(['liar 0', 'liar 1', 'liar 2']);
  });

  test('by giving the same page again is not believed either', async () => {
    const started = await startSearch({ providers: ['liar', 'b'] });
    let first: { content: unknown } | undefined;
    const change = (body: { response: { content: unknown } }) => {
      first ??= body.response;
      return { ...body, response: { ...body.response, content: first.content, metadata: metadata(0) } };
    };
    started.upstream.reply('search-provider', perProvider({ liar: { change } }));
    const pages = await walkPages(started);
    const titles = pages.flatMap(titlesOf);
    expect(pages.at(-1)).toMatchObject({ totalItems: titles.length, isTotalExact: true });
    expect(titles).toHaveLength(20 + OBJECTS_PER_PROVIDER);
    expect(new Set(titles).size).toBe(titles.length);
    expect(started.asked().filter((each) => each.startsWith('liar'))).toEqual(['liar 0', 'liar 1']);
  });
});

const open = searchFor('python');
const filtered: LearningObjectQuery = {
  ...open,
  lang: 'fr',
  providers: ['tube'],
  types: ['mooc'],
  blooms: ['Apply'],
  publisher: 'A university',
  ageMin: 10,
  learningTimeMax: 60,
  levelMin: 0,
  popularityMin: 0,
  address: 'Lyon',
  distanceMax: 0,
  free: false,
};

test('a query without filters has none', () => {
  expect(listQueryFilters(open)).toEqual([]);
});

test('every filter of a query is named, one of zero or false too', () => {
  expect(listQueryFilters(filtered).toSorted()).toEqual([
    'age',
    'bloom',
    'distance',
    'free',
    'lang',
    'learningTime',
    'level',
    'popularity',
    'provider',
    'publisher',
    'type',
  ]);
});

test('without one, the others are as they were', () => {
  for (const filter of listQueryFilters(filtered)) {
    const rest = dropQueryFilter({ ...filtered, important: new Set([filter, 'lang']) }, filter);
    expect(listQueryFilters(rest)).toEqual(listQueryFilters(filtered).filter((name) => name !== filter));
    expect([...rest.important]).toEqual(filter === 'lang' ? [] : ['lang']);
  }
});

test('without all of them, it is the open query', () => {
  expect(listQueryFilters(filtered).reduce(dropQueryFilter, filtered)).toEqual(open);
});
