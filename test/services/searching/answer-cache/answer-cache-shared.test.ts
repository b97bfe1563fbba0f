import { expect, test } from 'vitest';
import { AppError } from '../../../../src/errors.ts';
import type { AnswerRepository, SharedAnswer } from '../../../../src/ports/store/store.ts';
import { type CacheQuestion, createAnswerCache } from '../../../../src/services/searching/answer-cache.ts';
import { createStandingClock } from '../../../fakes/clock.ts';

const MINUTE_MS = 60_000;

const question: CacheQuestion = {
  key: 'school search a private matter',
  upstream: 'api.example.org',
  times: { goodMs: MINUTE_MS, renewMs: 2 * MINUTE_MS, staleMs: 10 * MINUTE_MS },
};

/** Answers in a Map, as the port has it. */
function createSharedAnswers() {
  const answers = new Map<string, SharedAnswer>();
  const repository: AnswerRepository = {
    async findAnswer(key, now) {
      const found = answers.get(key);
      return found !== undefined && found.expiresAt > now ? found : null;
    },
    async keepAnswer(key, answer) {
      answers.set(key, answer);
    },
  };
  return { answers, repository };
}

function startHosts(shared: AnswerRepository) {
  const clock = createStandingClock();
  const problems: unknown[] = [];
  const onProblem = (error: unknown) => problems.push(error);
  const start = () => createAnswerCache({ clock, maxBytes: 1_000_000, shared, onProblem });
  return { clock, problems, one: start(), other: start() };
}

/** Lets everything that is ready run, and what is written behind it. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}

const neverAsked = () => Promise.reject(new Error('this was not to be asked'));
const away = () => Promise.reject(new AppError('UPSTREAM_UNREACHABLE', 'The upstream is away.'));

test('what one host was answered, the other gives', async () => {
  const { answers, repository } = createSharedAnswers();
  const { one, other, clock } = startHosts(repository);
  const value = { totalItems: 2, facets: { type: new Map([['mooc', 2]]) } };
  const { source } = await one.get(question, async () => value);
  await settled();
  clock.advance(MINUTE_MS);
  const given = await other.get(question, neverAsked);
  expect(given).toEqual({ value, source: { ...source, freshness: 'cached' } });
  await other.get(question, neverAsked);
  expect([...answers.values()]).toMatchObject([
    { answeredAt: source.answeredAt, expiresAt: new Date(source.answeredAt.getTime() + 10 * MINUTE_MS) },
  ]);
});

test('the store does not learn what was asked', async () => {
  const { answers, repository } = createSharedAnswers();
  const { one } = startHosts(repository);
  await one.get(question, async () => 'an answer');
  await settled();
  expect([...answers.keys()]).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
});

test('an older one of another host is given at once and asked for anew', async () => {
  const { one, other, clock } = startHosts(createSharedAnswers().repository);
  await one.get(question, async () => 'first');
  await settled();
  clock.advance(MINUTE_MS + 1);
  expect((await other.get(question, async () => 'second')).value).toBe('first');
  await settled();
  expect((await other.get(question, neverAsked)).value).toBe('second');
  // It was renewed by the other, so this one need not.
  expect((await one.get(question, neverAsked)).value).toBe('first');
  await settled();
  expect((await one.get(question, neverAsked)).value).toBe('second');
});

test('a stale one of another host is given where the upstream is away', async () => {
  const { one, other, clock } = startHosts(createSharedAnswers().repository);
  const { source } = await one.get(question, async () => 'first');
  await settled();
  clock.advance(3 * MINUTE_MS);
  const given = await other.get(question, away);
  expect(given).toEqual({ value: 'first', source: { ...source, freshness: 'stale' } });
});

test('a store that fails is told of, and nothing else', async () => {
  const failure = new AppError('STORE_UNAVAILABLE', 'The store is away.');
  const { one, problems } = startHosts({
    findAnswer: () => Promise.reject(failure),
    keepAnswer: () => Promise.reject(failure),
  });
  expect((await one.get(question, async () => 'well')).value).toBe('well');
  await settled();
  expect(problems).toEqual([failure, failure]);
});

test('that there is no answer is kept on its host only', async () => {
  const { answers, repository } = createSharedAnswers();
  const { one } = startHosts(repository);
  expect((await one.get(question, async () => null)).value).toBeNull();
  await settled();
  expect(answers.size).toBe(0);
  expect((await one.get(question, async () => 'there it is')).value).toBeNull();
});

test('what is private stays on its host', async () => {
  const { answers, repository } = createSharedAnswers();
  const { one, other } = startHosts(repository);
  const secret = { ...question, isPrivate: true };
  await one.get(secret, async () => 'of one');
  await settled();
  expect(answers.size).toBe(0);
  expect((await other.get(secret, async () => 'of the other')).value).toBe('of the other');
  expect((await one.get(secret, async () => 'again')).value).toBe('of one');
});

test('a store that does not answer is not waited for', async () => {
  const { one } = startHosts({
    findAnswer: () => new Promise(() => undefined),
    keepAnswer: () => new Promise(() => undefined),
  });
  expect((await one.get(question, async () => 'well')).value).toBe('well');
});

test('what cannot be read is as if it were not there', async () => {
  const { answers, repository } = createSharedAnswers();
  const { one, other, problems } = startHosts(repository);
  await one.get(question, async () => 'first');
  await settled();
  const [[key, answer]] = answers as unknown as [[string, SharedAnswer]];
  answers.set(key, { ...answer, text: '{"cut off' });
  expect((await other.get(question, async () => 'second')).value).toBe('second');
  expect(problems).toHaveLength(1);
});

test('a call that everyone gave up is not made once the store answers', async () => {
  let found: (answer: null) => void = () => undefined;
  const { one } = startHosts({
    findAnswer: () =>
      new Promise((resolve) => {
        found = resolve;
      }),
    keepAnswer: async () => undefined,
  });
  const controller = new AbortController();
  let asked = 0;
  const given = one.get(question, async () => ++asked, { signal: controller.signal });
  controller.abort();
  await expect(given).rejects.toThrow();
  found(null);
  await settled();
  expect(asked).toBe(0);
});

test('a poor answer is not shared', async () => {
  const { answers, repository } = createSharedAnswers();
  const { one } = startHosts(repository);
  await one.get({ ...question, isPoor: () => true }, async () => []);
  await settled();
  expect(answers.size).toBe(0);
});

test('what a host with a clock that is ahead shared is not taken over', async () => {
  const { answers, repository } = createSharedAnswers();
  const { one, other, clock } = startHosts(repository);
  await one.get(question, async () => 'of the future');
  await settled();
  clock.advance(-2 * MINUTE_MS);
  expect((await other.get(question, async () => 'of now')).value).toBe('of now');
  await settled();
  expect([...answers.values()]).toMatchObject([{ answeredAt: clock.now() }]);
  // The first host has the one of the future in its memory still.
  expect((await one.get(question, neverAsked)).value).toBe('of now');
});
