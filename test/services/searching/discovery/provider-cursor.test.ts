import { expect, onTestFinished, test, vi } from 'vitest';
import { AppError } from '../../../../src/errors.ts';
import type { SearchAnswer } from '../../../../src/ports/learning-service.ts';
import { createMergedSearch } from '../../../../src/services/searching/discovery/merged-search.ts';
import {
  createCallWindow,
  createProviderFailureReport,
  estimateBytes,
  estimateSearchBytes,
  readArrivedPage,
} from '../../../../src/services/searching/discovery/provider-cursor.ts';
import { searchOf } from '../../../fakes/search-of.ts';
import { objectOf } from './listed-answers.ts';

test('many failures of one search are reported once, with their number and the first', async () => {
  const { problems, watch, fail } = openReport();
  const first = late();
  const failures = [first, late(), new AppError('UPSTREAM_FAILED', 'broken')];
  await Promise.all([...failures.map((error) => fail(error)), watch(async () => 'fine')]);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatchObject({
    code: 'UPSTREAM_TIMEOUT',
    message: expect.stringMatching(/^3 calls .*UPSTREAM_TIMEOUT 2 times, UPSTREAM_FAILED 1 times/),
    cause: first,
  });
});

test('one failure is reported as it is, and the next one again', async () => {
  const { problems, fail } = openReport();
  const [one, other] = [late(), new TypeError('broken')];
  await fail(one);
  await fail(other);
  expect(problems).toEqual([one, other]);
});

test('a wrong request or one that was given up is not reported', async () => {
  const { problems, fail } = openReport();
  await fail(new AppError('PROVIDER_UNKNOWN', 'who?'));
  await fail(new Error('gone'), AbortSignal.abort(new Error('gone')));
  expect(problems).toEqual([]);
});

const settle = () => new Promise((done) => setImmediate(done));

/** Calls that end when they are told to; gives how many are begun. */
function createCalls(run: ReturnType<typeof createCallWindow>) {
  const ends: ((failure?: Error) => void)[] = [];
  const call = () =>
    run(
      () =>
        new Promise<string>((resolve, reject) => {
          ends.push((failure) => (failure === undefined ? resolve('done') : reject(failure)));
        }),
    );
  return { ends, call };
}

test('a call that hangs gives its place to the next one, and is waited for all the same', async () => {
  const { ends, call } = createCalls(createCallWindow({ places: 1, patienceMs: 500 }));
  const [first, second] = [call(), call()];
  await settle();
  expect(ends).toHaveLength(1);
  await expect.poll(() => ends).toHaveLength(2);
  for (const end of ends) end();
  expect(await Promise.all([first, second])).toEqual(['done', 'done']);
});

test('so many hang at the same time, and no more', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { ends, call } = createCalls(createCallWindow({ places: 1, patienceMs: 1, maxUnderWay: 3 }));
  for (let number = 0; number < 5; number++) void call();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ends).toHaveLength(3);
  ends[0]!();
  await expect.poll(() => ends).toHaveLength(4);
});

test('a call that fails does so, early or late, and gives its place away', async () => {
  const { ends, call } = createCalls(createCallWindow({ places: 1, patienceMs: 500 }));
  const [early, late] = [call(), call()].map((called) => called.catch(({ message }: Error) => message));
  await settle();
  ends[0]!(new Error('early'));
  expect(await early).toBe('early');
  await settle();
  const next = call();
  await expect.poll(() => ends).toHaveLength(3);
  ends[1]!(new Error('late'));
  expect(await late).toBe('late');
  ends[2]!();
  expect(await next).toBe('done');
});

function openReport() {
  const problems: unknown[] = [];
  const watch = createProviderFailureReport((problem) => void problems.push(problem));
  const fail = (error: unknown, signal?: AbortSignal) => watch(() => Promise.reject(error), signal).catch(() => {});
  return { problems, watch, fail };
}

const late = () => new AppError('UPSTREAM_TIMEOUT', 'late');

const LETTERS = 90_000;
const BYTES = 2 * LETTERS;

const answer: SearchAnswer = {
  requestId: 'request',
  content: [{ ...objectOf(1), description: 'x'.repeat(LETTERS) }],
  page: 0,
  itemsPerPage: 20,
  totalItems: 1,
  hasMore: false,
  quality: 'A00',
};
const source = { upstream: 'api.example.org', freshness: 'fresh', answeredAt: new Date() } as const;

test('texts weigh two bytes a letter, wherever they are', () => {
  const bytes = estimateBytes({
    title: 'x'.repeat(LETTERS),
    list: ['x'.repeat(LETTERS), undefined, null, 1],
  });
  expect(bytes).toBeGreaterThan(2 * BYTES);
  expect(bytes).toBeLessThan(2 * BYTES + 1_000);
});

test.each([
  ['that fit', {}, true],
  ['that are held back', { types: ['video'], match: 'strict' }, false],
] as const)('a search weighs what came, and of what was read the objects %s', (_name, changes, isKept) => {
  const search = createMergedSearch(searchOf(changes), { ids: ['a'], notAsked: [] });
  const [cursor] = search.cursors;
  expect(estimateSearchBytes(search.cursors)).toBeLessThan(BYTES);
  cursor!.arrived = { value: answer, source };
  expect(estimateSearchBytes(search.cursors)).toBeGreaterThan(BYTES);
  readArrivedPage(cursor!, search.query, search.merge);
  expect(estimateSearchBytes(search.cursors) > BYTES).toBe(isKept);
  expect(estimateSearchBytes(search.cursors)).toBeLessThan(BYTES + 10_000);
});
