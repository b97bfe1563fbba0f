import { describe, expect, test } from 'vitest';
import type { FeedbackListRequest, FeedbackRecord, FeedbackRepository } from '../../../src/ports/store/store.ts';
import { ids, type OpenStore, race, readPages } from './opened-store.ts';
import { at, awkwardText, feedback, longText, tenant } from './records.ts';
import { expectPlainSearch } from './search.ts';

const request = (changes: Partial<FeedbackListRequest> = {}): FeedbackListRequest => ({
  scope: null,
  state: null,
  provider: null,
  received: { from: null, until: null },
  search: '',
  sort: 'receivedAt',
  descending: true,
  page: 0,
  pageSize: 100,
  ...changes,
});

export function describeFeedback(open: OpenStore): void {
  const openFeedback = async (records: readonly FeedbackRecord[] = []): Promise<FeedbackRepository> => {
    const { store } = await open();
    for (const id of ['lyon', 'paris']) await store.tenants.addTenant(tenant(id));
    for (const record of records) await store.feedback.saveFeedback(record);
    return store.feedback;
  };
  const listed = async (repository: FeedbackRepository, changes: Partial<FeedbackListRequest>) => {
    const { items } = await repository.listFeedback(request(changes));
    // What is read in one go must be the same.
    if (request(changes).sort === 'receivedAt' && request(changes).descending)
      expect(await repository.readFeedback(request(changes), null, 1_000)).toEqual(items);
    return ids(items);
  };

  describe('feedback', () => {
    test('comes back as it was given', async () => {
      const kept = [
        feedback('a', { comment: awkwardText }),
        feedback('b', { comment: null, provider: null, state: 'waiting', attempts: 3, dueAt: at(7) }),
        feedback('c', { comment: longText, state: 'refused', lastError: awkwardText }),
        feedback('d', { state: 'waiting', destination: 'https://api.example.org:8443' }),
        feedback('e', { state: 'parked', attempts: 12, failures: 3, lastError: 'timed out' }),
        feedback('f', { state: 'waiting', leasedUntil: at(9), giverHash: 'hash' }),
      ];
      const repository = await openFeedback(kept);
      for (const record of kept) expect(await repository.findFeedback(record.id)).toEqual(record);
      expect(await repository.findFeedback('none')).toBeNull();
    });

    test('is kept once, as it was first', async () => {
      const { store, openAnother } = await open();
      await store.tenants.addTenant(tenant('lyon'));
      const outcomes = await race([store, await openAnother()], 10, (handle, number) =>
        handle.feedback.saveFeedback(feedback('a', { comment: `by ${number}` })),
      );
      expect(outcomes.filter((isSaved) => isSaved)).toHaveLength(1);
      const first = feedback('a', { comment: `by ${outcomes.indexOf(true)}` });
      expect(await store.feedback.saveFeedback(feedback('a', { state: 'waiting' }))).toBe(false);
      expect(await store.feedback.findFeedback('a')).toEqual(first);
      expect(await store.feedback.saveFeedback(feedback('b'))).toBe(true);
    });

    test('is withdrawn in its time, unless its delivery to an upstream has begun', async () => {
      const sent = { destination: 'https://api.example.org', receivedAt: at(5), dueAt: at(20) } as const;
      const repository = await openFeedback([
        feedback('held', { ...sent, state: 'waiting' }),
        feedback('embedded', { receivedAt: at(5) }),
        feedback('due', { ...sent, state: 'waiting', dueAt: at(10) }),
        feedback('leased', { ...sent, state: 'waiting', leasedUntil: at(30) }),
        feedback('failed', { ...sent, state: 'waiting', lastError: 'timed out', failures: 1 }),
        feedback('delivered', { ...sent, state: 'delivered' }),
        feedback('early', { ...sent, state: 'waiting', receivedAt: at(4) }),
        feedback('embedded early', { receivedAt: at(4) }),
      ]);
      const withdraw = (id: string, tenantId = 'lyon') =>
        repository.withdrawFeedback(tenantId, id, { now: at(10), since: at(4) });
      for (const id of ['due', 'leased', 'failed', 'delivered', 'early', 'embedded early', 'none']) {
        expect(await withdraw(id), id).toBe(false);
        if (id !== 'none') expect(await repository.findFeedback(id), id).not.toBeNull();
      }
      expect(await withdraw('held', 'paris')).toBe(false);
      for (const id of ['held', 'embedded']) {
        expect(await withdraw(id), id).toBe(true);
        expect(await repository.findFeedback(id)).toBeNull();
        expect(await withdraw(id), id).toBe(false);
      }
    });

    test('is listed by time or address, ties in the order of the ids', async () => {
      const repository = await openFeedback([
        feedback('c', { receivedAt: at(1), url: 'https://b.example.org' }),
        feedback('b', { receivedAt: at(2), url: 'https://a.example.org' }),
        feedback('a', { receivedAt: at(2), url: 'https://c.example.org' }),
        feedback('d', { receivedAt: at(3), url: 'HTTPS://A.example.org' }),
      ]);
      expect(await listed(repository, {})).toEqual(['d', 'a', 'b', 'c']);
      expect(await listed(repository, { descending: false })).toEqual(['c', 'a', 'b', 'd']);
      expect(await listed(repository, { sort: 'url', descending: false })).toEqual(['b', 'd', 'c', 'a']);
      expect(await listed(repository, { sort: 'url' })).toEqual(['a', 'c', 'b', 'd']);
    });

    test('is listed page by page', async () => {
      const kept = ['a', 'b', 'c', 'd', 'e'].map((id) => feedback(id));
      const repository = await openFeedback(kept);
      const { items, sizes, total } = await readPages(
        (page) => repository.listFeedback(request({ ...page, state: 'delivered' })),
        2,
      );
      expect([items, sizes, total]).toEqual([kept, [2, 2, 1, 0], 5]);
    });

    test('is read from any record on, newest first, whatever becomes of those before', async () => {
      const kept = [
        feedback('d', { receivedAt: at(3), state: 'waiting' }),
        feedback('b', { receivedAt: at(2), state: 'waiting' }),
        feedback('c', { receivedAt: at(2), state: 'waiting' }),
        feedback('a', { receivedAt: at(1), state: 'waiting' }),
      ] as const;
      const repository = await openFeedback(kept.toReversed());
      const delivered = { state: 'delivered', failures: 0, dueAt: at(4), lastError: null } as const;
      const read = async (after: Pick<FeedbackRecord, 'receivedAt' | 'id'> | null, limit: number) =>
        ids(await repository.readFeedback(request({ state: 'waiting' }), after, limit));
      expect(await read(null, 2)).toEqual(['d', 'b']);
      await repository.settleFeedback('d', 0, delivered);
      await repository.settleFeedback('b', 0, delivered);
      expect(await read(kept[1], 2)).toEqual(['c', 'a']);
      expect(await read({ receivedAt: at(2), id: 'bb' }, 1)).toEqual(['c']);
      expect(await read({ receivedAt: at(2), id: 'z' }, 10)).toEqual(['a']);
      expect(await read(kept[3], 10)).toEqual([]);
      const others = request({ scope: ['paris'] });
      expect(await repository.readFeedback(others, kept[0], 10)).toEqual([]);
    });

    test('is listed for a scope, a state and a provider only', async () => {
      const repository = await openFeedback([
        feedback('a', { state: 'waiting' }),
        feedback('b', { tenantId: 'paris', state: 'waiting' }),
        feedback('c', { state: 'refused', provider: null }),
        feedback('d', { provider: 'edx' }),
      ]);
      expect(await listed(repository, { scope: ['lyon'] })).toEqual(['a', 'c', 'd']);
      expect(await listed(repository, { scope: ['paris', 'lyon'] })).toEqual(['a', 'b', 'c', 'd']);
      expect(await repository.listFeedback(request({ scope: [] }))).toEqual({ items: [], total: 0 });
      expect(await listed(repository, { state: 'waiting' })).toEqual(['a', 'b']);
      expect(await listed(repository, { state: 'refused' })).toEqual(['c']);
      expect(await listed(repository, { provider: 'openlearn' })).toEqual(['a', 'b']);
      expect(await listed(repository, { provider: 'none' })).toEqual([]);
      expect(await listed(repository, { scope: ['lyon'], state: 'waiting', provider: 'openlearn' })).toEqual(['a']);
    });

    test('is listed for a period with its beginning and without its end', async () => {
      const repository = await openFeedback(
        ['a', 'b', 'c', 'd'].map((id, number) => feedback(id, { receivedAt: at(number) })),
      );
      const period = (from: Date | null, until: Date | null) =>
        listed(repository, { received: { from, until }, descending: false });
      expect(await period(at(1), at(3))).toEqual(['b', 'c']);
      expect(await period(at(1), null)).toEqual(['b', 'c', 'd']);
      expect(await period(null, at(1))).toEqual(['a']);
      expect(await period(at(2), at(2))).toEqual([]);
    });

    test('is found by part of the address, the comment or the e-mail', async () => {
      const repository = await openFeedback();
      const plain = { url: 'u', email: 'm' };
      await expectPlainSearch(
        (comment, number) => repository.saveFeedback(feedback(`f${number}`, { ...plain, comment })),
        async (search) => (await repository.listFeedback(request({ search }))).items.map(({ comment }) => comment),
      );
      const other = { url: 'https://one.example.net/Path', email: 'Grace@example.net', comment: null };
      await repository.saveFeedback(feedback('g', other));
      expect(await listed(repository, { search: 'NET/path' })).toEqual(['g']);
      expect(await listed(repository, { search: 'grace@', state: 'delivered', sort: 'url' })).toEqual(['g']);
      expect(await listed(repository, { search: 'grace@', state: 'waiting' })).toEqual([]);
      expect(await listed(repository, { search: 'request of' })).toEqual([]);
    });

    test('tells the providers that appear, in order', async () => {
      const repository = await openFeedback([
        feedback('a', { provider: 'openlearn' }),
        feedback('b', { provider: 'edx' }),
        feedback('c', { provider: 'openlearn' }),
        feedback('d', { provider: null }),
        feedback('e', { provider: 'coursera', tenantId: 'paris' }),
      ]);
      expect(await repository.listFeedbackProviders(null)).toEqual(['coursera', 'edx', 'openlearn']);
      expect(await repository.listFeedbackProviders(['lyon'])).toEqual(['edx', 'openlearn']);
      expect(await repository.listFeedbackProviders(['paris', 'none'])).toEqual(['coursera']);
      expect(await repository.listFeedbackProviders([])).toEqual([]);
    });
  });
}
