import { describe, expect, test } from 'vitest';
import type { TenantScope } from '../../../src/domain/admin.ts';
import type { FeedbackRecord, FeedbackState } from '../../../src/ports/store/store.ts';
import { type OpenStore, race } from './opened-store.ts';
import { at, feedback, tenant } from './records.ts';

export function describeFeedbackRemoval(open: OpenStore): void {
  const openWith = async (records: readonly FeedbackRecord[]) => {
    const { store, openAnother } = await open();
    for (const id of ['lyon', 'paris', 'nice']) await store.tenants.addTenant(tenant(id));
    for (const record of records) await store.feedback.saveFeedback(record);
    const left = async () => (await store.transfer.readRecords('feedback', null, 1_000)).map(({ key }) => key);
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
      expect(await repository.eraseFeedbackOf(null, 'ÈVE.O’HARA@example.ORG')).toEqual([
        { tenantId: 'lyon', count: 5 },
      ]);
      expect(await left()).toEqual(['other']);
      expect(await repository.eraseFeedbackOf(null, 'ÈVE.O’HARA@example.ORG')).toEqual([]);
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
        expect(await repository.countFeedbackOf(null, part), part).toEqual([]);
        expect(await repository.eraseFeedbackOf(null, part), part).toEqual([]);
      }
      expect(await repository.eraseFeedbackOf(null, 'ève@example.org')).toHaveLength(1);
      expect(await left()).toEqual(near.map((_, number) => `near-${number}`));
    });

    test('is erased in the tenants of the scope only', async () => {
      const { repository, left } = await openWith([
        feedback('a'),
        feedback('b', { tenantId: 'paris' }),
        feedback('c', { tenantId: 'nice' }),
      ]);
      const erase = (scope: readonly string[]) => repository.eraseFeedbackOf(scope, 'ada@example.org');
      expect(await erase([])).toEqual([]);
      expect(await erase(['lyon', 'none'])).toEqual([{ tenantId: 'lyon', count: 1 }]);
      expect(await left()).toEqual(['b', 'c']);
      expect(await erase(['paris', 'nice'])).toEqual([
        { tenantId: 'nice', count: 1 },
        { tenantId: 'paris', count: 1 },
      ]);
    });

    test('is counted for each tenant, the address in any case', async () => {
      const destination = 'https://api.example.org';
      const { repository } = await openWith([
        feedback('here', { email: 'Ada@Example.org' }),
        feedback('elsewhere', { destination }),
        feedback('waiting', { state: 'waiting', destination }),
        feedback('parked', { state: 'parked', destination }),
        feedback('refused', { state: 'refused', destination }),
        feedback('in Paris', { tenantId: 'paris' }),
        feedback('in Nice', { tenantId: 'nice' }),
        feedback('other', { email: 'bob@example.org' }),
      ]);
      const lyon = { tenantId: 'lyon', count: 5, unsent: 2, elsewhere: 1 };
      const paris = { tenantId: 'paris', count: 1, unsent: 0, elsewhere: 0 };
      const nice = { ...paris, tenantId: 'nice' };
      const count = (scope: TenantScope) => repository.countFeedbackOf(scope, 'ADA@example.org');
      expect(await count(null)).toEqual([lyon, nice, paris]);
      expect(await count(['paris', 'lyon', 'none'])).toEqual([lyon, paris]);
      expect(await count([])).toEqual([]);
    });

    test('is erased too where it was copied from another store', async () => {
      const { repository, store, left } = await openWith([]);
      const copied = feedback('a', { email: 'Ada@Example.org' });
      await store.transfer.writeRecords('feedback', [{ key: 'a', record: { ...copied } }]);
      expect(await repository.eraseFeedbackOf(null, 'ada@example.org')).toHaveLength(1);
      expect(await left()).toEqual([]);
    });
  });

  describe('feedback that is old', () => {
    test('is removed, but for what was not delivered yet and what is of other tenants', async () => {
      const { repository, left } = await openWith([
        feedback('delivered'),
        feedback('refused', { state: 'refused' }),
        feedback('parked', { state: 'parked' }),
        feedback('waiting', { state: 'waiting' }),
        feedback('of another', { tenantId: 'paris' }),
        feedback('just now', { receivedAt: at(5) }),
      ]);
      expect(await repository.removeFeedbackBefore('lyon', at(0), 1_000)).toBe(false);
      expect(await left()).toHaveLength(6);
      expect(await repository.removeFeedbackBefore('lyon', at(5), 1_000)).toBe(false);
      expect(await left()).toEqual(['just now', 'of another', 'parked', 'waiting']);
      expect(await repository.removeFeedbackBefore('none', at(9), 1_000)).toBe(false);
    });

    test('is removed as many at once as are asked for', async () => {
      const waiting = ['a', 'b'].map((id) => feedback(id, { state: 'waiting', receivedAt: at(-9) }));
      const done = ['c', 'd', 'e', 'f', 'g'].map((id) => feedback(id));
      const { repository, left } = await openWith([...waiting, ...done]);
      const remove = () => repository.removeFeedbackBefore('lyon', at(1), 2);
      expect([await remove(), await remove(), await remove(), await remove()]).toEqual([true, true, false, false]);
      expect(await left()).toEqual(['a', 'b']);
    });

    test('is removed whole where two hosts do so', async () => {
      const { store, openAnother, left } = await openWith(
        Array.from({ length: 20 }, (_, number) => feedback(`f${number}`)),
      );
      await race([store, await openAnother()], 4, async (handle) => {
        while (await handle.feedback.removeFeedbackBefore('lyon', at(1), 3));
      });
      expect(await left()).toEqual([]);
    });
  });
}
