import { expect, test } from 'vitest';
import { startDeadline } from '../../../src/services/discovery/signals.ts';
import { listenersOf } from './listeners.ts';

const never = new Promise<never>(() => {});

test('work that succeeds in time gives its result, any other null', async () => {
  const deadline = startDeadline(500);
  expect(await deadline.inTime(Promise.resolve(1))).toBe(1);
  expect(await deadline.inTime(Promise.reject(new Error('no')))).toBeNull();
  expect(deadline.isOver).toBe(false);
  expect(await deadline.inTime(never)).toBeNull();
  expect(deadline.isOver).toBe(true);
  expect(deadline.signal.reason).toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
  deadline.clear();
});

test('whoever gives up gets his reason, and his time is not over', async () => {
  const outer = new AbortController();
  const deadline = startDeadline(60_000, outer.signal);
  const waiting = deadline.inTime(never);
  outer.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  expect(deadline.isOver).toBe(false);
  deadline.clear();
});

test('nothing is left of it once it is cleared', async () => {
  const outer = new AbortController();
  const deadline = startDeadline(60_000, outer.signal);
  await deadline.inTime(Promise.resolve(1));
  deadline.clear();
  expect([listenersOf(outer.signal), listenersOf(deadline.signal)]).toEqual([0, 0]);
});
