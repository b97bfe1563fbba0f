import { describe, expect, test } from 'vitest';
import type { AdminSessionRecord } from '../../../src/ports/store/store.ts';
import { ids, type OpenStore } from './opened-store.ts';
import { admin, adminSession, at, awkwardText, justBefore } from './records.ts';

export function describeAdminSessions(open: OpenStore): void {
  const openSessions = async (records: readonly AdminSessionRecord[]) => {
    const { store } = await open();
    for (const id of ['ada', 'bob']) await store.admins.addAdmin(admin(id));
    for (const record of records) await store.adminSessions.addAdminSession(record);
    return store.adminSessions;
  };

  describe("administrators' sessions", () => {
    test('come back as they were given', async () => {
      const bare = adminSession('b', { address: null, userAgent: null });
      const odd = adminSession('c', { userAgent: awkwardText.slice(0, 200) });
      const sessions = await openSessions([adminSession('a'), bare, odd]);
      for (const session of [adminSession('a'), bare, odd]) {
        expect(await sessions.findAdminSession(session.id, at(2))).toEqual(session);
      }
      expect(await sessions.findAdminSession('none', at(2))).toBeNull();
    });

    test('are there until they expire', async () => {
      const sessions = await openSessions([adminSession('a', { expiresAt: at(60) })]);
      expect(await sessions.findAdminSession('a', justBefore(at(60)))).not.toBeNull();
      expect(await sessions.findAdminSession('a', at(60))).toBeNull();
    });

    test('keep when they were last seen', async () => {
      const sessions = await openSessions([adminSession('a'), adminSession('b')]);
      await sessions.noteAdminSessionSeen('a', at(9));
      await sessions.noteAdminSessionSeen('none', at(9));
      expect(await sessions.findAdminSession('a', at(9))).toEqual(adminSession('a', { lastSeenAt: at(9) }));
      expect(await sessions.findAdminSession('b', at(9))).toEqual(adminSession('b'));
    });

    test('were never last seen before they were', async () => {
      const sessions = await openSessions([adminSession('a')]);
      await sessions.noteAdminSessionSeen('a', at(9));
      await sessions.noteAdminSessionSeen('a', at(8));
      expect(await sessions.findAdminSession('a', at(9))).toEqual(adminSession('a', { lastSeenAt: at(9) }));
    });

    test('are listed for one administrator, the last seen first, without those that have expired', async () => {
      const sessions = await openSessions([
        adminSession('a', { lastSeenAt: at(1) }),
        adminSession('b', { lastSeenAt: at(3) }),
        adminSession('c', { lastSeenAt: at(2), expiresAt: at(10) }),
        adminSession('d', { lastSeenAt: at(4), adminId: 'bob' }),
      ]);
      expect(ids(await sessions.listAdminSessions('ada', at(5)))).toEqual(['b', 'c', 'a']);
      expect(ids(await sessions.listAdminSessions('ada', at(10)))).toEqual(['b', 'a']);
      expect(await sessions.listAdminSessions('none', at(5))).toEqual([]);
      expect((await sessions.listAdminSessions('bob', at(5)))[0]).toEqual(
        adminSession('d', { lastSeenAt: at(4), adminId: 'bob' }),
      );
    });

    test('are listed up to the 100 last seen', async () => {
      const sessions = await openSessions(
        Array.from({ length: 101 }, (_, number) => adminSession(`s${number}`, { lastSeenAt: at(number / 10) })),
      );
      const listed = await sessions.listAdminSessions('ada', at(20));
      expect([listed.length, listed[0]!.id, listed[99]!.id]).toEqual([100, 's100', 's1']);
    });

    test('are removed one at a time', async () => {
      const sessions = await openSessions([adminSession('a'), adminSession('b')]);
      await sessions.removeAdminSession('a');
      await sessions.removeAdminSession('a');
      expect(ids(await sessions.listAdminSessions('ada', at(2)))).toEqual(['b']);
    });

    test("are removed with all of an administrator's, but for one or for none", async () => {
      const sessions = await openSessions([
        ...['a', 'b', 'c'].map((id) => adminSession(id)),
        adminSession('d', { adminId: 'bob' }),
      ]);
      await sessions.removeAdminSessions('ada', 'b');
      expect(ids(await sessions.listAdminSessions('ada', at(2)))).toEqual(['b']);
      await sessions.removeAdminSessions('ada', 'd');
      expect(await sessions.listAdminSessions('ada', at(2))).toEqual([]);
      expect(ids(await sessions.listAdminSessions('bob', at(2)))).toEqual(['d']);
      await sessions.removeAdminSessions('bob', null);
      expect(await sessions.listAdminSessions('bob', at(2))).toEqual([]);
    });
  });
}
