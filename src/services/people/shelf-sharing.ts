import { AppError } from '#errors';
import type {
  PeopleRepository,
  PersonRecord,
  ShelfOwner,
  ShelfRecord,
  ShelfRepository,
} from '#ports/store/store';
import { readEveryItem } from '#services/host/every-item';
import type { PersonRecords } from './person-records.ts';
import { createShelfFullError, SHELF_CAPACITY } from './shelf.ts';

/** Knows who uses whose shelf. A shared shelf has the name of one of those who share it, and each of them has a record: so
 *  somebody without a record has a shelf that nobody else uses. An interrupted change goes on when the same is asked for again. */
export interface Sharing {
  /** Errors: SHELF_FULL, CHANGED_MEANWHILE. */
  join(one: ShelfOwner, other: ShelfOwner): Promise<void>;
  /** At most 100. */
  listOthers(owner: ShelfOwner): Promise<readonly PersonRecord[]>;
  /** What is shared stays with the others. */
  leave(owner: ShelfOwner): Promise<void>;
  /** Leaves what people with such names share with others to those others. The people themselves are to be removed next: until
   *  then they may still use the shelf, which now has the name of one of the others. */
  leaveToGuests(tenantId: string, prefix: string): Promise<void>;
}

/** A further attempt means that somebody linked or unlinked at the same time. */
const ATTEMPTS = 10;

export function createSharing(deps: SharingDeps): Sharing {
  const { people, records } = deps;

  const listOthersOf = async (shelfOwner: ShelfOwner, { person }: ShelfOwner) =>
    (await listShelfUsers(people, shelfOwner))
      .filter((record) => record.person !== person)
      .slice(0, MAX_OTHERS);

  return {
    join: (one, other) => joinShelves(deps, one, other),
    async listOthers(owner) {
      const { shelfPerson } = await records.find(owner);
      return listOthersOf({ ...owner, person: shelfPerson }, owner);
    },
    async leave({ tenantId, person }) {
      const owner = { tenantId, person };
      const left = await records.update(owner, (record) =>
        record.shelfPerson === person ? record : { ...record, shelfPerson: person },
      );
      // Somebody who used another's shelf gets an empty one; somebody who shared their own leaves it to the others.
      const [heir] = await listOthersOf(owner, left);
      if (heir === undefined) return;
      const to = { tenantId, person: heir.person };
      await moveShelf(deps, { from: owner, to, listMovers: () => listOthersOf(owner, owner) });
    },
    async leaveToGuests(tenantId, prefix) {
      for (;;) {
        const [heir] = await people.listGuests(tenantId, prefix, 1);
        if (heir === undefined) return;
        const from = { tenantId, person: heir.shelfPerson };
        const to = { tenantId, person: heir.person };
        // Everyone moves: those who are listed might all be people who leave.
        await moveShelf(deps, { from, to, listMovers: () => listShelfUsers(people, from) });
      }
    },
  };
}

/** Errors: SHELF_FULL, CHANGED_MEANWHILE. */
async function joinShelves(deps: SharingDeps, one: ShelfOwner, other: ShelfOwner): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) if (await joinOnce(deps, one, other)) return;
  throw new AppError('CHANGED_MEANWHILE', 'Others linked the same shelves at once. Try again.');
}

/** Linking the same people at once, in either direction, does the same.
 *  @returns whether they shared one already */
async function joinOnce(deps: SharingDeps, one: ShelfOwner, other: ShelfOwner): Promise<boolean> {
  const { people, shelf, records } = deps;
  const [first, second] = [await records.find(one), await records.find(other)];
  const { tenantId } = one;
  if (first.shelfPerson === second.shelfPerson) {
    await collectRest(deps, { tenantId, person: first.shelfPerson });
    return true;
  }
  const isFirst = first.shelfPerson < second.shelfPerson;
  const to = { tenantId, person: isFirst ? first.shelfPerson : second.shelfPerson };
  const from = { tenantId, person: isFirst ? second.shelfPerson : first.shelfPerson };
  await refuseOverfullShelfMove(shelf, [from, to]);
  for (const owner of [one, other]) await records.update(owner, (record) => ({ ...record }));
  const isAsking = ({ person }: ShelfOwner) => [one.person, other.person].includes(person);
  /** The one who asks moves last: until then the two use different shelves, so that asking again goes on with the rest. */
  const listMovers = async () => {
    const users = await listShelfUsers(people, from);
    const others = users.filter((user) => !isAsking(user));
    return others.length > 0 ? others : users;
  };
  await moveShelf(deps, { from, to, listMovers });
  return false;
}

/** Takes over what was left on shelves that nobody uses any more and whose owners use this one. */
async function collectRest({ people, shelf }: SharingDeps, to: ShelfOwner): Promise<void> {
  for (const { tenantId, person } of await listShelfUsers(people, to)) {
    const isUsed = (await people.listPeopleOfShelf(tenantId, person, 1)).length > 0;
    if (!isUsed) await moveAndEmptyShelf(shelf, { tenantId, person }, to);
  }
}

interface SharingDeps {
  readonly people: PeopleRepository;
  readonly shelf: ShelfRepository;
  readonly records: PersonRecords;
}

interface Move {
  readonly from: ShelfOwner;
  readonly to: ShelfOwner;
  /** The people who move with the shelf and have not moved yet. The move ends when there are none, so only people who use the
   *  shelf may be listed. */
  listMovers(): Promise<readonly PersonRecord[]>;
}

const MAX_OTHERS = 100;

/** With room for who asks. */
const listShelfUsers = (people: PeopleRepository, { tenantId, person }: ShelfOwner) =>
  people.listPeopleOfShelf(tenantId, person, MAX_OTHERS + 1);

/** In this order everything is on the new shelf before anyone uses it, and what was saved on the old one meanwhile follows. */
async function moveShelf({ shelf, records }: SharingDeps, { from, to, listMovers }: Move) {
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
async function refuseOverfullShelfMove(
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
async function moveAndEmptyShelf(shelf: ShelfRepository, from: ShelfOwner, to: ShelfOwner): Promise<void> {
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
