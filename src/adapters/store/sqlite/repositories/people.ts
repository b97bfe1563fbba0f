import type Database from 'libsql';
import type { RecentSearch } from '../../../../domain/person.ts';
import type { PeopleRepository, PersonRecord } from '../../../../ports/store/store.ts';
import { type Column, integer, json, text } from '../columns.ts';
import { writeUnlessTaken } from '../database.ts';
import { defineTable } from '../table.ts';
import { ofOwner, ofOwners } from './shelf.ts';

/** JSON knows no dates. */
interface StoredSearch extends Omit<RecentSearch, 'searchedAt'> {
  readonly searchedAt: string;
}

const searches: Column<readonly RecentSearch[]> = {
  toSql: (value) => JSON.stringify(value),
  fromSql: (stored) =>
    (JSON.parse(stored as string) as StoredSearch[]).map((search) => ({
      ...search,
      searchedAt: new Date(search.searchedAt),
    })),
};

export const people = defineTable<PersonRecord>('people', {
  columns: {
    tenantId: text(),
    person: text(),
    shelfPerson: text(),
    preferences: json(),
    recentSearches: searches,
    savedSearches: json(),
    version: integer,
  },
  key: ['tenantId', 'person'],
});

export function createPeopleRepository(database: Database.Database): PeopleRepository {
  const one = database.prepare(people.select(ofOwner));
  const insert = database.prepare(people.insert);
  const replace = database.prepare(`${people.update} ${ofOwner} AND version = ?`);
  const ofShelf = database.prepare(
    people.select('WHERE tenant_id = ? AND shelf_person = ? ORDER BY person LIMIT ?'),
  );
  const guests = database.prepare(
    people.select(
      `WHERE tenant_id = :tenantId AND instr(shelf_person, :prefix) = 1 AND instr(person, :prefix) <> 1
       ORDER BY person LIMIT :limit`,
    ),
  );
  const remove = database.prepare(`DELETE FROM people ${ofOwner}`);
  const removeAll = database.prepare(`DELETE FROM people ${ofOwners}`);
  const add = (record: PersonRecord) =>
    writeUnlessTaken(() => insert.run(people.toValues(record)).changes === 1);
  const change = (record: PersonRecord) => {
    const { tenantId, person, version } = record;
    return replace.run([...people.toChanges(record), tenantId, person, version - 1]).changes === 1;
  };
  return {
    findPerson: async ({ tenantId, person }) => people.toRecordOrNull(one.get(tenantId, person)),
    savePerson: async (record) => (record.version === 1 ? add(record) : change(record)),
    listPeopleOfShelf: async (tenantId, shelfPerson, limit) =>
      ofShelf.all(tenantId, shelfPerson, limit).map(people.toRecord),
    listGuests: async (tenantId, prefix, limit) =>
      guests.all({ tenantId, prefix, limit }).map(people.toRecord),
    removePerson: async ({ tenantId, person }) => remove.run(tenantId, person).changes === 1,
    removePeople: async (tenantId, prefix) => removeAll.run(tenantId, prefix).changes,
  };
}
