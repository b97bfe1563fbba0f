import { beforeEach, describe, expect, test } from 'vitest';
import type { QueryFilter } from '../../../../src/domain/learning-object-query.ts';
import type { StartTimer } from '../../../../src/ports/clock.ts';
import { createDiscoverySearch } from '../../../../src/services/searching/discovery/search.ts';
import { findWaysOut, type WaysOutDeps } from '../../../../src/services/searching/discovery/ways-out.ts';
import { dropQueryFilter, dropQueryFilters } from '../../../../src/services/searching/query-filters.ts';
import { searchFor } from '../../../adapters/local/services.ts';
import { openStarterService } from '../../../adapters/local/starter-service.ts';
import { useRemote } from '../../../adapters/remote/start-remote.ts';
import { answersOf, searchDepsOf } from './discovery-parts.ts';

/** Time never ends. */
const startTimer: StartTimer = () => () => {};

describe('with our own engine', () => {
  const { learning } = openStarterService();
  const answers = answersOf(learning);
  const deps: WaysOutDeps = {
    answers,
    search: createDiscoverySearch({ ...searchDepsOf(answers), startTimer }),
    startTimer,
  };

  test.each([
    ['pyhton', 'Python'],
    ['mashine lerning', 'machine learning'],
    ['photographi', 'photographie'],
  ])('a mistyped "%s" is corrected to "%s"', async (keywords, meant) => {
    expect((await findWaysOut(deps, searchFor(keywords))).didYouMean[0]).toMatchObject({
      keywords: meant,
      keepsFilters: true,
    });
  });

  test('what was looked for is neither a correction nor a similar term', async () => {
    const { didYouMean, similar } = await findWaysOut(deps, searchFor('PYTHON'), { withSimilar: true });
    expect(didYouMean.length).toBeGreaterThan(0);
    expect(similar.length).toBeGreaterThan(0);
    for (const { keywords } of [...didYouMean, ...similar]) expect(keywords.toLowerCase()).not.toBe('python');
  });

  test('similar terms are looked for when asked for, and each given once', async () => {
    expect((await findWaysOut(deps, searchFor('management'))).similar).toEqual([]);
    const { didYouMean, similar } = await findWaysOut(deps, searchFor('management'), { withSimilar: true });
    const words = [...didYouMean, ...similar].map(({ keywords }) => keywords.toLowerCase());
    expect(similar.length).toBeGreaterThan(1);
    expect(new Set(words).size).toBe(words.length);
  });

  test.each([
    searchFor('comptabilitée', { types: ['serious game'], match: 'strict' }),
    searchFor('python', { types: ['safety sheet'], match: 'strict' }),
    searchFor('gardening', { publisher: 'nobody', important: new Set(['publisher']) }),
    searchFor('electrisian', { types: ['serious game'], free: true, match: 'strict' }),
  ])('each way out of "$keywords" leads to something', async (query) => {
    expect((await deps.search(query)).totalItems).toBe(0);
    const { didYouMean, similar, filters, totalWithoutFilters } = await findWaysOut(deps, query, {
      withSimilar: true,
    });
    expect(didYouMean.length + similar.length + filters.length + totalWithoutFilters).toBeGreaterThan(0);
    for (const { keywords, keepsFilters, totalItems } of [...didYouMean, ...similar]) {
      const offered = { ...query, keywords };
      const found = await deps.search(keepsFilters ? offered : dropQueryFilters(offered));
      expect(found.items.length).toBeGreaterThan(0);
      expect(found.totalItems).toBe(totalItems);
    }
    for (const { filter, totalItems } of filters)
      expect((await deps.search(dropQueryFilter(query, filter))).totalItems).toBe(totalItems);
  });

  test('filters that keep everything out are named with what there is without them, most first', async () => {
    const query = searchFor('python', { publisher: 'nobody', important: new Set(['publisher']) });
    const { totalItems } = await learning.ask('searchProvider', searchFor('python'));
    expect((await findWaysOut(deps, query)).filters).toEqual([{ filter: 'publisher', totalItems, isTotalExact: true }]);
  });

  test('a filter that is not to blame is not named', async () => {
    const query = searchFor('python', {
      free: true,
      publisher: 'nobody',
      important: new Set(['publisher', 'free']),
    });
    const { filters } = await findWaysOut(deps, query);
    expect(filters.map(({ filter }) => filter)).toEqual(['publisher']);
  });

  test('either of two filters that nothing passes together is named', async () => {
    const query = searchFor('python', {
      lang: 'es',
      types: ['video'],
      match: 'strict',
    });
    const without = async (filter: QueryFilter) => ({
      filter,
      totalItems: (await deps.search(dropQueryFilter(query, filter))).totalItems,
      isTotalExact: true,
    });
    const { filters } = await findWaysOut(deps, query);
    expect(filters).toEqual([await without('lang'), await without('type')]);
    expect(filters[0]!.totalItems).toBeGreaterThan(filters[1]!.totalItems);
  });

  test('where no filter alone helps, there is still what is found without any', async () => {
    const query = searchFor('python', { publisher: 'nobody', types: ['safety sheet'], match: 'strict' });
    const { totalItems } = await learning.ask('searchProvider', searchFor('python', { match: 'strict' }));
    expect(await findWaysOut(deps, query)).toMatchObject({ filters: [], totalWithoutFilters: totalItems });
    expect(totalItems).toBeGreaterThan(0);
  });

  test('corrections that the filters keep out are counted without them', async () => {
    const query = searchFor('pyhton', { publisher: 'nobody', important: new Set(['publisher']) });
    const { totalItems } = await learning.ask('searchProvider', searchFor('Python'));
    expect((await findWaysOut(deps, query)).didYouMean[0]).toEqual({
      keywords: 'Python',
      totalItems,
      isTotalExact: true,
      keepsFilters: false,
    });
  });
});

describe('with an upstream', () => {
  const remote = useRemote({ timeoutMs: 20_000 });
  const query = searchFor('communicaton', {
    lang: 'en',
    providers: ['tube'],
    free: true,
    address: 'Lyon',
    distanceMax: 5,
  });
  let deps: WaysOutDeps;
  beforeEach(() => {
    const answers = answersOf(remote.upstreams.connect(remote.direct()), 'upstream.example');
    deps = { answers, search: createDiscoverySearch({ ...searchDepsOf(answers), startTimer }), startTimer };
  });
  const searches = () => remote.upstream.requests.filter(({ operation }) => operation === 'search-provider');

  test('each way is tried from the first page, and a filter goes with all that belongs to it', async () => {
    const found = await findWaysOut(deps, { ...query, page: 3 });
    expect(found.didYouMean).toMatchObject([{ keywords: 'communication interne', keepsFilters: true }]);
    expect(found.filters.map(({ filter }) => filter).toSorted()).toContain('distance');
    for (const { query: asked } of searches()) expect(asked).toMatchObject({ page: '0' });
    const withoutPlace = searches().filter(({ query: asked }) => asked.address === undefined);
    // Once without the place alone, and without any filter in each of the two providers.
    expect(withoutPlace).toHaveLength(3);
    for (const { query: asked } of withoutPlace) expect(asked.distanceMax).toBeUndefined();
  });

  test.each(['suggest', 'similar', 'search-provider'] as const)('without %s the rest is there', async (operation) => {
    remote.upstream.reply(operation, { status: 400, body: {} });
    const { didYouMean, similar, filters } = await findWaysOut(deps, query, { withSimilar: true });
    expect({
      didYouMean: didYouMean.length > 0,
      similar: similar.length > 0,
      filters: filters.length > 0,
    }).toEqual({
      didYouMean: operation === 'similar',
      similar: operation === 'suggest',
      filters: operation !== 'search-provider',
    });
  });

  test('what is late is left out', async () => {
    remote.upstream.reply('search-provider', {}, { breaks: 'hang' });
    remote.upstream.reply('suggest', { breaks: 'hang' });
    let end = () => {};
    const onTimer: StartTimer = (_timeoutMs, callback) => {
      end = callback;
      return () => {};
    };
    const finding = findWaysOut({ ...deps, startTimer: onTimer }, query, { withSimilar: true });
    const isAsked = (operation: string) => remote.upstream.requests.some((request) => request.operation === operation);
    // Two at a time: the first has been answered.
    await expect.poll(() => searches().length).toBeGreaterThan(2);
    await expect.poll(() => isAsked('suggest')).toBe(true);
    end();
    const { didYouMean, similar, filters } = await finding;
    expect(didYouMean).toEqual([]);
    // Nobody can say in time whether they lead anywhere.
    expect(similar).toEqual([]);
    expect(filters).toHaveLength(1);
  });

  test('it is never an error', async () => {
    remote.upstream.reply('*', { breaks: 'reset' });
    expect(await findWaysOut(deps, query, { withSimilar: true })).toEqual({
      didYouMean: [],
      similar: [],
      filters: [],
      totalWithoutFilters: 0,
      isTotalWithoutFiltersExact: true,
    });
  });

  test('but for whoever gives up', async () => {
    remote.upstream.reply('*', { breaks: 'hang' });
    const stop = new AbortController();
    const finding = findWaysOut(deps, query, { signal: stop.signal, withSimilar: true });
    await expect.poll(() => remote.upstream.requests.length).toBeGreaterThan(3);
    stop.abort(new Error('gone'));
    await expect(finding).rejects.toThrow('gone');
  });
});
