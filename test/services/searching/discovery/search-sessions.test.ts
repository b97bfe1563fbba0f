import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createMergedSearch } from '../../../../src/services/searching/discovery/merged-search.ts';
import {
  createSearchSessions,
  createSlowProviders,
  type SearchSession,
  type SearchSessions,
  singleUseSessions,
} from '../../../../src/services/searching/discovery/search-sessions.ts';
import { createStandingClock } from '../../../fakes/clock.ts';
import { searchOf } from '../../../fakes/search-of.ts';

const request = { scope: 'tenant', key: 'python', page: 0 };

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

/** Tells whether a session was used before, and uses it. */
function createAttendance(sessions: SearchSessions) {
  const seen = new Map<string, SearchSession>();
  return (key: string, { scope = 'tenant', bytes = 0 } = {}) =>
    sessions.use({ scope, key, page: 0 }, async (session) => {
      const isKnown = seen.get(`${scope} ${key}`) === session;
      seen.set(`${scope} ${key}`, session);
      session.merged ??= createMergedSearch(searchOf(), { ids: ['a'], notAsked: [] });
      session.merged.cursors[0]!.cachedBytes = bytes;
      return isKnown;
    });
}

describe('sessions are forgotten', () => {
  const clock = createStandingClock();

  test('first the one that was not used for the longest time', async () => {
    const isKnown = createAttendance(openSessions().sessions);
    for (const key of ['a', 'b', 'a', 'c']) await isKnown(key);
    expect([await isKnown('a'), await isKnown('b')]).toEqual([true, false]);
  });

  test('of the tenant that has too many, rather than of others', async () => {
    const isKnown = createAttendance(createSearchSessions({ clock, maxPerScope: 2 }));
    await isKnown('a', { scope: 'other' });
    for (const key of ['a', 'b', 'a', 'c']) await isKnown(key);
    expect(await isKnown('a', { scope: 'other' })).toBe(true);
    expect([await isKnown('a'), await isKnown('c'), await isKnown('b')]).toEqual([true, true, false]);
  });

  test('where they take too much memory together', async () => {
    const isKnown = createAttendance(createSearchSessions({ clock, maxBytes: 100_000 }));
    for (const key of ['a', 'b', 'c']) await isKnown(key, { bytes: 40_000 });
    expect([await isKnown('b', { bytes: 40_000 }), await isKnown('a')]).toEqual([true, false]);
  });

  test('where one takes too much by itself, and the others stay', async () => {
    const isKnown = createAttendance(createSearchSessions({ clock, maxBytes: 100_000 }));
    await isKnown('a', { bytes: 40_000 });
    await isKnown('b', { bytes: 200_000 });
    expect([await isKnown('a'), await isKnown('b')]).toEqual([true, false]);
  });

  test('where what came late takes too much', async () => {
    const sessions = createSearchSessions({ clock, maxBytes: 100_000 });
    const isKnown = createAttendance(sessions);
    await isKnown('a');
    let come = () => {};
    const ended = new Promise<void>((done) => {
      come = done;
    });
    await sessions.use({ scope: 'tenant', key: 'a', page: 0 }, async ({ merged }) => {
      const [cursor] = merged!.cursors;
      cursor!.call = { ended, isLate: true, abort: () => {} };
      void ended.then(() => (cursor!.cachedBytes = 200_000));
    });
    expect(await isKnown('a')).toBe(true);
    come();
    await setImmediate();
    expect(await isKnown('a')).toBe(false);
  });
});

describe('a session of single use', () => {
  test('is nobody else’s', async () => {
    const isKnown = createAttendance(singleUseSessions);
    expect([await isKnown('a'), await isKnown('a')]).toEqual([false, false]);
  });

  test('gives up what is late', async () => {
    const reasons: unknown[] = [];
    await singleUseSessions.use(request, async (session) => {
      session.merged = createMergedSearch(searchOf(), { ids: ['a'], notAsked: [] });
      const abort = (reason: unknown) => void reasons.push(reason);
      session.merged.cursors[0]!.call = { ended: Promise.resolve(), isLate: true, abort };
    });
    expect(reasons).toHaveLength(1);
  });
});

test('a provider is slow for a minute, or until it answers, and for its own tenant only', () => {
  const clock = createStandingClock();
  const slow = createSlowProviders(clock);
  slow.add('school', 'tube');
  slow.add('school', 'books');
  expect(slow.has('school', 'tube')).toBe(true);
  expect(slow.has('school', 'films')).toBe(false);
  expect(slow.has('library', 'tube')).toBe(false);
  slow.remove('school', 'books');
  expect(slow.has('school', 'books')).toBe(false);
  clock.advance(59_000);
  expect(slow.has('school', 'tube')).toBe(true);
  clock.advance(2_000);
  expect(slow.has('school', 'tube')).toBe(false);
});
