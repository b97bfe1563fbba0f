import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { createSearchActivity, createSearchPause } from '../../../../src/adapters/local/versions/index-jobs.ts';

/** A clock that gives one time of the list at each look. */
function clockOf(...times: number[]) {
  let looks = 0;
  return { now: () => times[Math.min(looks++, times.length - 1)]!, looks: () => looks };
}

test('does not wait without searches', () => {
  const { memory } = createSearchActivity();
  const { now, looks } = clockOf(0);
  createSearchPause(memory, now)();
  expect(looks()).toBe(1);
});

test('waits while a search is answered, in total no longer than it has worked', () => {
  const activity = createSearchActivity();
  // Started at 0, waits from 4 to 8, then has worked 4 and waited 4, works until 9, and waits again.
  const { now, looks } = clockOf(0, 4, 8, 8, 9, 10);
  const pause = createSearchPause(activity.memory, now);
  activity.begin();
  pause();
  expect(looks()).toBe(3);
  pause();
  expect(looks()).toBe(4);
  pause();
  expect(looks()).toBe(6);
});

test('continues at the end of the last search', async () => {
  const activity = createSearchActivity();
  activity.begin();
  activity.begin();
  activity.end();
  const code = `const { parentPort, workerData } = require('node:worker_threads');
    parentPort.postMessage('waits');
    Atomics.wait(new Int32Array(workerData), 0, 1);`;
  const waiting = new Worker(code, { eval: true, workerData: activity.memory });
  await once(waiting, 'message');
  activity.end();
  expect(await once(waiting, 'exit')).toEqual([0]);
});
