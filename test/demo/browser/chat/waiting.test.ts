import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createWaiting } from '../../../../demo/browser/chat/waiting.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** @param news gives whether there is anything new at a time in milliseconds */
function startWaiting(news: (at: number) => boolean) {
  const began = performance.now();
  const asked: number[] = [];
  const shown: boolean[] = [];
  const waiting = createWaiting(
    async () => {
      const at = performance.now() - began;
      asked.push(at);
      return news(at);
    },
    (isWaiting) => shown.push(isWaiting),
  );
  return { waiting, asked, shown };
}

test('an answer that is expected is asked for at once, then less and less, and not for ever', async () => {
  const { waiting, asked, shown } = startWaiting(() => false);
  waiting.watch(true);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked.length).toBe(2);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(asked.length).toBeLessThan(20);
  expect(shown.at(-1)).toBe(false);
  const before = asked.length;
  await vi.advanceTimersByTimeAsync(600_000);
  expect(asked.length).toBe(before);
});

test('after an answer it is asked for a second one for some seconds only', async () => {
  const { waiting, asked, shown } = startWaiting((at) => at > 2_000 && at < 4_000);
  waiting.watch(true);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(shown[0]).toBe(true);
  expect(shown.at(-1)).toBe(false);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(asked.at(-1)).toBeLessThan(13_000);
});

test('nothing is asked where nothing was', async () => {
  const { waiting, asked } = startWaiting(() => true);
  await waiting.during(Promise.resolve());
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toEqual([]);
});
