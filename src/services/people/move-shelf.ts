import type { PeopleRepository, PersonRecord, ShelfOwner, ShelfRepository } from '../../ports/store/store.ts';
import type { PersonRecords } from './person-records.ts';
import { copyShelf, emptyShelf } from './shelf-contents.ts';

export interface SharingDeps {
  readonly people: PeopleRepository;
  readonly shelf: ShelfRepository;
  readonly records: PersonRecords;
}

export interface Move {
  readonly from: ShelfOwner;
  readonly to: ShelfOwner;
  /** Who goes with it and has not gone yet. It ends when there is nobody, so whoever is listed has to be one who uses it. */
  listMovers(): Promise<readonly PersonRecord[]>;
}

export const MAX_OTHERS = 100;

/** With room for who asks. */
export const listUsers = (people: PeopleRepository, { tenantId, person }: ShelfOwner) =>
  people.listPeopleOfShelf(tenantId, person, MAX_OTHERS + 1);

/** In this order everything is on the new shelf before anyone uses it, and what was saved on the old one meanwhile follows. */
export async function moveShelf({ shelf, records }: SharingDeps, { from, to, listMovers }: Move) {
  await copyShelf(shelf, from, to);
  for (let movers = await listMovers(); movers.length > 0; movers = await listMovers())
    for (const mover of movers)
      await records.update(mover, (record) =>
        record.shelfPerson === from.person ? { ...record, shelfPerson: to.person } : record,
      );
  await emptyShelf(shelf, from, to);
}
