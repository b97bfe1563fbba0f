import { describe, expect, test } from 'vitest';
import type { FeedbackRecord } from '../../../src/ports/store.ts';
import { ids, type OpenStore, race } from './opened-store.ts';
import { at, feedback, justBefore, tenant } from './records.ts';

const waiting = (id: string, changes: Partial<FeedbackRecord> = {}) =>
  feedback(id, { state: 'waiting', dueAt: at(10), ...changes });

export function describeFeedbackDelivery(open: OpenStore): void {
  const openWith = async (records: readonly FeedbackRecord[]) => {
    const { store, openAnother } = await open();
    for (const id of ['lyon', 'paris']) await store.tenants.addTenant(tenant(id));
    for (const record of records) await store.feedback.saveFeedback(record);
    return { repository: store.feedback, store, openAnother };
  };

  describe('the delivery of feedback', () => {
    test('is claimed for the longest due, and counted', async () => {
      const { repository } = await openWith([
        waiting('late', { dueAt: at(9), tenantId: 'paris' }),
        waiting('first', { dueAt: at(7), attempts: 4, lastError: 'timed out' }),
        waiting('second', { dueAt: at(8) }),
      ]);
      const claimed = waiting('first', { dueAt: at(30), attempts: 5, lastError: 'timed out' });
      expect(await repository.claimDueFeedback(at(10), at(30))).toEqual(claimed);
      expect(await repository.findFeedback('first')).toEqual(claimed);
      expect((await repository.claimDueFeedback(at(10), at(30)))!.id).toBe('second');
      expect((await repository.claimDueFeedback(at(10), at(30)))!.id).toBe('late');
      expect(await repository.claimDueFeedback(at(10), at(30))).toBeNull();
    });

    test('is not claimed before it is due, or where there is nothing to deliver', async () => {
      const { repository } = await openWith([
        waiting('due'),
        feedback('done', { dueAt: at(0) }),
        feedback('refused', { state: 'refused', dueAt: at(0) }),
      ]);
      expect(await repository.claimDueFeedback(justBefore(at(10)), at(30))).toBeNull();
      expect(await repository.claimDueFeedback(at(10), at(30))).toMatchObject({ id: 'due', attempts: 1 });
      expect(await repository.findFeedback('done')).toEqual(feedback('done', { dueAt: at(0) }));
    });

    test('can be claimed again when the lease is over', async () => {
      const { repository } = await openWith([waiting('a')]);
      await repository.claimDueFeedback(at(10), at(30));
      expect(await repository.claimDueFeedback(justBefore(at(30)), at(50))).toBeNull();
      expect(await repository.claimDueFeedback(at(30), at(50))).toEqual(
        waiting('a', { attempts: 2, dueAt: at(50) }),
      );
    });

    test('is claimed by one host only', async () => {
      const names = Array.from({ length: 12 }, (_, number) => `f${number + 10}`);
      const { store, openAnother } = await openWith(names.map((id) => waiting(id)));
      const claims = await race([store, await openAnother()], 20, (handle) =>
        handle.feedback.claimDueFeedback(at(10), at(30)),
      );
      const taken = claims.filter((record) => record !== null);
      expect(ids(taken).toSorted()).toEqual(names);
      expect(taken.every(({ attempts }) => attempts === 1)).toBe(true);
    });

    test('of one record is claimed due or not, while it is waiting', async () => {
      const { repository } = await openWith([
        waiting('a', { dueAt: at(500), attempts: 1 }),
        feedback('done'),
      ]);
      const claimed = waiting('a', { dueAt: at(30), attempts: 2 });
      expect(await repository.claimFeedback('a', at(30))).toEqual(claimed);
      expect(await repository.findFeedback('a')).toEqual(claimed);
      expect(await repository.claimFeedback('done', at(30))).toBeNull();
      expect(await repository.claimFeedback('none', at(30))).toBeNull();
      expect(await repository.findFeedback('done')).toEqual(feedback('done'));
    });

    test('of a parked record waits again once it is claimed, and is not claimed before', async () => {
      const parked = waiting('a', { state: 'parked', dueAt: at(0), attempts: 12, lastError: 'timed out' });
      const { repository } = await openWith([parked]);
      expect(await repository.claimDueFeedback(at(100), at(130))).toBeNull();
      expect(await repository.findFeedback('a')).toEqual(parked);
      const claimed = waiting('a', { dueAt: at(30), attempts: 13, lastError: 'timed out' });
      expect(await repository.claimFeedback('a', at(30))).toEqual(claimed);
      expect(await repository.findFeedback('a')).toEqual(claimed);
      expect(await repository.claimDueFeedback(at(30), at(50))).toMatchObject({ id: 'a', attempts: 14 });
    });

    test('is parked after too many failures', async () => {
      const { repository } = await openWith([waiting('a')]);
      await repository.claimDueFeedback(at(10), at(30));
      const parked = { state: 'parked', dueAt: at(10), lastError: 'timed out' } as const;
      expect(await repository.settleFeedback('a', 1, parked)).toBe(true);
      expect(await repository.findFeedback('a')).toEqual(waiting('a', { ...parked, attempts: 1 }));
      const delivered = { state: 'delivered', dueAt: at(10), lastError: null } as const;
      expect(await repository.settleFeedback('a', 1, delivered)).toBe(false);
      expect(await repository.claimDueFeedback(at(100), at(130))).toBeNull();
    });

    test('is next due when the first that waits is', async () => {
      const { repository } = await openWith([
        waiting('late', { dueAt: at(20) }),
        waiting('first', { dueAt: at(15), tenantId: 'paris' }),
        feedback('done', { dueAt: at(1) }),
        feedback('refused', { state: 'refused', dueAt: at(1) }),
        feedback('parked', { state: 'parked', dueAt: at(1) }),
      ]);
      expect(await repository.findNextDue()).toEqual(at(15));
      await repository.claimDueFeedback(at(15), at(45));
      expect(await repository.findNextDue()).toEqual(at(20));
      await repository.settleFeedback('late', 0, { state: 'parked', dueAt: at(20), lastError: 'x' });
      expect(await repository.findNextDue()).toEqual(at(45));
      await repository.settleFeedback('first', 1, { state: 'delivered', dueAt: at(20), lastError: null });
      expect(await repository.findNextDue()).toBeNull();
    });

    test('is settled with what became of it', async () => {
      const { repository } = await openWith([waiting('a'), waiting('b'), waiting('c')]);
      await repository.claimDueFeedback(at(10), at(30));
      const waits = { state: 'waiting', dueAt: at(40), lastError: 'timed out' } as const;
      expect(await repository.settleFeedback('a', 1, waits)).toBe(true);
      expect(await repository.findFeedback('a')).toEqual(
        waiting('a', { attempts: 1, dueAt: at(40), lastError: 'timed out' }),
      );
      const delivered = { state: 'delivered', dueAt: at(40), lastError: null } as const;
      const refused = { state: 'refused', dueAt: at(10), lastError: 'refused: 400' } as const;
      expect(await repository.settleFeedback('a', 1, delivered)).toBe(true);
      expect(await repository.settleFeedback('b', 0, refused)).toBe(true);
      expect(await repository.settleFeedback('none', 0, delivered)).toBe(false);
      expect(await repository.findFeedback('a')).toEqual(
        feedback('a', { state: 'delivered', attempts: 1, dueAt: at(40) }),
      );
      expect(await repository.findFeedback('b')).toEqual(
        waiting('b', { state: 'refused', lastError: 'refused: 400' }),
      );
      expect((await repository.claimDueFeedback(at(100), at(130)))!.id).toBe('c');
      expect(await repository.claimDueFeedback(at(100), at(130))).toBeNull();
      expect(await repository.findFeedback('none')).toBeNull();
    });

    test('is settled by the last claim only, and once', async () => {
      const { repository } = await openWith([waiting('a')]);
      await repository.claimFeedback('a', at(30));
      await repository.claimFeedback('a', at(40));
      const waits = { state: 'waiting', dueAt: at(50), lastError: 'timed out' } as const;
      const delivered = { state: 'delivered', dueAt: at(20), lastError: null } as const;
      expect(await repository.settleFeedback('a', 1, waits)).toBe(false);
      expect(await repository.findFeedback('a')).toEqual(waiting('a', { attempts: 2, dueAt: at(40) }));
      expect(await repository.settleFeedback('a', 3, waits)).toBe(false);
      expect(await repository.settleFeedback('a', 2, delivered)).toBe(true);
      expect(await repository.settleFeedback('a', 2, waits)).toBe(false);
      expect(await repository.settleFeedback('a', 1, waits)).toBe(false);
      expect(await repository.findFeedback('a')).toEqual(feedback('a', { ...delivered, attempts: 2 }));
    });
  });
}
