import { describe, expect, test } from 'vitest';
import type { AnswerSource } from '../../../src/domain/answer.ts';
import { AppError } from '../../../src/errors.ts';
import type { SearchResult, WaysOut } from '../../../src/services/searching/discovery/results.ts';
import { fullObject } from '../../fakes/learning-service.ts';
import { startHome } from './start-home.ts';

const answeredAt = new Date('2026-03-01T14:05:00Z');
const fresh: AnswerSource = { upstream: 'api.example.org', freshness: 'fresh', answeredAt };

const result: SearchResult = {
  requestId: 'r',
  items: [{ object: fullObject, requestId: 'r', quality: 'A00', providerId: 'tube', source: fresh }],
  page: 0,
  itemsPerPage: 10,
  totalItems: 31,
  isTotalExact: false,
  hasMore: true,
  quality: 'B00',
  source: fresh,
  missing: [{ id: 'youtube', why: 'late', code: null }],
};

describe('the page', () => {
  test('shows what came, says what is missing, and how to ask again', async () => {
    const home = await startHome({ discovery: { searchLearningObjects: async () => result } });
    const page = await home.page('/?q=python&type=mooc');
    expect(page).toContain('No answer in time from: YouTube.');
    expect(page).toContain('<a href="/?q=python&amp;type=mooc">Try again</a>');
    expect(page).toContain('About 31 resources for “python”');
    expect(page).toContain('rel="next"');
    expect(page).toMatch(/<span>Page 1<\/span>/);
    await home.close();
  });

  test('behind an end that was guessed leads to the beginning', async () => {
    const search = async () => ({ ...result, items: [], hasMore: false, page: 3 });
    const home = await startHome({ discovery: { searchLearningObjects: search } });
    expect((await home.get('/?q=python&page=3')).headers.get('location')).toBe('/?q=python');
    await home.close();
  });

  test('shows results without the terms and lists that cannot be had now', async () => {
    const isDown = () => Promise.reject(new AppError('UPSTREAM_UNREACHABLE', 'It is down.'));
    const learning = { listProviders: isDown, listBlooms: isDown };
    const home = await startHome({ learning, discovery: { findSkills: isDown } });
    const page = await home.page('/?q=python&provider=youtube');
    expect(page).toContain('2 resources for “python”');
    expect(page).toContain('Similar terms are unavailable right now.');
    // What was chosen stays chosen, and the other lists are there.
    expect(page).toMatch(/<option value="youtube"[^>]* selected>youtube<\/option>/);
    expect(page).toMatch(/<option value="mooc"[^>]*>MOOC/);
    expect(page).toMatch(/<option value="en"[^>]*>English/);
    await home.close();
  });

  test('says that not every word was found only where the service does', async () => {
    for (const [quality, isSaid] of [
      ['A00', false],
      ['B00', true],
      ['C00', false],
    ] as const) {
      const home = await startHome({
        discovery: { searchLearningObjects: async () => ({ ...result, quality }) },
      });
      expect((await home.page('/?q=python')).includes('No exact match for everything'), quality).toBe(isSaid);
      await home.close();
    }
  });

  test('shows how much a wider search finds only where that is known', async () => {
    const none = { ...result, items: [], totalItems: 0, missing: [], isTotalExact: true };
    const waysOut: WaysOut = {
      didYouMean: [],
      similar: [],
      filters: [
        { filter: 'type', totalItems: 1_234, isTotalExact: true },
        { filter: 'lang', totalItems: 990, isTotalExact: false },
      ],
      totalWithoutFilters: 5_000,
      isTotalWithoutFiltersExact: false,
    };
    const nothingHelps = { ...waysOut, filters: [] };
    const pageOf = async (found: WaysOut) => {
      const home = await startHome({
        discovery: { searchLearningObjects: async () => none, findWaysOut: async () => found },
      });
      const page = await home.page('/?q=python&type=mooc&lang=fr');
      await home.close();
      return page;
    };
    const page = await pageOf(waysOut);
    expect(page).toContain('>all types (1,234)</a>');
    expect(page).toContain('>all languages</a>');
    expect(await pageOf(nothingHelps)).toContain('>no filters</a>');
    expect(await pageOf({ ...nothingHelps, isTotalWithoutFiltersExact: true })).toContain('>no filters (5,000)</a>');
  });

  test('does not call other failures a passing trouble', async () => {
    const isBroken = () => Promise.reject(new TypeError('broken'));
    for (const name of ['findSkills', 'lists'] as const) {
      const home = await startHome({ discovery: { [name]: isBroken } });
      expect((await home.get('/?q=python')).status).toBe(500);
      await home.close();
    }
  });

  test('gives a search up when nobody waits for it any more, and calls that no failure', async () => {
    const [asked, givenUp] = [createEvent(), createEvent()];
    const home = await startHome({
      discovery: {
        searchLearningObjects: (_query, { signal } = {}) =>
          new Promise((_resolve, reject) => {
            signal!.addEventListener('abort', () => {
              reject(signal!.reason);
              givenUp.happen();
            });
            asked.happen();
          }),
      },
    });
    const leaving = new AbortController();
    const answer = home.get('/?q=python', { signal: leaving.signal }).catch(() => 'gone');
    await asked.happened;
    leaving.abort();
    expect(await answer).toBe('gone');
    await givenUp.happened;
    await home.close();
    expect(home.log.filter((line) => line.includes('"level":50'))).toEqual([]);
  });
});

function createEvent() {
  let happen = () => {};
  const happened = new Promise<void>((done) => {
    happen = done;
  });
  return { happened, happen };
}
