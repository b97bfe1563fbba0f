import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Answer, Send } from '../../../../src/adapters/remote/call.ts';
import { createBreaker, createBreakerCaution } from '../../../../src/adapters/remote/policies/breaker.ts';
import { AppError } from '../../../../src/errors.ts';
import { aCall, answerOf, createGate, unreachable } from './calls.ts';

const PAUSE_MS = 1_000;

const MIN_TIME_MS = 300;

// By these a breaker tells the time.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'], now: 0 }));

afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => void vi.advanceTimersByTime(ms);

const good = async () => answerOf(200);

const bad: Send = async () => {
  throw unreachable('unmade');
};

function openBreaker(pauseMs = PAUSE_MS) {
  const policy = createBreaker({ maxFailures: 3, pauseMs, minTimeMs: MIN_TIME_MS });
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

  test('names the seconds until the next call', async () => {
    const { run, breakIt } = openBreaker(10_000);
    await breakIt();
    const error = await run();
    expect(error.message).toMatch(/^api\.example\.org failed 3 times in a row; it is asked again in 10 s\./);
  });
});

describe('after the pause', () => {
  test('one call tries, the others wait for it, and all go on where it succeeds', async () => {
    const { run, breakIt } = openBreaker();
    await breakIt();
    pass(PAUSE_MS);
    const gate = createGate<Answer>();
    const first = run(() => gate.opened);
    const asked = vi.fn(good);
    const second = run(asked);
    await nextTurn();
    expect(asked).not.toHaveBeenCalled();
    gate.open(answerOf(200));
    expect(await Promise.all([first, second])).toEqual([answerOf(200), answerOf(200)]);
  });

  test('a failure of the call that tries begins the next pause', async () => {
    const { run, breakIt } = openBreaker();
    await breakIt();
    pass(PAUSE_MS);
    const asked = vi.fn(good);
    const outcomes = await Promise.all([run(bad), run(asked)]);
    expect(outcomes).toMatchObject([{ code: 'UPSTREAM_UNREACHABLE' }, paused]);
    expect(asked).not.toHaveBeenCalled();
  });

  test('the call that tries ends normally although its caller goes away', async () => {
    const { run, breakIt } = openBreaker();
    await breakIt();
    pass(PAUSE_MS);
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

describe('an error of an inner breaker', () => {
  const pausedWithin: Send = async () => {
    throw new AppError('UPSTREAM_PAUSED', 'The whole service is left alone.');
  };

  test('does not count as a failure', async () => {
    const { run } = openBreaker();
    for (let n = 0; n < 9; n++) await run(pausedWithin);
    expect(await run()).toEqual(answerOf(200));
  });

  test('does not count as a success of the call that tries', async () => {
    const { run, breakIt } = openBreaker();
    await breakIt();
    pass(PAUSE_MS);
    expect((await run(pausedWithin)).message).toBe('The whole service is left alone.');
    const asked = vi.fn(good);
    expect(await run(asked)).toMatchObject(paused);
    expect(asked).not.toHaveBeenCalled();
  });
});

describe('a call that is given up', () => {
  const reason = new AppError('UPSTREAM_TIMEOUT', 'The whole time is over.');

  /** The outcome of the last of three calls, where two have failed before. */
  async function giveUp(afterMs: number, by: 'its caller' | 'its deadline') {
    const { run } = openBreaker();
    await run(bad);
    await run(bad);
    const ending = new AbortController();
    const call = aCall({
      signal: ending.signal,
      callerSignal: by === 'its caller' ? ending.signal : undefined,
    });
    const send: Send = async () => {
      pass(afterMs);
      ending.abort(reason);
      throw reason;
    };
    return { given: await run(send, call), after: await run() };
  }

  test.each([
    ['its caller', MIN_TIME_MS],
    ['its deadline', 0],
  ] as const)('by %s, after %i ms, says nothing of a service', async (by, afterMs) => {
    expect(await giveUp(afterMs, by)).toEqual({ given: reason, after: answerOf(200) });
  });

  test('by its deadline, when it had time to be answered, is late', async () => {
    expect(await giveUp(MIN_TIME_MS, 'its deadline')).toMatchObject({ given: reason, after: paused });
  });
});

test('a breaker without late calls still counts unreachable ones', async () => {
  const policy = createBreaker({ maxFailures: 3, pauseMs: PAUSE_MS, minTimeMs: 0, countsLate: false });
  const run = (send: Send) => policy(aCall(), send).catch((error) => error);
  for (let n = 0; n < 9; n++) await run(() => Promise.reject(new AppError('UPSTREAM_TIMEOUT', 'Late.')));
  for (let n = 0; n < 3; n++) expect(await run(bad)).toMatchObject({ code: 'UPSTREAM_UNREACHABLE' });
  expect(await run(good)).toMatchObject(paused);
});

const late = new AppError('UPSTREAM_TIMEOUT', 'Late.');

const fail =
  (error: Error): Send =>
  () =>
    Promise.reject(error);

/** Two operations of a service, where two suspects may be asked at the same time. */
function openCaution() {
  const create = createBreakerCaution({ maxSuspects: 2, minTimeMs: 60_000 });
  const [one, other] = [create(), create()];
  return { one, other };
}

/** How many of three calls at once are made. */
async function countMade(policy: ReturnType<typeof openCaution>['one']): Promise<number> {
  const gate = createGate<Answer>();
  const send = vi.fn(() => gate.opened);
  const calls = [1, 2, 3].map(() => policy(aCall(), send).catch((error) => error));
  gate.open(answerOf(200));
  const refused = (await Promise.all(calls)).filter((outcome) => outcome instanceof AppError);
  for (const error of refused) expect(error).toMatchObject({ code: 'UPSTREAM_PAUSED', retryAfterSeconds: 1 });
  return send.mock.calls.length;
}

test.each([
  ['was late', late],
  ['took long to connect', new AppError('UPSTREAM_UNREACHABLE', 'Gone.', { data: { connection: 'late' } })],
])('an endpoint that %s has few calls at once, until it answers', async (_what, error) => {
  const { one, other } = openCaution();
  await one(aCall(), fail(error)).catch(() => {});
  expect(await countMade(other)).toBe(3);
  expect(await countMade(one)).toBe(2);
  expect(await countMade(one)).toBe(3);
});

test('all late endpoints share these calls', async () => {
  const { one, other } = openCaution();
  for (const policy of [one, other]) await policy(aCall(), fail(late)).catch(() => {});
  const gate = createGate<Answer>();
  const under = [1, 2].map(() => one(aCall(), () => gate.opened));
  await expect(other(aCall(), async () => answerOf(200))).rejects.toMatchObject({ code: 'UPSTREAM_PAUSED' });
  gate.open(answerOf(200));
  await Promise.all(under);
  expect(await other(aCall(), async () => answerOf(200))).toEqual(answerOf(200));
});

test.each([
  ['fails at once', aCall(), unreachable('unmade')],
  ['is given up by its caller', aCall({ callerSignal: AbortSignal.abort(late) }), late],
  ['has no time to answer', aCall({ signal: AbortSignal.abort(late) }), late],
])('an endpoint that %s is not restricted', async (_what, call, error) => {
  const { one } = openCaution();
  await one(call, fail(error)).catch(() => {});
  expect(await countMade(one)).toBe(3);
});
