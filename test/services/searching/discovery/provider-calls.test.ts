import { expect, onTestFinished, test, vi } from 'vitest';
import { AppError } from '../../../../src/errors.ts';
import {
  createProviderCallWindow,
  createProviderFailureReport,
  createSlowProviders,
} from '../../../../src/services/searching/discovery/provider-calls.ts';
import { createStandingClock } from '../../../fakes/clock.ts';

test('a provider is slow for a minute, or until it answers, and for its own tenant only', () => {
  const clock = createStandingClock();
  const slow = createSlowProviders(clock);
  slow.add('school', 'tube');
  slow.add('school', 'books');
  expect(slow.has('school', 'tube')).toBe(true);
  expect(slow.has('school', 'films')).toBe(false);
  expect(slow.has('library', 'tube')).toBe(false);
  slow.remove('school', 'books');
  expect(slow.has('school', 'books')).toBe(false);
  clock.advance(59_000);
  expect(slow.has('school', 'tube')).toBe(true);
  clock.advance(2_000);
  expect(slow.has('school', 'tube')).toBe(false);
});

test('many failures of one search are told once, with their number and the first', async () => {
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

test('one failure is told as it is, and the next one again', async () => {
  const { problems, fail } = openReport();
  const [one, other] = [late(), new TypeError('broken')];
  await fail(one);
  await fail(other);
  expect(problems).toEqual([one, other]);
});

test('what was asked wrongly, or given up, is no problem', async () => {
  const { problems, fail } = openReport();
  await fail(new AppError('PROVIDER_UNKNOWN', 'who?'));
  await fail(new Error('gone'), AbortSignal.abort(new Error('gone')));
  expect(problems).toEqual([]);
});

const settle = () => new Promise((done) => setImmediate(done));

/** Calls that end when they are told to; gives how many are begun. */
function createCalls(run: ReturnType<typeof createProviderCallWindow>) {
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
  const { ends, call } = createCalls(createProviderCallWindow({ places: 1, patienceMs: 500 }));
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
  const { ends, call } = createCalls(createProviderCallWindow({ places: 1, patienceMs: 1, maxUnderWay: 3 }));
  for (let number = 0; number < 5; number++) void call();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ends).toHaveLength(3);
  ends[0]!();
  await expect.poll(() => ends).toHaveLength(4);
});

test('a call that fails does so, early or late, and gives its place away', async () => {
  const { ends, call } = createCalls(createProviderCallWindow({ places: 1, patienceMs: 500 }));
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
  const fail = (error: unknown, signal?: AbortSignal) =>
    watch(() => Promise.reject(error), signal).catch(() => {});
  return { problems, watch, fail };
}

const late = () => new AppError('UPSTREAM_TIMEOUT', 'late');
