import { describe, expect, test } from 'vitest';
import type { Preferences } from '../../../src/domain/person.ts';
import type { PersonRecord } from '../../../src/ports/store/store.ts';
import { type OpenStore, race } from './opened-store.ts';
import { expectPlainPrefixes } from './prefixes.ts';
import { at, awkwardText, tenant } from './records.ts';
import { person } from './slack-records.ts';

/** Everything that somebody may choose. */
const preferences: Preferences = {
  locale: 'fr',
  lang: 'de',
  level: 'beginner',
  types: ['video', 'mooc'],
  providers: ['openlearn', awkwardText],
  itemsPerPage: 10,
};

const recentSearches = [
  { text: awkwardText, searchedAt: at(2) },
  { text: 'docker type:video', searchedAt: at(1) },
];

const names = (records: readonly PersonRecord[]): string[] => records.map((record) => record.person);

export function describePeople(open: OpenStore): void {
  const openWith = async (records: readonly PersonRecord[] = []) => {
    const { store, openAnother } = await open();
    for (const id of ['lyon', 'paris']) await store.tenants.addTenant(tenant(id));
    for (const record of records) expect(await store.people.savePerson(record)).toBe(true);
    return { repository: store.people, store, openAnother };
  };

  describe('people', () => {
    test('come back as they were saved, each of their own tenant', async () => {
      const kept = [
        person('slack:T1:U1', {
          preferences,
          recentSearches,
          savedSearches: ['docker type:video', awkwardText],
          shelfPerson: 'lti:moodle:ada',
        }),
        person('slack:T1:U1', { tenantId: 'paris' }),
        person(awkwardText, { shelfPerson: `${awkwardText}!` }),
        person('SLACK:T1:U1', { preferences: { ...preferences, types: [], providers: [] } }),
      ];
      const { repository } = await openWith(kept);
      for (const record of kept) expect(await repository.findPerson(record)).toEqual(record);
      expect(await repository.findPerson(person('slack:T1:U'))).toBeNull();
      expect(await repository.findPerson(person(awkwardText, { tenantId: 'paris' }))).toBeNull();
    });

    test('are added once', async () => {
      const { repository } = await openWith([person('ada')]);
      expect(await repository.savePerson(person('ada', { preferences }))).toBe(false);
      expect(await repository.findPerson(person('ada'))).toEqual(person('ada'));
    });

    test('are replaced by the next version only', async () => {
      const { repository } = await openWith([person('ada')]);
      const second = person('ada', { preferences, recentSearches, shelfPerson: 'bob', version: 2 });
      expect(await repository.savePerson({ ...second, version: 3 })).toBe(false);
      expect(await repository.savePerson(person('bob', { version: 2 }))).toBe(false);
      expect(await repository.savePerson({ ...second, tenantId: 'paris' })).toBe(false);
      expect(await repository.findPerson(person('ada'))).toEqual(person('ada'));
      expect(await repository.findPerson(person('bob'))).toBeNull();
      expect(await repository.savePerson(second)).toBe(true);
      expect(await repository.savePerson(second)).toBe(false);
      expect(await repository.findPerson(second)).toEqual(second);
      const third = person('ada', { version: 3 });
      expect(await repository.savePerson(third)).toBe(true);
      expect(await repository.findPerson(third)).toEqual(third);
    });

    test('are added by one of many, and changed by one of many', async () => {
      const { store, repository, openAnother } = await openWith();
      const handles = [store, await openAnother()] as const;
      for (const version of [1, 2, 3]) {
        const saved = await race(handles, 10, ({ people }, number) =>
          people.savePerson(person('ada', { shelfPerson: `${number}`, version })),
        );
        expect(saved.filter((done) => done)).toHaveLength(1);
        const winner = person('ada', { shelfPerson: `${saved.indexOf(true)}`, version });
        expect(await repository.findPerson(winner)).toEqual(winner);
      }
    });

    test('lose no change of those who read again where they were overtaken', async () => {
      const { store, repository, openAnother } = await openWith();
      await race([store, await openAnother()], 12, async ({ people }, number) => {
        for (let isSaved = false; !isSaved; ) {
          const { version, recentSearches } = (await people.findPerson(person('ada'))) ?? person('ada', { version: 0 });
          const searches = [...recentSearches, { text: `${number}`, searchedAt: at(number) }];
          isSaved = await people.savePerson(person('ada', { recentSearches: searches, version: version + 1 }));
        }
      });
      const ada = (await repository.findPerson(person('ada')))!;
      expect(ada.version).toBe(12);
      expect(new Set(ada.recentSearches.map(({ text }) => text)).size).toBe(12);
    });

    test('of a shelf are listed in the order of their names, so many as are asked for', async () => {
      const shelfPerson = awkwardText;
      const { repository } = await openWith([
        ...['b', 'B', 'slack:T1:U1', awkwardText].map((name) => person(name, { shelfPerson })),
        person('a', { shelfPerson, tenantId: 'paris' }),
        person('c', { shelfPerson: awkwardText.toUpperCase() }),
        person('d'),
      ]);
      const found = await repository.listPeopleOfShelf('lyon', shelfPerson, 10);
      expect(names(found)).toEqual(['B', awkwardText, 'b', 'slack:T1:U1']);
      expect(found[2]).toEqual(person('b', { shelfPerson }));
      expect(await repository.listPeopleOfShelf('lyon', shelfPerson, 2)).toEqual(found.slice(0, 2));
      expect(names(await repository.listPeopleOfShelf('lyon', 'd', 10))).toEqual(['d']);
      expect(await repository.listPeopleOfShelf('paris', 'd', 10)).toEqual([]);
    });

    test('who use the shelf of somebody in other names are listed in the order of their own', async () => {
      const shelfPerson = 'slack:T1:U1';
      const guests = ['Slack:T1:U1', 'lti:moodle:ada', 'slack:T10:U1', 'slack:T2:U1'].map((name) =>
        person(name, { shelfPerson, preferences, recentSearches }),
      );
      const { repository } = await openWith([
        ...guests.toReversed(),
        person('slack:T1:U1'),
        person('slack:T1:U2', { shelfPerson }),
        person('slack:T1:U3', { shelfPerson: 'lti:moodle:ada' }),
        person('a', { shelfPerson: 'SLACK:T1:U1' }),
        person('b', { shelfPerson: 'slack:T10:U1' }),
        person('c', { shelfPerson, tenantId: 'paris' }),
        person('d', { shelfPerson: 'slack:T%:U1' }),
      ]);
      expect(await repository.listGuests('lyon', 'slack:T1:', 10)).toEqual(guests);
      expect(await repository.listGuests('lyon', 'slack:T1:', 2)).toEqual(guests.slice(0, 2));
      expect(names(await repository.listGuests('paris', 'slack:T1:', 10))).toEqual(['c']);
      expect(names(await repository.listGuests('lyon', 'slack:T%:', 10))).toEqual(['d']);
      expect(await repository.listGuests('lyon', 'slack:T.:', 10)).toEqual([]);
    });

    test('are removed one by one, and can come back', async () => {
      const others = [person('b'), person('a b'), person('a', { tenantId: 'paris' })];
      const { repository, store } = await openWith([person('a', { version: 1 }), ...others]);
      const removeIt = () => store.personal.removePersonal('people', { tenantId: 'lyon', person: 'a' });
      expect(await repository.savePerson(person('a', { version: 2 }))).toBe(true);
      expect([await removeIt(), await removeIt()]).toEqual([1, 0]);
      expect(await repository.findPerson(person('a'))).toBeNull();
      for (const record of others) expect(await repository.findPerson(record)).toEqual(record);
      // Who read them before cannot bring them back.
      expect(await repository.savePerson(person('a', { version: 3 }))).toBe(false);
      expect(await repository.savePerson(person('a'))).toBe(true);
    });

    test('of one tenant are removed by the beginning of their names', async () => {
      const shelfPerson = 'slack:T1:U1';
      const others = [
        person('lti:moodle:ada', { shelfPerson }),
        person('slack:T1:U1', { tenantId: 'paris' }),
        person('slack:T2:U1'),
      ];
      const gone = [person('slack:T1:U1'), person('slack:T1:U2', { shelfPerson: 'lti:moodle:ada' })];
      const { repository } = await openWith([...gone, ...others]);
      expect(await repository.removePeople('lyon', 'slack:T1:')).toBe(2);
      expect(await repository.removePeople('lyon', 'slack:T1:')).toBe(0);
      for (const record of gone) expect(await repository.findPerson(record)).toBeNull();
      for (const record of others) expect(await repository.findPerson(record)).toEqual(record);
    });

    test('removed by the beginning of their names are those of exactly these names', async () => {
      const { repository, store } = await openWith();
      await expectPlainPrefixes({
        add: (name) => repository.savePerson(person(name)),
        remove: (prefix) => repository.removePeople('lyon', prefix),
        list: async () =>
          (await store.transfer.readRecords('people', null, 100)).map(({ record }) => record.person as string),
      });
    });
  });
}
