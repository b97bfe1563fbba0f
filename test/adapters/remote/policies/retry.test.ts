import { expect, test, vi } from 'vitest';
import type { Answer, Call } from '../../../../src/adapters/remote/call.ts';
import { createRetry, type RetryOptions } from '../../../../src/adapters/remote/policies/policies.ts';
import { AppError } from '../../../../src/errors.ts';
import { createStandingClock } from '../../../fakes/clock.ts';
import { aCall, answerOf, unreachable } from './calls.ts';

const options = { maxRetries: 2, minDelayMs: 1, maxDelayMs: 3, clock: createStandingClock() };

/** What comes out, and how often it was asked for; the last outcome is for good. */
async function run(outcomes: (Answer | Error)[], call: Partial<Call> = {}, changes: Partial<RetryOptions> = {}) {
  const send = vi.fn(async () => {
    const outcome = outcomes.length > 1 ? outcomes.shift()! : outcomes[0]!;
    if (outcome instanceof Error) throw outcome;
    return outcome;
  });
  const result = await createRetry({ ...options, ...changes })(aCall(call), send).catch((error) => error);
  return { result, calls: send.mock.calls.length };
}

const good = answerOf(200);

const post = { method: 'POST' } as const;

test.each([429, 502, 503, 504])('a GET is repeated after %i', async (status) => {
  expect(await run([answerOf(status), good])).toEqual({ result: good, calls: 2 });
  expect(await run([answerOf(status)])).toEqual({ result: answerOf(status), calls: 3 });
  expect(await run([answerOf(status)], post)).toEqual({ result: answerOf(status), calls: 1 });
});

test.each([200, 304, 400, 401, 403, 404, 500, 501])('a GET is not repeated after %i', async (status) => {
  expect(await run([answerOf(status)])).toMatchObject({ calls: 1 });
});

test('any call is repeated where no connection was made, a GET also where one broke', async () => {
  expect(await run([unreachable('unmade'), good])).toEqual({ result: good, calls: 2 });
  expect(await run([unreachable('unmade'), good], post)).toEqual({ result: good, calls: 2 });
  expect(await run([unreachable('broken'), good])).toEqual({ result: good, calls: 2 });
  expect(await run([unreachable('broken')], post)).toMatchObject({ calls: 1 });
  expect(await run([unreachable('hopeless')])).toMatchObject({ calls: 1 });
});

test.each(['UPSTREAM_TIMEOUT', 'RESPONSE_INVALID', 'UPSTREAM_ADDRESS_REFUSED', 'UPSTREAM_PAUSED'] as const)(
  '%s is not tried again',
  async (code) => {
    expect(await run([new AppError(code, 'No.')])).toMatchObject({ result: { code }, calls: 1 });
  },
);

test('waits as long as Retry-After asks, where there is time', async () => {
  const startedAt = performance.now();
  const throttled = answerOf(429, { 'retry-after': '1' });
  const deadlineMs = startedAt + 20_000;
  expect(await run([throttled, good], { deadlineMs })).toEqual({ result: good, calls: 2 });
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(1_000);
});

test('gives up at once where Retry-After leaves no time', async () => {
  const throttled = answerOf(429, { 'retry-after': '90' });
  // Longer than the test may take.
  const deadlineMs = performance.now() + 60_000;
  expect(await run([throttled, good], { deadlineMs })).toEqual({ result: throttled, calls: 1 });
});

test('keeps the first error where the repeated call was not made', async () => {
  const paused = new AppError('UPSTREAM_PAUSED', 'Paused.');
  expect(await run([answerOf(503), paused])).toEqual({ result: answerOf(503), calls: 2 });
});

test('delays grow at random between their bounds', async () => {
  const delays: number[] = [];
  vi.spyOn(Math, 'random').mockImplementation(() => {
    delays.push(performance.now());
    return 1;
  });
  await run([answerOf(503)], {}, { minDelayMs: 20, maxDelayMs: 50, maxRetries: 3 });
  vi.restoreAllMocks();
  expect(delays).toHaveLength(3);
  // 20 × 3 is cut at 50.
  expect(delays[1]! - delays[0]!).toBeGreaterThanOrEqual(48);
  expect(delays[2]! - delays[1]!).toBeGreaterThanOrEqual(48);
});

test('ends when its caller goes away between two calls', async () => {
  const caller = new AbortController();
  const running = run([answerOf(503)], { signal: caller.signal }, { minDelayMs: 60_000, maxDelayMs: 60_000 });
  caller.abort();
  expect(await running).toMatchObject({ result: { name: 'AbortError' }, calls: 1 });
});
