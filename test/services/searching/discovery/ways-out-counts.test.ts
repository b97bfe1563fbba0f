import { describe, expect, test } from 'vitest';
import type { LearningObjectQuery } from '../../../../src/domain/learning-object-query.ts';
import { AppError, type ErrorCode } from '../../../../src/errors.ts';
import type { SearchResult } from '../../../../src/services/searching/discovery/results.ts';
import type { SearchLearningObjects } from '../../../../src/services/searching/discovery/search.ts';
import { findWaysOut } from '../../../../src/services/searching/discovery/ways-out.ts';
import { listQueryFilters } from '../../../../src/services/searching/query-filters.ts';
import { createFakeLearningService } from '../../../fakes/learning-service.ts';
import { searchOf } from '../../../fakes/search-of.ts';
import { answersOf } from './discovery-parts.ts';
import { listService, searchWith } from './listed-answers.ts';
import { listenersOf } from './listeners.ts';

const { learning } = listService({ a: { objects: [1] } });
const found = await searchWith(learning)(searchOf({ providers: ['a'] }));
const query = searchOf({ keywords: 'pyhton', providers: ['a'], types: ['mooc'], free: true });

/** Corrected to "python course". */
const answers = answersOf(createFakeLearningService());

/** The keywords of a search and the filters it still has. */
const wordsOf = (asked: LearningObjectQuery) => [asked.keywords, ...listQueryFilters(asked)].join(' ');

/** Ways out where each search gives what is said of it, or what there is. */
function findWith(answer: (asked: LearningObjectQuery) => Partial<SearchResult> | ErrorCode, changed = query) {
  const asked: string[] = [];
  const signals = new Set<AbortSignal>();
  let [atOnce, mostAtOnce] = [0, 0];
  const search: SearchLearningObjects = async (one, options) => {
    asked.push(wordsOf(one));
    signals.add(options!.signal!);
    mostAtOnce = Math.max(mostAtOnce, ++atOnce);
    await new Promise((done) => setImmediate(done));
    atOnce--;
    const given = answer(one);
    if (typeof given === 'string') throw new AppError(given, 'It fails.');
    return { ...found, ...given };
  };
  const finding = findWaysOut({ answers, search, startTimer: () => () => {} }, changed);
  return { finding, asked, signals, mostAtOnce: () => mostAtOnce };
}

describe('the searches', () => {
  test('run two at a time, the most promising first', async () => {
    const { finding, asked, mostAtOnce } = findWith(() => ({}));
    await finding;
    expect(asked).toEqual([
      'pyhton type lang free',
      'pyhton provider lang free',
      'pyhton provider type free',
      'pyhton provider type lang',
      'python course provider type lang free',
      'pyhton',
    ]);
    expect(mostAtOnce()).toBe(2);
  });

  test('begin with the filters that exclude', async () => {
    const important = new Set(['free'] as const);
    const { finding, asked } = findWith(() => ({}), { ...query, important });
    await finding;
    expect(asked.slice(0, 3)).toEqual([
      'pyhton type lang free',
      'pyhton provider type lang',
      'pyhton provider lang free',
    ]);
  });

  test('are not made twice', async () => {
    const { lang: _, ...anyLanguage } = query;
    const { finding, asked } = findWith(() => ({}), { ...anyLanguage, providers: [], types: [] });
    expect(await finding).toMatchObject({ filters: [{ filter: 'free' }], totalWithoutFilters: 1 });
    expect(asked).toEqual(['pyhton', 'python course free']);
  });

  test.each(['UPSTREAM_BUSY', 'UPSTREAM_THROTTLED', 'UPSTREAM_PAUSED'] as const)(
    'end with the first that says %s',
    async (code) => {
      const thrown = findWith(() => code);
      expect(await thrown.finding).toMatchObject({ filters: [], didYouMean: [], totalWithoutFilters: 0 });
      expect(thrown.asked).toHaveLength(2);
      const told = findWith(() => ({ missing: [{ id: 'b', why: 'failed', code }] }));
      expect((await told.finding).filters).toHaveLength(2);
      expect(told.asked).toHaveLength(2);
    },
  );

  test('go on where one fails otherwise', async () => {
    const { finding } = findWith(({ types }) => (types.length === 0 ? {} : 'UPSTREAM_TIMEOUT'));
    const { filters, totalWithoutFilters } = await finding;
    expect(filters.map(({ filter }) => filter)).toEqual(['type']);
    expect(totalWithoutFilters).toBe(1);
  });

  test('leave nothing behind, neither at their signal nor at that of the caller', async () => {
    const { signal } = new AbortController();
    const signals = [signal];
    const search: SearchLearningObjects = async (_query, options) => {
      signals.push(options!.signal!);
      return found;
    };
    await findWaysOut({ answers, search }, query, { signal });
    expect(signals.length).toBeGreaterThan(1);
    expect(signals.map(listenersOf)).toEqual(signals.map(() => 0));
  });
});

describe('numbers', () => {
  test('that are exact come first, then the greatest, and each says what it is', async () => {
    const { finding } = findWith((asked) => {
      if (asked.types.length === 0 && asked.providers.length > 0) return { totalItems: 5 };
      if (asked.free === undefined) return { totalItems: 90, isTotalExact: false };
      return asked.providers.length === 0 ? { totalItems: 99, isTotalExact: false } : { totalItems: 7 };
    });
    const { filters, didYouMean, isTotalWithoutFiltersExact } = await finding;
    expect(filters).toEqual([
      { filter: 'lang', totalItems: 7, isTotalExact: true },
      { filter: 'type', totalItems: 5, isTotalExact: true },
      { filter: 'provider', totalItems: 99, isTotalExact: false },
      { filter: 'free', totalItems: 90, isTotalExact: false },
    ]);
    expect(didYouMean).toMatchObject([{ totalItems: 7, isTotalExact: true }]);
    expect(isTotalWithoutFiltersExact).toBe(false);
  });

  test('of corrections say so, too', async () => {
    const { finding } = findWith(() => ({ isTotalExact: false }));
    expect((await finding).didYouMean).toMatchObject([{ keywords: 'python course', isTotalExact: false }]);
  });
});

test('what is asked of many providers by many searches is listened for without a warning', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => void warnings.push(warning);
  process.on('warning', note);
  const lists = Object.fromEntries(Array.from({ length: 12 }, (_, number) => [`p${number}`, { objects: [1] }]));
  const many = listService(lists);
  const asked = searchOf({ ...query, publisher: 'x', ageMin: 3, levelMin: 0, popularityMin: 0.1 });
  await findWaysOut({ answers, search: searchWith(many.learning) }, asked);
  await expect.poll(() => many.asked.length).toBeGreaterThan(12);
  process.off('warning', note);
  expect(warnings).toEqual([]);
});
