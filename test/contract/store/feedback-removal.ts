import { describe, expect, test } from 'vitest';
import type { FeedbackRecord, FeedbackState } from '../../../src/ports/store.ts';
import { type OpenStore, race } from './opened-store.ts';
import { at, feedback, tenant } from './records.ts';

export function describeFeedbackRemoval(open: OpenStore): void {
  const openWith = async (records: readonly FeedbackRecord[]) => {
    const { store, openAnother } = await open();
    for (const id of ['lyon', 'paris', 'nice']) await store.tenants.addTenant(tenant(id));
    for (const record of records) await store.feedback.saveFeedback(record);
    const left = async () =>
      (await store.transfer.readRecords('feedback', null, 1_000)).map(({ key }) => key);
    return { repository: store.feedback, store, openAnother, left };
  };

  describe('feedback of a person', () => {
    test('is erased whatever its state, the address in any case', async () => {
      const states: readonly FeedbackState[] = ['waiting', 'delivered', 'refused', 'parked'];
      const { repository, left } = await openWith([
        ...states.map((state) => feedback(state, { state, email: 'Ève.O’Hara@Example.org' })),
        feedback('lower', { email: 'ève.o’hara@example.org' }),
        feedback('other'),
      ]);
      expect(await repository.eraseFeedbackOf(null, 'ÈVE.O’HARA@example.ORG')).toBe(5);
      expect(await left()).toEqual(['other']);
      expect(await repository.eraseFeedbackOf(null, 'ÈVE.O’HARA@example.ORG')).toBe(0);
    });

    test('is not that of one whose address is nearly the same', async () => {
      const near = [
        'eve@example.org',
        'ève@example.orga',
        'xève@example.org',
        ' ève@example.org',
        'èvexexample.org',
        'e\u0301ve@example.org',
        '',
      ];
      const { repository, left } = await openWith([
        feedback('own', { email: 'ève@example.org' }),
        ...near.map((email, number) => feedback(`near-${number}`, { email })),
      ]);
      for (const part of ['example.org', 'ève@', '%', '.*', 'ève@example_org', 'ève@example.or']) {
        expect(await repository.eraseFeedbackOf(null, part), part).toBe(0);
      }
      expect(await repository.eraseFeedbackOf(null, 'ève@example.org')).toBe(1);
      expect(await left()).toEqual(near.map((_, number) => `near-${number}`));
    });

    test('is erased in the tenants of the scope only', async () => {
      const { repository, left } = await openWith([
        feedback('a'),
        feedback('b', { tenantId: 'paris' }),
        feedback('c', { tenantId: 'nice' }),
      ]);
      expect(await repository.eraseFeedbackOf([], 'ada@example.org')).toBe(0);
      expect(await repository.eraseFeedbackOf(['lyon', 'none'], 'ada@example.org')).toBe(1);
      expect(await left()).toEqual(['b', 'c']);
      expect(await repository.eraseFeedbackOf(['paris', 'nice'], 'ada@example.org')).toBe(2);
    });

    test('is erased too where it was copied from another store', async () => {
      const { repository, store, left } = await openWith([]);
      const copied = feedback('a', { email: 'Ada@Example.org' });
      await store.transfer.writeRecords('feedback', [{ key: 'a', record: { ...copied } }]);
      expect(await repository.eraseFeedbackOf(null, 'ada@example.org')).toBe(1);
      expect(await left()).toEqual([]);
    });
  });

  describe('feedback that is old', () => {
    test('is removed, but for what waits and what is of other tenants', async () => {
      const { repository, left } = await openWith([
        feedback('delivered'),
        feedback('refused', { state: 'refused' }),
        feedback('parked', { state: 'parked' }),
        feedback('waiting', { state: 'waiting' }),
        feedback('of another', { tenantId: 'paris' }),
        feedback('just now', { receivedAt: at(5) }),
      ]);
      expect(await repository.removeFeedbackBefore('lyon', at(0), 1_000)).toBe(0);
      expect(await repository.removeFeedbackBefore('lyon', at(5), 1_000)).toBe(3);
      expect(await left()).toEqual(['just now', 'of another', 'waiting']);
      expect(await repository.removeFeedbackBefore('none', at(9), 1_000)).toBe(0);
    });

    test('is removed as many at once as are asked for', async () => {
      const waiting = ['a', 'b'].map((id) => feedback(id, { state: 'waiting', receivedAt: at(-9) }));
      const done = ['c', 'd', 'e', 'f', 'g'].map((id) => feedback(id));
      const { repository, left } = await openWith([...waiting, ...done]);
      const remove = () => repository.removeFeedbackBefore('lyon', at(1), 2);
      expect([await remove(), await remove(), await remove(), await remove()]).toEqual([2, 2, 1, 0]);
      expect(await left()).toEqual(['a', 'b']);
    });

    test('is counted once where two hosts remove it', async () => {
      const { store, openAnother, left } = await openWith(
        Array.from({ length: 20 }, (_, number) => feedback(`f${number}`)),
      );
      const removed = await race([store, await openAnother()], 4, (handle) =>
        handle.feedback.removeFeedbackBefore('lyon', at(1), 1_000),
      );
      expect(removed.reduce((sum, count) => sum + count)).toBe(20);
      expect(await left()).toEqual([]);
    });
  });
}
