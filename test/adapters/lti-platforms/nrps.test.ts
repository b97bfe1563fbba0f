import { once } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import { createNrpsCache, readNrpsGroups, readNrpsMembers } from '../../../src/adapters/lti-platforms/nrps.ts';
import type { PlatformMember } from '../../../src/ports/lti-platforms.ts';

const MEMBERS_URL = 'https://lms.example/members';
const memberOf = (n: number) => ({ user_id: `p${n}`, name: `Person ${n}`, roles: ['Learner'] });
const pageOf = (members: readonly unknown[], nextUrl: string | null = null) => ({
  body: { members },
  nextUrl,
});

describe('readMembers', () => {
  /** A platform whose list never ends. */
  function startEndless(perPage: number) {
    const requested: string[] = [];
    const fetchPage = async (url: string) => {
      const n = requested.push(url);
      const members = Array.from({ length: perPage }, (_, i) => memberOf(n * perPage + i));
      return pageOf(members, `${MEMBERS_URL}?page=${n}`);
    };
    return { requested, fetchPage };
  }

  test('stops after 5,000 members', async () => {
    const { requested, fetchPage } = startEndless(900);
    expect(await readNrpsMembers(MEMBERS_URL, fetchPage)).toHaveLength(5_000);
    expect(requested).toHaveLength(6);
  });

  test('stops after 100 pages, even if they are empty', async () => {
    const { requested, fetchPage } = startEndless(0);
    expect(await readNrpsMembers(MEMBERS_URL, fetchPage)).toEqual([]);
    expect(requested).toHaveLength(100);
  });

  test.each([
    [['Learner'], true],
    ['Learner', true],
    ['Instructor', false],
    [null, false],
    [7, false],
    [undefined, false],
  ])('with the roles %j, whether it is a learner: %s', async (roles, isLearner) => {
    const fetchPage = async () => pageOf([{ ...memberOf(1), roles }]);
    expect(await readNrpsMembers(MEMBERS_URL, fetchPage)).toMatchObject([{ isLearner }]);
  });

  test('lists a person on two pages once', async () => {
    const fetchPage = async (url: string) =>
      pageOf([memberOf(1)], url === MEMBERS_URL ? `${MEMBERS_URL}?page=2` : null);
    expect(await readNrpsMembers(MEMBERS_URL, fetchPage)).toHaveLength(1);
  });

  test('counts unusable entries too, as reading each takes time', async () => {
    let read = 0;
    const entry = new Proxy({}, { get: (_, name) => (name === 'user_id' ? void read++ : undefined) });
    const fetchPage = async (url: string) => pageOf(Array(20_000).fill(entry), `${url}?more`);
    expect(await readNrpsMembers(MEMBERS_URL, fetchPage)).toEqual([]);
    expect(read).toBeLessThanOrEqual(5_000);
  });
});

test('readGroups reads the groups that have an id and a name, on all pages', async () => {
  const groups = [
    { id: 1, name: ' Blue ' },
    { id: 'r', name: 'Red', set_id: 's' },
    { id: 'x' },
    { name: 'No id' },
    null,
  ];
  const more = `${MEMBERS_URL}?page=2`;
  const fetchPage = async (url: string) =>
    url === more ? { body: { groups: 'none' }, nextUrl: null } : { body: { groups }, nextUrl: more };
  expect(await readNrpsGroups(MEMBERS_URL, fetchPage)).toEqual([
    { id: '1', name: 'Blue' },
    { id: 'r', name: 'Red' },
  ]);
  const many = Array.from({ length: 900 }, (_, id) => ({ id, name: `${id}` }));
  const endless = async (url: string) => ({ body: { groups: many }, nextUrl: `${url}1` });
  expect(await readNrpsGroups(`${MEMBERS_URL}?page=`, endless)).toHaveLength(500);
});

describe('the cache of members', () => {
  const members: readonly PlatformMember[] = [
    { userId: 'a', name: 'A', isLearner: true, isActive: true, groupIds: [] },
  ];

  /** A platform that answers when `answer` is called. */
  function startSlow() {
    let answer = (_: readonly PlatformMember[]) => {};
    const read = vi.fn(
      (_cancelled: AbortSignal) =>
        new Promise<readonly PlatformMember[]>((done) => {
          answer = done;
        }),
    );
    return { read, answer: () => answer(members), getSignal: () => read.mock.calls[0]![0] };
  }

  test('reads a course once for simultaneous and later requests', async () => {
    const cache = createNrpsCache('members');
    const { read, answer } = startSlow();
    const requests = [1, 2, 3].map(() => cache.get('course-1', read));
    await expect.poll(() => read).toHaveBeenCalled();
    answer();
    expect(await Promise.all(requests)).toEqual([members, members, members]);
    expect(await cache.get('course-1', read)).toBe(members);
    expect(read).toHaveBeenCalledTimes(1);
  });

  test('reads each course by itself', async () => {
    const cache = createNrpsCache('members');
    const read = vi.fn(async () => members);
    for (const key of ['course-1', 'course-2']) await cache.get(key, read);
    expect(read).toHaveBeenCalledTimes(2);
  });

  test('does not cache a failure', async () => {
    const cache = createNrpsCache('members');
    await expect(cache.get('course-1', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await cache.get('course-1', async () => members)).toBe(members);
  });

  test('cancels reading when nobody waits any more, and not before', async () => {
    const cache = createNrpsCache('members');
    const { read, getSignal } = startSlow();
    const callers = [new AbortController(), new AbortController()];
    const requests = callers.map(({ signal }) => cache.get('course-1', read, signal));
    const outcomes = Promise.allSettled(requests);
    await expect.poll(() => read).toHaveBeenCalled();
    callers[0]!.abort();
    expect(getSignal().aborted).toBe(false);
    callers[1]!.abort();
    await expect.poll(() => getSignal().aborted).toBe(true);
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  test('fails with PLATFORM_UNREACHABLE after the timeout', async () => {
    const cache = createNrpsCache('members', 20);
    let pages = 0;
    const listing = cache.get('course-1', (cancelled) => {
      const isCancelled = once(cancelled, 'abort');
      const fetchPage = async () => {
        if (++pages === 3) await isCancelled;
        return pageOf([], `${MEMBERS_URL}?page=${pages}`);
      };
      return readNrpsMembers(MEMBERS_URL, fetchPage, cancelled);
    });
    await expect(listing).rejects.toMatchObject({
      code: 'PLATFORM_UNREACHABLE',
      data: { part: 'members', status: null },
    });
    await new Promise((later) => setImmediate(later));
    expect(pages).toBe(3);
  });
});
