import { AppError } from '#errors';
import type { PersonRecord, ShelfOwner } from '#ports/store/store';
import {
  listShelfUsers,
  MAX_OTHERS,
  moveAndEmptyShelf,
  moveShelf,
  refuseOverfullShelfMove,
  type SharingDeps,
} from './move-shelf.ts';

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
