import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { linkSignal, unlessAborted } from '../../../src/services/discovery/signals.ts';
import { listenersOf } from './listeners.ts';

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

describe('unless it is aborted', () => {
  test('what is waited for is given, with its errors', async () => {
    const { signal } = new AbortController();
    expect(await unlessAborted(Promise.resolve(1), signal)).toBe(1);
    expect(await unlessAborted(Promise.resolve(1))).toBe(1);
    await expect(unlessAborted(Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
    expect(listenersOf(signal)).toBe(0);
  });

  test('before or while it waits, which is its reason', async () => {
    const never = new Promise<never>(() => {});
    await expect(unlessAborted(never, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    const controller = new AbortController();
    const waiting = unlessAborted(never, controller.signal);
    controller.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
  });
});
