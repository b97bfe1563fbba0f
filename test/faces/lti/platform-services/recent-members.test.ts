import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { readMembers } from '../../../../src/faces/lti/platform-services/members.ts';
import { createRecentMembers } from '../../../../src/faces/lti/platform-services/recent-members.ts';
import type { PlatformMember } from '../../../../src/ports/lti-platforms.ts';
import type { LtiRegistrationRecord } from '../../../../src/ports/store/store.ts';

const url = 'https://lms.example/members';
const registration = { id: 'r1', version: 1 } as LtiRegistrationRecord;
const members: readonly PlatformMember[] = [{ userId: 'a', name: 'A', isLearner: true, isActive: true }];

/** A platform that answers when it is told to. */
function slow() {
  let answer = (_: readonly PlatformMember[]) => {};
  const read = vi.fn(
    (_signal: AbortSignal) =>
      new Promise<readonly PlatformMember[]>((done) => {
        answer = done;
      }),
  );
  return { read, answer: () => answer(members), signalOf: () => read.mock.calls[0]![0] };
}

test('several who ask at once, or soon after, have the course read once', async () => {
  const recent = createRecentMembers();
  const { read, answer } = slow();
  const asked = [1, 2, 3].map(() => recent.list({ registration, url }, read));
  await expect.poll(() => read).toHaveBeenCalled();
  answer();
  expect(await Promise.all(asked)).toEqual([members, members, members]);
  expect(await recent.list({ registration, url }, read)).toBe(members);
  expect(read).toHaveBeenCalledTimes(1);
});

test('another course, and a registration that was changed, are read by themselves', async () => {
  const recent = createRecentMembers();
  const read = vi.fn(async () => members);
  const changed = { ...registration, version: 2 };
  for (const wish of [
    { registration, url },
    { registration, url: `${url}?2` },
    { registration: changed, url },
  ])
    await recent.list(wish, read);
  expect(read).toHaveBeenCalledTimes(3);
});

test('what failed is not kept', async () => {
  const recent = createRecentMembers();
  await expect(recent.list({ registration, url }, () => Promise.reject(new Error('no')))).rejects.toThrow(
    'no',
  );
  expect(await recent.list({ registration, url }, async () => members)).toBe(members);
});

test('it is given up when nobody waits any more, and not before', async () => {
  const recent = createRecentMembers();
  const { read, signalOf } = slow();
  const leaving = [new AbortController(), new AbortController()];
  const asked = leaving.map(({ signal }) => recent.list({ registration, url, signal }, read));
  const ends = Promise.allSettled(asked);
  await expect.poll(() => read).toHaveBeenCalled();
  leaving[0]!.abort();
  expect(signalOf().aborted).toBe(false);
  leaving[1]!.abort();
  expect(signalOf().aborted).toBe(true);
  expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

test('gives up a course without an end after a while', async () => {
  const recent = createRecentMembers(20);
  let asked = 0;
  const listing = recent.list({ registration, url }, (signal) => {
    const isLate = once(signal, 'abort');
    const getPage = async () => {
      if (++asked === 3) await isLate;
      return { members: [], next: `${url}?page=${asked}` };
    };
    return readMembers(url, getPage, signal);
  });
  await expect(listing).rejects.toMatchObject({
    code: 'PLATFORM_UNREACHABLE',
    data: { part: 'members', status: null },
  });
  await new Promise((later) => setImmediate(later));
  expect(asked).toBe(3);
});
