import { describe, expect, test } from 'vitest';
import type { FeedbackOutcome, FeedbackRecord } from '../../../src/ports/store/store.ts';
import { ids, type OpenStore, race } from './opened-store.ts';
import { at, feedback, justBefore, tenant } from './records.ts';

const waiting = (id: string, changes: Partial<FeedbackRecord> = {}) =>
  feedback(id, { state: 'waiting', dueAt: at(10), ...changes });

/** What became of a delivery. */
const outcome = (
  state: FeedbackOutcome['state'],
  dueAt: Date,
  changes: Partial<FeedbackOutcome> = {},
): FeedbackOutcome => ({ state, dueAt, failures: 0, lastError: null, ...changes });
const failed = { failures: 1, lastError: 'timed out' };

export function describeFeedbackDelivery(open: OpenStore): void {
  const openWith = async (records: readonly FeedbackRecord[]) => {
    const { store, openAnother } = await open();
    for (const id of ['lyon', 'nice', 'paris']) await store.tenants.addTenant(tenant(id));
    for (const record of records) await store.feedback.saveFeedback(record);
    return { repository: store.feedback, store, openAnother };
  };

  describe('the delivery of feedback', () => {
    test('is claimed for the longest due, and counted', async () => {
      const { repository } = await openWith([
        waiting('late', { dueAt: at(9), tenantId: 'paris' }),
        waiting('first', { dueAt: at(7), attempts: 4, failures: 2, lastError: 'timed out' }),
        waiting('second', { dueAt: at(8) }),
      ]);
      const claimed = waiting('first', {
        dueAt: at(7),
        leasedUntil: at(30),
        attempts: 5,
        failures: 2,
        lastError: 'timed out',
      });
      expect(await repository.claimDue(at(10), at(30))).toEqual(claimed);
      expect(await repository.findFeedback('first')).toEqual(claimed);
      expect((await repository.claimDue(at(10), at(30)))!.id).toBe('second');
      expect((await repository.claimDue(at(10), at(30)))!.id).toBe('late');
      expect(await repository.claimDue(at(10), at(30))).toBeNull();
    });

    test('is not claimed before it is due, or where there is nothing to deliver', async () => {
      const { repository } = await openWith([
        waiting('due'),
        feedback('done', { dueAt: at(0) }),
        feedback('refused', { state: 'refused', dueAt: at(0) }),
      ]);
      expect(await repository.claimDue(justBefore(at(10)), at(30))).toBeNull();
      expect(await repository.claimDue(at(10), at(30))).toMatchObject({ id: 'due', attempts: 1 });
      expect(await repository.findFeedback('done')).toEqual(feedback('done', { dueAt: at(0) }));
    });

    test('can be claimed again when the lease is over', async () => {
      const { repository } = await openWith([waiting('a')]);
      await repository.claimDue(at(10), at(30));
      expect(await repository.claimDue(justBefore(at(30)), at(50))).toBeNull();
      expect(await repository.claimDue(at(30), at(50))).toEqual(waiting('a', { attempts: 2, leasedUntil: at(50) }));
    });

    test('is left where its tenant is busy', async () => {
      const { repository } = await openWith([
        ...['a', 'b', 'c'].map((id) => waiting(id, { dueAt: at(1) })),
        waiting('other', { dueAt: at(5), tenantId: 'paris' }),
        waiting('later', { dueAt: at(8), tenantId: 'nice' }),
        waiting('not due', { dueAt: at(30), tenantId: 'nice' }),
      ]);
      expect(await repository.findNextDue(['lyon'])).toEqual(at(5));
      expect(await repository.claimDue(at(10), at(30), ['lyon', 'none'])).toMatchObject({
        id: 'other',
      });
      expect(await repository.findNextDue(['lyon'])).toEqual(at(8));
      expect(await repository.claimDue(at(10), at(30), ['lyon'])).toMatchObject({ id: 'later' });
      expect(await repository.claimDue(at(10), at(30), ['lyon'])).toBeNull();
      expect(await repository.findNextDue(['lyon'])).toEqual(at(30));
      expect(await repository.findNextDue(['lyon', 'nice'])).toBeNull();
      expect(await repository.claimDue(at(10), at(30))).toMatchObject({ id: 'a' });
    });

    test('is claimed by one host only', async () => {
      const names = Array.from({ length: 12 }, (_, number) => `f${number + 10}`);
      const { store, openAnother } = await openWith(names.map((id) => waiting(id)));
      const claims = await race([store, await openAnother()], 20, (handle) => handle.feedback.claimDue(at(10), at(30)));
      const taken = claims.filter((record) => record !== null);
      expect(ids(taken).toSorted()).toEqual(names);
      expect(taken.every(({ attempts }) => attempts === 1)).toBe(true);
    });

    test('of one record is claimed due or not, and begins anew', async () => {
      const { repository } = await openWith([
        waiting('a', { dueAt: at(500), attempts: 1, failures: 1 }),
        feedback('done'),
      ]);
      const claimed = waiting('a', { dueAt: at(500), leasedUntil: at(30), attempts: 2 });
      expect(await repository.claimFeedback('a', at(10), at(30))).toEqual(claimed);
      expect(await repository.findFeedback('a')).toEqual(claimed);
      expect(await repository.claimFeedback('done', at(10), at(30))).toBeNull();
      expect(await repository.claimFeedback('none', at(10), at(30))).toBeNull();
      expect(await repository.findFeedback('done')).toEqual(feedback('done'));
    });

    test('of one record is not claimed while somebody else delivers it', async () => {
      const { repository } = await openWith([waiting('a')]);
      await repository.claimDue(at(10), at(30));
      expect(await repository.claimFeedback('a', justBefore(at(30)), at(60))).toBeNull();
      expect(await repository.findFeedback('a')).toEqual(waiting('a', { attempts: 1, leasedUntil: at(30) }));
      expect(await repository.claimFeedback('a', at(30), at(60))).toMatchObject({ attempts: 2 });
      expect(await repository.claimDue(justBefore(at(60)), at(90))).toBeNull();
    });

    test.each(['parked', 'refused'] as const)('of a %s record waits again once it is claimed', async (state) => {
      const ended = waiting('a', {
        state,
        dueAt: at(0),
        attempts: 12,
        failures: 12,
        lastError: 'timed out',
      });
      const { repository } = await openWith([ended]);
      expect(await repository.claimDue(at(100), at(130))).toBeNull();
      expect(await repository.findFeedback('a')).toEqual(ended);
      const claimed = waiting('a', {
        dueAt: at(0),
        leasedUntil: at(30),
        attempts: 13,
        lastError: 'timed out',
      });
      expect(await repository.claimFeedback('a', at(10), at(30))).toEqual(claimed);
      expect(await repository.findFeedback('a')).toEqual(claimed);
      expect(await repository.claimDue(at(30), at(50))).toMatchObject({ id: 'a', attempts: 14 });
    });

    test('is made due for all that is parked in a scope, which begins anew', async () => {
      const parked = (id: string, changes: Partial<FeedbackRecord> = {}) =>
        waiting(id, { state: 'parked', attempts: 14, failures: 14, lastError: 'timed out', ...changes });
      const { repository } = await openWith([
        ...['b', 'a'].map((id) => parked(id)),
        parked('other', { tenantId: 'paris' }),
        parked('third', { tenantId: 'nice' }),
        waiting('waiting', { attempts: 1, failures: 1, leasedUntil: at(30) }),
        feedback('refused', { state: 'refused' }),
      ]);
      expect(await repository.requeueParked([], at(20))).toEqual([]);
      expect(await repository.requeueParked(['paris', 'none', 'lyon'], at(20))).toEqual([
        { tenantId: 'lyon', count: 2 },
        { tenantId: 'paris', count: 1 },
      ]);
      expect(await repository.findFeedback('a')).toEqual(
        waiting('a', { dueAt: at(20), attempts: 14, lastError: 'timed out' }),
      );
      expect(await repository.findFeedback('third')).toEqual(parked('third', { tenantId: 'nice' }));
      expect(await repository.findFeedback('waiting')).toMatchObject({ failures: 1, leasedUntil: at(30) });
      expect(await repository.findFeedback('refused')).toMatchObject({ state: 'refused' });
      expect(await repository.requeueParked(null, at(20))).toEqual([{ tenantId: 'nice', count: 1 }]);
      expect(await repository.requeueParked(null, at(20))).toEqual([]);
    });

    test('is due now where a clock that was wrong put it off too far, or leased it for too long', async () => {
      const { repository } = await openWith([
        waiting('far', { dueAt: at(400) }),
        waiting('held', { dueAt: at(12), leasedUntil: at(400) }),
        waiting('usual', { dueAt: at(30), leasedUntil: at(20) }),
        feedback('parked', { state: 'parked', dueAt: at(400) }),
      ]);
      const latest = { latestDue: at(40), latestLease: at(30) };
      expect(await repository.correctTimes(at(15), latest)).toBe(2);
      expect(await repository.findFeedback('far')).toMatchObject({ dueAt: at(15), leasedUntil: null });
      expect(await repository.findFeedback('held')).toMatchObject({ dueAt: at(12), leasedUntil: null });
      expect(await repository.findFeedback('usual')).toMatchObject({ dueAt: at(30), leasedUntil: at(20) });
      expect(await repository.findFeedback('parked')).toMatchObject({ dueAt: at(400) });
      expect(await repository.correctTimes(at(15), latest)).toBe(0);
    });

    test('is made due for each parked record once, whoever asks', async () => {
      const ids = Array.from({ length: 20 }, (_, number) => `f${number}`);
      const { store, openAnother } = await openWith(ids.map((id) => waiting(id, { state: 'parked' })));
      const counts = await race([store, await openAnother()], 4, (handle) =>
        handle.feedback.requeueParked(null, at(20)),
      );
      expect(counts.flat().reduce((sum, { count }) => sum + count, 0)).toBe(20);
    });

    test('is parked after too many failures', async () => {
      const { repository } = await openWith([waiting('a')]);
      await repository.claimDue(at(10), at(30));
      const parked = outcome('parked', at(10), failed);
      expect(await repository.settleFeedback('a', 1, parked)).toBe(true);
      expect(await repository.findFeedback('a')).toEqual(waiting('a', { ...parked, attempts: 1 }));
      expect(await repository.settleFeedback('a', 1, outcome('delivered', at(10)))).toBe(false);
      expect(await repository.claimDue(at(100), at(130))).toBeNull();
    });

    test('is next due when the first that waits is, but for what is under way', async () => {
      const { repository } = await openWith([
        waiting('late', { dueAt: at(20) }),
        waiting('first', { dueAt: at(15), tenantId: 'paris' }),
        feedback('done', { dueAt: at(1) }),
        feedback('refused', { state: 'refused', dueAt: at(1) }),
        feedback('parked', { state: 'parked', dueAt: at(1) }),
      ]);
      expect(await repository.findNextDue()).toEqual(at(15));
      await repository.claimDue(at(15), at(45));
      expect(await repository.findNextDue()).toEqual(at(20));
      await repository.settleFeedback('late', 0, outcome('parked', at(20), failed));
      expect(await repository.findNextDue()).toBeNull();
      await repository.settleFeedback('first', 1, outcome('waiting', at(50), failed));
      expect(await repository.findNextDue()).toEqual(at(50));
    });

    test('is settled with what became of it', async () => {
      const { repository } = await openWith([waiting('a'), waiting('b'), waiting('c')]);
      await repository.claimDue(at(10), at(30));
      const waits = outcome('waiting', at(40), failed);
      expect(await repository.settleFeedback('a', 1, waits)).toBe(true);
      expect(await repository.findFeedback('a')).toEqual(waiting('a', { attempts: 1, dueAt: at(40), ...failed }));
      const delivered = outcome('delivered', at(40));
      const refused = outcome('refused', at(10), { lastError: 'refused: 400' });
      expect(await repository.settleFeedback('a', 1, delivered)).toBe(true);
      expect(await repository.settleFeedback('b', 0, refused)).toBe(true);
      expect(await repository.settleFeedback('none', 0, delivered)).toBe(false);
      expect(await repository.findFeedback('a')).toEqual(
        feedback('a', { state: 'delivered', attempts: 1, dueAt: at(40) }),
      );
      expect(await repository.findFeedback('b')).toEqual(waiting('b', { state: 'refused', lastError: 'refused: 400' }));
      expect((await repository.claimDue(at(100), at(130)))!.id).toBe('c');
      expect(await repository.claimDue(at(100), at(130))).toBeNull();
      expect(await repository.findFeedback('none')).toBeNull();
    });

    test('is settled by the last claim only, and once', async () => {
      const { repository } = await openWith([waiting('a')]);
      await repository.claimFeedback('a', at(10), at(30));
      await repository.claimFeedback('a', at(30), at(40));
      const waits = outcome('waiting', at(50), failed);
      const delivered = outcome('delivered', at(20));
      expect(await repository.settleFeedback('a', 1, waits)).toBe(false);
      expect(await repository.findFeedback('a')).toEqual(waiting('a', { attempts: 2, leasedUntil: at(40) }));
      expect(await repository.settleFeedback('a', 3, waits)).toBe(false);
      expect(await repository.settleFeedback('a', 2, delivered)).toBe(true);
      expect(await repository.settleFeedback('a', 2, waits)).toBe(false);
      expect(await repository.settleFeedback('a', 1, waits)).toBe(false);
      expect(await repository.findFeedback('a')).toEqual(feedback('a', { ...delivered, attempts: 2 }));
    });
  });
}
