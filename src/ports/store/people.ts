import type { Preferences, RecentSearch } from '#domain/person';
import { describeRecord, field, is, KEY, type OpenRecords, type RecordOf } from './record.ts';
import type { ShelfOwner } from './shelf.ts';

export const personRecords = describeRecord('people', {
  fields: {
    tenantId: field.ofTenant,
    person: field.text(),
    /** Whose shelf they use: their own name, or that of a person they are linked with. */
    shelfPerson: field.text(),
    preferences: field.json<Preferences>(),
    /** Newest first. */
    recentSearches: field.json<readonly RecentSearch[]>((searches) =>
      searches.map((search) => ({ ...search, searchedAt: new Date(search.searchedAt) })),
    ),
    /** As they were typed, newest first. */
    savedSearches: field.texts(),
    /** 1 when it is added, one more with each change. */
    version: field.integer,
  },
  key: ['tenantId', 'person'],
  indexes: [['tenantId', 'shelfPerson', KEY], { fields: ['tenantId', 'person'], in: 'mongo' }],
});

/** What is kept of somebody besides what they saved. */
export type PersonRecord = RecordOf<typeof personRecords>;

export type PeopleRepository = ReturnType<typeof createPeopleRepository>;

export function createPeopleRepository(open: OpenRecords) {
  const records = open(personRecords);
  return {
    findPerson: ({ tenantId, person }: ShelfOwner) => records.get({ tenantId, person }),
    /** Adds version 1, or replaces the previous version. False when another one is stored. */
    savePerson: (record: PersonRecord) =>
      records.putIf(record, record.version === 1 ? null : { version: record.version - 1 }),
    /** Everyone who uses this shelf, in the order of their names; at most `limit`. */
    listPeopleOfShelf: (tenantId: string, shelfPerson: string, limit: number) =>
      records.find({ where: { tenantId, shelfPerson }, limit }),
    /** People whose name does not begin with `prefix` but who use the shelf of a person whose name
     *  does; in the order of their names, at most `limit`. */
    listGuests: (tenantId: string, prefix: string, limit: number): Promise<readonly PersonRecord[]> => {
      const guests = { shelfPerson: is.beginningWith(prefix), person: is.notBeginningWith(prefix) };
      return records.find({ where: { tenantId, ...guests }, limit });
    },
    /** False when there was none. */
    removePerson: async ({ tenantId, person }: ShelfOwner) => (await records.remove({ tenantId, person })) === 1,
    /** Everyone of the tenant whose name begins with this prefix. @returns how many there were */
    removePeople: (tenantId: string, prefix: string) => records.remove({ tenantId, person: is.beginningWith(prefix) }),
  };
}
