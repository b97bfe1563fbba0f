import { describe, expect, test } from 'vitest';
import { type FeedbackRecord, feedbackRecords, type Store } from '../../../src/ports/store/store.ts';
import { type OpenStore, race } from './opened-store.ts';
import { at, feedback, tenant } from './records.ts';

export function describeFeedbackRemoval(open: OpenStore): void {
  const openWith = async (records: readonly FeedbackRecord[]) => {
    const { store, openAnother } = await open();
    for (const id of ['lyon', 'paris', 'nice']) await store.tenants.addTenant(tenant(id));
    for (const record of records) await store.feedback.saveFeedback(record);
    const left = async () => (await store.transfer.readRecords('feedback', null, 1_000)).map(({ key }) => key);
    const removeFrom = ({ personal }: Store, tenantId: string, before: Date, limit = 1_000) =>
      personal.removeOutdated('feedback', feedbackRecords.retention!, { before, where: { tenantId }, limit });
    return { store, openAnother, left, removeFrom };
  };

  describe('feedback that is old', () => {
    test('is removed, but for what was not delivered yet and what is of other tenants', async () => {
      const { store, left, removeFrom } = await openWith([
        feedback('delivered'),
        feedback('refused', { state: 'refused' }),
        feedback('parked', { state: 'parked' }),
        feedback('waiting', { state: 'waiting' }),
        feedback('of another', { tenantId: 'paris' }),
        feedback('just now', { receivedAt: at(5) }),
      ]);
      expect(await removeFrom(store, 'lyon', at(0))).toBe(0);
      expect(await left()).toHaveLength(6);
      expect(await removeFrom(store, 'lyon', at(5))).toBe(2);
      expect(await left()).toEqual(['just now', 'of another', 'parked', 'waiting']);
      expect(await removeFrom(store, 'none', at(9))).toBe(0);
    });

    test('is removed as many at once as are asked for', async () => {
      const waiting = ['a', 'b'].map((id) => feedback(id, { state: 'waiting', receivedAt: at(-9) }));
      const done = ['c', 'd', 'e', 'f', 'g'].map((id) => feedback(id));
      const { store, left, removeFrom } = await openWith([...waiting, ...done]);
      const remove = () => removeFrom(store, 'lyon', at(1), 2);
      expect([await remove(), await remove(), await remove(), await remove()]).toEqual([2, 2, 1, 0]);
      expect(await left()).toEqual(['a', 'b']);
    });

    test('is removed whole where two hosts do so', async () => {
      const { store, openAnother, left, removeFrom } = await openWith(
        Array.from({ length: 20 }, (_, number) => feedback(`f${number}`)),
      );
      await race([store, await openAnother()], 4, async (handle) => {
        while ((await removeFrom(handle, 'lyon', at(1), 3)) === 3);
      });
      expect(await left()).toEqual([]);
    });
  });
}
