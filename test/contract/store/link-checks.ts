import { describe, expect, test } from 'vitest';
import type { LinkCheck } from '../../../src/ports/store/store.ts';
import { deadLink, linkCheck, unsureLink } from './link-check-records.ts';
import { type OpenStore, readPages } from './opened-store.ts';
import { at, awkwardText, longText } from './records.ts';
import { expectPlainSearch } from './search.ts';

const site = 'https://a.example';
const urls = (checks: readonly LinkCheck[]): string[] => checks.map(({ url }) => url);

export function describeLinkChecks(open: OpenStore): void {
  const openWith = async (checks: readonly LinkCheck[] = []) => {
    const { store } = await open();
    await store.linkChecks.saveLinkChecks(checks);
    return store.linkChecks;
  };

  describe('checks of links', () => {
    test('come back as they were saved, by their addresses', async () => {
      const kept = [
        linkCheck(`${site}/?q=${awkwardText}`),
        unsureLink(`${site}/${longText}`, {
          status: 503,
          reason: 'server-error',
          failures: 4,
          since: at(-90),
        }),
        deadLink(`${site}/b`),
        linkCheck(`${site}/B`, {
          movedTo: `${site}/new?q=${awkwardText}`,
          etag: 'W/"é"',
          lastModified: 'Sun, 22 Nov 2026 10:00:00 GMT',
        }),
      ];
      const repository = await openWith(kept);
      const asked = [...urls(kept), `${site}/c`, `${site}/b`];
      expect(urls(await repository.findLinkChecks(asked))).toEqual(urls(kept).toSorted());
      for (const check of kept) expect(await repository.findLinkChecks([check.url])).toEqual([check]);
      expect(await repository.findLinkChecks([])).toEqual([]);
    });

    test('are replaced by later ones, a thousand at once', async () => {
      const many = Array.from({ length: 1_000 }, (_, number) => `${site}/${`${number}`.padStart(3, '0')}`);
      const repository = await openWith(many.map((url) => linkCheck(url)));
      await repository.saveLinkChecks([]);
      await repository.saveLinkChecks(many.map((url) => deadLink(url, { checkedAt: at(5), since: at(5) })));
      expect(await repository.countLinkChecks()).toEqual({ alive: 0, dead: 1_000, unsure: 0 });
      expect(await repository.findLinkChecks(many)).toEqual(
        many.map((url) => deadLink(url, { checkedAt: at(5), since: at(5) })),
      );
      expect(await repository.removeLinkChecks(many)).toBe(1_000);
      expect(await repository.countLinkChecks()).toEqual({ alive: 0, dead: 0, unsure: 0 });
    });

    test('of one state are read on from any address', async () => {
      const dead = ['A', 'a', 'b', 'é'].map((path) => deadLink(`${site}/${path}`));
      const repository = await openWith([...dead.toReversed(), linkCheck(`${site}/aa`), unsureLink(`${site}/ab`)]);
      const read = (after: string | null, limit: number) => repository.readLinkChecks({ state: 'dead', after, limit });
      expect(await read(null, 10)).toEqual(dead);
      expect(await read(null, 2)).toEqual(dead.slice(0, 2));
      expect(await read(`${site}/a`, 10)).toEqual(dead.slice(2));
      expect(await read(`${site}/aa`, 1)).toEqual(dead.slice(2, 3));
      expect(await read(`${site}/é`, 1)).toEqual([]);
      expect(urls(await repository.readLinkChecks({ state: 'alive', after: null, limit: 9 }))).toEqual([`${site}/aa`]);
    });

    test('that went wrong are listed: the dead first, then those that have been so for longest', async () => {
      const ordered = [
        deadLink(`${site}/9`, { since: at(-3) }),
        deadLink(`${site}/2`, { since: at(-2) }),
        deadLink(`${site}/3`, { since: at(-2) }),
        unsureLink(`${site}/1`, { since: at(-9) }),
        unsureLink(`${site}/0`),
      ];
      const repository = await openWith([...ordered.toReversed(), linkCheck(`${site}/4`)]);
      const { items, sizes, total } = await readPages(
        (request) => repository.listBrokenLinks({ ...request, search: '' }),
        2,
      );
      expect(items).toEqual(ordered);
      expect({ sizes, total }).toEqual({ sizes: [2, 2, 1, 0], total: 5 });
    });

    test('that went wrong are found by any part of their address', async () => {
      const repository = await openWith([linkCheck(`${site}/free`)]);
      const whole = { page: 0, pageSize: 50 };
      await expectPlainSearch(
        (text, number) => repository.saveLinkChecks([deadLink(`${number}${text}`)]),
        async (search) =>
          urls((await repository.listBrokenLinks({ ...whole, search })).items).map((url) =>
            url.replace(/^(?:10|\d)/, ''),
          ),
      );
    });

    test('have a version that is another one whenever the dead ones are', async () => {
      const repository = await openWith([linkCheck(`${site}/a`), unsureLink(`${site}/b`)]);
      expect(await repository.deadLinksVersion()).toBe('');
      const seen = new Set(['']);
      const expectAnother = async () => {
        const version = await repository.deadLinksVersion();
        expect(seen).not.toContain(version);
        seen.add(version);
      };
      await repository.saveLinkChecks([deadLink(`${site}/a`, { since: at(1) })]);
      await expectAnother();
      await repository.saveLinkChecks([deadLink(`${site}/b`, { since: at(1) })]);
      await expectAnother();
      const version = await repository.deadLinksVersion();
      await repository.saveLinkChecks([
        linkCheck(`${site}/c`),
        deadLink(`${site}/b`, { since: at(1), checkedAt: at(9), failures: 5 }),
      ]);
      expect(await repository.deadLinksVersion()).toBe(version);
      await repository.saveLinkChecks([linkCheck(`${site}/a`), deadLink(`${site}/c`, { since: at(2) })]);
      await expectAnother();
      expect(await repository.removeLinkChecks([`${site}/c`, `${site}/nowhere`])).toBe(1);
      expect(await repository.findLinkChecks([`${site}/c`])).toEqual([]);
      await repository.removeLinkChecks([`${site}/b`]);
      expect(await repository.deadLinksVersion()).toBe('');
      expect(await repository.removeLinkChecks([])).toBe(0);
    });
  });
}
