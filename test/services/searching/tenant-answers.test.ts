import { expect, test } from 'vitest';
import type { LearningObjectQuery } from '../../../src/domain/learning-object-query.ts';
import { AppError } from '../../../src/errors.ts';
import type {
  CallOptions,
  LearningService,
  OperationHandlers,
  QuestionName,
} from '../../../src/ports/learning-service.ts';
import { createAnswerCache } from '../../../src/services/searching/answer-cache.ts';
import { createTenantAnswers, type TenantAnswers } from '../../../src/services/searching/tenant-answers.ts';
import type { TenantConnection } from '../../../src/services/searching/upstreams.ts';
import { createStandingClock } from '../../fakes/clock.ts';
import { bareObject, createFakeLearningService } from '../../fakes/learning-service.ts';
import { noLayer } from '../../fakes/object-catalog.ts';
import { searchOf } from '../../fakes/search-of.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const query = searchOf({ providers: ['youtube'] });

interface Asked {
  readonly operation: string;
  readonly request: unknown;
  readonly options: CallOptions | undefined;
}

/** A service that notes what reaches it, and can be away. */
function createWatchedService(changes: Partial<OperationHandlers>) {
  const asked: Asked[] = [];
  const fake = { ...createFakeLearningService(), ...changes };
  let isAway = false;
  const service: LearningService = {
    async ask(operation, request, options) {
      asked.push({ operation, request, options });
      if (isAway) throw new AppError('UPSTREAM_UNREACHABLE', 'The upstream is away.');
      return fake.ask(operation, request, options);
    },
  };
  return {
    asked,
    service,
    leave: () => {
      isAway = true;
    },
  };
}

interface AnswersOptions {
  readonly isLocal?: boolean;
  readonly allowStale?: boolean;
  readonly service?: Partial<OperationHandlers>;
}

function startAnswers({ isLocal = false, allowStale = true, service = {} }: AnswersOptions = {}) {
  const clock = createStandingClock();
  const watched = createWatchedService(service);
  const cache = createAnswerCache({ clock, maxBytes: 1_000_000, onProblem: () => undefined });
  const connection: TenantConnection = {
    learning: watched.service,
    stamp: 'first connection',
    upstream: isLocal ? null : 'api.example.org',
    feedbackOrigin: null,
  };
  let connected = connection;
  const layers = { layerOf: async () => noLayer };
  const upstreams = { connectionOf: async () => connected };
  const answersOf = (tenantId: string) =>
    createTenantAnswers({ upstreams, cache, layers, clock, allowStale }, tenantId);
  return {
    ...watched,
    clock,
    answersOf,
    answers: answersOf('school'),
    reconnect: () => {
      connected = { ...connection, stamp: 'second connection' };
    },
  };
}

type Operation = (answers: TenantAnswers) => Promise<unknown>;

const operations: Readonly<Record<QuestionName, Operation>> = {
  similar: (answers) => answers.ask('similar', { keywords: 'data', lang: 'en' }),
  tagger: (answers) => answers.ask('tagger', { text: 'We teach SQL.', lang: 'en' }),
  suggest: (answers) => answers.ask('suggest', { keywords: 'commu' }),
  listProviders: (answers) => answers.ask('listProviders', {}),
  listTypes: (answers) => answers.ask('listTypes', {}),
  listBlooms: (answers) => answers.ask('listBlooms', {}),
  listLanguages: (answers) => answers.ask('listLanguages', {}),
  searchProvider: (answers) => answers.ask('searchProvider', query),
  searchMany: (answers) => answers.ask('searchMany', query),
  browse: (answers) => answers.ask('browse', { query, topics: [] }),
  findAlike: (answers) => answers.ask('findAlike', bareObject),
};

// Only our own engine has these, so there is nothing to keep.
const own = ['browse', 'findAlike'];
const kept = Object.entries(operations).filter(([operation]) => !own.includes(operation));

test.each(kept)('%s of an upstream is asked once', async (operation, ask) => {
  const { answers, asked, clock } = startAnswers();
  const first = await ask(answers);
  const second = await ask(answers);
  const source = { upstream: 'api.example.org', answeredAt: clock.now() };
  expect(first).toMatchObject({ source: { ...source, freshness: 'fresh' } });
  expect(second).toMatchObject({ source: { ...source, freshness: 'cached' } });
  expect(asked.map((each) => each.operation)).toEqual([operation]);
});

test.each(Object.entries(operations))('%s of our own engine is asked each time', async (operation, ask) => {
  const { answers, asked, clock } = startAnswers({ isLocal: true });
  await ask(answers);
  clock.advance(1);
  expect(await ask(answers)).toMatchObject({
    source: { upstream: null, freshness: 'fresh', answeredAt: clock.now() },
  });
  expect(asked.map((each) => each.operation)).toEqual([operation, operation]);
});

test.each([true, false])('a call can be given up (our own engine: %s)', async (isLocal) => {
  let given: AbortSignal | undefined;
  const { answers } = startAnswers({
    isLocal,
    service: {
      similar: (_request, options) =>
        new Promise((_resolve, reject) => {
          given = options.signal!;
          given.addEventListener('abort', () => reject(given!.reason));
        }),
    },
  });
  const controller = new AbortController();
  const asked = answers.ask('similar', { keywords: 'data', lang: 'en' }, { signal: controller.signal });
  await new Promise((resolve) => setImmediate(resolve));
  controller.abort(new Error('enough'));
  await expect(asked).rejects.toThrow('enough');
  expect(given!.aborted).toBe(true);
});

test.each<readonly [QuestionName, number, number]>([
  ['listTypes', DAY_MS, 7 * DAY_MS],
  ['similar', HOUR_MS, DAY_MS],
  ['suggest', HOUR_MS, DAY_MS],
  ['tagger', HOUR_MS, DAY_MS],
  ['searchProvider', 5 * MINUTE_MS, DAY_MS],
  ['searchMany', 5 * MINUTE_MS, DAY_MS],
])('%s is good for %d ms and a help for %d', async (operation, goodMs, staleMs) => {
  const { answers, asked, clock, leave } = startAnswers();
  const ask = () => operations[operation](answers);
  await ask();
  clock.advance(goodMs);
  await ask();
  expect(asked).toHaveLength(1);
  leave();
  clock.advance(staleMs - goodMs);
  expect(await ask()).toMatchObject({ source: { freshness: 'stale' } });
  clock.advance(1);
  await expect(ask()).rejects.toMatchObject({ code: 'UPSTREAM_UNREACHABLE' });
});

test('whoever cannot be told that an answer is stale gets the error', async () => {
  const { answers, clock, leave } = startAnswers({ allowStale: false });
  await answers.ask('searchProvider', query);
  clock.advance(HOUR_MS);
  leave();
  await expect(answers.ask('searchProvider', query)).rejects.toMatchObject({ code: 'UPSTREAM_UNREACHABLE' });
});

test('a random order is another one each time', async () => {
  const { answers, asked } = startAnswers();
  const shuffled = { ...query, sort: 'random' as const };
  await answers.ask('searchProvider', shuffled);
  expect((await answers.ask('searchProvider', shuffled)).source).toMatchObject({
    upstream: 'api.example.org',
    freshness: 'fresh',
  });
  expect(asked).toHaveLength(2);
});

test('tenants do not share answers, nor do the connections of one', async () => {
  const { answersOf, asked, reconnect } = startAnswers();
  await answersOf('school').ask('listTypes', {});
  await answersOf('college').ask('listTypes', {});
  expect(asked).toHaveLength(2);
  reconnect();
  await answersOf('school').ask('listTypes', {});
  expect(asked).toHaveLength(3);
});

const otherQueries: readonly Partial<LearningObjectQuery>[] = [
  { keywords: 'Python' },
  { lang: 'fr' },
  { providers: ['openlearn'] },
  { providers: [] },
  { types: ['mooc'] },
  { blooms: ['Apply'] },
  { match: 'strict' },
  { model: 'extended' },
  { max: 5 },
  { page: 1 },
  { publisher: 'A university' },
  { ageMin: 1 },
  { ageMax: 1 },
  { learningTimeMin: 1 },
  { learningTimeMax: 1 },
  { levelMin: 0.5 },
  { levelMax: 0.5 },
  { popularityMin: 0.5 },
  { address: 'Lyon' },
  { distanceMax: 1 },
  { free: true },
  { free: false },
  { important: new Set(['lang']) },
];

test('whatever makes a search another one makes it asked', async () => {
  const { answers, asked } = startAnswers();
  await answers.ask('searchMany', query);
  for (const changes of otherQueries) await answers.ask('searchMany', { ...query, ...changes });
  await answers.ask('searchMany', query, { withDetails: true });
  expect(asked).toHaveLength(otherQueries.length + 2);
});

test('what makes no difference to a search does not', async () => {
  const { answers, asked } = startAnswers();
  const { keywords, ...rest } = { ...query, keywords: 'machine learning' };
  await answers.ask('searchProvider', { keywords, ...rest, important: new Set(['lang', 'free']) });
  await answers.ask('searchProvider', {
    ...rest,
    important: new Set(['free', 'lang']),
    keywords: ' machine \n learning',
  });
  expect(asked).toHaveLength(1);
});

test('terms are looked for without needless blanks, but completed as they were typed', async () => {
  const { answers, asked } = startAnswers();
  await answers.ask('similar', { keywords: ' data  analysis ', lang: 'en' });
  await answers.ask('similar', { keywords: 'data analysis', lang: 'en' });
  expect(asked.map((each) => each.request)).toEqual([{ keywords: 'data analysis', lang: 'en' }]);
  await answers.ask('suggest', { keywords: 'data' });
  await answers.ask('suggest', { keywords: 'data ' });
  expect(asked.slice(1).map((each) => each.request)).toEqual([{ keywords: 'data' }, { keywords: 'data ' }]);
});

test.each<readonly [string, Operation]>([
  ['lang', (answers) => answers.ask('similar', { keywords: 'data', lang: 'fr' })],
  ['source', (answers) => answers.ask('similar', { keywords: 'data', lang: 'en', source: 'ROME' })],
  ['max', (answers) => answers.ask('similar', { keywords: 'data', lang: 'en', max: 5 })],
  ['the operation', (answers) => answers.ask('tagger', { text: 'data', lang: 'en' })],
])('other terms are asked for with another %s', async (_what, ask) => {
  const { answers, asked } = startAnswers();
  await answers.ask('similar', { keywords: 'data', lang: 'en' });
  await ask(answers);
  await ask(answers);
  expect(asked).toHaveLength(2);
});

test('that an upstream does not have our extension is kept like an answer', async () => {
  const { answers, asked } = startAnswers({ service: { searchMany: async () => null } });
  expect((await answers.ask('searchMany', query)).value).toBeNull();
  expect((await answers.ask('searchMany', query)).value).toBeNull();
  expect(asked).toHaveLength(1);
});

test.each([
  ['late', 2],
  ['failed', 2],
  ['not-asked', 1],
] as const)('a search in which a provider is %s is asked %d times by two', async (why, times) => {
  const answered = await createFakeLearningService().ask('searchProvider', query);
  const { answers, asked } = startAnswers({
    service: { searchMany: async () => ({ ...answered, missing: [{ id: 'tube', why }] }) },
  });
  await answers.ask('searchMany', query);
  expect((await answers.ask('searchMany', query)).value).toMatchObject({ missing: [{ id: 'tube', why }] });
  expect(asked).toHaveLength(times);
});

test.each(['listProviders', 'listTypes', 'listBlooms', 'listLanguages'] as const)(
  'an empty answer to %s is asked for again after a minute',
  async (operation) => {
    const { answers, asked, clock } = startAnswers({ service: { [operation]: async () => [] } });
    await answers.ask(operation, {});
    clock.advance(MINUTE_MS);
    await answers.ask(operation, {});
    expect(asked).toHaveLength(1);
    clock.advance(1);
    expect((await answers.ask(operation, {})).source.freshness).toBe('fresh');
    expect(asked).toHaveLength(2);
  },
);
