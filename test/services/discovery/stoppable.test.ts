import { describe, expect, test } from 'vitest';
import { asTheyCome } from '../../../src/services/discovery/plan-from-text.ts';
import { stoppable } from '../../../src/services/discovery/signals.ts';
import { listenersOf } from './listeners.ts';

/** Items of jobs, with the signal that they end by. */
function startJobs(outer: AbortSignal, run: (job: number) => Promise<number>) {
  const signals: AbortSignal[] = [];
  const items = stoppable((signal) => {
    signals.push(signal);
    return asTheyCome([1, 2, 3], run, { atOnce: 2, signal });
  }, outer);
  return { items, listeners: () => [outer, ...signals].map(listenersOf) };
}

describe('nobody waits for a signal any more', () => {
  test('once all is read', async () => {
    const { items, listeners } = startJobs(new AbortController().signal, async (job) => job);
    const read: number[] = [];
    for await (const item of items) read.push(item);
    expect(read).toEqual([1, 2, 3]);
    expect(listeners()).toEqual([0, 0]);
  });

  test('once nobody reads on', async () => {
    const { items, listeners } = startJobs(new AbortController().signal, async (job) => job);
    for await (const item of items) if (item === 1) break;
    expect(listeners()).toEqual([0, 0]);
  });

  test('once it is aborted', async () => {
    const outer = new AbortController();
    const { items, listeners } = startJobs(outer.signal, () => new Promise(() => {}));
    const next = items[Symbol.asyncIterator]().next();
    outer.abort(new Error('gone'));
    await expect(next).rejects.toThrow('gone');
    expect(listeners()).toEqual([0, 0]);
  });
});
