import { expect, onTestFinished, test, vi } from 'vitest';
import { AppError, type ErrorCode } from '../../../src/errors.ts';
import {
  type AnswerCacheDeps,
  type CacheQuestion,
  createAnswerCache,
} from '../../../src/services/searching/answer-cache.ts';
import { createStandingClock } from '../../fakes/clock.ts';

const MINUTE_MS = 60_000;

const question: CacheQuestion = {
  key: 'school search python',
  upstream: 'api.example.org',
  times: { goodMs: MINUTE_MS, renewMs: 2 * MINUTE_MS, staleMs: 10 * MINUTE_MS },
};

/** A cache whose upstream answers 1, 2, 3 …, or as it is told to. */
function startCache(options: Partial<AnswerCacheDeps> = {}) {
  const clock = createStandingClock();
  const problems: unknown[] = [];
  const cache = createAnswerCache({
    clock,
    maxBytes: 1_000_000,
    onProblem: (error) => problems.push(error),
    ...options,
  });
  let asked = 0;
  let failure: ErrorCode | null = null;
  return {
    clock,
    cache,
    problems,
    asked: () => asked,
    failWith: (code: ErrorCode | null) => {
      failure = code;
    },
    get: (options = {}) =>
      cache.get(
        question,
        async () => {
          asked++;
          if (failure !== null) throw new AppError(failure, 'The upstream is away.');
          return { number: asked };
        },
        options,
      ),
  };
}

/** An upstream that answers when the test wants it to, and knows whether it was told to give up. */
function createSlowAsk() {
  const signals: AbortSignal[] = [];
  let settle: { resolve(value: string): void; reject(error: unknown): void };
  return {
    signals,
    ask: (signal: AbortSignal) => {
      signals.push(signal);
      return new Promise<string>((resolve, reject) => {
        settle = { resolve, reject };
        signal.addEventListener('abort', () => reject(new Error('given up')));
      });
    },
    answer: (value: string) => settle.resolve(value),
    fail: (error: unknown) => settle.reject(error),
  };
}

/** Lets everything that is ready run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

const numberOf = ({ value }: { readonly value: { readonly number: number } }) => value.number;

test('a good answer is given again, with its age', async () => {
  const { get, clock, asked } = startCache();
  const first = await get();
  const answeredAt = clock.now();
  clock.advance(MINUTE_MS);
  const second = await get();
  expect(first).toEqual({
    value: { number: 1 },
    source: { upstream: 'api.example.org', freshness: 'fresh', answeredAt },
  });
  expect(second).toEqual({ value: { number: 1 }, source: { ...first.source, freshness: 'cached' } });
  await settled();
  expect(asked()).toBe(1);
});

test('an older one is given at once and asked for anew behind it, once', async () => {
  const { get, clock, asked } = startCache();
  await get();
  clock.advance(MINUTE_MS + 1);
  const given = await Promise.all([get(), get()]);
  expect(given.map(({ source }) => source.freshness)).toEqual(['cached', 'cached']);
  expect(given.map(numberOf)).toEqual([1, 1]);
  await settled();
  expect(asked()).toBe(2);
  const renewed = await get();
  expect(numberOf(renewed)).toBe(2);
  expect(renewed.source).toMatchObject({ freshness: 'cached', answeredAt: clock.now() });
});

test('a renewal that fails is told, and not tried again at once', async () => {
  const { get, clock, asked, failWith, problems } = startCache();
  await get();
  clock.advance(MINUTE_MS + 1);
  failWith('UPSTREAM_FAILED');
  expect((await get()).source.freshness).toBe('cached');
  await settled();
  await get();
  await settled();
  expect(asked()).toBe(2);
  expect(problems).toMatchObject([{ code: 'UPSTREAM_FAILED' }]);
  failWith(null);
  clock.advance(5_001);
  await get();
  await settled();
  expect(numberOf(await get())).toBe(3);
});

test('an answer that is too old is asked for, and waited for', async () => {
  const { get, clock } = startCache();
  await get();
  clock.advance(2 * MINUTE_MS + 1);
  const given = await get();
  expect(numberOf(given)).toBe(2);
  expect(given.source.freshness).toBe('fresh');
});

test.each<ErrorCode>(['UPSTREAM_UNREACHABLE', 'UPSTREAM_THROTTLED'])(
  'after %s the old answer is given as stale',
  async (code) => {
    const { get, clock, failWith } = startCache();
    const first = await get();
    clock.advance(10 * MINUTE_MS);
    failWith(code);
    const given = await get();
    expect(given).toEqual({ value: first.value, source: { ...first.source, freshness: 'stale' } });
    await expect(get({ allowStale: false })).rejects.toMatchObject({ code });
    clock.advance(1);
    await expect(get()).rejects.toMatchObject({ code });
  },
);

test('where a better one takes long an old one is given, and the better one to those who come after', async () => {
  const { cache, clock, problems } = startCache({ patienceMs: 20 });
  const { ask, answer } = createSlowAsk();
  await cache.get(question, async () => 'old');
  clock.advance(5 * MINUTE_MS);
  const { value, source } = await cache.get(question, ask);
  expect([value, source.freshness]).toEqual(['old', 'stale']);
  answer('new');
  await expect.poll(async () => (await cache.get(question, ask)).value).toBe('new');
  expect(problems).toEqual([]);
});

test('whoever cannot be told that an answer is old waits for the better one', async () => {
  const { cache, clock } = startCache({ patienceMs: 1 });
  const { ask, answer } = createSlowAsk();
  await cache.get(question, async () => 'old');
  clock.advance(5 * MINUTE_MS);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const waiting = cache.get(question, ask, { allowStale: false });
  await vi.advanceTimersByTimeAsync(60_000);
  answer('new');
  expect((await waiting).value).toBe('new');
});

test('what the upstream refuses is not answered from before', async () => {
  const { get, clock, failWith } = startCache();
  await get();
  clock.advance(3 * MINUTE_MS);
  failWith('PROVIDER_UNKNOWN');
  await expect(get()).rejects.toMatchObject({ code: 'PROVIDER_UNKNOWN' });
});

test('errors are shared by those who wait, and not kept', async () => {
  const { get, asked, failWith } = startCache();
  failWith('UPSTREAM_FAILED');
  const outcomes = await Promise.allSettled([get(), get(), get()]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(asked()).toBe(1);
  failWith(null);
  expect(numberOf(await get())).toBe(2);
});

test('a hundred who ask at once are answered by one call', async () => {
  const { get, asked } = startCache();
  const given = await Promise.all(Array.from({ length: 100 }, () => get()));
  expect(asked()).toBe(1);
  expect(new Set(given.map(({ value }) => value)).size).toBe(1);
});

test('other questions have answers of their own', async () => {
  const { cache } = startCache();
  const askFor = (key: string) => cache.get({ ...question, key }, async () => `of ${key}`);
  const given = await Promise.all([askFor('a'), askFor('b')]);
  expect(given.map(({ value }) => value)).toEqual(['of a', 'of b']);
  expect((await askFor('b')).value).toBe('of b');
});

test('whoever gives up is rejected alone, and the call goes on for the others', async () => {
  const { cache } = startCache();
  const slow = createSlowAsk();
  const impatient = new AbortController();
  const first = cache.get(question, slow.ask, { signal: impatient.signal });
  const second = cache.get(question, slow.ask, { signal: new AbortController().signal });
  await settled();
  impatient.abort(new Error('enough'));
  await expect(first).rejects.toThrow('enough');
  expect(slow.signals.map(({ aborted }) => aborted)).toEqual([false]);
  slow.answer('well');
  expect((await second).value).toBe('well');
});

test('the call is given up when nobody waits any more, and the next one makes his own', async () => {
  const { cache } = startCache();
  const slow = createSlowAsk();
  const controllers = [new AbortController(), new AbortController()];
  const waiting = controllers.map(({ signal }) => cache.get(question, slow.ask, { signal }));
  await settled();
  for (const controller of controllers) controller.abort();
  const outcomes = await Promise.allSettled(waiting);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(slow.signals.map(({ aborted }) => aborted)).toEqual([true]);
  expect((await cache.get(question, async () => 'anew')).value).toBe('anew');
});

test('whoever has given up before is not asked for', async () => {
  const { cache } = startCache();
  const slow = createSlowAsk();
  await expect(cache.get(question, slow.ask, { signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone');
  expect(slow.signals).toEqual([]);
});

test('whoever gives up is not comforted with an old answer', async () => {
  const { cache, clock, get } = startCache();
  await get();
  clock.advance(3 * MINUTE_MS);
  const slow = createSlowAsk();
  const impatient = new AbortController();
  const given = cache.get(question, slow.ask, { signal: impatient.signal });
  await settled();
  impatient.abort(new AppError('UPSTREAM_TIMEOUT', 'It took too long.'));
  await expect(given).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
});

test('a renewal goes on, although whoever waited for it gives up', async () => {
  const { cache, clock } = startCache();
  await cache.get(question, async () => 'old');
  clock.advance(MINUTE_MS + 1);
  const slow = createSlowAsk();
  await cache.get(question, slow.ask);
  clock.advance(MINUTE_MS);
  const impatient = new AbortController();
  const given = cache.get(question, slow.ask, { signal: impatient.signal });
  await settled();
  impatient.abort();
  await expect(given).rejects.toThrow();
  expect(slow.signals.map(({ aborted }) => aborted)).toEqual([false]);
  slow.answer('new');
  await settled();
  expect(await cache.get(question, slow.ask)).toMatchObject({
    value: 'new',
    source: { freshness: 'cached' },
  });
});

test('nobody can change an answer', async () => {
  const { cache } = startCache();
  const { value } = await cache.get(question, async () => ({ items: [{ label: 'Python' }] }));
  expect(() => Object.assign(value.items[0]!, { label: 'Snakes' })).toThrow(TypeError);
  expect(() => value.items.push({ label: 'Snakes' })).toThrow(TypeError);
});

test('what was not asked for lately makes room', async () => {
  const { cache } = startCache({ maxBytes: 20_000 });
  let asked = 0;
  const ask = async () => {
    asked++;
    return 'x'.repeat(3_000);
  };
  const keys = ['a', 'b', 'c', 'd'];
  for (const key of keys) await cache.get({ ...question, key }, ask);
  await cache.get({ ...question, key: 'd' }, ask);
  expect(asked).toBe(4);
  await cache.get({ ...question, key: 'a' }, ask);
  expect(asked).toBe(5);
});

test('an answer that is larger than all the room is given and not kept', async () => {
  const { cache } = startCache({ maxBytes: 1_000 });
  const ask = async () => 'x'.repeat(3_000);
  await cache.get(question, ask);
  expect((await cache.get(question, ask)).source.freshness).toBe('fresh');
});

test('one caller may wait for many answers at once, which is no leak', async () => {
  const { cache } = startCache();
  const warnings: Error[] = [];
  const hear = (warning: Error) => warnings.push(warning);
  process.on('warning', hear);
  const { signal } = new AbortController();
  const keys = Array.from({ length: 30 }, (_, number) => `school search ${number}`);
  await Promise.all(keys.map((key) => cache.get({ ...question, key }, async () => key, { signal })));
  await settled();
  process.off('warning', hear);
  expect(warnings).toEqual([]);
});

test('a poor answer is asked for again after a minute, and never given as stale', async () => {
  const { cache, clock } = startCache();
  const lists = {
    ...question,
    times: { goodMs: 60 * MINUTE_MS, renewMs: 120 * MINUTE_MS, staleMs: 600 * MINUTE_MS },
  };
  const poorly = { ...lists, isPoor: (value: unknown) => (value as string[]).length === 0 };
  const none = async (): Promise<string[]> => [];
  await cache.get(poorly, none);
  clock.advance(MINUTE_MS);
  expect((await cache.get(poorly, async () => ['a'])).value).toEqual([]);
  clock.advance(1);
  const away = () => Promise.reject(new AppError('UPSTREAM_UNREACHABLE', 'The upstream is away.'));
  await expect(cache.get(poorly, away)).rejects.toMatchObject({ code: 'UPSTREAM_UNREACHABLE' });
  expect((await cache.get(poorly, async () => ['a'])).value).toEqual(['a']);
  clock.advance(60 * MINUTE_MS);
  expect((await cache.get(poorly, none)).value).toEqual(['a']);
});

test('an answer of a clock that was ahead is none', async () => {
  const { get, clock, failWith } = startCache();
  await get();
  clock.advance(-MINUTE_MS);
  expect(numberOf(await get())).toBe(1);
  clock.advance(-1);
  expect((await get()).source).toMatchObject({ freshness: 'fresh', answeredAt: clock.now() });
  clock.advance(-2 * MINUTE_MS);
  failWith('UPSTREAM_FAILED');
  await expect(get()).rejects.toMatchObject({ code: 'UPSTREAM_FAILED' });
});
