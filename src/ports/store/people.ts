import type { Preferences, RecentSearch } from '#domain/person';
import { describeRecord, field, is, KEY, type OpenRecords, type RecordOf } from './record.ts';
import type { ShelfOwner } from './shelf.ts';

export const personRecords = describeRecord('people', {
  fields: {
    tenantId: field.ofTenant,
    person: field.text(),
    /** Person whose shelf they use: themselves, or a linked person. */
    shelfPerson: field.text(),
    preferences: field.json<Preferences>(),
    /** Newest first. */
    recentSearches: field.json<readonly RecentSearch[]>((searches) =>
      searches.map((search) => ({ ...search, searchedAt: new Date(search.searchedAt) })),
    ),
    /** Words as they were typed, newest first. */
    savedSearches: field.texts(),
    version: field.integer,
  },
  personal: { account: 'person shelfPerson', about: 'preferences recentSearches savedSearches' },
  impersonal: 'tenantId version',
  privacy: { seenBy: ['person'], kept: 'person', erasure: 'remove' },
  key: ['tenantId', 'person'],
  indexes: [['tenantId', 'shelfPerson', KEY], { fields: ['tenantId', 'person'], in: 'mongo' }],
});

export type PersonRecord = RecordOf<typeof personRecords>;
export type PeopleRepository = ReturnType<typeof createPeopleRepository>;

export function createPeopleRepository(open: OpenRecords) {
  const records = open(personRecords);
  return {
    findPerson: ({ tenantId, person }: ShelfOwner) => records.get({ tenantId, person }),
    /** Adds version 1, or replaces the previous version. Returns false if another one is stored. */
    savePerson: (record: PersonRecord) =>
      records.putIf(record, record.version === 1 ? null : { version: record.version - 1 }),
    /** Lists people who use a shelf, in the order of their names, at most `limit`. */
    listPeopleOfShelf: (tenantId: string, shelfPerson: string, limit: number) =>
      records.find({ where: { tenantId, shelfPerson }, limit }),
    /** Lists people without this prefix who use the shelf of a person with it, by name. */
    listGuests: (tenantId: string, prefix: string, limit: number): Promise<readonly PersonRecord[]> => {
      const guests = { shelfPerson: is.beginningWith(prefix), person: is.notBeginningWith(prefix) };
      return records.find({ where: { tenantId, ...guests }, limit });
    },
    removePeople: (tenantId: string, prefix: string) => records.remove({ tenantId, person: is.beginningWith(prefix) }),
  };
}
