import type {
  PeopleRepository,
  PersonRecord,
  ShelfOwner,
  ShelfRecord,
  ShelfRepository,
} from '#ports/store/store';
import { readEveryItem } from '#services/host/every-item';
import { createShelfFullError, SHELF_CAPACITY } from '../shelf.ts';
import type { PersonRecords } from './person-records.ts';

export interface SharingDeps {
  readonly people: PeopleRepository;
  readonly shelf: ShelfRepository;
  readonly records: PersonRecords;
}

export interface Move {
  readonly from: ShelfOwner;
  readonly to: ShelfOwner;
  /** The people who move with the shelf and have not moved yet. The move ends when there are none, so only people who use the
   *  shelf may be listed. */
  listMovers(): Promise<readonly PersonRecord[]>;
}

export const MAX_OTHERS = 100;

/** With room for who asks. */
export const listShelfUsers = (people: PeopleRepository, { tenantId, person }: ShelfOwner) =>
  people.listPeopleOfShelf(tenantId, person, MAX_OTHERS + 1);

/** In this order everything is on the new shelf before anyone uses it, and what was saved on the old one meanwhile follows. */
export async function moveShelf({ shelf, records }: SharingDeps, { from, to, listMovers }: Move) {
  await copyShelf(shelf, from, to);
  for (let movers = await listMovers(); movers.length > 0; movers = await listMovers())
    for (const mover of movers)
      await records.update(mover, (record) =>
        record.shelfPerson === from.person ? { ...record, shelfPerson: to.person } : record,
      );
  await moveAndEmptyShelf(shelf, from, to);
}

/** Leaves room for what is saved while two shelves become one. */
const ROOM = 2 * SHELF_CAPACITY;

const PAGE_SIZE = 100;

/** Errors: SHELF_FULL when both have more than one shelf holds. */
export async function refuseOverfullShelfMove(
  shelf: ShelfRepository,
  [one, other]: readonly [ShelfOwner, ShelfOwner],
): Promise<void> {
  const records = [...(await readShelf(shelf, one)), ...(await readShelf(shelf, other))];
  if (new Set(records.map(({ address }) => address)).size > SHELF_CAPACITY) throw createShelfFullError();
}

/** Puts what `from` has on the other shelf as well. */
async function copyShelf(shelf: ShelfRepository, from: ShelfOwner, to: ShelfOwner): Promise<void> {
  await addMissing(shelf, await readShelf(shelf, from), to);
}

/** The same, and removes each object there once it is here. What finds no room stays. */
export async function moveAndEmptyShelf(
  shelf: ShelfRepository,
  from: ShelfOwner,
  to: ShelfOwner,
): Promise<void> {
  for (;;) {
    const { items } = await shelf.listShelf(from, { page: 0, pageSize: PAGE_SIZE });
    if (items.length === 0) return;
    await addMissing(shelf, items, to);
    const addresses = items.map(({ address }) => address);
    const moved = await shelf.findOnShelf(to, addresses);
    for (const address of moved) await shelf.removeFromShelf(from, address);
    if (moved.length < addresses.length) return;
  }
}

async function addMissing(shelf: ShelfRepository, records: readonly ShelfRecord[], to: ShelfOwner) {
  const addresses = records.map(({ address }) => address);
  const there = new Set(await shelf.findOnShelf(to, addresses));
  for (const record of records) {
    if (there.has(record.address)) continue;
    const moved = { ...record, person: to.person };
    if ((await shelf.addToShelf(moved, SHELF_CAPACITY)) === 'full') await shelf.addToShelf(moved, ROOM);
  }
}

async function readShelf(shelf: ShelfRepository, owner: ShelfOwner): Promise<readonly ShelfRecord[]> {
  const records: ShelfRecord[] = [];
  for await (const record of readEveryItem((page) => shelf.listShelf(owner, page))) records.push(record);
  return records;
}
