import { describe, expect, test } from 'vitest';
import type { ActivityKey, ActivityRecord } from '../../../src/ports/store/store.ts';
import { activityOf } from './lti-records.ts';
import { type OpenStore, race, readPages } from './opened-store.ts';
import { at, awkwardText, tenant } from './records.ts';

const ada = activityOf('ada');
const opened = (key: ActivityKey, changes: Partial<ActivityRecord> = {}): ActivityRecord => ({
  ...key,
  firstOpenedAt: at(1),
  lastOpenedAt: at(1),
  completedAt: null,
  verdict: null,
  verdictPlacementId: null,
  ...changes,
});

export function describeActivity(open: OpenStore): void {
  const openActivity = async () => {
    const { store, openAnother } = await open();
    for (const id of ['lyon', 'paris']) await store.tenants.addTenant(tenant(id));
    return { repository: store.activity, store, openAnother };
  };

  describe('activity', () => {
    test('is of one learner, one link and one tenant', async () => {
      const { repository } = await openActivity();
      // Which of the blanks ends the link's id makes all the difference.
      const keys = [
        activityOf('b c', { linkId: 'a' }),
        activityOf('c', { linkId: 'a b' }),
        activityOf('C', { linkId: 'a b' }),
        activityOf('c', { linkId: 'a b', tenantId: 'paris' }),
        activityOf(awkwardText, { linkId: awkwardText }),
      ];
      for (const [number, key] of keys.entries()) await repository.noteOpened(key, at(number));
      for (const [number, key] of keys.entries()) {
        const times = { firstOpenedAt: at(number), lastOpenedAt: at(number) };
        expect(await repository.findActivity(key)).toEqual(opened(key, times));
      }
      expect(await repository.findActivity(activityOf('c', { linkId: 'a' }))).toBeNull();
    });

    test('keeps when an object was opened first and last, in whatever order that is noted', async () => {
      const { repository } = await openActivity();
      await repository.noteOpened(ada, at(1));
      await repository.noteOpened(ada, at(5));
      await repository.noteOpened(ada, at(3));
      expect(await repository.findActivity(ada)).toEqual(opened(ada, { lastOpenedAt: at(5) }));
    });

    test('keeps when an object was completed, once', async () => {
      const { repository } = await openActivity();
      await repository.noteOpened(ada, at(1));
      expect(await repository.noteCompleted(ada, at(2))).toBe(true);
      expect(await repository.noteCompleted(ada, at(3))).toBe(false);
      expect(await repository.findActivity(ada)).toEqual(opened(ada, { completedAt: at(2) }));
      await repository.noteOpened(ada, at(4));
      const record = opened(ada, { completedAt: at(2), lastOpenedAt: at(4) });
      expect(await repository.findActivity(ada)).toEqual(record);
    });

    test('begins with the completion where nothing was opened before', async () => {
      const { repository } = await openActivity();
      expect(await repository.noteCompleted(ada, at(1))).toBe(true);
      expect(await repository.noteCompleted(ada, at(1))).toBe(false);
      expect(await repository.findActivity(ada)).toEqual(opened(ada, { completedAt: at(1) }));
      expect(await repository.findActivity(activityOf('bob'))).toBeNull();
    });

    test('is opened by many at once, and has all of it', async () => {
      const { store, repository, openAnother } = await openActivity();
      await race([store, await openAnother()], 20, ({ activity }, number) => activity.noteOpened(ada, at(number)));
      const record = (await repository.findActivity(ada))!;
      expect(record.lastOpenedAt).toEqual(at(19));
      expect((await repository.countActivity('lyon', 'link')).opened).toBe(1);
    });

    test('is completed by one of many, also while others open it', async () => {
      const { store, repository, openAnother } = await openActivity();
      const handles = [store, await openAnother()] as const;
      for (const userId of Array.from({ length: 10 }, (_, number) => `u${number}`)) {
        const key = activityOf(userId);
        const done = await race(handles, 8, async ({ activity }, number) => {
          if (number < 6) return activity.noteCompleted(key, at(number));
          await activity.noteOpened(key, at(number));
          return null;
        });
        expect(done.filter((isFirst) => isFirst === true)).toHaveLength(1);
        const record = (await repository.findActivity(key))!;
        expect(record.completedAt).toEqual(at(done.indexOf(true)));
      }
    });

    test('is counted by link', async () => {
      const { repository } = await openActivity();
      for (const userId of ['ada', 'bob', 'cy']) await repository.noteOpened(activityOf(userId), at(1));
      await repository.noteCompleted(ada, at(2));
      await repository.noteCompleted(activityOf('dan'), at(2));
      await repository.noteCompleted(activityOf('ada', { linkId: 'other' }), at(2));
      await repository.noteOpened(activityOf('ada', { tenantId: 'paris' }), at(2));
      expect(await repository.countActivity('lyon', 'link')).toEqual({ opened: 4, completed: 2 });
      expect(await repository.countActivity('paris', 'link')).toEqual({ opened: 1, completed: 0 });
      expect(await repository.countActivity('lyon', 'none')).toEqual({ opened: 0, completed: 0 });
      expect(await repository.countActivity('lyon', 'link', ['ada', 'bob'])).toEqual({
        opened: 2,
        completed: 1,
      });
    });

    test('is completed again after that was taken back, of one learner or of all', async () => {
      const { repository } = await openActivity();
      const others = [activityOf('ada', { linkId: 'other' }), activityOf('ada', { tenantId: 'paris' })];
      for (const key of [ada, activityOf('bob'), activityOf('cy'), ...others])
        await repository.noteCompleted(key, at(2));
      await repository.noteOpened(activityOf('dan'), at(2));
      const link = { tenantId: 'lyon', linkId: 'link' };
      expect(await repository.clearCompleted({ ...link, userId: 'ada' })).toBe(1);
      expect(await repository.clearCompleted({ ...link, userId: 'ada' })).toBe(0);
      expect(await repository.findActivity(ada)).toEqual(opened(ada, { lastOpenedAt: at(2), firstOpenedAt: at(2) }));
      expect(await repository.noteCompleted(ada, at(3))).toBe(true);
      expect(await repository.clearCompleted({ ...link, userId: null })).toBe(3);
      expect(await repository.countActivity('lyon', 'link')).toEqual({ opened: 4, completed: 0 });
      for (const key of others) expect(await repository.findActivity(key)).toMatchObject({ completedAt: at(2) });
    });

    test('is listed with the last opened first, ties in the order of the users', async () => {
      const { repository } = await openActivity();
      for (const userId of ['b', 'B', 'a b', 'a']) await repository.noteOpened(activityOf(userId), at(1));
      await repository.noteOpened(activityOf('new'), at(2));
      await repository.noteOpened(activityOf('old'), at(0));
      await repository.noteOpened(activityOf('x', { linkId: 'other' }), at(3));
      await repository.noteOpened(activityOf('x', { tenantId: 'paris' }), at(3));
      const list = (page: { page: number; pageSize: number }) => repository.listActivity('lyon', 'link', page);
      const { items, sizes, total } = await readPages(list, 4);
      expect(items.map(({ userId }) => userId)).toEqual(['new', 'B', 'a', 'a b', 'b', 'old']);
      expect([sizes, total]).toEqual([[4, 2, 0], 6]);
      expect(items[1]).toEqual(opened(activityOf('B')));
    });
  });

  describe('verdicts', () => {
    test('are noted on what was opened, the last one', async () => {
      const { repository } = await openActivity();
      expect(await repository.noteVerdict(ada, 'useful', 'p1')).toBe(false);
      expect(await repository.findActivity(ada)).toBeNull();
      await repository.noteOpened(ada, at(1));
      expect(await repository.noteVerdict(ada, 'useful', 'p1')).toBe(true);
      expect(await repository.noteVerdict(ada, 'broken', awkwardText)).toBe(true);
      expect(await repository.noteVerdict(ada, 'broken', awkwardText)).toBe(true);
      const record = opened(ada, { verdict: 'broken', verdictPlacementId: awkwardText });
      expect(await repository.findActivity(ada)).toEqual(record);
      await repository.noteOpened(ada, at(3));
      await repository.noteCompleted(ada, at(4));
      const later = { ...record, lastOpenedAt: at(3), completedAt: at(4) };
      expect(await repository.findActivity(ada)).toEqual(later);
    });

    test('are counted by link and placement', async () => {
      const { repository } = await openActivity();
      const give = async (key: ActivityKey, ...verdict: ['useful' | 'not-useful' | 'broken', string]) => {
        await repository.noteOpened(key, at(1));
        expect(await repository.noteVerdict(key, ...verdict)).toBe(true);
      };
      await give(activityOf('a'), 'useful', 'p1');
      await give(activityOf('b'), 'useful', 'p1');
      await give(activityOf('c'), 'not-useful', 'p1');
      await give(activityOf('d'), 'broken', 'p2');
      await give(activityOf('a', { linkId: 'other' }), 'broken', 'p1');
      await give(activityOf('a', { tenantId: 'paris' }), 'broken', 'p1');
      await repository.noteOpened(activityOf('silent'), at(1));
      const counted = (placementId: string) => repository.countVerdicts('lyon', 'link', placementId);
      expect(await counted('p1')).toEqual({ useful: 2, notUseful: 1, broken: 0 });
      expect(await counted('p2')).toEqual({ useful: 0, notUseful: 0, broken: 1 });
      expect(await counted('none')).toEqual({ useful: 0, notUseful: 0, broken: 0 });
      await give(activityOf('a'), 'broken', 'p1');
      expect(await counted('p1')).toEqual({ useful: 1, notUseful: 1, broken: 1 });
    });
  });
}
