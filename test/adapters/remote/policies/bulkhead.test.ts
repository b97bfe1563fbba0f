import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { Answer } from '../../../../src/adapters/remote/call.ts';
import { createBulkhead } from '../../../../src/adapters/remote/policies/bulkhead.ts';
import { aCall, answerOf, createGate } from './calls.ts';

test('so many calls are made at once, so many wait, and the others are refused', async () => {
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

test('those who wait and go away are not called, and do not keep those behind them', async () => {
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

test('those who go away leave the queue at once, and others may wait in their place', async () => {
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

test('who waited till nearly the end of his time is not called any more, and keeps nobody', async () => {
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
