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

/** People who share a shelf, which is stored under the name of one of them; each has a record. A
 *  person without a record uses a shelf alone. Repeated requests complete interrupted changes. */
export type SharingDeps = Pick<Store, 'people' | 'shelf'>;

/** Attempts while others link or unlink. */
const ATTEMPTS = 10;

/** The others who share the shelf of a person, at most 100. */
export async function listShelfSharing({ people }: SharingDeps, owner: ShelfOwner): Promise<readonly PersonRecord[]> {
  const { shelfPerson } = await findPersonRecord(people, owner);
  return listShelfSharers(people, { ...owner, person: shelfPerson }, owner);
}

/** The shared shelf stays with the others. */
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

/** Moves shelves of people with this prefix, who are removed next, to the others who use them;
 *  until then they use a shelf under the name of one of the others. */
export async function leaveShelvesToGuests(deps: SharingDeps, tenantId: string, prefix: string): Promise<void> {
  for (;;) {
    const [heir] = await deps.people.listGuests(tenantId, prefix, 1);
    if (heir === undefined) return;
    const from = { tenantId, person: heir.shelfPerson };
    const to = { tenantId, person: heir.person };
    // All users move, as all who are listed might be people who leave.
    await moveShelf(deps, { from, to, listMovers: () => listShelfUsers(deps.people, from) });
  }
}

async function listShelfSharers(people: PeopleRepository, shelfOwner: ShelfOwner, { person }: ShelfOwner) {
  const users = await listShelfUsers(people, shelfOwner);
  return users.filter((record) => record.person !== person).slice(0, MAX_OTHERS);
}

/** Errors: SHELF_FULL, CHANGED_MEANWHILE. */
export async function joinShelves(deps: SharingDeps, one: ShelfOwner, other: ShelfOwner): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) if (await joinShelvesOnce(deps, one, other)) return;
  throw new AppError('CHANGED_MEANWHILE', 'Others linked the same shelves at once. Try again.');
}

/** Simultaneous calls for the same people, in either order, agree. @returns whether they shared */
async function joinShelvesOnce(deps: SharingDeps, one: ShelfOwner, other: ShelfOwner): Promise<boolean> {
  const { people, shelf } = deps;
  const first = await findPersonRecord(people, one);
  const second = await findPersonRecord(people, other);
  const { tenantId } = one;
  if (first.shelfPerson === second.shelfPerson) {
    await collectShelfRest(deps, { tenantId, person: first.shelfPerson });
    return true;
  }
  const isFirst = first.shelfPerson < second.shelfPerson;
  const to = { tenantId, person: isFirst ? first.shelfPerson : second.shelfPerson };
  const from = { tenantId, person: isFirst ? second.shelfPerson : first.shelfPerson };
  await refuseOverfullShelfMove(shelf, [from, to]);
  for (const owner of [one, other]) await updatePersonRecord(people, owner, (record) => ({ ...record }));
  /** The person who asks moves last, so that a repeated request completes the rest. */
  const listShelfMovers = async () => {
    const users = await listShelfUsers(people, from);
    const others = users.filter((user) => ![one.person, other.person].includes(user.person));
    return others.length > 0 ? others : users;
  };
  await moveShelf(deps, { from, to, listMovers: listShelfMovers });
  return false;
}

/** Moves what interrupted merges left on the former shelves of people who use this one. */
async function collectShelfRest({ people, shelf }: SharingDeps, to: ShelfOwner): Promise<void> {
  for (const { tenantId, person } of await listShelfUsers(people, to)) {
    const isUsed = (await people.listPeopleOfShelf(tenantId, person, 1)).length > 0;
    if (!isUsed) await moveAndEmptyShelf(shelf, { tenantId, person }, to);
  }
}

interface Move {
  readonly from: ShelfOwner;
  readonly to: ShelfOwner;
  /** Those who have not moved yet. The move ends when the list is empty. */
  listMovers(): Promise<readonly PersonRecord[]>;
}

const MAX_OTHERS = 100;

/** One more than `MAX_OTHERS`, for the person who asks. */
const listShelfUsers = (people: PeopleRepository, { tenantId, person }: ShelfOwner) =>
  people.listPeopleOfShelf(tenantId, person, MAX_OTHERS + 1);

const readSharedShelf = (shelf: ShelfRepository, owner: ShelfOwner) =>
  listEveryItem((page) => shelf.listShelf(owner, page));

/** Copies first, so that nobody misses objects, then moves what was saved meanwhile. */
async function moveShelf({ shelf, people }: SharingDeps, { from, to, listMovers }: Move) {
  await addMissingToShelf(shelf, await readSharedShelf(shelf, from), to);
  for (let movers = await listMovers(); movers.length > 0; movers = await listMovers())
    for (const mover of movers)
      await updatePersonRecord(people, mover, (record) =>
        record.shelfPerson === from.person ? { ...record, shelfPerson: to.person } : record,
      );
  await moveAndEmptyShelf(shelf, from, to);
}

/** Limit while two shelves are merged and people go on saving. */
const ROOM = 2 * SHELF_CAPACITY;
const PAGE_SIZE = 100;

/** Errors: SHELF_FULL when both together have more objects than one shelf holds. */
async function refuseOverfullShelfMove(shelf: ShelfRepository, [one, other]: readonly [ShelfOwner, ShelfOwner]) {
  const records = [...(await readSharedShelf(shelf, one)), ...(await readSharedShelf(shelf, other))];
  if (new Set(records.map(({ address }) => address)).size > SHELF_CAPACITY) throw createShelfFullError();
}

/** Moves all objects; those that find no room stay. */
async function moveAndEmptyShelf(shelf: ShelfRepository, from: ShelfOwner, to: ShelfOwner): Promise<void> {
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
  const there = new Set(await shelf.findOnShelf(to, addresses));
  for (const record of records) {
    if (there.has(record.address)) continue;
    const moved = { ...record, person: to.person };
    if ((await shelf.addToShelf(moved, SHELF_CAPACITY)) === 'full') await shelf.addToShelf(moved, ROOM);
  }
}
