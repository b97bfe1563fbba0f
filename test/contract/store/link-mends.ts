import { describe, expect, test } from 'vitest';
import { linkMend } from './link-check-records.ts';
import { ids, type OpenStore, race } from './opened-store.ts';
import { at, awkwardText, tenant } from './records.ts';

const url = 'https://a.example/dead';

export function describeLinkMends(open: OpenStore): void {
  const openWith = async (records: readonly ReturnType<typeof linkMend>[]) => {
    const { store, openAnother } = await open();
    for (const id of ['lyon', 'paris']) await store.tenants.addTenant(tenant(id));
    for (const record of records) await store.linkMends.addLinkMend(record);
    return { repository: store.linkMends, store, openAnother };
  };

  describe('what was done about dead links', () => {
    test('comes back as it was added, in its tenant', async () => {
      const kept = [
        linkMend('a', { madeBy: awkwardText, object: { title: awkwardText, url: awkwardText } }),
        linkMend('b', { kind: 'leave', object: null, changes: [], undoneAt: at(2), reason: null }),
      ];
      const { repository } = await openWith(kept);
      for (const record of kept) {
        expect(await repository.findLinkMend('lyon', record.id)).toEqual(record);
        expect(await repository.findLinkMend('paris', record.id)).toBeNull();
      }
    });

    test('is listed by addresses and tenants, newest first, ties in the order of the ids', async () => {
      const { repository } = await openWith([
        ...['b', 'a', 'B'].map((id) => linkMend(id)),
        linkMend('new', { madeAt: at(5) }),
        linkMend('other', { url: `${url}/2`, madeAt: at(3) }),
        linkMend('paris', { tenantId: 'paris', madeAt: at(4) }),
      ]);
      const listed = async (scope: readonly string[] | null, urls = [url], limit = 100) =>
        ids(await repository.listLinkMends(scope, urls, limit));
      expect(await listed(null)).toEqual(['new', 'paris', 'B', 'a', 'b']);
      expect(await listed(['lyon'])).toEqual(['new', 'B', 'a', 'b']);
      expect(await listed(['lyon', 'nice'], [url, `${url}/2`], 3)).toEqual(['new', 'other', 'B']);
      expect(await listed([])).toEqual([]);
      expect(await listed(null, [])).toEqual([]);
      const alive = 'https://a.example/alive';
      expect(ids(await repository.listReplacements('lyon', alive))).toEqual(['new', 'other', 'B', 'a', 'b']);
      expect(ids(await repository.listReplacements('paris', alive))).toEqual(['paris']);
      expect(await repository.listReplacements('lyon', url)).toEqual([]);
    });

    test('is undone once, in its own tenant only', async () => {
      const { repository, store, openAnother } = await openWith([linkMend('a'), linkMend('b')]);
      expect(await repository.markMendUndone('paris', 'a', at(2))).toBe(false);
      expect(await repository.markMendUndone('lyon', 'none', at(2))).toBe(false);
      const undone = await race([store, await openAnother()], 6, ({ linkMends }) =>
        linkMends.markMendUndone('lyon', 'a', at(2)),
      );
      expect(undone.filter(Boolean)).toHaveLength(1);
      expect(await repository.findLinkMend('lyon', 'a')).toEqual(linkMend('a', { undoneAt: at(2) }));
      expect(await repository.findLinkMend('lyon', 'b')).toEqual(linkMend('b'));
    });
  });
}
