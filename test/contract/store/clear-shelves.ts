import { describe, expect, test } from 'vitest';
import type { OpenStore } from './opened-store.ts';
import { expectPlainPrefixes } from './prefixes.ts';
import { shelved, tenant } from './records.ts';

export function describeClearShelves(open: OpenStore): void {
  const openShelves = async () => {
    const { store } = await open();
    for (const id of ['lyon', 'paris']) await store.tenants.addTenant(tenant(id));
    return store;
  };

  describe('shelves of everyone whose name begins in a way', () => {
    test('are cleared together, and say how many objects there were', async () => {
      const { shelf } = await openShelves();
      const cleared = [
        shelved('a', { person: 'slack:T1:U1' }),
        shelved('b', { person: 'slack:T1:U1' }),
        shelved('a', { person: 'slack:T1:U2' }),
      ];
      const kept = [
        shelved('a', { person: 'slack:T2:U1' }),
        shelved('a', { person: 'lti:moodle:ada' }),
        shelved('a', { person: 'slack:T1:U1', tenantId: 'paris' }),
      ];
      for (const record of [...cleared, ...kept]) await shelf.addToShelf(record, 9);
      expect(await shelf.clearShelves('lyon', 'slack:T1:')).toBe(3);
      expect(await shelf.clearShelves('lyon', 'slack:T1:')).toBe(0);
      const page = { page: 0, pageSize: 9 };
      for (const record of cleared) expect((await shelf.listShelf(record, page)).total).toBe(0);
      for (const record of kept) expect((await shelf.listShelf(record, page)).items).toEqual([record]);
      expect(await shelf.addToShelf(cleared[0]!, 1)).toBe('added');
    });

    test('are those of exactly these names', async () => {
      const { shelf, transfer } = await openShelves();
      await expectPlainPrefixes({
        add: (person) => shelf.addToShelf(shelved('a', { person }), 9),
        remove: (prefix) => shelf.clearShelves('lyon', prefix),
        list: async () => (await transfer.readRecords('shelf', null, 100)).map(({ record }) => record.person as string),
      });
    });
  });
}
