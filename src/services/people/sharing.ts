import type { PersonRecord, ShelfOwner } from '../../ports/store/store.ts';
import { joinShelves } from './join-shelves.ts';
import { listUsers, MAX_OTHERS, moveShelf, type SharingDeps } from './move-shelf.ts';

/** Who uses whose shelf. A shelf that is shared has the name of one of those who share it, and each of them has a record: so
 *  whoever has no record uses an own shelf that nobody else does. What is interrupted goes on where the same is asked for
 *  again. */
export interface Sharing {
  /** Errors: SHELF_FULL, CHANGED_MEANWHILE. */
  join(one: ShelfOwner, other: ShelfOwner): Promise<void>;
  /** At most 100. */
  listOthers(owner: ShelfOwner): Promise<readonly PersonRecord[]>;
  /** What is shared stays with the others. */
  leave(owner: ShelfOwner): Promise<void>;
  /** What people whose names begin so share with others stays with those others. The people themselves are to be removed next:
   *  they may still use the shelf, which has the name of one of the others then. */
  leaveToGuests(tenantId: string, prefix: string): Promise<void>;
}

export function createSharing(deps: SharingDeps): Sharing {
  const { people, records } = deps;

  const listOthersOf = async (shelfOwner: ShelfOwner, { person }: ShelfOwner) =>
    (await listUsers(people, shelfOwner)).filter((record) => record.person !== person).slice(0, MAX_OTHERS);

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
      // Who used another shelf has an own one that is empty; who shared their own leaves it to the others.
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
        // Everyone goes along: among those who are listed there might be none of the others.
        await moveShelf(deps, { from, to, listMovers: () => listUsers(people, from) });
      }
    },
  };
}
