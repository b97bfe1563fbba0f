import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { createBreaker } from '../../../../src/adapters/remote/policies/breaker.ts';
import type { Answer, Send } from '../../../../src/adapters/remote/send.ts';
import { AppError } from '../../../../src/errors.ts';
import { aCall, answerOf, createGate, unreachable } from './calls.ts';

const PAUSE_MS = 150;
const good = async () => answerOf(200);
const bad: Send = async () => {
  throw unreachable('unmade');
};

function openBreaker(pauseMs = PAUSE_MS) {
  const policy = createBreaker({ maxFailures: 3, pauseMs });
  const run = (send: Send = good, call = aCall()) => policy(call, send).catch((error) => error);
  const breakIt = async () => {
    for (let n = 0; n < 3; n++) await run(bad);
  };
  return { run, breakIt };
}

const paused = { code: 'UPSTREAM_PAUSED', kind: 'unavailable' };

describe('a service', () => {
  test.each([
    ['that cannot be reached', bad],
    ['that is late', () => Promise.reject(new AppError('UPSTREAM_TIMEOUT', 'Late.'))],
    ['that answers 500', async () => answerOf(500)],
    ['that answers 503 within 200', async () => ({ ...answerOf(200), effectiveStatus: 503 })],
  ])('%s three times in a row is left alone', async (_what, send) => {
    const { run } = openBreaker();
    for (let n = 0; n < 3; n++) expect(await run(send)).not.toMatchObject(paused);
    const asked = vi.fn(good);
    expect(await run(asked)).toMatchObject({ ...paused, retryAfterSeconds: 1 });
    expect(asked).not.toHaveBeenCalled();
  });

  test.each([
    ['refuses', async () => answerOf(400)],
    ['throttles', async () => answerOf(429)],
    ['talks nonsense', () => Promise.reject(new AppError('RESPONSE_INVALID', 'What?'))],
  ])('that %s is not', async (_what, send) => {
    const { run } = openBreaker();
    for (let n = 0; n < 9; n++) await run(send);
    expect(await run()).toEqual(answerOf(200));
  });

  test('that answers in between is not', async () => {
    const { run } = openBreaker();
    for (let n = 0; n < 9; n++) await run(n % 3 === 2 ? async () => answerOf(404) : bad);
    expect(await run()).toEqual(answerOf(200));
  });

  test('is said to be asked again, and when', async () => {
    const { run, breakIt } = openBreaker(10_000);
    await breakIt();
    const error = await run();
    expect(error.message).toMatch(
      /^api\.example\.org failed 3 times in a row; it is asked again in (10|9) s\./,
    );
  });
});

describe('after the pause', () => {
  test('one call tries, the others wait for it, and all go on where it succeeds', async () => {
    const { run, breakIt } = openBreaker();
    await breakIt();
    await sleep(PAUSE_MS + 20);
    const gate = createGate<Answer>();
    const first = run(() => gate.opened);
    const asked = vi.fn(good);
    const second = run(asked);
    await sleep(10);
    expect(asked).not.toHaveBeenCalled();
    gate.open(answerOf(200));
    expect(await Promise.all([first, second])).toEqual([answerOf(200), answerOf(200)]);
  });

  test('one call that fails is the next pause', async () => {
    const { run, breakIt } = openBreaker();
    await breakIt();
    await sleep(PAUSE_MS + 20);
    const asked = vi.fn(good);
    const outcomes = await Promise.all([run(bad), run(asked)]);
    expect(outcomes).toMatchObject([{ code: 'UPSTREAM_UNREACHABLE' }, paused]);
    expect(asked).not.toHaveBeenCalled();
  });

  test('the call that tries is seen through though its caller goes away', async () => {
    const { run, breakIt } = openBreaker();
    await breakIt();
    await sleep(PAUSE_MS + 20);
    const caller = new AbortController();
    const gate = createGate<Answer>();
    const send = vi.fn<Send>(() => gate.opened);
    const trying = run(send, aCall({ signal: caller.signal }));
    caller.abort();
    expect(send.mock.calls[0]![0].signal).toBeUndefined();
    gate.open(answerOf(500));
    await trying;
    expect(await run()).toMatchObject(paused);
  });
});

test('what its callers give up says nothing of a service', async () => {
  const { run, breakIt } = openBreaker();
  await run(bad);
  await run(bad);
  const reason = new AppError('UPSTREAM_TIMEOUT', 'The whole time is over.');
  const caller = new AbortController();
  const given = await run(
    async () => {
      caller.abort(reason);
      throw reason;
    },
    aCall({ signal: caller.signal }),
  );
  expect(given).toBe(reason);
  expect(await run()).toEqual(answerOf(200));
  await breakIt();
  expect(await run()).toMatchObject(paused);
});
