import { describe, expect, test } from 'vitest';
import type { AdminLinkRecord } from '../../../src/ports/store/store.ts';
import { ids, type OpenStore, race } from './opened-store.ts';
import { adminLink, at, awkwardText, justBefore } from './records.ts';

export function describeAdminLinks(open: OpenStore): void {
  const openLinks = async (records: readonly AdminLinkRecord[]) => {
    const { store, openAnother } = await open();
    for (const record of records) await store.adminLinks.addAdminLink(record);
    return { links: store.adminLinks, store, openAnother };
  };

  describe("administrators' links", () => {
    test('come back as they were given', async () => {
      const kept = [
        adminLink('setup', {
          kind: 'setup',
          role: 'owner',
          tenants: null,
          createdBy: awkwardText,
          createdById: null,
        }),
        adminLink('reset', { kind: 'reset', adminId: 'ada', tenants: [] }),
        adminLink('invitation', { role: 'viewer', tenants: ['paris', 'lyon'] }),
      ];
      const { links } = await openLinks(kept);
      for (const link of kept) expect(await links.findAdminLink(link.id, at(1))).toEqual(link);
      expect(await links.findAdminLink('none', at(1))).toBeNull();
      for (const link of kept) expect(await links.consumeAdminLink(link.id, at(1))).toEqual(link);
    });

    test('can be used until they expire', async () => {
      const { links } = await openLinks([adminLink('a', { expiresAt: at(60) })]);
      expect(await links.findAdminLink('a', at(60))).toBeNull();
      expect(await links.consumeAdminLink('a', at(60))).toBeNull();
      const { links: others } = await openLinks([adminLink('a', { expiresAt: at(60) })]);
      expect(await others.findAdminLink('a', justBefore(at(60)))).not.toBeNull();
      expect(await others.consumeAdminLink('a', justBefore(at(60)))).not.toBeNull();
    });

    test('can be used once', async () => {
      const { links } = await openLinks([adminLink('a'), adminLink('b')]);
      expect(await links.consumeAdminLink('none', at(1))).toBeNull();
      expect(await links.consumeAdminLink('a', at(1))).toEqual(adminLink('a'));
      expect(await links.consumeAdminLink('a', at(1))).toBeNull();
      expect(await links.findAdminLink('a', at(1))).toBeNull();
      expect(await links.findAdminLink('b', at(1))).toEqual(adminLink('b'));
    });

    test('can be used by one of many', async () => {
      const { store, openAnother } = await openLinks([adminLink('a')]);
      const used = await race([store, await openAnother()], 10, ({ adminLinks }) =>
        adminLinks.consumeAdminLink('a', at(1)),
      );
      expect(used.filter((link) => link !== null)).toEqual([adminLink('a')]);
    });

    test('are listed newest first, without those that have expired', async () => {
      const { links } = await openLinks([
        adminLink('old', { createdAt: at(1) }),
        adminLink('new', { createdAt: at(3) }),
        adminLink('middle', { createdAt: at(2), expiresAt: at(10) }),
      ]);
      expect(ids(await links.listAdminLinks(at(5)))).toEqual(['new', 'middle', 'old']);
      expect(ids(await links.listAdminLinks(at(10)))).toEqual(['new', 'old']);
      expect((await links.listAdminLinks(at(10)))[0]).toEqual(adminLink('new', { createdAt: at(3) }));
    });

    test('are listed up to the newest 100', async () => {
      const { links } = await openLinks(
        Array.from({ length: 101 }, (_, number) => adminLink(`l${number}`, { createdAt: at(number / 10) })),
      );
      const listed = await links.listAdminLinks(at(20));
      expect([listed.length, listed[0]!.id, listed[99]!.id]).toEqual([100, 'l100', 'l1']);
    });

    test('are removed one at a time', async () => {
      const { links } = await openLinks([adminLink('a'), adminLink('b')]);
      expect(await links.removeAdminLink('a')).toBe(true);
      expect(await links.removeAdminLink('a')).toBe(false);
      expect(ids(await links.listAdminLinks(at(1)))).toEqual(['b']);
    });

    test('are removed with all that an administrator made, by id and not by name', async () => {
      const { links } = await openLinks([
        ...Array.from({ length: 101 }, (_, number) => adminLink(`l${number}`)),
        adminLink('expired', { expiresAt: at(-1) }),
        adminLink('for', { kind: 'reset', adminId: 'ada', createdById: 'bob' }),
        adminLink('host', { createdById: null }),
        adminLink('renamed', { createdBy: 'Augusta' }),
      ]);
      await links.removeAdminLinksBy('none');
      await links.removeAdminLinksBy('ada');
      expect(ids(await links.listAdminLinks(at(-2)))).toEqual(['for', 'host']);
    });
  });
}
