import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSearchSessions } from '../../../src/services/discovery/search-sessions.ts';
import { createStandingClock } from '../../fakes/clock.ts';

const request = { key: 'python', page: 0 };

function openSessions() {
  const log: string[] = [];
  const sessions = createSearchSessions({ clock: createStandingClock(), maxSessions: 2 });
  const gates: (() => void)[] = [];
  const work = (name: string) => async () => {
    log.push(`${name} begins`);
    await new Promise<void>((done) => gates.push(done));
    log.push(`${name} ends`);
  };
  return { log, sessions, work, openGate: () => gates.shift()!() };
}

test('the work of a session is done one after another', async () => {
  const { log, sessions, work, openGate } = openSessions();
  const first = sessions.use(request, work('first'));
  const second = sessions.use({ ...request, page: 1 }, work('second'));
  await setImmediate();
  expect(log).toEqual(['first begins']);
  openGate();
  await first;
  await setImmediate();
  openGate();
  await second;
  expect(log).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
});

test('work that fails does not keep the next from its turn', async () => {
  const { sessions } = openSessions();
  const failing = sessions.use(request, () => Promise.reject(new Error('no')));
  const next = sessions.use(request, async () => 'done');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('done');
});

test('other searches do not wait', async () => {
  const { sessions, work, openGate } = openSessions();
  const first = sessions.use(request, work('first'));
  expect(await sessions.use({ ...request, key: 'other' }, async () => 'done')).toBe('done');
  openGate();
  await first;
});

test('whoever gives up before his turn goes at once, and never has it', async () => {
  const { log, sessions, work, openGate } = openSessions();
  const first = sessions.use(request, work('first'));
  const controller = new AbortController();
  const second = sessions.use({ ...request, signal: controller.signal }, work('second'));
  controller.abort(new Error('gone'));
  await expect(second).rejects.toThrow('gone');
  await setImmediate();
  openGate();
  await first;
  await setImmediate();
  expect(log).toEqual(['first begins', 'first ends']);
});

test('the session that was not used for the longest time is forgotten first', async () => {
  const { sessions } = openSessions();
  const seen = new Map<string, object>();
  const isKnown = (key: string) =>
    sessions.use({ key, page: 0 }, async (session) => {
      const known = seen.get(key) === session;
      seen.set(key, session);
      return known;
    });
  for (const key of ['a', 'b', 'a', 'c']) await isKnown(key);
  expect([await isKnown('a'), await isKnown('b')]).toEqual([true, false]);
});
