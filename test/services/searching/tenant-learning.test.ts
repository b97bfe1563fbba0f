import { expect, test } from 'vitest';
import type { Answered } from '../../../src/domain/answer.ts';
import type { LearningObjectQuery } from '../../../src/domain/learning-object-query.ts';
import type { CallOptions, SearchAnswer } from '../../../src/ports/learning-service.ts';
import type { LearningObjectHit, SearchResult } from '../../../src/services/searching/discovery/results.ts';
import { createTenantAnswers } from '../../../src/services/searching/tenant-answers.ts';
import { createTenantLearning } from '../../../src/services/searching/tenant-learning.ts';
import { createStandingClock } from '../../fakes/clock.ts';
import { bareObject, createFakeLearningService, fullObject, KNOWN_REQUEST_ID } from '../../fakes/learning-service.ts';
import { noLayer } from '../../fakes/object-catalog.ts';
import { searchOf } from '../../fakes/search-of.ts';

const clock = createStandingClock();
const source = { upstream: null, freshness: 'fresh', answeredAt: clock.now() } as const;

const query = searchOf({ providers: ['youtube'] });

const found = (changes: Partial<LearningObjectHit> = {}): LearningObjectHit => ({
  object: fullObject,
  requestId: 'search-of-tube',
  quality: 'A00',
  providerId: 'tube',
  source,
  ...changes,
});

const highlight = { title: [[0, 6]], description: [] } as const;

const merged: SearchResult = {
  requestId: 'search-of-tube',
  items: [found(), found({ object: bareObject })],
  page: 1,
  itemsPerPage: 2,
  totalItems: 7,
  isTotalExact: false,
  hasMore: true,
  quality: 'B00',
  source,
  missing: [{ id: 'school', why: 'late', code: null }],
};

/** @param many what the service gives that searches many at once; null where it does not have
 *  that */
function startLearning(
  result: SearchResult = merged,
  answer: Partial<SearchAnswer> = {},
  many: SearchAnswer | null = null,
) {
  const fake = createFakeLearningService();
  const service = {
    ...fake,
    searchProvider: async (asked: LearningObjectQuery) => ({
      ...(await fake.ask('searchProvider', asked)),
      ...answer,
    }),
    searchMany: async () => many,
  };
  const connection = { learning: service, stamp: 'local', upstream: null, feedbackOrigin: null };
  const cache = {
    get: (): Promise<Answered<never>> => Promise.reject(new Error('our own engine needs no cache')),
  };
  const layers = { layerOf: async () => noLayer };
  const answers = createTenantAnswers(
    { upstreams: { connectionOf: async () => connection }, cache, layers, clock },
    'school',
  );
  const merges: { query: LearningObjectQuery; options: CallOptions | undefined }[] = [];
  const counted: string[] = [];
  const learning = createTenantLearning(
    {
      answers,
      discovery: {
        async searchLearningObjects(query, options) {
          merges.push({ query, options });
          return result;
        },
      },
      usage: { count: (tenantId, metric) => counted.push(`${tenantId} ${metric}`) },
    },
    'school',
  );
  return { learning, fake, merges, counted };
}

test('terms and lists are those of the service', async () => {
  const { learning, fake, counted } = startLearning();
  const similar = { keywords: 'data', lang: 'en' };
  const tagger = { text: 'We teach SQL.', lang: 'en' };
  expect(await learning.ask('similar', similar)).toEqual(await fake.ask('similar', similar));
  expect(await learning.ask('tagger', tagger)).toEqual(await fake.ask('tagger', tagger));
  expect(await learning.ask('suggest', { keywords: 'commu' })).toEqual(
    await fake.ask('suggest', { keywords: 'commu' }),
  );
  expect(await learning.ask('listProviders', {})).toEqual(await fake.ask('listProviders', {}));
  expect(await learning.ask('listTypes', {})).toEqual(await fake.ask('listTypes', {}));
  expect(await learning.ask('listBlooms', {})).toEqual(await fake.ask('listBlooms', {}));
  expect(await learning.ask('listLanguages', {})).toEqual(await fake.ask('listLanguages', {}));
  expect(counted).toEqual([]);
});

test('the specified search is that of the service, and counted', async () => {
  const { learning, fake, merges, counted } = startLearning();
  expect(await learning.ask('searchProvider', query)).toEqual(await fake.ask('searchProvider', query));
  expect(merges).toEqual([]);
  expect(counted).toEqual(['school searches']);
});

test('a search that finds nothing is counted as such', async () => {
  const { learning, counted } = startLearning(merged, { content: [], totalItems: 0, quality: 'C00' });
  await learning.ask('searchProvider', query);
  expect(counted).toEqual(['school searches', 'school zero-result-searches']);
});

test('a search that fails is not counted', async () => {
  const { learning, counted } = startLearning();
  await expect(learning.ask('searchProvider', { ...query, providers: ['nobody'] })).rejects.toMatchObject({
    code: 'PROVIDER_UNKNOWN',
  });
  expect(counted).toEqual([]);
});

test('a search of many is the merged one, which counts for itself', async () => {
  const { learning, fake, merges, counted } = startLearning();
  const { signal } = new AbortController();
  expect(await learning.ask('searchMany', query, { signal })).toEqual({
    requestId: 'search-of-tube',
    content: [fullObject, bareObject],
    page: 1,
    itemsPerPage: 2,
    isTotalExact: false,
    missing: [{ id: 'school', why: 'late' }],
    totalItems: 7,
    hasMore: true,
    quality: 'B00',
  });
  expect(merges).toMatchObject([{ query, options: { signal } }]);
  expect(fake.calls.searches).toEqual([]);
  expect(counted).toEqual([]);
});

test('a search of many that the service does at once goes through as it is, and is counted', async () => {
  const facets = { provider: new Map([['tube', 7]]), type: new Map(), bloom: new Map(), lang: new Map() };
  const many = {
    ...(await createFakeLearningService().ask('searchMany', query))!,
    facets,
    highlights: [highlight],
  };
  const { learning, merges, counted } = startLearning(merged, {}, many);
  expect(await learning.ask('searchMany', query)).toBe(many);
  expect(merges).toEqual([]);
  expect(counted).toEqual(['school searches']);
  const nothing = startLearning(merged, {}, { ...many, content: [], totalItems: 0 });
  await nothing.learning.ask('searchMany', query);
  expect(nothing.counted).toEqual(['school searches', 'school zero-result-searches']);
});

test('no service is believed to have more than a billion objects', async () => {
  const many = (await createFakeLearningService().ask('searchMany', query))!;
  const { learning } = startLearning(merged, {}, { ...many, totalItems: 1e15 });
  expect(await learning.ask('searchMany', query)).toMatchObject({ totalItems: 1e9, isTotalExact: false });
});

test('what the specified search cannot be asked is a search of many', async () => {
  const { learning, merges } = startLearning();
  const { lang: _lang, ...anyLanguage } = query;
  await learning.ask('searchProvider', anyLanguage);
  await learning.ask('searchProvider', { ...query, types: ['mooc'] });
  expect(merges.map((merge) => merge.query)).toEqual([anyLanguage, { ...query, types: ['mooc'] }]);
});

test('details of a merged search go along where all objects have them', async () => {
  const facets = { provider: new Map([['tube', 7]]), type: new Map(), bloom: new Map(), lang: new Map() };
  const items = [found({ highlight }), found({ object: bareObject, highlight })];
  const { learning } = startLearning({ ...merged, items, facets });
  expect(await learning.ask('searchMany', query)).toMatchObject({
    facets,
    highlights: [highlight, highlight],
  });
  const { learning: other } = startLearning({ ...merged, items: [items[0]!, found()] });
  const answer = await other.ask('searchMany', query);
  expect(answer).not.toHaveProperty('highlights');
  expect(answer).not.toHaveProperty('tiers');
  expect(answer).not.toHaveProperty('facets');
});

test('objects that do not fit say how they stand to the words', async () => {
  const { learning } = startLearning({ ...merged, items: [found(), found({ tier: 'close' })] });
  expect(await learning.ask('searchMany', query)).toMatchObject({ tiers: ['fitting', 'close'] });
});

test('objects of several searches keep the ids of theirs', async () => {
  const items = [found(), found({ object: bareObject, requestId: KNOWN_REQUEST_ID })];
  const { learning } = startLearning({ ...merged, items });
  expect(await learning.ask('searchMany', query)).toMatchObject({
    requestId: 'search-of-tube',
    requestIds: ['search-of-tube', KNOWN_REQUEST_ID],
  });
});

test('a merged search that finds nothing has a request id, too', async () => {
  const { learning } = startLearning({ ...merged, items: [], totalItems: 0, hasMore: false, quality: 'C00' });
  expect(await learning.ask('searchMany', query)).toEqual({
    requestId: 'search-of-tube',
    content: [],
    page: 1,
    itemsPerPage: 2,
    isTotalExact: false,
    missing: [{ id: 'school', why: 'late' }],
    totalItems: 0,
    hasMore: false,
    quality: 'C00',
  });
});

test('a merged search that is whole says nothing of what is missing', async () => {
  const { learning } = startLearning({ ...merged, isTotalExact: true, missing: [] });
  const answer = await learning.ask('searchMany', query);
  expect(answer).not.toHaveProperty('isTotalExact');
  expect(answer).not.toHaveProperty('missing');
});
