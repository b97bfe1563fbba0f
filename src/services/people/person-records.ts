import { noPreferences } from '../../domain/person.ts';
import { AppError } from '../../errors.ts';
import type { PeopleRepository, PersonRecord, ShelfOwner } from '../../ports/store/store.ts';

/** Each failed attempt means that somebody else's succeeded. */
const ATTEMPTS = 20;

export type PersonChange = (record: PersonRecord) => PersonRecord;

/** Where there is no record of somebody, they are as everyone begins. */
export interface PersonRecords {
  find(owner: ShelfOwner): Promise<PersonRecord>;
  /** Whatever else changes meanwhile: `change` may be called again with a newer record; where it gives back the very same,
   *  nothing is written. Errors: CHANGED_MEANWHILE when it never comes to rest. */
  update(owner: ShelfOwner, change: PersonChange): Promise<PersonRecord>;
}

export function createPersonRecords(people: PeopleRepository): PersonRecords {
  const find = async (owner: ShelfOwner) => (await people.findPerson(owner)) ?? newPerson(owner);

  return {
    find,
    async update(owner, change) {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const record = await find(owner);
        const changed = change(record);
        if (changed === record) return record;
        const next = { ...changed, version: record.version + 1 };
        if (await people.savePerson(next)) return next;
      }
      throw new AppError(
        'CHANGED_MEANWHILE',
        'This was changed in several places at once, so nothing was saved. Try again.',
      );
    },
  };
}

/** Of whom nothing is kept. */
const newPerson = ({ tenantId, person }: ShelfOwner): PersonRecord => ({
  tenantId,
  person,
  shelfPerson: person,
  preferences: noPreferences,
  recentSearches: [],
  savedSearches: [],
  version: 0,
});
