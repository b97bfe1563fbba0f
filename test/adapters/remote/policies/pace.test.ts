import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Answer, Call, Policy } from '../../../../src/adapters/remote/call.ts';
import { createPace, type PaceOptions } from '../../../../src/adapters/remote/policies/pace.ts';
import { createBulkhead } from '../../../../src/adapters/remote/policies/policies.ts';
import { systemClock } from '../../../../src/ports/clock.ts';
import { aCall, answerOf, createGate } from './calls.ts';

const options = { maxWaitMs: 2_000, memoryMs: 60_000, clock: systemClock };

const roomy: Policy = (call, send) => send(call);

const stated = (perSecond: number) =>
  answerOf(200, { 'ratelimit-limit': `${perSecond}`, 'ratelimit-remaining': '1', 'ratelimit-reset': '1' });

function openPace(changes: Partial<PaceOptions> = {}, place = roomy) {
  const policy = createPace({ ...options, ...changes }, place);
  const startedAt = performance.now();
  /** When calls reached the service, in milliseconds. */
  const reached: number[] = [];
  const run = (answer: Answer = answerOf(200), call: Partial<Call> = {}) =>
    policy(aCall(call), async () => {
      reached.push(performance.now() - startedAt);
      return answer;
    }).catch((error) => error);
  const runMany = (count: number) => Promise.all(Array.from({ length: count }, () => run()));
  return { run, runMany, reached };
}

/** For one test. */
function holdTime(): void {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
}

const codes = (outcomes: readonly unknown[]) => outcomes.map((outcome) => (outcome as { code?: string }).code ?? 'ok');

test('a key without a learnt limit is never slowed', async () => {
  const { runMany } = openPace({ maxWaitMs: 0 });
  for (let n = 0; n < 20; n++) expect(new Set(codes(await runMany(100)))).toEqual(new Set(['ok']));
});

describe('a stated limit', () => {
  test('bounds the calls of each second, and refuses calls that would wait too long', async () => {
    const { run, runMany, reached } = openPace({ maxWaitMs: 1_600 });
    await run(stated(4));
    const outcomes = await runMany(14);
    // Three more in the first second and four in the second; the third begins in a little more than
    // two.
    expect(codes(outcomes)).toEqual([...Array(7).fill('ok'), ...Array(7).fill('UPSTREAM_THROTTLED')]);
    for (let n = 4; n < reached.length; n++) expect(reached[n]! - reached[n - 4]!).toBeGreaterThan(1_000);
    expect(outcomes.at(-1)).toMatchObject({
      kind: 'rate_limited',
      retryAfterSeconds: expect.toBeOneOf([2, 3]),
    });
    expect(outcomes.at(-1).data).toMatchObject({ limit: 4, windowMs: 1_000 });
    expect(outcomes.at(-1).message).toMatch(
      /^api\.example\.org allows 4 requests a second with this key, and more are being made\. Try again in [23] s, or use a key of your own\.$/,
    );
  });

  test('may be of a minute', async () => {
    const { run } = openPace();
    await run(answerOf(200, { 'ratelimit-policy': '2;w=60' }));
    expect(await run()).toEqual(answerOf(200));
    const error = await run();
    expect(error).toMatchObject({ code: 'UPSTREAM_THROTTLED', retryAfterSeconds: 60 });
    expect(error.message).toContain('2 requests in 60 seconds');
  });

  test('is forgotten when it is not stated any more', async () => {
    holdTime();
    const { run, runMany } = openPace({ memoryMs: 500, maxWaitMs: 0 });
    await run(stated(1));
    expect(codes([await run()])).toEqual(['UPSTREAM_THROTTLED']);
    vi.advanceTimersByTime(550);
    expect(codes(await runMany(5))).toEqual(Array(5).fill('ok'));
  });
});

describe('a refusal', () => {
  test('with Retry-After holds back all calls until then', async () => {
    const { run } = openPace();
    await run(answerOf(429, { 'retry-after': '30' }));
    const error = await run();
    expect(error).toMatchObject({ code: 'UPSTREAM_THROTTLED', retryAfterSeconds: 30 });
    expect(error.data).toEqual({ operation: 'suggest' });
    expect(error.message).toContain('api.example.org allows no more requests with this key for now.');
  });

  test('for a day is forgotten after the memory time', async () => {
    holdTime();
    const { run } = openPace({ memoryMs: 500 });
    await run(answerOf(429, { 'retry-after': '86400' }));
    // What is told is what is really waited.
    expect(await run()).toMatchObject({ code: 'UPSTREAM_THROTTLED', retryAfterSeconds: 1 });
    vi.advanceTimersByTime(550);
    expect(codes([await run()])).toEqual(['ok']);
  });

  test('shows how many calls a second allows', async () => {
    const { run, runMany, reached } = openPace();
    await runMany(3);
    await run(answerOf(429));
    await runMany(3);
    expect(reached).toHaveLength(7);
    // The refused one counts as one that was made.
    expect(reached[4]! - reached[1]!).toBeGreaterThan(1_000);
    const error = (await runMany(12)).at(-1);
    expect(error.message).toContain('3 requests a second');
  });

  test('of a burst shows the same, in any order of answers', async () => {
    const policy = createPace({ ...options, maxWaitMs: 0 }, roomy);
    const gates = Array.from({ length: 12 }, () => createGate<Answer>());
    const burst = gates.map(({ opened }) => policy(aCall(), () => opened));
    for (const [n, { open }] of [...gates.entries()].toReversed()) {
      open(answerOf(n < 4 ? 200 : 429));
      await burst[n];
    }
    const error = await policy(aCall(), async () => answerOf(200)).catch((each) => each);
    expect(error.message).toContain('4 requests a second');
  });
});

describe('calls without a place', () => {
  const narrow = () => createBulkhead({ maxAtOnce: 16, maxQueued: 500, minTimeMs: 0 });

  test('are refused once nothing is allowed for longer', async () => {
    const gate = createGate<Answer>();
    const policy = createPace(options, narrow());
    const send = vi.fn(() => gate.opened);
    const called = Array.from({ length: 200 }, () => policy(aCall(), send).catch((error) => error));
    await nextTurn();
    expect(send).toHaveBeenCalledTimes(16);
    gate.open(answerOf(429, { 'retry-after': '30' }));
    const refused = (await Promise.all(called)).slice(16);
    expect(new Set(codes(refused))).toEqual(new Set(['UPSTREAM_THROTTLED']));
    expect(send).toHaveBeenCalledTimes(16);
  });

  test('do not count as allowed calls', async () => {
    const policy = createPace({ ...options, maxWaitMs: 0 }, narrow());
    let asked = 0;
    const send = async () => {
      await nextTurn();
      return answerOf(asked++ < 4 ? 200 : 429);
    };
    await Promise.all(Array.from({ length: 200 }, () => policy(aCall(), send).catch(() => {})));
    const error = await policy(aCall(), send).catch((each) => each);
    expect(error.data).toMatchObject({ limit: 4 });
    expect(asked).toBeLessThan(40);
  });

  test('are refused where the calls before them take all their time', async () => {
    const { run, runMany, reached } = openPace(
      { maxWaitMs: 1_500 },
      createBulkhead({ maxAtOnce: 1, maxQueued: 500, minTimeMs: 0 }),
    );
    await run(stated(10));
    const outcomes = codes(await runMany(40));
    expect(outcomes.slice(0, 15)).toEqual(Array(15).fill('ok'));
    expect(outcomes.slice(25)).toEqual(Array(15).fill('UPSTREAM_THROTTLED'));
    expect(reached.length).toBeLessThan(26);
  });
});

describe('waiting calls', () => {
  test('that give up leave their turn to others', async () => {
    const { run, reached } = openPace({ maxWaitMs: 1_200 });
    await run(stated(1));
    const caller = new AbortController();
    const gone = run(answerOf(200), { signal: caller.signal });
    expect(codes([await run()])).toEqual(['UPSTREAM_THROTTLED']);
    caller.abort();
    expect(await gone).toMatchObject({ name: 'AbortError' });
    expect(codes([await run()])).toEqual(['ok']);
    expect(reached).toHaveLength(2);
  });

  test('wait longer, or are refused, when nothing is allowed any more', async () => {
    const { run, reached } = openPace();
    await run(stated(2));
    const refused = run(answerOf(429, { 'retry-after': '60' }));
    expect(codes(await Promise.all([run(), refused]))).toEqual(['UPSTREAM_THROTTLED', 'ok']);
    expect(reached).toHaveLength(2);
  });

  test('do not wait past the end of their time', async () => {
    const { run } = openPace();
    await run(stated(1));
    const error = await run(answerOf(200), { deadlineMs: performance.now() + 100 });
    expect(error).toMatchObject({ code: 'UPSTREAM_THROTTLED' });
  });
});

test('a bulkhead makes some calls, lets some wait and refuses the others', async () => {
  const policy = createBulkhead({ maxAtOnce: 2, maxQueued: 3, minTimeMs: 0 });
  const gate = createGate<Answer>();
  const send = vi.fn(() => gate.opened);
  const called = Array.from({ length: 7 }, () => policy(aCall(), send).catch((error) => error));
  const refused = { code: 'UPSTREAM_BUSY', kind: 'unavailable', retryAfterSeconds: 1 };
  expect(await Promise.all(called.slice(5))).toMatchObject([refused, refused]);
  expect(send).toHaveBeenCalledTimes(2);
  gate.open(answerOf(200));
  expect(await Promise.all(called.slice(0, 5))).toEqual(Array(5).fill(answerOf(200)));
  expect(send).toHaveBeenCalledTimes(5);
});

test('a waiting call that gives up is not made, and does not block those behind it', async () => {
  const policy = createBulkhead({ maxAtOnce: 1, maxQueued: 9, minTimeMs: 0 });
  const gate = createGate<Answer>();
  const first = policy(aCall(), () => gate.opened);
  const caller = new AbortController();
  const given = vi.fn(async () => answerOf(200));
  const gone = policy(aCall({ signal: caller.signal }), given).catch((error) => error);
  const behind = policy(aCall(), async () => answerOf(200));
  caller.abort();
  await nextTurn();
  gate.open(answerOf(200));
  await first;
  expect(await behind).toEqual(answerOf(200));
  expect(await gone).toMatchObject({ name: 'AbortError' });
  expect(given).not.toHaveBeenCalled();
});

test('a call that gives up leaves the queue at once', async () => {
  const policy = createBulkhead({ maxAtOnce: 1, maxQueued: 1, minTimeMs: 0 });
  const gate = createGate<Answer>();
  const first = policy(aCall(), () => gate.opened);
  const caller = new AbortController();
  const gone = policy(aCall({ signal: caller.signal }), async () => answerOf(200));
  caller.abort();
  // The call under way still keeps its place.
  await expect(gone).rejects.toMatchObject({ name: 'AbortError' });
  const next = policy(aCall(), async () => answerOf(201));
  gate.open(answerOf(200));
  expect(await Promise.all([first, next])).toEqual([answerOf(200), answerOf(201)]);
});

test('a call that waited for nearly all its time is not made, and blocks nobody', async () => {
  const policy = createBulkhead({ maxAtOnce: 1, maxQueued: 9, minTimeMs: 1_000 });
  const gate = createGate<Answer>();
  const first = policy(aCall({ deadlineMs: performance.now() + 10 }), () => gate.opened);
  const send = vi.fn(async () => answerOf(200));
  const late = policy(aCall({ deadlineMs: performance.now() + 900 }), send);
  const inTime = policy(aCall({ deadlineMs: performance.now() + 60_000 }), send);
  gate.open(answerOf(200));
  await expect(late).rejects.toMatchObject({ code: 'UPSTREAM_BUSY' });
  expect(await Promise.all([first, inTime])).toEqual([answerOf(200), answerOf(200)]);
  expect(send).toHaveBeenCalledTimes(1);
});

test('a call that fails gives its place back', async () => {
  const policy = createBulkhead({ maxAtOnce: 1, maxQueued: 0, minTimeMs: 0 });
  const failed = policy(aCall(), () => Promise.reject(new Error('no')));
  await expect(failed).rejects.toThrow('no');
  expect(await policy(aCall(), async () => answerOf(200))).toEqual(answerOf(200));
});
