import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CircuitOpenError, createCircuitBreaker } from '../../../src/domain/async/circuit-breaker.ts';

const PAUSE_MS = 1_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'], now: 0 }));
afterEach(() => void vi.useRealTimers());

const failure = new Error('failure');
const fail = () => Promise.reject(failure);
const refuse = () => Promise.reject(new Error('refused'));
const succeed = async () => 'result';

function openBreaker() {
  const breaker = createCircuitBreaker({
    maxFailures: 3,
    pauseMs: PAUSE_MS,
    isFailure: (error) => error === failure,
  });
  const run = (work: () => Promise<unknown>) => breaker.run(work).catch((error: unknown) => error);
  return { breaker, run };
}

async function openAfterFailures() {
  const opened = openBreaker();
  for (let n = 0; n < 3; n++) await opened.run(fail);
  return opened;
}

test('refuses work after failures in a row, and says for how long', async () => {
  const { breaker, run } = await openAfterFailures();
  expect(breaker.state).toBe('open');
  const work = vi.fn(succeed);
  const error = await run(work);
  expect(error).toBeInstanceOf(CircuitOpenError);
  expect(error).toMatchObject({ endsInMs: PAUSE_MS });
  expect(work).not.toHaveBeenCalled();
});

test('stays closed where a success comes between failures, and counts no other error', async () => {
  const { breaker, run } = openBreaker();
  for (let n = 0; n < 9; n++) await run(n % 3 === 2 ? succeed : fail);
  for (let n = 0; n < 9; n++) await run(refuse);
  expect(breaker.state).toBe('closed');
});

test.each([
  ['succeeds', succeed],
  ['ends with an error that is no failure', refuse],
])('closes when the work that tries %s', async (_outcome, work) => {
  const { breaker, run } = await openAfterFailures();
  vi.advanceTimersByTime(PAUSE_MS);
  const trying = run(work);
  expect(breaker.state).toBe('trying');
  const waiting = run(succeed);
  await trying;
  expect(await waiting).toBe('result');
  expect(breaker.state).toBe('closed');
});

test('pauses again when the work that tries fails, and those who wait are refused', async () => {
  const { run } = await openAfterFailures();
  vi.advanceTimersByTime(PAUSE_MS);
  const [trial, ...others] = await Promise.all([run(fail), run(succeed), run(succeed)]);
  expect(trial).toBe(failure);
  for (const other of others) expect(other).toBeInstanceOf(CircuitOpenError);
});
