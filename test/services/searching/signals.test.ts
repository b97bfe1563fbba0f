import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { linkSignal } from '../../../src/domain/async/deadline.ts';
import { runJobs } from '../../../src/services/searching/plan/plan.ts';
import { makeStoppable, startDeadline } from '../../../src/services/searching/signals.ts';
import { listenersOf } from './discovery/listeners.ts';

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

describe('a linked signal', () => {
  test('is aborted with the other one, for its reason', () => {
    const outer = new AbortController();
    const { signal } = linkSignal(outer.signal);
    expect(signal.aborted).toBe(false);
    outer.abort('gone');
    expect(signal.reason).toBe('gone');
    expect(linkSignal(outer.signal).signal.reason).toBe('gone');
  });

  test('is aborted by itself, and then leaves the other one alone', () => {
    const outer = new AbortController();
    const { signal, abort } = linkSignal(outer.signal);
    abort('over');
    expect([signal.reason, outer.signal.aborted]).toEqual(['over', false]);
  });

  test('lets go of the other one', () => {
    const outer = new AbortController();
    const { signal, unlink } = linkSignal(outer.signal);
    expect(listenersOf(outer.signal)).toBe(1);
    unlink();
    expect(listenersOf(outer.signal)).toBe(0);
    outer.abort();
    expect(signal.aborted).toBe(false);
  });

  test('may be waited for by any number', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    process.on('warning', note);
    const { signal } = linkSignal();
    for (let listener = 0; listener < 50; listener++) signal.addEventListener('abort', () => {});
    await new Promise((done) => setImmediate(done));
    process.off('warning', note);
    expect(getEventListeners(signal, 'abort')).toHaveLength(50);
    expect(warnings).toEqual([]);
  });
});

/** Items of jobs, with the signal that they end by. */
function startJobs(outer: AbortSignal, run: (job: number) => Promise<number>) {
  const signals: AbortSignal[] = [];
  const items = makeStoppable((signal) => {
    signals.push(signal);
    return runJobs([1, 2, 3], run, signal);
  }, outer);
  return { items, listeners: () => [outer, ...signals].map(listenersOf) };
}
