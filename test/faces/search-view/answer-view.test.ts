import { describe, expect, test } from 'vitest';
import type { AnswerSource } from '../../../src/domain/answer.ts';
import { readQueryWishes } from '../../../src/domain/query-wishes.ts';
import { toAnswerView, writeAnswerNotices } from '../../../src/faces/search-view/answer-view.ts';
import { readLanguages } from '../../../src/faces/words/i18n.ts';
import type {
  LearningObjectHit,
  MissingProvider,
  SearchResult,
} from '../../../src/services/searching/discovery/results.ts';
import { bareObject } from '../../fakes/learning-service.ts';

const en = { t: readLanguages().translatorOf('en'), locale: 'en' };

const answeredAt = new Date('2026-03-01T14:05:00Z');
const fresh: AnswerSource = { upstream: 'api.example.org', freshness: 'fresh', answeredAt };
const late = (id: string): MissingProvider => ({ id, why: 'late', code: null });
const failed = (id: string): MissingProvider => ({ id, why: 'failed', code: 'UPSTREAM_FAILED' });
const named = (id: string, name: string) => ({ id, name, logos: [], url: `https://${id}.example.org` });

describe('the heading', () => {
  const item: LearningObjectHit = {
    object: bareObject,
    requestId: 'r',
    quality: 'B00',
    providerId: null,
    source: fresh,
  };
  const close = { ...item, tier: 'close' } as const;
  const of = (items: readonly LearningObjectHit[], page = 0, more: Partial<SearchResult> = {}) =>
    toAnswerView(
      {
        requestId: 'r',
        items,
        page,
        itemsPerPage: 10,
        totalItems: 2,
        isTotalExact: true,
        hasMore: false,
        quality: 'B00',
        source: fresh,
        missing: [],
        ...more,
      },
      { typed: 'knitting', providers: [] },
      en,
    );

  test('offers the same search again only where it may find more then', () => {
    expect(of([item], 0, { corrected: 'knitting' }).canRetry).toBe(false);
    expect(of([item], 0, { missing: [late('edx')] }).canRetry).toBe(true);
    expect(of([item], 0, { source: { ...fresh, freshness: 'stale' } }).canRetry).toBe(true);
  });

  test('counts what was found, and says where not everything fits', () => {
    expect(of([item, close])).toMatchObject({
      count: '2 resources for “knitting”',
      quality: 'No exact match for everything – closest results first.',
    });
  });

  test('says that nothing fits, where there is only what is close', () => {
    expect(of([close, close])).toMatchObject({
      count: 'No exact match for “knitting”. Here are the closest results.',
      isFound: true,
      quality: null,
    });
    expect(of([close], 1).count).toBe('2 resources for “knitting”');
  });
});

describe('what people are told of results that are not all there', () => {
  test('nothing where all is well', () => {
    expect(writeAnswerNotices({ missing: [], source: fresh }, [], en)).toEqual([]);
    expect(writeAnswerNotices({ missing: [], source: { ...fresh, freshness: 'cached' } }, [], en)).toEqual([]);
  });

  test('which words the results are of, where these are not those that were typed', () => {
    expect(writeAnswerNotices({ missing: [], source: fresh, corrected: 'docker' }, [], en)).toEqual([
      'Showing results for “docker”.',
    ]);
  });

  test('what the words wish for, which comes first', () => {
    const { wishes } = readQueryWishes('free python videos for beginners in 30 minutes');
    expect(writeAnswerNotices({ missing: [], source: fresh, wishes }, [], en)).toEqual([
      'Preferred on top: 30 minutes, For beginners, Free, and Video.',
    ]);
  });

  test.each<['en' | 'fr', string]>([
    ['en', 'Preferred on top: 90 minutes and Near Lyon.'],
    ['fr', 'En tête, selon vos préférences\u00a0: 90 minutes et Lieu\u00a0: Lyon.'],
  ])('near which place (%s)', (locale, notice) => {
    const words = { t: readLanguages().translatorOf(locale), locale };
    const findCity = () => ({ lat: 45.8, lon: 4.8, population: 521_000 });
    const { wishes } = readQueryWishes('python 1h30 in Lyon', [], findCity);
    expect(writeAnswerNotices({ missing: [], source: fresh, wishes }, [], words)).toEqual([notice]);
  });

  test('which providers are late and which failed, by their names', () => {
    const missing = [late('tube'), failed('school'), late('books')];
    expect(
      writeAnswerNotices({ missing, source: fresh }, [named('tube', 'Tube'), named('books', 'Books')], en),
    ).toEqual(['No answer in time from: Tube and Books.', 'Unavailable right now: school.']);
  });

  test('of very many providers some, and how many more', () => {
    const missing = Array.from({ length: 9 }, (_, number) => failed(`p${number}`));
    expect(writeAnswerNotices({ missing, source: fresh }, [], en)).toEqual([
      'Unavailable right now: p0, p1, p2, p3, p4, and 4 more.',
    ]);
  });

  test('how many were not asked, which are found by choosing them', () => {
    const notAsked = (id: string): MissingProvider => ({ id, why: 'not-asked', code: null });
    expect(writeAnswerNotices({ missing: [notAsked('a'), late('b')], source: fresh }, [], en)).toEqual([
      'No answer in time from: b.',
      '1 more provider was not searched. Choose it to search it.',
    ]);
    const many = Array.from({ length: 1_200 }, (_, number) => notAsked(`p${number}`));
    expect(writeAnswerNotices({ missing: many, source: fresh }, [], en)).toEqual([
      '1,200 more providers were not searched. Choose one to search it.',
    ]);
  });

  test('how old they are, where they are older than they should be', () => {
    expect(writeAnswerNotices({ missing: [], source: { ...fresh, freshness: 'stale' } }, [], en)).toEqual([
      'The search service is unavailable. These results are from Mar 1, 2026, 2:05 PM UTC.',
    ]);
  });
});
