/** A shared shelf is stored under the name of one of its people, each of whom has a record; others
 *  use a shelf alone. Repeating a request completes an interrupted change. */

import { AppError } from '#errors';
import type {
  PeopleRepository,
  PersonRecord,
  ShelfOwner,
  ShelfRecord,
  ShelfRepository,
  Store,
} from '#ports/store/store';
import { listEveryItem } from '#services/host/every-item';
import { findPersonRecord, updatePersonRecord } from './person-records.ts';
import { createShelfFullError, SHELF_CAPACITY } from './shelf.ts';

export type SharingDeps = Pick<Store, 'people' | 'shelf'>;

/** Attempts while others link or unlink. */
const ATTEMPTS = 10;

/** Returns the others who share the shelf of a person, at most 100. */
export async function listShelfSharing({ people }: SharingDeps, owner: ShelfOwner): Promise<readonly PersonRecord[]> {
  const { shelfPerson } = await findPersonRecord(people, owner);
  return listShelfSharers(people, { ...owner, person: shelfPerson }, owner);
}

/** Gives a person an empty shelf; the shared shelf stays with the others. */
export async function leaveShelf(deps: SharingDeps, { tenantId, person }: ShelfOwner): Promise<void> {
  const { people } = deps;
  const owner = { tenantId, person };
  const updated = await updatePersonRecord(people, owner, (record) =>
    record.shelfPerson === person ? record : { ...record, shelfPerson: person },
  );
  // A guest gets an empty shelf; the owner of a shared shelf leaves it to the others.
  const [heir] = await listShelfSharers(people, owner, updated);
  if (heir === undefined) return;
  const to = { tenantId, person: heir.person };
  await moveShelf(deps, { from: owner, to, listMovers: () => listShelfSharers(people, owner, owner) });
}

/** Moves shelves of people with this prefix, who are removed next, to others who use them. */
export async function leaveShelvesToGuests(deps: SharingDeps, tenantId: string, prefix: string): Promise<void> {
  for (;;) {
    const [heir] = await deps.people.listGuests(tenantId, prefix, 1);
    if (heir === undefined) return;
    const from = { tenantId, person: heir.shelfPerson };
    const to = { tenantId, person: heir.person };
    // All users move, as everybody on the list might be removed next.
    await moveShelf(deps, { from, to, listMovers: () => listShelfUsers(deps.people, from) });
  }
}

async function listShelfSharers(people: PeopleRepository, shelfOwner: ShelfOwner, { person }: ShelfOwner) {
  const users = await listShelfUsers(people, shelfOwner);
  return users.filter((record) => record.person !== person).slice(0, MAX_OTHERS);
}

/** Merges the shelves of two people and of all who share them.
 *  @param asking the person who asks for it. Errors: SHELF_FULL, CHANGED_MEANWHILE. */
export async function joinShelves(deps: SharingDeps, asking: ShelfOwner, partner: ShelfOwner): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) if (await joinShelvesOnce(deps, asking, partner)) return;
  throw new AppError('CHANGED_MEANWHILE', 'Others linked the same shelves at once. Try again.');
}

/** Simultaneous calls, in either order, choose the same shelf. @returns whether it was shared */
async function joinShelvesOnce(deps: SharingDeps, asking: ShelfOwner, partner: ShelfOwner): Promise<boolean> {
  const { people, shelf } = deps;
  const first = await findPersonRecord(people, asking);
  const second = await findPersonRecord(people, partner);
  const { tenantId } = asking;
  if (first.shelfPerson === second.shelfPerson) {
    await moveShelfLeftovers(deps, { tenantId, person: first.shelfPerson });
    return true;
  }
  const isFirst = first.shelfPerson < second.shelfPerson;
  const to = { tenantId, person: isFirst ? first.shelfPerson : second.shelfPerson };
  const from = { tenantId, person: isFirst ? second.shelfPerson : first.shelfPerson };
  await refuseOverfullShelf(shelf, [from, to]);
  // Copies make sure that both people have a stored record.
  for (const owner of [asking, partner]) await updatePersonRecord(people, owner, (record) => ({ ...record }));
  // The two people move last, so that a repeated request completes an interrupted move.
  const listMovers = async () => {
    const users = await listShelfUsers(people, from);
    const thirdParties = users.filter((user) => ![asking.person, partner.person].includes(user.person));
    return thirdParties.length > 0 ? thirdParties : users;
  };
  await moveShelf(deps, { from, to, listMovers });
  return false;
}

/** Moves the objects that interrupted merges left on former shelves of people who use this one. */
async function moveShelfLeftovers({ people, shelf }: SharingDeps, to: ShelfOwner): Promise<void> {
  for (const { tenantId, person } of await listShelfUsers(people, to)) {
    const isUsed = (await people.listPeopleOfShelf(tenantId, person, 1)).length > 0;
    if (!isUsed) await moveShelfObjects(shelf, { tenantId, person }, to);
  }
}

interface Move {
  readonly from: ShelfOwner;
  readonly to: ShelfOwner;
  /** Returns the people who have not moved yet. The move ends when the list is empty. */
  listMovers(): Promise<readonly PersonRecord[]>;
}

const MAX_OTHERS = 100;

/** One more than `MAX_OTHERS`, for the person who asks. */
const listShelfUsers = (people: PeopleRepository, { tenantId, person }: ShelfOwner) =>
  people.listPeopleOfShelf(tenantId, person, MAX_OTHERS + 1);

const readWholeShelf = (shelf: ShelfRepository, owner: ShelfOwner) =>
  listEveryItem((page) => shelf.listShelf(owner, page));

/** Copies the objects first, so that nobody misses any, then moves objects saved meanwhile. */
async function moveShelf({ shelf, people }: SharingDeps, { from, to, listMovers }: Move) {
  await addMissingToShelf(shelf, await readWholeShelf(shelf, from), to);
  for (let movers = await listMovers(); movers.length > 0; movers = await listMovers())
    for (const mover of movers)
      await updatePersonRecord(people, mover, (record) =>
        record.shelfPerson === from.person ? { ...record, shelfPerson: to.person } : record,
      );
  await moveShelfObjects(shelf, from, to);
}

/** Limit while two shelves are merged and people go on saving. */
const ROOM = 2 * SHELF_CAPACITY;
const PAGE_SIZE = 100;

/** Errors: SHELF_FULL when both together have more objects than one shelf holds. */
async function refuseOverfullShelf(shelf: ShelfRepository, owners: readonly ShelfOwner[]) {
  const records = (await Promise.all(owners.map((owner) => readWholeShelf(shelf, owner)))).flat();
  if (new Set(records.map(({ address }) => address)).size <= SHELF_CAPACITY) return;
  throw createShelfFullError(
    `Both shelves together have more than ${SHELF_CAPACITY} saved objects, which is as many as there can be. Remove some, then use the code again.`,
  );
}

/** Moves all objects to another shelf, except those for which it has no room. */
async function moveShelfObjects(shelf: ShelfRepository, from: ShelfOwner, to: ShelfOwner): Promise<void> {
  for (;;) {
    const { items } = await shelf.listShelf(from, { page: 0, pageSize: PAGE_SIZE });
    if (items.length === 0) return;
    await addMissingToShelf(shelf, items, to);
    const addresses = items.map(({ address }) => address);
    const moved = await shelf.findOnShelf(to, addresses);
    for (const address of moved) await shelf.removeFromShelf(from, address);
    if (moved.length < addresses.length) return;
  }
}

async function addMissingToShelf(shelf: ShelfRepository, records: readonly ShelfRecord[], to: ShelfOwner) {
  const addresses = records.map(({ address }) => address);
  const present = new Set(await shelf.findOnShelf(to, addresses));
  for (const record of records) {
    if (present.has(record.address)) continue;
    const moved = { ...record, person: to.person };
    if ((await shelf.addToShelf(moved, SHELF_CAPACITY)) === 'full') await shelf.addToShelf(moved, ROOM);
  }
}
