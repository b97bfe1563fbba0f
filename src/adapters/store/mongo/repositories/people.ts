import type { Connection } from 'mongoose';
import type { Preferences, RecentSearch } from '../../../../domain/person.ts';
import { toRecordKey } from '../../../../domain/record-key.ts';
import type { PeopleRepository, PersonRecord, ShelfOwner } from '../../../../ports/store/store.ts';
import { type Document, defineCollection, openCollection } from '../collection.ts';
import { writeUnlessTaken } from '../failures.ts';
import { instant, integer, object, objects, text, texts } from '../fields.ts';
import { matchListBeginning } from '../list-page.ts';

const keyOf = ({ tenantId, person }: ShelfOwner) => toRecordKey([tenantId, person]);

export const people = defineCollection<PersonRecord>('people', {
  fields: {
    tenantId: text,
    person: text,
    shelfPerson: text,
    preferences: object<Preferences>({
      locale: text,
      lang: text,
      level: text,
      types: texts,
      providers: texts,
      itemsPerPage: integer,
    }),
    recentSearches: objects<RecentSearch>({ text, searchedAt: instant }),
    savedSearches: texts,
    version: integer,
  },
  key: keyOf,
  indexes: [{ key: { tenantId: 1, person: 1 } }, { key: { tenantId: 1, shelfPerson: 1, person: 1 } }],
});

export function createPeopleRepository(connection: Connection): PeopleRepository {
  const model = openCollection(connection, people);
  const add = (record: PersonRecord) =>
    writeUnlessTaken(async () => {
      await model.insertOne(people.toDocument(record));
      return true;
    });
  const change = async (record: PersonRecord) => {
    const before = { _id: keyOf(record), version: record.version - 1 };
    return (await model.replaceOne(before, people.toDocument(record))).matchedCount === 1;
  };
  return {
    findPerson: async (owner) =>
      people.toRecordOrNull(await model.findOne({ _id: keyOf(owner) }).lean<Document | null>()),
    savePerson: (record) => (record.version === 1 ? add(record) : change(record)),
    async listPeopleOfShelf(tenantId, shelfPerson, limit) {
      const found = model.find({ tenantId, shelfPerson }).sort({ person: 1 }).limit(limit);
      return (await found.lean<Document[]>()).map(people.toRecord);
    },
    async listGuests(tenantId, prefix, limit) {
      const hosted = { tenantId, ...matchListBeginning('shelfPerson', prefix) };
      const found = model.find({ ...hosted, $nor: [matchListBeginning('person', prefix)] });
      return (await found.sort({ person: 1 }).limit(limit).lean<Document[]>()).map(people.toRecord);
    },
    removePerson: async (owner) => (await model.deleteOne({ _id: keyOf(owner) })).deletedCount === 1,
    removePeople: async (tenantId, prefix) =>
      (await model.deleteMany({ tenantId, ...matchListBeginning('person', prefix) })).deletedCount,
  };
}
