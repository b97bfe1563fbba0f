import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { finishInTime, runWithDeadline, waitUnlessAborted } from '../../../src/domain/async/deadline.ts';

const never = new Promise<never>(() => {});
const gone = new Error('gone');

test('work in time gives its result or its error, late work null', async () => {
  expect(await finishInTime(Promise.resolve(1), 60_000)).toBe(1);
  await expect(finishInTime(Promise.reject(gone), 60_000)).rejects.toBe(gone);
  expect(await finishInTime(never, 1)).toBeNull();
});

describe('waiting unless aborted', () => {
  test('gives the result or the error of the promise, and leaves no listener', async () => {
    const { signal } = new AbortController();
    expect(await waitUnlessAborted(Promise.resolve(1), signal)).toBe(1);
    expect(await waitUnlessAborted(Promise.resolve(1))).toBe(1);
    await expect(waitUnlessAborted(Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('rejects with the reason of a signal that is aborted before or meanwhile', async () => {
    await expect(waitUnlessAborted(never, AbortSignal.abort(gone))).rejects.toBe(gone);
    const controller = new AbortController();
    const waiting = waitUnlessAborted(never, controller.signal);
    controller.abort(gone);
    await expect(waiting).rejects.toBe(gone);
  });
});

describe('work with a deadline', () => {
  const late = new Error('late');
  const deadline = (timeoutMs: number, signal?: AbortSignal) => ({
    timeoutMs,
    signal,
    createLateError: () => late,
  });

  test('gives its result or its error, and leaves no listener', async () => {
    const { signal } = new AbortController();
    expect(await runWithDeadline(deadline(60_000, signal), async () => 1)).toBe(1);
    await expect(runWithDeadline(deadline(60_000), () => Promise.reject(gone))).rejects.toBe(gone);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('ends with the late error when its time is over, even if it does not react', async () => {
    let seen: AbortSignal | undefined;
    const work = (signal: AbortSignal) => {
      seen = signal;
      return never;
    };
    await expect(runWithDeadline(deadline(1), work)).rejects.toBe(late);
    expect(seen!.reason).toBe(late);
  });

  test('ends with the reason of a caller who gives up, whatever the work throws then', async () => {
    const controller = new AbortController();
    const work = runWithDeadline(
      deadline(60_000, controller.signal),
      (signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('interrupted')));
        }),
    );
    controller.abort(gone);
    await expect(work).rejects.toBe(gone);
  });

  test('is not begun for a caller who has given up', async () => {
    let isBegun = false;
    const work = async () => {
      isBegun = true;
    };
    await expect(runWithDeadline(deadline(60_000, AbortSignal.abort(gone)), work)).rejects.toBe(gone);
    expect(isBegun).toBe(false);
  });
});
