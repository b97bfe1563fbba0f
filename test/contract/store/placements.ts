import { describe, expect, test } from 'vitest';
import type { Placement } from '../../../src/domain/lti/placement.ts';
import type { Verdict } from '../../../src/ports/store/activity.ts';
import type { LinksOfCourses } from '../../../src/ports/store/placements.ts';
import { countObjectUses } from '../../../src/services/courses/placements/object-uses.ts';
import { link, placement } from './lti-records.ts';
import { ids, type OpenStore, race } from './opened-store.ts';
import { at, awkwardText, longText, tenant } from './records.ts';

const course = { tenantId: 'lyon', registrationId: 'moodle', contextId: 'course' };

export function describePlacements(open: OpenStore): void {
  const openWith = async (records: readonly Placement[] = []) => {
    const { store, openAnother } = await open();
    for (const id of ['lyon', 'paris']) await store.tenants.addTenant(tenant(id));
    await store.placements.addPlacements(records);
    return { repository: store.placements, store, openAnother };
  };

  describe('placements', () => {
    test('come back as they were added, in their tenant', async () => {
      const kept = [
        placement('a', { title: awkwardText, address: awkwardText, person: awkwardText }),
        placement('b', { contextId: null, requestId: null, points: null, completion: 'viewed' }),
        placement('c', { tenantId: 'paris' }),
        placement('d', { object: { ...placement('d').object, description: longText, level: -0.25 } }),
      ];
      const { repository } = await openWith(kept);
      for (const record of kept) {
        const found = await repository.findPlacement(record.tenantId, record.id);
        expect(found).toEqual(record);
        // Not only equal: nothing that the object does not have was added to it.
        expect(Object.keys(found!.object).toSorted()).toEqual(Object.keys(record.object).toSorted());
      }
      expect(await repository.findPlacement('lyon', 'c')).toBeNull();
      expect(await repository.findPlacement('lyon', 'none')).toBeNull();
      await repository.addPlacements([]);
    });

    test('of a course are listed newest first, ties in the order of the ids', async () => {
      const { repository } = await openWith([
        ...['b', 'a', 'B'].map((id) => placement(id, { placedAt: at(1) })),
        placement('new', { placedAt: at(2), person: 'lti:moodle:bob' }),
        placement('old', { placedAt: at(0) }),
        placement('other course', { contextId: 'Course' }),
        placement('no course', { contextId: null }),
        placement('other platform', { registrationId: 'canvas' }),
        placement('other tenant', { tenantId: 'paris' }),
      ]);
      const listed = async (limit: number) => ids(await repository.listPlacementsOfContext(course, limit));
      expect(await listed(100)).toEqual(['new', 'B', 'a', 'b', 'old']);
      expect(await listed(2)).toEqual(['new', 'B']);
      const [other] = await repository.listPlacementsOfContext({ ...course, tenantId: 'paris' }, 1);
      expect(other).toEqual(placement('other tenant', { tenantId: 'paris' }));
    });

    test('of others in the tenant are listed newest first, ties in the order of the ids', async () => {
      const { repository } = await openWith([
        ...['b', 'a'].map((id) => placement(id, { placedAt: at(1), person: 'lti:moodle:bob' })),
        placement('new', { placedAt: at(2), person: 'lti:canvas:ada', registrationId: 'canvas' }),
        placement('old', { contextId: null, person: 'lti:moodle:Ada' }),
        placement('own', { placedAt: at(5) }),
        placement('other tenant', { tenantId: 'paris', person: 'lti:moodle:bob' }),
      ]);
      const listed = async (person: string, limit: number) =>
        ids(await repository.listPlacementsOfOthers('lyon', person, limit));
      expect(await listed('lti:moodle:ada', 100)).toEqual(['new', 'a', 'b', 'old']);
      expect(await listed('lti:moodle:ada', 3)).toEqual(['new', 'a', 'b']);
      expect(await listed('lti:moodle:bob', 100)).toEqual(['own', 'new', 'old']);
    });
  });

  test('objects are counted by the courses they were chosen in', async () => {
    const objectOf = (name: string, title = name) => {
      return { ...placement(name).object, url: `https://example.org/${name}`, title };
    };
    const chosen = (id: string, object: string, more: Partial<Placement> = {}) =>
      placement(id, { object: objectOf(object), ...more });
    const { repository } = await openWith([
      chosen('1', 'twice'),
      chosen('2', 'twice'),
      chosen('3', 'most', { contextId: 'a', object: objectOf('most', 'Newest'), placedAt: at(9) }),
      chosen('4', 'most', { contextId: 'b', placedAt: at(2) }),
      chosen('5', 'most', { contextId: 'b', registrationId: 'canvas', placedAt: at(3) }),
      chosen('6', 'alone', { contextId: null }),
      chosen('7', 'alone', { contextId: null }),
      ...['8', '9'].map((id) => chosen(id, 'elsewhere', { tenantId: 'paris', contextId: id })),
    ]);
    expect(await repository.listMostChosen('lyon', 100)).toEqual([
      { object: objectOf('most', 'Newest'), courses: 3 },
      { object: objectOf('alone'), courses: 1 },
      { object: objectOf('twice'), courses: 1 },
    ]);
    expect(await repository.listMostChosen('lyon', 1)).toMatchObject([{ courses: 3 }]);
    expect(await repository.listMostChosen('rome', 1)).toEqual([]);
  });

  describe('links', () => {
    test('are added when they are opened first, and stay as they were', async () => {
      const kept = [
        link('a', { resourceLinkId: awkwardText, title: awkwardText }),
        link('b', { contextId: null, chosenId: null, title: null }),
      ];
      const { repository } = await openWith();
      for (const record of kept) {
        expect(await repository.openLink(record)).toEqual(record);
        const again = { ...record, placementId: 'other', firstOpenedAt: at(9) };
        expect(await repository.openLink(again)).toEqual(record);
        expect(await repository.findLink('lyon', record.id)).toEqual(record);
        expect(await repository.findLink('paris', record.id)).toBeNull();
      }
      expect(await repository.findLink('lyon', 'none')).toBeNull();
    });

    test('are the same for all who open them at once', async () => {
      const { store, repository, openAnother } = await openWith();
      const opened = await race([store, await openAnother()], 10, ({ placements }, number) =>
        placements.openLink(link('a', { placementId: `${number}`, firstOpenedAt: at(number) })),
      );
      const kept = await repository.findLink('lyon', 'a');
      expect(opened).toEqual(Array(10).fill(kept));
    });

    test('are listed by course and item, and by resource link', async () => {
      const { repository } = await openWith();
      const bare = link('b', {
        chosenId: null,
        title: null,
        contextId: null,
        resourceLinkId: '',
        copiedFrom: '7',
      });
      const kept = [
        link('a'),
        bare,
        link('c', { contextId: 'other' }),
        link('d', { chosenId: 'Chosen', resourceLinkId: 'resource link of a' }),
        link('e', { tenantId: 'paris' }),
        link('f', { registrationId: 'canvas' }),
        link('g', { contextId: 'Course' }),
      ];
      for (const record of kept) await repository.openLink(record);
      const ofMoodle = { tenantId: 'lyon', registrationId: 'moodle' };
      const all = {
        ...ofMoodle,
        contextIds: ['course', 'other', 'none'],
        chosenId: null,
        after: null,
        limit: 1_000,
      };
      const listed = async (changes: Partial<LinksOfCourses> = {}) =>
        ids(await repository.listLinksOfCourses({ ...all, ...changes }));
      expect(await repository.listLinksOfCourses(all)).toEqual([kept[0], kept[2], kept[3]]);
      expect(await listed({ chosenId: 'chosen' })).toEqual(['a', 'c']);
      expect(await listed({ after: 'a', limit: 1 })).toEqual(['c']);
      expect(await listed({ contextIds: [] })).toEqual([]);
      const ofResources = async (...resourceLinkIds: string[]) =>
        ids(await repository.listLinksOfResources({ ...ofMoodle, resourceLinkIds }));
      expect(await ofResources('resource link of a', 'resource link of c')).toEqual(['a', 'c', 'd']);
      expect(await ofResources()).toEqual([]);
    });

    test('that a notice told of are taken once, and stay as taken', async () => {
      const { repository } = await openWith();
      const told = link('a', { resourceLinkId: '', copiedFrom: '7' });
      await repository.openLink(told);
      expect(await repository.detachCopiedLink('paris', 'a')).toBe(false);
      expect(await repository.detachCopiedLink('lyon', 'a')).toBe(true);
      expect(await repository.detachCopiedLink('lyon', 'a')).toBe(false);
      expect(await repository.openLink(told)).toEqual({ ...told, contextId: null });
    });

    test('get another placement in their own tenant only', async () => {
      const { repository } = await openWith();
      for (const id of ['a', 'b']) await repository.openLink(link(id));
      expect(await repository.replaceLinkPlacement('paris', 'a', 'x')).toBe(false);
      expect(await repository.replaceLinkPlacement('lyon', 'none', 'x')).toBe(false);
      expect(await repository.findLink('lyon', 'a')).toEqual(link('a'));
      expect(await repository.replaceLinkPlacement('lyon', 'a', 'x')).toBe(true);
      expect(await repository.replaceLinkPlacement('lyon', 'a', 'x')).toBe(true);
      expect(await repository.findLink('lyon', 'a')).toEqual(link('a', { placementId: 'x' }));
      expect(await repository.findLink('lyon', 'b')).toEqual(link('b'));
      expect(await repository.openLink(link('a'))).toEqual(link('a', { placementId: 'x' }));
    });

    test('say in how many courses an object is, and what share of learners found it useful', async () => {
      const { store } = await openWith([
        placement('a'),
        placement('again', { object: placement('a').object }),
        placement('p', { tenantId: 'paris', object: placement('a').object }),
        placement('few'),
      ]);
      await store.placements.openLink(link('1', { placementId: 'a' }));
      await store.placements.openLink(link('2', { placementId: 'again', contextId: 'other' }));
      await store.placements.openLink(link('3', { placementId: 'few' }));
      await store.placements.openLink(link('4', { tenantId: 'paris', placementId: 'p' }));
      const give = async (linkId: string, userId: string, verdict: Verdict, placementId: string) => {
        const key = { tenantId: 'lyon', linkId, userId };
        await store.activity.noteOpened(key, at(1));
        await store.activity.noteVerdict(key, verdict, placementId);
      };
      for (const userId of ['u', 'v', 'w']) await give('1', userId, 'useful', 'a');
      await give('2', 'u', 'useful', 'again');
      await give('2', 'v', 'not-useful', 'again');
      await give('2', 'w', 'broken', 'again');
      // Of what this link showed before.
      await give('2', 'x', 'not-useful', 'former');
      for (const userId of ['u', 'v', 'w', 'x']) await give('3', userId, 'not-useful', 'few');
      const [a, few] = [placement('a').object.url, placement('few').object.url];
      expect(await countObjectUses(store, 'lyon', [a, few, 'https://none.example'])).toEqual(
        new Map([
          [a, { courses: 2, helpful: 0.8 }],
          [few, { courses: 1, helpful: null }],
        ]),
      );
      expect(await countObjectUses(store, 'paris', [a])).toEqual(new Map([[a, { courses: 1, helpful: null }]]));
      expect(await countObjectUses(store, 'lyon', [])).toEqual(new Map());
    });

    test('that show an address are counted by tenant, each course once', async () => {
      const url = 'https://example.org/é?q=1 2';
      const object = (title: string) => ({ ...placement('a').object, url, title });
      const { repository } = await openWith([
        placement('a', { object: object('Second') }),
        placement('A', { object: object('First') }),
        placement('b'),
        placement('p', { tenantId: 'paris', object: object('In Paris') }),
        placement('unused', { object: { ...object('Unused'), url: 'https://example.org/unused' } }),
        placement('replaced', { object: { ...object('Replaced'), url: 'https://example.org/replaced' } }),
      ]);
      const kept = [
        link('1'),
        link('2', { placementId: 'A' }),
        link('3', { contextId: 'other' }),
        link('4', { contextId: 'other', registrationId: 'canvas' }),
        link('5', { contextId: null }),
        link('6', { contextId: null }),
        link('7', { placementId: 'b', chosenId: 'replaced' }),
        link('8', { tenantId: 'paris', placementId: 'p' }),
        link('told', { resourceLinkId: '', copiedFrom: '1' }),
        link('taken', { resourceLinkId: '', copiedFrom: '1', contextId: null }),
        link('lost', { placementId: 'none' }),
        link('stranger', { tenantId: 'paris', placementId: 'b' }),
      ];
      for (const record of kept) await repository.openLink(record);
      const inLyon = { tenantId: 'lyon', url, title: 'First', courses: 5, links: 7 };
      const inParis = { tenantId: 'paris', url, title: 'In Paris', courses: 1, links: 1 };
      const ofB = { tenantId: 'lyon', url: 'https://example.org/b', title: 'Title', courses: 1, links: 1 };
      const urls = [url, 'https://example.org/b', 'https://example.org/unused', 'https://none.example'];
      expect(await repository.countPlacedLinks(null, urls)).toEqual([ofB, inLyon, inParis]);
      expect(await repository.countPlacedLinks(['paris'], urls)).toEqual([inParis]);
      expect(await repository.countPlacedLinks([], urls)).toEqual([]);
      expect(await repository.countPlacedLinks(null, [])).toEqual([]);
      const shown = await repository.listPlacedLinks('lyon', url, 100);
      expect(shown.map(({ link: { id }, placement: { id: behind } }) => [id, behind])).toEqual([
        ...[['1', 'a'], ['2', 'A'], ...['3', '4', '5', '6', 'told'].map((id) => [id, 'a'])],
      ]);
      expect(shown[0]).toEqual({ link: link('1'), placement: placement('a', { object: object('Second') }) });
      expect(await repository.listPlacedLinks('lyon', url, 2)).toEqual(shown.slice(0, 2));
      expect(await repository.listPlacedLinks('paris', 'https://example.org/b', 9)).toEqual([]);
      const read: string[] = [];
      let after: string | null = null;
      do {
        const part: { readonly urls: readonly string[]; readonly after: string | null } =
          await repository.readPlacedAddresses(after, 5);
        read.push(...part.urls);
        after = part.after;
      } while (after !== null);
      // Of those that no link shows, only what was not opened yet, and not what was replaced.
      expect(read.toSorted()).toEqual(
        [...Array(3).fill(url), 'https://example.org/b', 'https://example.org/unused'].toSorted(),
      );
    });
  });
}
